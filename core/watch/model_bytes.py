"""Observes which bytes of a model a watched program has loaded, and when.

The best way that works here is chosen at the start, and named in the result:

- by trace, where the kernel lets us: each page that comes in, each read call that finds one, each
  direct read, with its time and its thread;
- else by residency: pages that came into the page cache since the last look, bucket by bucket. Both
  are told like requests, so that curves, block timings and the access map are those of a load.

Counters go along: the bytes of the program's read calls in the time in which the model was read, or
its mapped memory. Where they tell of much that has no place, of which the cache shows nothing, they
alone count: a total, no places.
"""

from __future__ import annotations

import mmap
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import MAX_RANKS, MAX_READERS
from modelmon.core.load.extents import Extent, total_bytes
from modelmon.core.machine.file_users import FileReads, users_among
from modelmon.core.machine.page_cache import residency_map
from modelmon.core.machine.storage import storage_of
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import percent_text
from modelmon.core.watch.traced_reads import Arrival, TracedReads
from modelmon.core.worker.events import Chunks
from modelmon.core.worker.figures import LoaderTotals
from modelmon.core.worker.watched import WHOLE_SHARE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.load.files import OpenFiles
    from modelmon.core.machine.file_trace import FileTrace
    from modelmon.core.worker.events import SeeBy

SeenBy = Literal["trace", "residency", "counters"]

_BEGUN_SHARE = 0.01
"""Until this share has come a program may have looked at the header only."""

_AGAIN_SHARE = 0.02
"""A header is read twice, and a page may be read ahead twice: no more is told."""

_LEAST_DIRECT_BYTES = 4 << 20
_NOBODY = 0
"""The thread of what came without a trace."""
_LOOKS_SHARE = 1 / 50
"""Looks at the page cache take up at most this part of the time."""
_MOST_TRACED_BYTES = 1 << 30
"""Larger models are traced only where that is asked for, or storage is slow: it takes up to 0.25 s
of processor time a GB, which the program may lack."""


class RepeatedReads(NamedTuple):
    """Bytes of a model beyond the first time: `asked` for by read calls, which asked for each
    `times` over on average, and `fetched` from storage.
    """

    asked_bytes: int
    fetched_bytes: int
    times: float = 1.0


class ModelBytes:
    """Seen from `start` on, each time that `look` is called; times are monotonic nanoseconds.

    `delivered_bytes` have come so far, none counted twice. `opened` is whether somebody opened
    one of the files. `has_looked` is False where the last look was left out because it is dear,
    and `is_being_read` whether anything came in it. The first byte came after `begun_ns`, the last
    before `ended_ns`; both are None while nothing was seen, or a header only. `read_ns` is when a
    read call was last seen, of whatever part and wherever that came from; 0 without one.
    """

    warmup_bytes = warmup_done_ns = 0

    def __init__(self, files: OpenFiles, wanted: Sequence[Extent], see_by: SeeBy = "auto") -> None:
        """Raises ConfigError where a way to see is asked for that does not work here."""
        shards = sorted(files.descriptors)
        self._shards = [(n, files.descriptors[n], files.size_bytes[n]) for n in shards]
        self._wanted_bytes = total_bytes(wanted)
        self._paths = [Path(files.paths[shard]) for shard in shards]
        self._see_by = see_by
        self._trace: FileTrace | None = None
        self.why_no_trace = self.trace_remedy = NOTHING
        if see_by in ("auto", "trace"):
            self._begin_trace()
        self._reads = FileReads(self._paths)
        self._is_mapped = self._is_read = False
        self._peaks: list[list[int]] = []
        self._bucket_bytes = self._page_bytes = 0
        self._looked_ns = self._due_ns = 0
        self._untaken: list[Arrival] = []
        self._readers: dict[int, int] = {}
        self.seen_by: SeenBy = "residency"
        self.delivered_bytes = 0
        self.opened = self.has_looked = self.is_being_read = False
        self.begun_ns: int | None = None
        self.ended_ns: int | None = None
        self.read_ns = 0
        self._start_share: float | None = None
        self._cached: list[Extent] = []
        self._came_bytes = 0
        self._base = self._last = LoaderTotals(asked_bytes=0, device_bytes=0)
        self._first: LoaderTotals | None = None
        self._read_bytes = self._fetched_bytes = 0

    def _begin_trace(self) -> None:
        is_slow = storage_of(self._paths[0]).kind in ("network", "fuse")
        is_large = self._wanted_bytes > _MOST_TRACED_BYTES
        if self._see_by == "auto" and is_large and not is_slow:
            self.why_no_trace = Message("it would disturb the load of so large a model")
            self.trace_remedy = Message("Watch it with modelmon watch --seen-by trace.")
            return
        from modelmon.core.machine import file_trace  # noqa: PLC0415  on Linux alone

        try:
            self._trace = file_trace.FileTrace(self._paths)
        except file_trace.TracingUnavailableError as error:
            if self._see_by == "trace":
                text = Message("The load can't be traced: {reason}.", reason=error.message)
                raise ConfigError(text, error.remedy) from error
            self.why_no_trace, self.trace_remedy = error.message, error.remedy
            return
        sizes = {number: (shard, size) for number, (shard, _, size) in enumerate(self._shards)}
        files = {file: sizes[number] for file, number in self._trace.numbers.items()}
        self.traced = TracedReads(files, sees_uses=self._trace.sees_uses)

    @property
    def is_whole(self) -> bool:
        """Whether all wanted bytes are in memory, or passed through it, as far as is seen. What was
        there before is there for a program that maps it; one that reads by calls has to ask for it.
        """
        whole_bytes = WHOLE_SHARE * self._wanted_bytes
        if self._came_bytes >= whole_bytes:
            return True
        if self.was_there or self.seen_by not in ("trace", "residency"):
            return False
        by_calls = self._read_bytes > max(_BEGUN_SHARE * self._wanted_bytes, self._came_bytes / 2)
        if by_calls and self._read_bytes < whole_bytes:
            return False
        return self._came_bytes + self._cached_bytes >= whole_bytes

    @property
    def _cached_bytes(self) -> int:
        """What was in memory when this began, without what was told of it since."""
        cached_bytes = total_bytes(self._cached)
        if self.seen_by != "trace":
            return cached_bytes
        told = (
            self.traced.came.covered(each.shard, each.offset_bytes, each.end_bytes)
            for each in self._cached
        )
        return cached_bytes - sum(told)

    @property
    def share_text(self) -> str:
        """How much of the wanted bytes has come."""
        return percent_text(self.delivered_bytes / max(1, self._wanted_bytes))

    @property
    def was_there(self) -> bool:
        """Whether all of it was in memory when this began."""
        return self._start_share is not None and self._start_share >= WHOLE_SHARE

    @property
    def untold(self) -> Sequence[Extent]:
        """What was in memory when this began, where nothing tells that it is used: mappings of
        what is cached, and residency. Where in a bucket it lay is not known.
        """
        if self.seen_by == "trace":
            told_bytes = self.traced.asked.nbytes
            return self._cached if told_bytes <= _BEGUN_SHARE * self._wanted_bytes else ()
        return self._cached if self.seen_by == "residency" else ()

    @property
    def again(self) -> RepeatedReads:
        """What came more than once, as far as it was traced; nothing where that is little."""
        if self._trace is None:
            return RepeatedReads(0, 0)
        asked, fetched = self.traced.asked, self.traced.fetched
        much = _AGAIN_SHARE * self._wanted_bytes
        if asked.again_bytes > much:
            times = asked.nbytes / (asked.nbytes - asked.again_bytes)
            return RepeatedReads(asked.again_bytes, fetched.again_bytes, times)
        evicted_bytes = fetched.again_bytes - self.traced.direct_again_bytes
        return RepeatedReads(0, evicted_bytes if evicted_bytes > much else 0)

    def beside_bytes(self, device_bytes: int | None) -> int | None:
        """What of `device_bytes` was not of the model; where it was not traced to the end, what
        came before the model was opened.
        """
        if self.seen_by != "trace":
            return self._base.since(self._first).device_bytes if self._first else None
        if device_bytes is None:
            return None
        # The last page of a file is read whole.
        ends_bytes = len(self._shards) * mmap.PAGESIZE
        return max(0, device_bytes - self.traced.fetched.nbytes - ends_bytes)

    @property
    def has_begun(self) -> bool:
        """Whether more than a header was read."""
        return self.delivered_bytes > _BEGUN_SHARE * self._wanted_bytes

    def start(self, now_ns: int) -> None:
        """What is seen from now on counts."""
        self._reads.look()
        pages = self._look_at_cache()
        self._looked_ns = now_ns
        self._peaks = [[0] * len(counts) for counts in pages or ()]
        self._cached = self._take_pages(pages) if pages else []
        size_bytes = sum(size for _, _, size in self._shards)
        cached_bytes = sum(map(sum, self._peaks)) * self._page_bytes
        self._start_share = cached_bytes / size_bytes if pages and size_bytes else None
        if self._trace is not None:
            self.seen_by = "trace"
            self._trace.start()
        elif self._start_share is None or self.was_there or self._see_by == "counters":
            self.seen_by = "counters"

    def look(
        self, now_ns: int, totals: LoaderTotals, pids: Sequence[int], *, is_last: bool
    ) -> None:
        """Take in what came since the last look; `totals` are those of the program, which is
        `pids`, read just now. The last look is never left out.
        """
        self._count(now_ns, totals)
        if self.seen_by == "residency" and now_ns < self._due_ns and not is_last:
            self.has_looked = self.is_being_read = False
            return
        came: list[Arrival] = []
        if self.seen_by == "trace":
            came += self._traced(now_ns, is_last=is_last)
        elif self.seen_by == "residency":
            came += self._arrived(now_ns)
        came_bytes = sum(each.extent.nbytes for each in came)
        self._came_bytes += came_bytes
        self._untaken += came
        if self.seen_by == "counters" or self._misses_much(totals, pids):
            self.seen_by = "counters"
            self._untaken.clear()
            told_bytes = max(self._read_bytes, self._mapped_bytes(totals, pids))
            counted_bytes = max(0, told_bytes - self._came_bytes)
            came_bytes += counted_bytes
            self._came_bytes += counted_bytes
        begun_ns = min((each.start_ns for each in came), default=self._looked_ns)
        ended_ns = max((each.end_ns for each in came), default=now_ns)
        self._looked_ns = now_ns
        self.delivered_bytes = min(self._wanted_bytes, self._came_bytes)
        self.has_looked, self.is_being_read = True, came_bytes > 0
        if came_bytes:
            self.ended_ns = max(ended_ns, self.ended_ns or 0)
            self.begun_ns = begun_ns if self.begun_ns is None else self.begun_ns
        elif not self.has_begun:
            self.begun_ns = self.ended_ns = None

    def _traced(self, now_ns: int, *, is_last: bool) -> list[Arrival]:
        """What the kernel tells since the last look, of any thread."""
        assert self._trace is not None
        found = self._trace.read()
        self.traced.add(found.events)
        if found.lost:
            self.seen_by = "counters"
            self.why_no_trace = Message("{lost} events of the kernel were lost", lost=found.lost)
        return self.traced.take(now_ns, all_is_cached=self.was_there, is_last=is_last)

    def _arrived(self, now_ns: int) -> list[Arrival]:
        """Bytes that are in the page cache for the first time since the start."""
        began_ns = time.thread_time_ns()
        pages = self._look_at_cache()
        took_ns = time.thread_time_ns() - began_ns
        self._due_ns = now_ns + round(took_ns / _LOOKS_SHARE)
        arrived = self._take_pages(pages) if pages else []
        return [Arrival(_NOBODY, extent, self._looked_ns, now_ns) for extent in arrived]

    def _take_pages(self, pages: Sequence[Sequence[int]]) -> list[Extent]:
        """Parts of buckets that more pages are cached of than ever before, as if they had come in
        order.
        """
        found = []
        for (shard, _, size), peaks, counts in zip(self._shards, self._peaks, pages, strict=True):
            for bucket, count in enumerate(counts):
                if count <= peaks[bucket]:
                    continue
                start = bucket * self._bucket_bytes
                first = start + peaks[bucket] * self._page_bytes
                stop = min(size, start + count * self._page_bytes)
                found.append(Extent(shard, first, stop - first))
                peaks[bucket] = count
        return found

    def _count(self, now_ns: int, totals: LoaderTotals) -> None:
        """Note what was asked for and fetched while the model was read by system calls."""
        uses, last = self._reads.look(), self._last
        self.opened = self.opened or uses.opened
        self._last = totals
        if not self.opened:
            self._first, self._base = self._first or totals, totals
        # The kernel tells of a read before it counts it, perhaps on either side of a look.
        was_read, self._is_read = self._is_read, uses.read
        if not (uses.read or was_read):
            return
        asked_bytes = (totals.asked_bytes or 0) - (last.asked_bytes or 0)
        if asked_bytes and self._reads.is_known:
            self.read_ns = now_ns
        self._read_bytes += asked_bytes
        self._fetched_bytes += (totals.device_bytes or 0) - (last.device_bytes or 0)

    def _misses_much(self, totals: LoaderTotals, pids: Sequence[int]) -> bool:
        """Whether counters tell of much more than has a place."""
        seen_bytes = self._came_bytes
        if self._trace is not None:
            seen_bytes = max(seen_bytes, self.traced.fetched.nbytes)
        # What was fetched for read calls, and is not in the page cache, passed it by.
        past_bytes = self._fetched_bytes - seen_bytes
        if past_bytes > self._came_bytes + _LEAST_DIRECT_BYTES:
            return True
        if self.seen_by != "trace" or not self.was_there:
            return False
        # Pages that were there are mapped many at once, and not all of them are told.
        untold_bytes = self._mapped_bytes(totals, pids) - self._came_bytes
        return untold_bytes > _BEGUN_SHARE * self._wanted_bytes

    def _mapped_bytes(self, totals: LoaderTotals, pids: Sequence[int]) -> int:
        """By how much its mapped memory grew; 0 where the model is not mapped. More than a model is
        code, which a program goes on to touch long after.
        """
        mapped_bytes = (totals.rss_file_bytes or 0) - (self._base.rss_file_bytes or 0)
        if mapped_bytes > self._came_bytes and not self._is_mapped:
            self._is_mapped = bool(self.is_mapped_by(pids))
        return min(mapped_bytes, self._wanted_bytes) if self._is_mapped else 0

    def is_mapped_by(self, pids: Sequence[int]) -> bool | None:
        """Whether one of these processes maps one of the files now; None once a file is gone."""
        try:
            return any(user.how == "mapped" for user in users_among(pids, self._paths))
        except OSError:
            return None

    def _look_at_cache(self) -> list[tuple[int, ...]] | None:
        """Cached pages of each file's buckets; None where the kernel does not tell, or only by
        mincore, which would disturb.
        """
        found = residency_map([(descriptor, size) for _, descriptor, size in self._shards])
        self._bucket_bytes, self._page_bytes = found.bucket_bytes, found.page_bytes
        if any(file.source != "cachestat" for file in found.files):
            return None
        return [file.cached_pages for file in found.files]

    def take(self, started_ns: int) -> Iterator[Chunks]:
        """What came since the last call, by thread, each of which is a reader; with times since the
        start.
        """
        by_reader: defaultdict[int, list[Arrival]] = defaultdict(list)
        for each in self._untaken:
            reader = self._readers.setdefault(each.thread_id, len(self._readers))
            by_reader[min(reader, MAX_READERS * MAX_RANKS - 1)].append(each)
        self._untaken = []
        for reader, requests in by_reader.items():
            shards, offsets, sizes = zip(*(each.extent for each in requests), strict=True)
            starts = tuple(each.start_ns - started_ns for each in requests)
            ends = tuple(each.end_ns - started_ns for each in requests)
            yield Chunks(reader, shards, offsets, sizes, starts, ends)

    def close(self) -> None:
        """Stop looking."""
        self._reads.close()
        if self._trace is not None:
            self._trace.close()
