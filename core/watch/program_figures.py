"""Figures of a watched program: of all its processes, and how long they waited for storage."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from msgspec import structs

from modelmon.core.machine.procfs import parse_schedstat, value
from modelmon.core.worker.figures import (
    GROWING,
    LoaderTotals,
    ProcessFiles,
    ProcReader,
    used,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


_CLOCK_OF_PROCESS = 2  # CPUCLOCK_SCHED of linux/posix-timers.h
_NOTHING_USED = LoaderTotals(**dict.fromkeys(GROWING, 0))


class ProgramReader(ProcReader):
    """The same figures of processes that come and go.

    What has ended stays counted. `waiting_share` is 1 where any thread waits: how many readers
    there are nobody knows. Of `bystanders`, which are below them, counts what they do from now on,
    if they come in, and nothing of the others, which hand their figures up when they end.
    """

    def __init__(self, pids: Sequence[int], bystanders: Iterable[int] = ()) -> None:
        super().__init__(pids, readers=1)
        self._bystanders = [_Bystander(pid) for pid in bystanders]
        self._queued_ns: dict[tuple[int, str], int] = {}
        self._tells_queues = parse_schedstat(value("/proc/thread-self/schedstat")) is not None
        self._were_runnable: set[tuple[int, str]] = set()
        self._ran: dict[int, tuple[int | None, list[str]]] = {}
        self._last = LoaderTotals()
        self._begun_ns = self._looked_ns = time.monotonic_ns()
        self._was_blocked = self._has_read = False
        self._peak_rss_bytes: int | None = None

    def read(self) -> LoaderTotals:
        """The totals now."""
        found = super().read()
        # After their parents: one that ends meanwhile is left out a look too early, not too late.
        for bystander in self._bystanders:
            found = found.since(bystander.left_out(self._processes))
        queued_ns = self._queued()
        reading_ns, waited_ns = self._spent(found)
        found = structs.replace(
            found,
            reading_ns=(self._last.reading_ns or 0) + reading_ns,
            waited_ns=(self._last.waited_ns or 0) + waited_ns,
            queued_ns=queued_ns,
        )
        # A process whose parent does not wait for it takes its figures along when it ends.
        known = {
            name: [n for n in (getattr(self._last, name), getattr(found, name)) if n is not None]
            for name in GROWING
        }
        self._last = structs.replace(
            found, **{n: max(both, default=None) for n, both in known.items()}
        )
        peaks = (self._peak_rss_bytes, self._status_sum("VmHWM"))
        self._peak_rss_bytes = max((peak for peak in peaks if peak is not None), default=None)
        return self._last

    def _look_at_threads(self) -> float:
        """Threads wait for what they waited for, as long as none has run."""
        # By name: a new thread may have replaced one that ended.
        ran = {pid: (_ran_ns(pid), [*each.threads]) for pid, each in self._processes.items()}
        if ran != self._ran or any(ran_ns is None for ran_ns, _ in ran.values()):
            self._ran = ran
            return super()._look_at_threads()
        return float(bool(self._waiting))

    def _queued(self) -> int | None:
        """How long it has waited for a processor: by each look as long as the thread that waited
        longest since the last one. Of threads that sleep it is not asked.
        """
        were, self._were_runnable = self._were_runnable, set(self._runnable)
        longest_ns = 0
        for pid, thread in were | self._were_runnable:
            told = parse_schedstat(value(f"/proc/{pid}/task/{thread}/schedstat"))
            if told is not None:
                before_ns = self._queued_ns.get((pid, thread), told.run_queue_ns)
                longest_ns = max(longest_ns, told.run_queue_ns - before_ns)
                self._queued_ns[pid, thread] = told.run_queue_ns
        if not self._tells_queues:
            return None
        # Two may have waited by turns, and each is told of when its turn comes.
        most_ns = time.monotonic_ns() - self._begun_ns
        return min(most_ns, (self._last.queued_ns or 0) + longest_ns)

    def peak_rss_bytes(self) -> int | None:
        """The highest sum of what its processes have had at most."""
        return self._peak_rss_bytes

    def _spent(self, found: LoaderTotals) -> tuple[int, int]:
        """The time since the last look, from when it first read on, and how much of that it waited
        for storage, as far as the looks at both ends tell.
        """
        now_ns = time.monotonic_ns()
        interval_ns, self._looked_ns = now_ns - self._looked_ns, now_ns
        was_blocked, self._was_blocked = self._was_blocked, bool(self._waiting)
        fetches = (found.device_bytes or 0) > (self._last.device_bytes or 0)
        self._has_read |= fetches or was_blocked or self._was_blocked
        if not self._has_read:
            return 0, 0
        return interval_ns, interval_ns * (was_blocked + self._was_blocked) // 2

    def close(self) -> None:
        """Close all files."""
        super().close()
        for bystander in self._bystanders:
            bystander.close()


class _Bystander:
    """A process below the program that loads something else, unless it comes in."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._files = ProcessFiles(pid)
        self._before = self._last = used([self._files.stat_now()], [self._files.io_now()])
        self._parent: ProcessFiles | None = None
        self._parent_asked_bytes = 0
        self._came_in = False
        self._is_handed_up: bool | None = None

    def left_out(self, watched: Mapping[int, ProcessFiles]) -> LoaderTotals:
        """What of its figures is in those of `watched`, and does not count."""
        stat, io = self._files.stat_now(), self._files.io_now()
        if stat is not None and io:
            self._last, self._parent = used([stat], [io]), watched.get(stat.parent)
            self._parent_asked_bytes = _asked_bytes(self._parent)
            self._came_in |= self._pid in watched
            return self._before if self._came_in else _NOTHING_USED
        if self._is_handed_up is None:
            # Not to who lets the kernel wait for its children.
            grown_bytes = _asked_bytes(self._parent) - self._parent_asked_bytes
            handed_bytes = self._last.asked_bytes or 0
            self._is_handed_up = self._parent is not None and grown_bytes >= handed_bytes
        if not self._is_handed_up:
            return _NOTHING_USED
        return self._before if self._came_in else self._last

    def close(self) -> None:
        """Close its files."""
        self._files.close()


def _asked_bytes(process: ProcessFiles | None) -> int:
    return process.io_now().get("rchar", 0) if process is not None else 0


def _ran_ns(pid: int) -> int | None:
    """How long all threads of a process have run, to the nanosecond (clock_getcpuclockid(3))."""
    try:
        return time.clock_gettime_ns(~pid << 3 | _CLOCK_OF_PROCESS)
    except OSError:
        return None  # it has ended
