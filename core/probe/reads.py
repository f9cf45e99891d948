"""Timed reads by one or several readers at once, and the rate that follows from them."""

from __future__ import annotations

import mmap
import os
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.extents import Extent
from modelmon.core.load.files import read_at, touch
from modelmon.core.load.threads import start
from modelmon.core.machine.anonymous_memory import OwnedBuffer, address_of
from modelmon.core.machine.cached_pages import (
    RAMFS,
    TMPFS,
    filesystem_type,
    mincore_answers,
    mincore_is_honest,
    mincore_pages,
    page_counter,
)
from modelmon.core.machine.direct_io import (
    READ_ONLY,
    DirectRefusedError,
    alignment_bytes,
    give_advice,
    open_direct,
)
from modelmon.core.machine.page_cache import COLD_SHARE, CachesBelow, eviction_obstacle, residency
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.probe.probe import Latency, Reads
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from modelmon.core.probe.probe import ReadAccess, Way


def together(count: int, work: Callable[[int], None]) -> None:
    """Call `work` with 0 to `count` - 1, with 0 in this thread, none before all threads are there.

    Raises the first error of any of them, and LoadFailedError where the system starts no more.
    """
    begin = threading.Barrier(count)
    problems: list[BaseException] = []

    def follow(number: int) -> None:
        try:
            begin.wait()
            work(number)
        except BaseException as error:
            problems.append(error)
            begin.abort()  # interrupted, it may still be waited for

    threads = [threading.Thread(target=follow, args=(number,)) for number in range(1, count)]
    try:
        for thread in threads:
            start(thread)
    except BaseException:
        begin.abort()
        raise
    follow(0)
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


# Fewer tell of one request's luck, not of a rate; of slow storage less is enough.
_LEAST_RATE_BYTES = 4 * 1024**2
_LEAST_RATE_NS = 50_000_000
_LEAST_SLOW_BYTES = 64 * 1024
_LEAST_P99_SAMPLES = 100


class Request(NamedTuple):
    """One read: when it began and ended (monotonic clock), and how much it brought."""

    start_ns: int
    end_ns: int
    nbytes: int


class ReadShare(NamedTuple):
    """What one reader reads: its own descriptors by file, and its spans in this order.

    Offsets and sizes of its requests are multiples of `block_bytes`. With `maps` of the files it
    touches their pages instead.
    """

    descriptors: Mapping[int, int]
    spans: Sequence[Extent]
    block_bytes: int
    maps: Mapping[int, mmap.mmap] = MappingProxyType({})

    def fetch(self, view: memoryview, file: int, offset: int) -> int:
        """Have this much of a file in memory; how much it is."""
        if file not in self.maps:
            return read_at(self.descriptors[file], view, offset)
        nbytes = min(len(view), len(self.maps[file]) - offset)
        touch(address_of(self.maps[file]) + offset, nbytes)
        return nbytes


def read_together(
    shares: Sequence[ReadShare], request_bytes: int, most_ns: int, should_stop: Callable[[], bool]
) -> list[list[Request]]:
    """All hands at once, a thread each, until `most_ns` are over; the requests of each.

    Destinations are reused buffers in huge pages. Raises OSError if a read fails.
    """
    buffers = [OwnedBuffer(request_bytes) for _ in shares]
    begun_ns: list[int] = []
    done: list[list[Request]] = [[] for _ in shares]
    failed = threading.Event()

    def over(number: int) -> bool:
        # Each reads once: a thread that gets a processor late would else have no rate at all.
        late = time.monotonic_ns() - begun_ns[0] >= most_ns and bool(done[number])
        return late or failed.is_set() or should_stop()

    def work(number: int) -> None:
        begun_ns.append(time.monotonic_ns())
        try:
            _read(shares[number], buffers[number].view, partial(over, number), done[number])
        except OSError:
            failed.set()
            raise

    try:
        together(len(shares), work)
    finally:
        for buffer in buffers:
            buffer.close()
    return done


def _read(
    share: ReadShare, buffer: memoryview, over: Callable[[], bool], done: list[Request]
) -> None:
    """Whole buffers, so that direct reads stay aligned; the end of a file answers with less."""
    for file, offset, nbytes in share.spans:
        at = 0
        while at < nbytes:
            if over():
                return
            begun = time.monotonic_ns()
            # A file may end within the last block that is asked for.
            wanted = min(len(buffer), -(-(nbytes - at) // share.block_bytes) * share.block_bytes)
            # Released also where the read fails, since the error would keep it.
            with buffer[:wanted] as view:
                came = share.fetch(view, file, offset + at)
            if came:
                done.append(Request(begun, time.monotonic_ns(), came))
            if came < wanted:
                break
            at += came


def rate_of(
    done: Sequence[Sequence[Request]],
    request_bytes: int,
    access: ReadAccess = "direct",
) -> Reads | None:
    """The rate while every reader was at work; None where too little was read to tell.

    A request that was under way when the first reader ended counts for the part of its time
    before that: the last ones would else be timed with less company than all others.
    """
    if not done or not all(done):
        return None
    begin = min(requests[0].start_ns for requests in done)
    end = min(requests[-1].end_ns for requests in done)
    nbytes = sum(_share_before(request, end) for requests in done for request in requests)
    elapsed = end - begin
    least_bytes = _LEAST_SLOW_BYTES if elapsed >= _LEAST_RATE_NS else _LEAST_RATE_BYTES
    if elapsed <= 0 or nbytes < least_bytes:
        return None
    every = [request for requests in done for request in requests if request.start_ns < end]
    wait = sum(request.end_ns - request.start_ns for request in every) / len(every)
    total = sum(request.nbytes for requests in done for request in requests)
    rate = nbytes * 1e9 / elapsed
    starts = (requests[0].end_ns - requests[0].start_ns - wait for requests in done)
    start = max(0.0, sum(starts) / len(done))
    return Reads(len(done), request_bytes, len(every), total, rate, wait, start, access)


def _share_before(request: Request, end_ns: int) -> float:
    if request.end_ns <= end_ns:
        return request.nbytes
    took = request.end_ns - request.start_ns
    return request.nbytes * max(0, end_ns - request.start_ns) / took


def latency_of(requests: Sequence[Request], request_bytes: int) -> Latency | None:
    """Median and 99th percentile (nearest rank) of single requests; None of none."""
    waits = sorted(request.end_ns - request.start_ns for request in requests)
    if not waits:
        return None
    count = len(waits)
    p99 = waits[-(-count * 99 // 100) - 1] if count >= _LEAST_P99_SAMPLES else None
    return Latency(request_bytes, count, waits[(count - 1) // 2], p99)


_BLOCK_BYTES = 4096
_DROPS = 6
_FIRST_PAUSE_S = 0.01
# Taken for what the kernel may read ahead of a reader where it does not tell.
_UNTOLD_READAHEAD_BYTES = 16 * MIB


class Manner(NamedTuple):
    """How readers read: `random` asks the kernel not to read ahead, the first `mapped` touch
    pages.
    """

    way: Way
    random: bool = False
    mapped: int = 0


class ProbeFiles:
    """How these files can be read here, readers' descriptors of them, and the devices below.

    `way_reason` says why not past the cache, `cache_reason` why not through it ("" if so).
    """

    def __init__(
        self, paths: Sequence[Path], readahead_bytes: int | None, devices: Sequence[str] = ()
    ) -> None:
        """`devices` are the kernel names of those at the bottom; raises OSError where a file
        cannot be opened.
        """
        self.devices = devices
        self.paths = [str(path) for path in paths]
        self.sizes_bytes = [path.stat().st_size for path in paths]
        # The window that is read and the next one, which is begun before that is over.
        self._ahead_bytes = 2 * (readahead_bytes or _UNTOLD_READAHEAD_BYTES)
        # Residency is asked through these; opening a FUSE file anew would change it.
        self._looking = [os.open(path, READ_ONLY) for path in self.paths]
        self._below = CachesBelow(paths)
        self._cold_bytes = COLD_SHARE * sum(self.sizes_bytes)
        self._read: list[Extent] = []
        self.block_bytes = _BLOCK_BYTES
        self.cache_reason = self._why_not_cached()
        self.way: Way = "none"
        self.way_reason = NOTHING
        if any(self.sizes_bytes):
            self.way, self.way_reason = self._find_way()

    def _why_not_cached(self) -> Message:
        for descriptor in self._looking:
            if obstacle := eviction_obstacle(descriptor):
                return obstacle
            if page_counter(descriptor)[0] is None:
                return Message(
                    "Cache state is unreadable here, and buffered reads would change it."
                )
        return NOTHING

    def _find_way(self) -> tuple[Way, Message]:
        self._below.evict(self._cold_bytes)
        if (left := self._below.left(self._cold_bytes)) is not None:
            return "none", Message("{file} below stays cached.", file=left[0])
        path = self.paths[self.sizes_bytes.index(max(self.sizes_bytes))]
        descriptor = -1
        try:
            descriptor = open_direct(path)
            self.block_bytes = max(_BLOCK_BYTES, alignment_bytes(descriptor))
        except DirectRefusedError as refusal:
            reason = Message("{refusal}.", refusal=refusal.reason)
        else:
            return "direct", NOTHING
        finally:
            if descriptor >= 0:
                os.close(descriptor)
        if all(filesystem_type(fd) in (TMPFS, RAMFS) for fd in self._looking):
            return "memory", reason
        return (
            ("none", joined((reason, self.cache_reason)))
            if self.cache_reason
            else ("cache", reason)
        )

    @contextmanager
    def shares(
        self, dealt: Iterable[Sequence[Extent]], manner: Manner
    ) -> Iterator[list[ReadShare]]:
        """A reader for each hand of spans, with what it reads by, which is closed afterwards.

        What was read through the cache is noted, for `drop_what_was_read`; what is cached below is
        dropped before.
        """
        way, random, mapped = manner
        self._below.evict(self._cold_bytes)
        with ExitStack() as opened:
            found = []
            for number, spans in enumerate(dealt):
                own: dict[int, int] = {}
                for file in {span.shard for span in spans}:
                    own[file] = _open(self.paths[file], way)
                    opened.callback(os.close, own[file])
                    if random:
                        give_advice(own[file], "random")
                maps = {
                    file: opened.enter_context(mmap.mmap(own[file], 0, access=mmap.ACCESS_READ))
                    for file in {span.shard for span in spans if number < mapped}
                }
                found.append(ReadShare(own, spans, self.block_bytes, maps))
                if way == "cache":
                    ahead = 0 if random else self._ahead_bytes
                    self._read += [self._within(span, ahead) for span in spans]
            yield found

    def _within(self, span: Extent, ahead_bytes: int) -> Extent:
        left = self.sizes_bytes[span.shard] - span.offset_bytes
        return Extent(span.shard, span.offset_bytes, min(span.nbytes + ahead_bytes, left))

    def is_uncached(self, span: Extent, *, ahead: bool = True) -> bool:
        """Whether no page of the span is cached, nor of what may be read ahead of it."""
        return self._cached_bytes(self._within(span, self._ahead_bytes if ahead else 0)) == 0

    def is_cached(self, span: Extent) -> bool:
        """Whether the whole span is cached; False where that is unknown."""
        cached = self._cached_bytes(span)
        return cached is not None and cached >= span.nbytes

    def _cached_bytes(self, span: Extent) -> int | None:
        return residency(self._looking[span.shard], [span[1:]]).resident_bytes

    def ready_bytes(self, spans: Iterable[Extent]) -> int:
        """How much of the spans has come into the page cache, without what is only asked for; 0
        where nothing tells.
        """
        if not all(mincore_is_honest(fd) and mincore_answers(fd) for fd in self._looking):
            return 0
        return sum(mincore_pages(self._looking[s.shard], *s[1:]) * mmap.PAGESIZE for s in spans)

    def map_of(self, file: int) -> int:
        """A descriptor through which cached places of a file can be mapped."""
        return self._looking[file]

    def drop_what_was_read(self) -> int | None:
        """Drop from the cache exactly what was read through it, of which nothing was cached.

        Returns how many bytes of it stayed, None where nothing was read through the cache.
        """
        if not self._read or sys.platform != "linux":
            return None
        left = 0
        for attempt in range(_DROPS):
            if attempt:
                # What a busy device is still reading ahead can be dropped when it has come.
                time.sleep(_FIRST_PAUSE_S * 2**attempt)
            for file, offset, nbytes in self._read:
                give_advice(self._looking[file], "dontneed", offset, nbytes)
            left = self._left_of_read()
            if not left:
                break
        self._read.clear()
        return left

    def _left_of_read(self) -> int:
        ranges: dict[int, list[tuple[int, int]]] = {}
        for file, offset, nbytes in self._read:
            ranges.setdefault(file, []).append((offset, nbytes))
        left = (residency(self._looking[file], parts) for file, parts in ranges.items())
        return sum(each.resident_bytes or 0 for each in left)

    def close(self) -> None:
        """Close everything."""
        for descriptor in self._looking:
            os.close(descriptor)
        self._looking.clear()
        self._below.close()


def _open(path: str, way: Way) -> int:
    return open_direct(path) if way == "direct" else os.open(path, READ_ONLY)
