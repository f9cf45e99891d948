import os
import sys
import threading

import pytest

from modelmon.core.errors import CancelledError
from modelmon.core.worker.events import Progress, Sample, Started
from modelmon.core.worker.streams import EventWriter, Inbox

unix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs non-blocking pipes")


@unix_only
def test_that_a_stalled_reader_costs_samples_and_never_blocks_the_writer():
    reading, writing = os.pipe()
    writer = EventWriter(writing)
    sample = Sample(t_ns=1, late_ns=0, delivered_bytes=1)
    while not writer.dropped:
        writer.write(sample, may_drop=True)
    writer.write(Started())
    received = []

    def read_all():
        with os.fdopen(reading, "rb") as stream:
            received.extend(stream)

    reader = threading.Thread(target=read_all)
    reader.start()
    writer.drain(lambda: False)
    os.close(writing)
    reader.join()
    assert received[-1] == b'{"event":"started"}\n'
    assert all(line.startswith(b'{"event":') and line.endswith(b"}\n") for line in received)


@unix_only
def test_that_samples_wait_for_each_other_and_for_no_other_event(monkeypatch):
    now_ns = 10**9
    monkeypatch.setattr("modelmon.core.worker.streams.time.monotonic_ns", lambda: now_ns)
    reading, writing = os.pipe()
    writer = EventWriter(writing)
    sample = Sample(t_ns=1, late_ns=0, delivered_bytes=1)
    writer.write(sample, may_drop=True)
    assert os.read(reading, 10_000).count(b"sample") == 1
    for _ in range(2):
        now_ns += 50_000_000
        writer.write(sample, may_drop=True)
    os.set_blocking(reading, False)
    with pytest.raises(BlockingIOError):
        os.read(reading, 10_000)
    now_ns += 50_000_000
    writer.write(sample, may_drop=True)
    assert os.read(reading, 10_000).count(b"sample") == 3
    writer.write(sample, may_drop=True)
    writer.write(Started())
    events = os.read(reading, 10_000).split(b"\n")
    assert [b"sample" in events[0], b"started" in events[1]] == [True, True]
    writer.tell(Progress("cache", 1, 9))
    writer.tell(Progress("cache", 2, 9))
    writer.tell(Progress("verify", 3, 9))
    told = [line for line in os.read(reading, 10_000).split(b"\n") if line]
    assert [b"cache" in told[0], b"verify" in told[1], len(told)] == [True, True, 2]
    os.close(reading)
    os.close(writing)


@unix_only
def test_that_a_reader_that_is_gone_cancels():
    reading, writing = os.pipe()
    os.close(reading)
    with pytest.raises(CancelledError):
        EventWriter(writing).write(Started())
    os.close(writing)


def test_that_the_end_of_the_commands_cancels_and_a_loaders_end_does_not():
    inbox = Inbox()
    reading, writing = os.pipe()
    inbox.listen(0, os.fdopen(reading, "rb"))
    os.close(writing)
    assert inbox.get(10).line is None
    assert not inbox.is_cancelled()
    reading, writing = os.pipe()
    inbox.listen("command", os.fdopen(reading, "rb"))
    os.write(writing, b"go\n")
    assert inbox.get(10).line == b"go\n"
    os.close(writing)
    with pytest.raises(CancelledError):
        inbox.get(10)
    assert inbox.is_cancelled()
