"""Where a reader's time went: to a processor, to the wait for one, to storage."""

import subprocess
import sys

import pytest

from modelmon.core.load import threads as accounts
from modelmon.core.load.threads import Account, Stopwatch, beside, io_wait_share, run_queue_share

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the scheduler's counters of Linux")

# Two threads of one process would share its interpreter; two processes share a processor alone.
BUSY = """
import os, signal, sys, time
from modelmon.core.load.threads import Stopwatch, run_queue_share
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


def test_that_a_reader_waits_for_what_the_scheduler_counts(monkeypatch):
    told = iter(("1000 200 3", "2000 500 4"))
    monkeypatch.setattr(accounts, "value", lambda _path: next(told))
    assert Stopwatch().stop().run_queue_ns == 300
    shares = [Account(wall_ns=600, on_cpu_ns=150, run_queue_ns=300), Account(400, 250, 100)]
    assert run_queue_share(shares) == pytest.approx(0.4)
    assert io_wait_share(shares) == pytest.approx(0.2)


def test_that_what_a_reader_waits_for_decoders_is_no_wait_for_storage(monkeypatch):
    told = iter(("0 200 1", "0 250 2", "0 400 3", "0 500 4"))
    monkeypatch.setattr(accounts, "value", lambda _path: next(told))
    watch = Stopwatch()
    with watch.waiting_for_decoders():
        pass
    account = watch.stop()
    # What they leave of the processors meanwhile is part of that wait.
    assert account.run_queue_ns == 150
    assert account.decoders_ns > 0
    shares = [Account(wall_ns=600, on_cpu_ns=50, run_queue_ns=50, decoders_ns=200)]
    assert io_wait_share(shares) == pytest.approx(0.5)


def test_that_decoders_without_a_processor_are_waited_for_as_a_processor_is():
    reader = Account(wall_ns=1000, on_cpu_ns=100, run_queue_ns=100, decoders_ns=600)
    decoders = [Account(1000, 100, 300), Account(1000, 100, 100)]
    assert beside(reader, decoders) == Account(1000, 100, 500, 200)
    share = io_wait_share([beside(reader, decoders)])
    assert share == pytest.approx(io_wait_share([reader]))
    for unknown in ([], [Account(1000, 0, None)]):
        assert beside(reader, unknown) == reader
    nothing = reader._replace(run_queue_ns=None)
    assert beside(nothing, decoders) == nothing


def test_that_shares_are_unknown_where_the_scheduler_tells_a_reader_nothing():
    shares = [Account(wall_ns=600, on_cpu_ns=150, run_queue_ns=300), Account(400, 250, None)]
    assert (run_queue_share(shares), io_wait_share(shares)) == (None, None)


@pytest.mark.soak
def test_that_the_wait_for_a_processor_that_another_wants_is_known():
    done = subprocess.run(
        [sys.executable, "-c", BUSY], capture_output=True, text=True, check=True, timeout=60
    )
    if done.stdout.strip() == "None":
        pytest.skip("this kernel has no schedstat")
    # Half of it, or more by what else runs.
    assert 0.2 < float(done.stdout) <= 1.0
