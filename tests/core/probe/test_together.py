"""Threads that begin together, and those of which one cannot begin."""

import threading

import pytest

from modelmon.core.errors import LoadFailedError
from modelmon.core.probe.reads import together

COUNT = 4


def test_that_all_work_at_the_same_time_and_an_error_comes_out():
    all_there = threading.Barrier(COUNT)
    done = []

    def work(number):
        all_there.wait()
        done.append(number)
        if number == 2:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        together(COUNT, work)
    assert sorted(done) == [*range(COUNT)]


@pytest.mark.parametrize("problem", [RuntimeError, KeyboardInterrupt])
def test_that_none_waits_for_a_thread_that_cannot_start(monkeypatch, problem):
    started = []
    start = threading.Thread.start

    def start_two(thread):
        if len(started) == 2:
            raise problem
        start(thread)
        started.append(thread)

    monkeypatch.setattr(threading.Thread, "start", start_two)
    with pytest.raises(LoadFailedError if problem is RuntimeError else problem):
        together(COUNT, lambda _: pytest.fail("it has begun"))
    for thread in started:
        thread.join(60)
        assert not thread.is_alive()
