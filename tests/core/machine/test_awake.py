"""Holding off sleep, with stand-ins for systemd-inhibit."""

import os
import select
import subprocess
import sys

import psutil
import pytest

from modelmon.core.machine.sleep import keep_awake

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(sys.platform != "linux", reason="systemd-inhibit is Linux's"),
]

RUNS_ITS_COMMAND = """#!/bin/sh
echo "$@" > "{seen}"
while [ "${{1#--}}" != "$1" ]; do shift; done
exec 3<&0  # what runs in the background would get an empty input
sh -c 'echo $$ > "{pid}"; exec "$@"' - "$@" <&3 &
wait
"""
REFUSES = """#!/bin/sh
echo 'Failed to inhibit: Access denied' >&2
exit 1
"""


class Inhibitor:
    """A program called systemd-inhibit, alone in front of everything else on PATH."""

    def __init__(self, folder):
        self.program = folder / "bin" / "systemd-inhibit"
        self.seen, self.pid = folder / "seen", folder / "pid"
        self.program.parent.mkdir()

    def write(self, script):
        self.program.write_text(script)
        self.program.chmod(0o755)

    def open_command(self):
        """A descriptor of the command it runs, to see whether it ended."""
        return os.pidfd_open(int(self.pid.read_text()))


def wait_for_end(pidfd):
    """Return when a process has ended, reaped or not."""
    select.select([pidfd], [], [])
    os.close(pidfd)


@pytest.fixture
def inhibitor(tmp_path, monkeypatch):
    stand_in = Inhibitor(tmp_path)
    stand_in.write(RUNS_ITS_COMMAND.format(seen=stand_in.seen, pid=stand_in.pid))
    monkeypatch.setenv("PATH", f"{stand_in.program.parent}:{os.environ['PATH']}")
    monkeypatch.setattr("modelmon.core.machine.sleep._ANSWER_S", 100.0)
    return stand_in


def children():
    return psutil.Process().children(recursive=True)


def test_that_sleep_is_held_off_as_long_as_the_context_lasts(inhibitor):
    before = children()
    with keep_awake("comparing two strategies") as awake:
        assert awake.active
        assert awake.reason == ""
        assert len(children()) > len(before)
        holder = inhibitor.open_command()
        said = inhibitor.seen.read_text()
        assert "--what=sleep:idle" in said
        assert "--mode=block" in said
        assert "comparing two strategies" in said
    assert children() == before
    wait_for_end(holder)


def test_that_a_refusal_is_told_and_the_experiment_goes_on(inhibitor):
    inhibitor.write(REFUSES)
    before = children()
    with keep_awake("comparing") as awake:
        assert not awake.active
        assert "Access denied" in awake.reason
    assert children() == before


def test_that_a_program_that_cannot_start_is_told(inhibitor):
    inhibitor.write("not a program")
    with keep_awake("comparing") as awake:
        assert not awake.active
        assert awake.reason


def test_that_without_the_program_nothing_happens(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with keep_awake("comparing") as awake:
        assert not awake.active
        assert "not installed" in awake.reason


def test_that_an_error_in_the_experiment_passes_and_ends_the_hold(inhibitor):
    before = children()
    with pytest.raises(ValueError, match="the experiment's own"), keep_awake("comparing"):
        raise ValueError("the experiment's own")
    assert children() == before


def test_that_the_hold_ends_when_this_program_is_killed(inhibitor):
    code = (
        "from modelmon.core.machine import sleep\n"
        "import signal\n"
        "sleep._ANSWER_S = 100.0\n"
        "with sleep.keep_awake('comparing') as hold:\n"
        "    print(hold.active, flush=True)\n"
        "    signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        answer = program.stdout.readline()
        holder = inhibitor.open_command()
        program.kill()
    assert answer == b"True\n"
    wait_for_end(holder)
