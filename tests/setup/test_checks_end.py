"""A check that hangs, or is interrupted, ends with all that it started."""

import itertools
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

SETUP = Path(__file__).parents[2] / "setup"
HANGS = """#!/bin/sh
exec 3> {alive}
echo started >&3
sleep 1000 &
wait
"""
RUN = """
import sys
sys.path.insert(0, sys.argv[1])
import checks
checks.tool = lambda name: f"{sys.argv[2]}/{name}"
sys.exit(checks.run_checks([]))
"""


@pytest.fixture
def alive(programs, tmp_path, request):
    """What two processes of a check that hangs hold open: it ends when both have ended."""
    pipe = tmp_path / "alive"
    os.mkfifo(pipe)
    for name in ("ruff", "mypy", "lint-imports", "pytest"):
        programs.add(name)
    hanging = programs.folder / getattr(request, "param", "ruff")
    hanging.write_text(HANGS.format(alive=pipe))
    # To open it must not wait for who writes; to read it must.
    with os.fdopen(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as held:
        os.set_blocking(held.fileno(), True)
        yield held


def test_that_a_check_that_hangs_is_ended_with_all_it_started(
    load, programs, alive, monkeypatch, capsys
):
    def clock():
        """Its time is up as soon as it has started what hangs, and begins before that."""
        return checks.MOST_S if next(asked) and select.select([alive], [], [], 0)[0] else 0.0

    asked = itertools.count()
    checks = load("checks")
    monkeypatch.setattr(checks, "tool", lambda name: str(programs.folder / name))
    monkeypatch.setattr(checks, "time", SimpleNamespace(monotonic=clock))
    monkeypatch.setattr(os, "isatty", lambda _: False)
    assert checks.run_checks([]) == 1
    assert "make test stopped: lint did not end" in capsys.readouterr().err
    assert alive.read() == b"started\n"


@pytest.mark.parametrize("alive", ["ruff", "mypy"], indirect=True)
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_that_a_signal_ends_what_was_started_too(programs, alive, how):
    command = [sys.executable, "-c", RUN, str(SETUP), str(programs.folder)]
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as checking:
        select.select([alive], [], [])
        assert alive.readline() == b"started\n"
        checking.send_signal(how)
    assert checking.returncode
    assert alive.read() == b""
