"""Where a reader's time went, beside somebody else who wants the same processor."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the scheduler's counters of Linux")

# Two threads of one process would share its interpreter; two processes share a processor alone.
BUSY = """
import os, signal, sys, time
from modelmon.core.load.accounts import Stopwatch, run_queue_share
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
other = os.fork()
if not other:
    signal.alarm(30)  # it ends by itself where nobody ends it
while not other:
    pass
watch = Stopwatch()
while time.thread_time() < 0.3:
    pass
account = watch.stop()
os.kill(other, 9)
print(run_queue_share([account]))
"""


def test_that_the_wait_for_a_processor_is_known() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BUSY], capture_output=True, text=True, check=True, timeout=60
    )
    if done.stdout.strip() == "None":
        pytest.skip("this kernel has no schedstat")
    # Half of it, or more by what else runs.
    assert 0.2 < float(done.stdout) <= 1.0
