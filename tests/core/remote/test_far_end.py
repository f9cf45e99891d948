"""What runs on a server, asked directly: what it hands to the program, keeps and removes."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from modelmon.core.remote import far_end, lines
from modelmon.core.remote.ssh import packed_request

if TYPE_CHECKING:
    from pathlib import Path

NAME = "0" * 32
_RUNS = """
import sys
from modelmon.core.remote import far_end
far_end.program = lambda *_: (sys.executable, "-S", "-c", sys.argv[1])
sys.exit(far_end.main([sys.argv[2]]))
"""
_TELLS = """
import fcntl
input()
print(fcntl.fcntl(1, fcntl.F_GETPIPE_SZ))
print(next(line for line in open("/proc/self/status") if line.startswith("SigIgn")).split()[1])
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(far_end, "cache_folder", lambda: tmp_path)
    return tmp_path


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_that_a_program_has_a_wide_pipe_and_ends_with_its_terminal_as_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked = {"protocol": lines.PROTOCOL, "id": NAME, "module": "modelmon", "arguments": []}
    command = [sys.executable, "-P", "-c", _RUNS, _TELLS, packed_request(asked)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as relay:
        assert relay.stdin is not None
        assert relay.stdout is not None
        relay.stdin.write(lines.INPUT + b"\n")
        relay.stdin.flush()
        assert relay.stdout.readline() == lines.BEGUN
        assert int(relay.stdout.readline()) >= 1 << 20
        ignored = int(relay.stdout.readline(), 16)
        assert relay.stdout.readline() == lines.END + b"0\n"
        relay.communicate(lines.GOT_ALL + b"\n")
    assert not ignored & 1 << (signal.SIGHUP - 1)


def test_that_a_place_that_is_swept_away_before_it_is_locked_is_made_again(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = cache / "remote" / "kept" / NAME
    locks: list[int] = []
    lock = fcntl.flock

    def lock_late(descriptor: int, how: int) -> None:
        if not locks:
            place.unlink()
        locks.append(descriptor)
        lock(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", lock_late)
    with far_end._Kept(NAME) as kept:
        assert kept._is_alive()
    assert not place.exists()


def test_that_who_looks_at_a_place_does_not_keep_it_from_being_locked(cache: Path) -> None:
    place = cache / "remote" / "kept" / NAME
    place.parent.mkdir(parents=True)
    looks = os.open(place, os.O_CREAT | os.O_RDWR, 0o600)
    fcntl.flock(looks, fcntl.LOCK_SH)
    timer = threading.Timer(0.1, os.close, (looks,))
    timer.start()
    with far_end._Kept("1" * 32), far_end._Kept(NAME) as kept:
        assert kept._is_alive()
    timer.join()


def test_that_bundles_of_other_versions_go_once_nothing_runs_from_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = ("new.begun", "old", "own", "used")
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "bundle").touch()
    for name in ("data", "kept"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "measured").touch()
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "own"))
    used = os.open(tmp_path / "used" / "bundle", os.O_RDONLY)
    fcntl.flock(used, fcntl.LOCK_SH)
    far_end.main([packed_request({"hello": True, "installed": True})])
    os.close(used)
    assert "protocol" in capsys.readouterr().out
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"data", "kept", "new.begun", "own", "used"}
