"""Turns the kernel's trace of page events into requests: which bytes of a model arrived when, and
which arrived again.

A page that is brought in is on its way until it is used: that is when whoever uses it has waited
for it. Pages that one thread brings in one after another are one request.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.extents import Extent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from modelmon.core.machine.file_trace import FileId, PageEvent

_MOST_REQUEST_BYTES = 4 << 20
"""The kernel may read ahead without a pause; so much of it is told as one request."""
_MOST_BETWEEN_NS = 1_000_000
"""Pages of one request come no further apart."""
_MOST_OPEN = 64
"""Requests of a thread that may wait to be used: of one that jumps, many never are."""
_SILENT_NS = 200_000_000
"""What was used, and not again for so long, is there to its end."""
_UNUSED_NS = 1_000_000_000
"""What nobody used for so long has come all the same: few devices take so long."""


class Arrival(NamedTuple):
    """Bytes that came for the first time, and the thread that asked for them; monotonic times."""

    thread_id: int
    extent: Extent
    start_ns: int
    end_ns: int


class TracedReads:
    """Takes in events; tells requests, what `came`, what of it was `fetched` from storage, and what
    the program's read calls `asked` for, wherever it was.
    """

    def __init__(self, files: Mapping[FileId, tuple[int, int]], *, sees_uses: bool = True) -> None:
        """`files` gives each shard's number, and its size in bytes. Where the kernel does not tell
        when pages are used (`sees_uses`), a thread's next request says that it has the last.
        """
        self._files = files
        self._sees_uses = sees_uses
        self.came = Tally()
        self.fetched = Tally()
        # Of what was fetched again: so much for direct reads, which leave nothing in memory.
        self.direct_again_bytes = 0
        self.asked = Tally()
        self._ahead: set[int] = set()
        self._unnamed: set[int] = set()
        self._fetching: defaultdict[int, list[_Open]] = defaultdict(list)
        self._direct: dict[int, _Open] = {}
        self._faults: dict[int, _Open] = {}
        self._reading: dict[int, _Open] = {}
        self._found: list[Arrival] = []

    def add(self, events: Iterable[PageEvent]) -> None:
        """Take in what happened, in the order of time."""
        for event in events:
            if event.is_ahead:
                self._ahead.add(event.thread_id)
            if event.is_ahead is None:
                self._unnamed.add(event.thread_id)
            elif self._unnamed:
                self._unnamed.discard(event.thread_id)
            if event.file in self._files:
                self._take(event)
        for fetches in self._fetching.values():
            if fetches:
                self._note(fetches[-1])

    def _take(self, event: PageEvent) -> None:
        shard, size = self._files[event.file]
        thread, at_ns = event.thread_id, event.at_ns
        start, end = event.start_bytes, min(size, event.end_bytes)
        reading = self._reading.get(thread)
        if reading is not None:
            reading.used_ns = reading.used_ns or at_ns
        if event.deed == "added":
            if start < end:
                self._fetch(thread, shard, start, end, at_ns)
            return
        # It brings in pages within what it began before, and nothing else.
        if fault := self._faults.pop(thread, None):
            self._use(fault, at_ns)
        if direct := self._direct.pop(thread, None):
            self._tell(thread, direct, at_ns)
        if start >= end:
            return  # behind the end of the file, or no read
        now = _Open(shard, start, end, at_ns, at_ns, start)
        if event.deed == "fault":
            self._faults[thread] = now
        elif event.deed == "mapped":
            self._use(now, at_ns)
        elif event.deed == "direct":
            self._direct[thread] = now
            before_bytes = self.fetched.again_bytes
            self._note(now)
            self.direct_again_bytes += self.fetched.again_bytes - before_bytes
            self.asked.add(*now.place)
        elif event.deed == "read":
            self._use(now, at_ns)
            if reading is not None:
                if reading.holds_rest(now):
                    reading.end_bytes = now.start_bytes
                self._end_read(thread)
            self._reading[thread] = now

    def _fetch(self, thread: int, shard: int, start: int, end: int, at_ns: int) -> None:
        before = self._fetching[thread]
        if before:
            latest = before[-1]
            if latest.goes_on_with(shard, start, end, at_ns):
                # Most pages do; they are noted together.
                latest.end_bytes, latest.last_ns = end, at_ns
                return
            self._note(latest)
            if not self._sees_uses:
                latest.used_ns = at_ns
        while before and (len(before) >= _MOST_OPEN or not self._sees_uses):
            self._end_fetch(thread, before.pop(0))
        before.append(_Open(shard, start, end, at_ns, at_ns, start))

    def _note(self, fetch: _Open) -> None:
        """Take in what came for it since the last time."""
        start, end = fetch.noted_bytes, fetch.end_bytes
        if start == end:
            return
        fetch.noted_bytes = end
        self.fetched.add(fetch.shard, start, end)
        for first, stop in self.came.add(fetch.shard, start, end):
            goes_on = fetch.new and fetch.new[-1][1] == first
            fetch.new.append((fetch.new.pop()[0] if goes_on else first, stop))

    def _use(self, part: _Open, at_ns: int) -> None:
        """Somebody has a part of a file: so it is there, as is what the same thread asked for
        before.
        """
        for thread, fetches in self._fetching.items():
            for number, each in enumerate(fetches):
                if each.holds(part):
                    each.use(at_ns)
                    for earlier in fetches[:number]:
                        if not earlier.used_ns:
                            earlier.use(at_ns)
                        self._end_fetch(thread, earlier)
                    del fetches[:number]
                    break

    def _end_fetch(self, thread: int, done: _Open) -> None:
        self._note(done)
        self._tell(thread, done, done.used_ns or done.last_ns)

    def _end_read(self, thread: int) -> None:
        done = self._reading.pop(thread)
        if fetches := self._fetching.get(thread):
            self._note(fetches[-1])
        # Beside what reads ahead, it may be one of those.
        if thread not in self._ahead and not (self._ahead and thread in self._unnamed):
            self.asked.add(*done.place)
        # What is on its way is told when it is there.
        done.new = self.came.add(*done.place)
        self._tell(thread, done, done.used_ns or done.last_ns)

    def _tell(self, thread: int, done: _Open, end_ns: int) -> None:
        for start, end in done.new:
            extent = Extent(done.shard, start, end - start)
            self._found.append(Arrival(thread, extent, done.start_ns, end_ns))

    def take(self, now_ns: int, *, all_is_cached: bool, is_last: bool) -> list[Arrival]:
        """What came since the last call. Of a thread that says nothing more, what is left of a
        read call's request may still have to come, unless all of it is in memory.
        """
        silent_ns = inf if is_last else now_ns - _SILENT_NS
        unused_ns = inf if is_last else now_ns - _UNUSED_NS
        for thread, fault in list(self._faults.items()):
            if fault.last_ns <= silent_ns:
                self._use(self._faults.pop(thread), fault.last_ns)
        for thread, each in list(self._direct.items()):
            if is_last:
                self._tell(thread, self._direct.pop(thread), each.last_ns)
        for thread, fetches in self._fetching.items():
            for each in list(fetches):
                if 0 < each.used_ns <= silent_ns or each.last_ns <= unused_ns:
                    fetches.remove(each)
                    self._end_fetch(thread, each)
        for thread, each in list(self._reading.items()):
            if is_last or (all_is_cached and each.last_ns <= silent_ns):
                self._end_read(thread)
        found, self._found = self._found, []
        return found


@dataclass(slots=True)
class _Open:
    """A request of which more may come. What of it came is noted up to `noted_bytes`."""

    shard: int
    start_bytes: int
    end_bytes: int
    start_ns: int
    last_ns: int
    noted_bytes: int
    used_ns: int = 0
    new: list[tuple[int, int]] = field(default_factory=list)

    @property
    def place(self) -> tuple[int, int, int]:
        """Shard, first byte, and the one behind the last."""
        return self.shard, self.start_bytes, self.end_bytes

    def holds(self, part: _Open) -> bool:
        """Whether a part that begins within it is meant."""
        same = self.shard == part.shard
        return same and self.start_bytes <= part.start_bytes < self.end_bytes

    def goes_on_with(self, shard: int, start: int, end: int, at_ns: int) -> bool:
        """Whether pages that come now belong to it."""
        return (
            not self.used_ns
            and self.end_bytes == start
            and self.shard == shard
            and at_ns - self.last_ns <= _MOST_BETWEEN_NS
            and end - self.start_bytes <= _MOST_REQUEST_BYTES
        )

    def use(self, at_ns: int) -> None:
        """Somebody has it, or waits for it: it is there no sooner than its last page."""
        self.used_ns = max(at_ns, self.last_ns)

    def holds_rest(self, other: _Open) -> bool:
        """Whether a read call's next pages are of the same request."""
        same = (self.shard, self.end_bytes) == (other.shard, other.end_bytes)
        return same and self.start_bytes < other.start_bytes


class Tally:
    """Ranges of files that were taken in `once`, or `again`; `nbytes` and `again_bytes` count each
    time.
    """

    def __init__(self) -> None:
        self.once: defaultdict[int, Ranges] = defaultdict(Ranges)
        self.nbytes = 0
        self.again_bytes = 0

    def add(self, shard: int, start: int, end: int) -> list[tuple[int, int]]:
        """Take in a range of a file; returns what of it is new."""
        new = self.once[shard].add(start, end)
        self.nbytes += end - start
        self.again_bytes += end - start - sum(stop - first for first, stop in new)
        return new

    def covered(self, shard: int, start: int, end: int) -> int:
        """How many bytes of a range of a file were taken in."""
        return self.once[shard].covered(start, end)


class Ranges:
    """Disjoint ranges of bytes, in order."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self._starts, self._ends, strict=True)

    def add(self, start: int, end: int) -> list[tuple[int, int]]:
        """Take in a range that is not empty; returns the parts of it that were not there."""
        first, last = bisect_left(self._ends, start), bisect_right(self._starts, end)
        new, at = [], start
        for there, until in zip(self._starts[first:last], self._ends[first:last], strict=True):
            if at < there:
                new.append((at, there))
            at = max(at, until)
        if at < end:
            new.append((at, end))
        if first < last:
            start, end = min(start, self._starts[first]), max(end, self._ends[last - 1])
        self._starts[first:last] = [start]
        self._ends[first:last] = [end]
        return new

    def covered(self, start: int, end: int) -> int:
        """How many bytes of a range are there."""
        first, last = bisect_right(self._ends, start), bisect_left(self._starts, end)
        pairs = zip(self._starts[first:last], self._ends[first:last], strict=True)
        return sum(min(end, until) - max(start, there) for there, until in pairs)
