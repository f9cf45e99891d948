import time

from modelmon.core.machine.sleep import read_clocks, wall_jump_ns
from modelmon.core.worker.environment_check import clock_warning


def test_that_a_machine_that_stays_awake_has_not_slept():
    before, after = read_clocks(), read_clocks()
    assert clock_warning(before, after) is None


def test_that_waiting_between_two_clocks_is_not_taken_for_sleep(monkeypatch):
    """The wall clock is read late four times of five, as by a process that has to wait."""
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
