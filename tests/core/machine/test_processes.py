"""This process's limits, one beside it, and how it keeps the machine awake."""

import contextlib
import errno
import os
import select
import subprocess
import sys
import time

import psutil
import pytest
from tests.system.runs import until

from modelmon.core.errors import LoadFailedError
from modelmon.core.machine.own_limits import (
    address_space_remedy,
    starting_a_process,
    thread_remedy,
)
from modelmon.core.machine.processes import COMPANION
from modelmon.core.machine.sleep import keep_awake, read_clocks, wall_jump_ns
from modelmon.core.units import MIB
from modelmon.core.worker.environment_check import Look, changes_between

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux only")


@pytest.mark.parametrize(
    ("left_bytes", "of_threads", "of_memory"),
    [
        (1 * MIB, "ulimit -v", "ulimit -v"),
        (1 << 50, "ulimit -u", "ulimit -v"),
        (None, "ulimit -u", ""),
    ],
)
def test_that_the_limit_that_is_reached_is_named(monkeypatch, left_bytes, of_threads, of_memory):
    resource = pytest.importorskip("resource")
    used_bytes = psutil.Process().memory_info().vms
    most = resource.RLIM_INFINITY if left_bytes is None else used_bytes + left_bytes
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (most, most))
    assert of_threads in thread_remedy()
    assert of_memory in address_space_remedy()
    assert bool(address_space_remedy()) == bool(of_memory)


@pytest.mark.parametrize(
    ("number", "remedy"), [(errno.EAGAIN, "limit of processes"), (errno.EMFILE, "ulimit -n")]
)
def test_that_a_process_that_cannot_be_started_is_a_sentence(number, remedy):
    with (
        pytest.raises(LoadFailedError, match="starts no more processes") as raised,
        starting_a_process(),
    ):
        raise OSError(number, "no")
    assert remedy in raised.value.remedy
    with starting_a_process():
        assert not subprocess.run([sys.executable, "-S", "-c", ""], check=True).returncode


COMPANION_READS = """
import os, threading
from pathlib import Path
from modelmon.core.load.readers import run_readers
from modelmon.core.machine.processes import start_companion

class Reader:
    def __init__(self, number):
        self.number = number
    def begin(self, *_):
        return False
    def run(self, *_):
        comm = open("/proc/thread-self/comm").read().strip()
        os.write(told, f"{comm} {threading.current_thread().name}\\n".encode())

def refuse(*_):
    raise PermissionError(13, "Permission denied")

%s
heard, told = os.pipe()
start_companion(lambda: run_readers([Reader(0), Reader(1)], lambda *_: None))
os.close(told)
print(os.fdopen(heard).read(), end="")
"""


@pytest.mark.parametrize("refused", ["", "Path.write_text = refuse"])
def test_that_a_companions_readers_are_called_as_it_is_and_work_without_a_name(refused):
    """Python 3.14 gives each thread's name to the kernel, which else names it as its maker."""
    command = [sys.executable, "-c", COMPANION_READS % refused]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert [line.split()[1] for line in done.stdout.splitlines()] == [COMPANION] * 2
    if not refused:
        assert done.stdout == f"{COMPANION} {COMPANION}\n" * 2


INHIBITS = """#!/bin/sh
echo "$@" > "{0}.seen"
while [ "${{1#--}}" != "$1" ]; do shift; done
exec 3<&0  # what runs in the background would get an empty input
sh -c 'echo $$ > "{0}.pid"; exec "$@"' - "$@" <&3 &
wait
"""


@pytest.fixture
def inhibitor(tmp_path, monkeypatch):
    """A stand-in for systemd-inhibit, alone in front of everything else on PATH."""
    program = tmp_path / "systemd-inhibit"
    program.write_text(INHIBITS.format(program))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return program


def holder_of(inhibitor):
    """A descriptor of the command it runs, once it does, to see whether it ended."""
    number = inhibitor.with_suffix(".pid")
    until(lambda: number.exists() and number.read_text().endswith("\n"))
    return os.pidfd_open(int(number.read_text()))


def wait_for_end(pidfd):
    """Return when a process has ended, reaped or not."""
    select.select([pidfd], [], [])
    os.close(pidfd)


def children():
    return psutil.Process().children(recursive=True)


def test_that_sleep_is_held_off_as_long_as_the_experiment_lasts(inhibitor):
    before = children()
    with contextlib.suppress(ValueError), keep_awake("comparing two"):
        holder = holder_of(inhibitor)
        assert len(children()) > len(before)
        said = inhibitor.with_suffix(".seen").read_text()
        for word in ("--what=sleep:idle", "--mode=block", "comparing two"):
            assert word in said
        raise ValueError("the experiment's own")
    assert children() == before
    wait_for_end(holder)


@pytest.mark.parametrize("script", ["#!/bin/sh\nexit 1\n", "not a program", None])
def test_that_an_experiment_goes_on_where_sleep_cannot_be_held_off(inhibitor, monkeypatch, script):
    if script is None:
        monkeypatch.setenv("PATH", str(inhibitor.parent / "none"))
    else:
        inhibitor.write_text(script)
    before = children()
    with keep_awake("comparing"):
        pass
    assert children() == before


def test_that_the_hold_ends_when_this_program_is_killed(inhibitor):
    code = (
        "from modelmon.core.machine import sleep\n"
        "import signal\n"
        "with sleep.keep_awake('comparing'):\n"
        "    signal.pause()\n"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as program:
        holder = holder_of(inhibitor)
        program.kill()
    wait_for_end(holder)


def test_that_waiting_between_two_clocks_is_not_taken_for_sleep(monkeypatch):
    """The wall clock is read late four times of five, as by a process that has to wait."""
    assert [*changes_between(Look(read_clocks()), Look(read_clocks()))] == []
    before = read_clocks()
    waits = iter((10**9, 10**9, 0, 10**9, 10**9))
    now_ns = time.monotonic_ns()

    class Busy:
        offset_ns = 0

        def monotonic_ns(self):
            return now_ns + self.offset_ns

        def time_ns(self):
            self.offset_ns += next(waits)
            return before.wall_ns + (now_ns - before.monotonic_ns) + self.offset_ns

    monkeypatch.setattr("modelmon.core.machine.sleep.time", Busy())
    assert wall_jump_ns(before, read_clocks()) == 0
