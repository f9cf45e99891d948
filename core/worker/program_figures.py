"""Figures of a watched program: of all its processes, and of the threads among them that read."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.machine.procfs import parse_pid_io, parse_schedstat
from modelmon.core.worker.loader_figures import (
    GROWING,
    LoaderTotals,
    ProcessFiles,
    ProcReader,
    used,
)
from modelmon.core.worker.proc_file import ProcFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


_CLOCK_OF_PROCESS = 2  # CPUCLOCK_SCHED of linux/posix-timers.h
_READS = ("device_bytes", "asked_bytes", "major_faults")
"""Where none of these grows nothing was read."""
_AWAITS = re.compile(
    "folio_wait|wait_on_page|blk_|io_cqring|do_io_getevents|read_events|fuse_|request_wait_answer"
)
"""The kernel's functions in which a thread waits for storage: for pages, for direct reads, for what
it asked for by io_uring and aio, and for the program of a mount.
"""
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
        self._clocks: dict[tuple[int, str], _ThreadClock] = {}
        self._ran: dict[int, tuple[int | None, int]] = {}
        self._last = LoaderTotals()
        self._looked_ns = time.monotonic_ns()
        self._is_blocked = self._has_read = False
        self._peak_rss_bytes: int | None = None

    def read(self) -> LoaderTotals:
        """The totals now."""
        found = super().read()
        # After their parents: one that ends meanwhile is left out a look too early, not too late.
        for bystander in self._bystanders:
            found = found.since(bystander.left_out(self._processes))
        reading_ns, waited_ns = self._look_at_clocks(found)
        found = found._replace(
            reading_ns=(self._last.reading_ns or 0) + reading_ns,
            waited_ns=(self._last.waited_ns or 0) + waited_ns,
        )
        # A process whose parent does not wait for it takes its figures along when it ends.
        known = {
            name: [n for n in (getattr(self._last, name), getattr(found, name)) if n is not None]
            for name in GROWING
        }
        self._last = found._replace(**{n: max(both, default=None) for n, both in known.items()})
        peaks = (self._peak_rss_bytes, self._status_sum("VmHWM"))
        self._peak_rss_bytes = max((peak for peak in peaks if peak is not None), default=None)
        return self._last

    def _look_at_threads(self) -> float:
        """Threads wait for what they waited for, as long as none has run."""
        ran = {
            pid: (_ran_ns(pid), len(process.threads)) for pid, process in self._processes.items()
        }
        if ran != self._ran or any(ran_ns is None for ran_ns, _ in ran.values()):
            self._ran = ran
            return super()._look_at_threads()
        return float(bool(self._waiting))

    def peak_rss_bytes(self) -> int | None:
        """The highest sum of what its processes have had at most."""
        return self._peak_rss_bytes

    def _look_at_clocks(self, found: LoaderTotals) -> tuple[int, int]:
        """The time since the last look, and how much of it those who read waited for storage; both
        0 where that is not known.

        While nothing reads, threads that never did are left alone.
        """
        now_ns = time.monotonic_ns()
        interval_ns, self._looked_ns = now_ns - self._looked_ns, now_ns
        grown = [name for name in _READS if _grew(self._last, found, name)]
        was_blocked, self._is_blocked = self._is_blocked, bool(self._waiting)
        reads = was_blocked or self._is_blocked or "device_bytes" in grown
        for (pid, thread), clock in list(self._clocks.items()):
            process = self._processes.get(pid)
            if process is None or thread not in process.threads or not (reads or clock.has_read):
                self._clocks.pop((pid, thread)).close()
        if reads:
            for pid, process in self._processes.items():
                for thread in process.threads:
                    if (pid, thread) not in self._clocks:
                        self._clocks[pid, thread] = _ThreadClock(f"/proc/{pid}/task/{thread}")
        spent = [
            clock.look(is_blocked=key in self._waiting, any_is_blocked=self._is_blocked)
            for key, clock in self._clocks.items()
        ]
        if not reads:
            rests = not grown and not any(clock.waits for clock in self._clocks.values())
            return (interval_ns if rests and self._has_read else 0), 0
        # Also where no thread was looked at twice yet: what it does until it reads on counts.
        self._has_read = True
        reading_ns = sum(taken_ns for taken_ns, _ in spent)
        if not reading_ns:
            return 0, 0
        waited_ns = sum(waited_ns for _, waited_ns in spent)
        return interval_ns, round(interval_ns * waited_ns / reading_ns)

    def close(self) -> None:
        """Close all files."""
        super().close()
        for clock in self._clocks.values():
            clock.close()
        for bystander in self._bystanders:
            bystander.close()


def _grew(before: LoaderTotals, now: LoaderTotals, name: str) -> bool:
    return (getattr(now, name) or 0) > (getattr(before, name) or 0)


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


class _ThreadLook(NamedTuple):
    at_ns: int
    busy_ns: int
    fetched_bytes: int
    is_blocked: bool
    waits: bool | None


class _ThreadClock:
    """One thread's time, counted only while it reads from storage.

    Until a thread was looked at twice nothing is known of it. `has_read` is whether it ever read.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._io = ProcFile(f"{folder}/io")
        self._schedstat = ProcFile(f"{folder}/schedstat")
        self._wchan: ProcFile | None = None
        self._last: _ThreadLook | None = None
        self.has_read = False

    @property
    def waits(self) -> bool | None:
        """Whether it waited for storage at the last look; None where that is not known."""
        return self._last.waits if self._last is not None else None

    def look(self, *, is_blocked: bool, any_is_blocked: bool) -> tuple[int, int]:
        """Time since the last look, and how much of it the thread waited for storage; nothing where
        it neither fetched nor was in uninterruptible sleep (`is_blocked`) at either look.

        Of the time in which it had no work for a processor that part was waiting which these looks
        say: who sleeps between two reads is mostly seen asleep.
        """
        told = parse_schedstat(self._schedstat.read() or "")
        fetched = parse_pid_io(self._io.read() or "").get("read_bytes")
        if told is None or fetched is None:
            return 0, 0
        last, at_ns = self._last, time.monotonic_ns()
        fetches = last is not None and (last.is_blocked or fetched > last.fetched_bytes)
        self.has_read = self.has_read or is_blocked or fetches
        waits = is_blocked or (self._waits_asleep(any_is_blocked) if self.has_read else None)
        busy_ns = told.on_cpu_ns + told.run_queue_ns
        self._last = _ThreadLook(at_ns, busy_ns, fetched, is_blocked, waits)
        if last is None or not (is_blocked or fetches):
            return 0, 0
        interval_ns = at_ns - last.at_ns
        off_ns = interval_ns - min(interval_ns, busy_ns - last.busy_ns)
        known = [each for each in (last.waits, waits) if each is not None]
        return interval_ns, round(off_ns * sum(known) / len(known)) if known else off_ns

    def _waits_asleep(self, any_is_blocked: bool) -> bool | None:
        """Whether a thread that can be interrupted waits for storage: for what it has asked for
        itself, or, as far as is known, for a thread that waits. None while it runs, or where the
        kernel doesn't tell.
        """
        # Most threads never read: descriptors are few where threads are many.
        self._wchan = self._wchan or ProcFile(f"{self._folder}/wchan")
        place = self._wchan.read() or ""
        return None if place in ("", "0") else any_is_blocked or bool(_AWAITS.match(place))

    def close(self) -> None:
        for file in filter(None, (self._io, self._schedstat, self._wchan)):
            file.close()
