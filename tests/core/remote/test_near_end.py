"""The end here of what runs on a server, with a client in ssh's place that breaks off."""

from __future__ import annotations

import shlex
import subprocess
import sys
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORKER = "modelmon.core.worker"
_CLIENT = """
import pathlib, sys
calls = pathlib.Path(__file__).with_suffix(".calls")
with calls.open("a") as file:
    file.write("BatchMode=no\\n" if "BatchMode=no" in sys.argv else "BatchMode=yes\\n")
"""
BREAKS_OFF = r"""
sys.stdout.write("\x05\nawake\n")
sys.exit(255)
"""
WAITS = """
sys.stdin.close()
import signal
signal.pause()
"""
IS_REFUSED = """
sys.stderr.write("me@gpu: Permission denied (publickey).\\n")
sys.exit(255)
"""
FLOODS = r"""
import os
if len(calls.read_text().splitlines()) == 1:
    sys.stdout.write("\x05\n")
    sys.exit(255)
os.write(1, b"\x05\n")
sys.stdout.write("\n" * 3_000_000)
"""


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For what is known of connections; its name has to be short."""
    with TemporaryDirectory(prefix="mm-", dir="/tmp") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield


class Client:
    """A program that is started in ssh's place."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, does: str) -> None:
        self._script = folder / "client.py"
        self._script.write_text(_CLIENT + does)
        command = shlex.join([sys.executable, "-S", str(self._script)])
        monkeypatch.setenv("MODELMON_SSH_COMMAND", command)

    @property
    def calls(self) -> list[str]:
        """How it was called."""
        return self._script.with_suffix(".calls").read_text().splitlines()


def near_end(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-P", "-m", "modelmon.core.remote.near_end", "ssh://gpu"]
    pipe = subprocess.PIPE
    return subprocess.Popen([*command, *arguments], stdin=pipe, stdout=pipe, stderr=pipe)


def test_that_a_standby_that_is_cut_off_ends_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(tmp_path, monkeypatch, BREAKS_OFF)
    with near_end(WORKER, "--standby") as standby:
        assert standby.wait() == 1
    assert len(client.calls) == 1


def test_that_who_gives_up_while_ssh_asks_ends_ssh(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Client(tmp_path, monkeypatch, WAITS)
    with near_end("modelmon", "inspect", "--json", "/m") as asking:
        asking.communicate()
    assert asking.returncode == 1


def test_that_the_person_is_asked_once_for_a_line_that_was_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = Client(tmp_path, monkeypatch, IS_REFUSED)
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", "force")
    for _ in range(3):
        with near_end(WORKER) as worker:
            worker.wait()
    assert client.calls == ["BatchMode=no", "BatchMode=yes", "BatchMode=yes"]


def test_that_what_is_fetched_in_many_lines_is_read_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Client(tmp_path, monkeypatch, FLOODS)
    with near_end("modelmon", "inspect", "--json", "/m") as asking:
        assert b"was lost" in (asking.stdout or sys.stdin.buffer).read()
