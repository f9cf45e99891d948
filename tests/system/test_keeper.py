"""What becomes of a worker that hangs, and of its program, when nobody is left who wants it."""

import subprocess
import sys

import psutil
import pytest
from tests.system.needs import on_linux
from tests.system.runs import until

pytestmark = on_linux

HANGS = """
import os, signal, subprocess, sys, time
from modelmon.core.watch import reaper
reaper.GRACE_S = 0.3
reaper.fork_under_reaper()
signal.signal(signal.SIGTERM, signal.SIG_IGN)
program = subprocess.Popen([sys.executable, "-S", "-c", sys.argv[1]], stdin=subprocess.DEVNULL)
print(os.getpid(), program.pid, flush=True)
time.sleep(600)
"""
PROGRAM = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


@pytest.mark.parametrize(
    "end",
    [
        lambda keeper, _: keeper.stdin.close(),
        lambda keeper, _: keeper.terminate(),
        lambda keeper, _: keeper.kill(),
        lambda keeper, worker: (worker.suspend(), keeper.stdin.close()),
    ],
    ids=["nobody reads", "ends", "is killed", "worker stopped"],
)
def test_that_a_worker_that_hangs_is_killed_with_its_program(end):
    pipe = subprocess.PIPE
    command = [sys.executable, "-P", "-c", HANGS, PROGRAM]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as keeper:
        pids = [int(each) for each in keeper.stdout.readline().split()]
        try:
            end(keeper, psutil.Process(pids[0]))
            until(lambda: not any(map(psutil.pid_exists, pids)))
            assert keeper.wait() < 0
        finally:
            for pid in filter(psutil.pid_exists, pids):
                psutil.Process(pid).kill()
