"""The end here of what runs on a server, with a client in ssh's place that breaks off."""

import json
import shlex
import subprocess
import sys
from tempfile import TemporaryDirectory

import pytest

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
IS_KILLED = """
sys.exit(137)
"""
IS_REFUSED = """
sys.stderr.write("me@gpu: Permission denied (publickey).\\n")
sys.exit(255)
"""
FLOODS = r"""
sys.stdout.write("\x05\n" + "{}\n" * 300_000 + "broken off")
sys.exit(255)
"""
GREETS_FOR_EVER = r"""
while True:
    sys.stdout.write("welcome\n")
"""
HEARS = r"""
import os
os.write(1, b"\x05\n")
while said := os.read(0, 1):
    os.write(1, said.hex().encode() + b"\n")
"""
ECHOES = r"""
import os
os.write(1, b"\x05\n")
while said := sys.stdin.readline().replace("\0", ""):
    os.write(1, said.encode())
os.write(1, b"end\n")
sys.exit(7)
"""


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch):
    """For what is known of connections; its name has to be short."""
    with TemporaryDirectory(prefix="mm-", dir="/tmp") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield


class Client:
    """A program that is started in ssh's place."""

    def __init__(self, folder, monkeypatch, does):
        self._script = folder / "client.py"
        self._script.write_text(_CLIENT + does)
        command = shlex.join([sys.executable, "-S", str(self._script)])
        monkeypatch.setenv("MODELMON_SSH_COMMAND", command)

    @property
    def calls(self):
        """How it was called."""
        return self._script.with_suffix(".calls").read_text().splitlines()


def near_end(*arguments):
    command = [sys.executable, "-P", "-m", "modelmon.core.remote.ends", "near", "ssh://gpu"]
    pipe = subprocess.PIPE
    return subprocess.Popen([*command, *arguments], stdin=pipe, stdout=pipe, stderr=pipe)


def test_that_a_standby_that_is_cut_off_ends_at_once(tmp_path, monkeypatch):
    client = Client(tmp_path, monkeypatch, BREAKS_OFF)
    with near_end(WORKER, "--standby") as standby:
        assert standby.wait() == 1
    assert len(client.calls) == 1


def test_that_who_gives_up_while_ssh_asks_ends_ssh(tmp_path, monkeypatch):
    Client(tmp_path, monkeypatch, WAITS)
    with near_end("modelmon", "inspect", "--json", "/m") as asking:
        asking.communicate()
    assert asking.returncode == 1


def test_that_a_program_that_failed_without_a_word_is_told_by_its_code(tmp_path, monkeypatch):
    Client(tmp_path, monkeypatch, IS_KILLED)
    with near_end("modelmon", "inspect", "/m") as asking:
        assert b"failed: exit code 137." in (asking.stderr or sys.stdin.buffer).read()


@pytest.mark.parametrize(("require", "batch"), [("force", "no"), ("prefer", "yes")])
def test_that_a_no_is_no_lost_line_that_would_be_tried_again(require, batch, tmp_path, monkeypatch):
    """Only a window asks in the middle of something."""
    client = Client(tmp_path, monkeypatch, IS_REFUSED)
    monkeypatch.setenv("SSH_ASKPASS_REQUIRE", require)
    with near_end(WORKER) as worker:
        said = json.loads((worker.stdout or sys.stdin.buffer).read())
    assert said["kind"] == "io"
    assert client.calls == [f"BatchMode={batch}"]


def test_that_a_program_that_is_cut_off_is_one_that_failed(tmp_path, monkeypatch):
    Client(tmp_path, monkeypatch, FLOODS)
    with near_end("modelmon", "inspect", "--json", "/m") as asking:
        *said, last = (asking.stdout or sys.stdin.buffer).read().splitlines()
        assert asking.wait() == 1
    assert said == [b"{}"] * 300_000
    assert json.loads(last)["kind"] == "disconnected"
    assert b"The connection to {server} was lost." in last
    assert b"Run it again" in last


def test_that_a_greeting_without_end_is_refused(tmp_path, monkeypatch):
    Client(tmp_path, monkeypatch, GREETS_FOR_EVER)
    with near_end("modelmon", "inspect", "--json", "/m") as asking:
        assert b"read what {server} sent" in (asking.stdout or sys.stdin.buffer).read()


@pytest.mark.parametrize("is_stopped", [False, True])
def test_that_the_end_of_its_input_ends_what_runs_there(tmp_path, monkeypatch, is_stopped):
    """Also where it is told to stop: then it hands on what is still said, and the exit code."""
    Client(tmp_path, monkeypatch, ECHOES)
    with near_end(WORKER) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        worker.stdin.write(b"a job\0\n")
        worker.stdin.flush()
        assert worker.stdout.readline() == b"a job \n"
        if is_stopped:
            worker.terminate()
        else:
            worker.stdin.close()
        assert worker.stdout.readline() == b"end\n"
        assert worker.wait() == 7


def test_that_a_sign_of_life_goes_there_where_there_is_nothing_to_say(tmp_path, monkeypatch):
    Client(tmp_path, monkeypatch, HEARS)
    often = "import sys; from modelmon.core.remote import ends; ends.BEAT_S = 0.01"
    command = [
        sys.executable,
        "-P",
        "-c",
        f"{often}; ends.near_end(sys.argv[1:])",
        "ssh://gpu",
        WORKER,
    ]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert [worker.stdout.readline() for _ in range(3)] == 3 * [b"00\n"]
        worker.stdin.close()
        assert set(worker.stdout.readlines()) <= {b"00\n"}
        assert worker.wait() == 0
