"""Loads by `auto`: what is cached is mapped or copied, and the rest is read past the page cache.

What is cached is mapped over the places that its bytes have in a buffer, where it can be: the pages
stay the page cache's, nothing is moved, and the memory is not this process's alone. What is written
to them is kept in this process.
"""

from __future__ import annotations

import mmap
import sys
import time
from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.accounts import RequestTimes
from modelmon.core.load.extents import Extent, coalesce, total_bytes, within
from modelmon.core.load.sources import (
    Begun,
    CopyingSource,
    DirectSource,
    MappedSource,
    ReadSource,
    advise,
)
from modelmon.core.load.touch import advise_random, populate
from modelmon.core.machine.cached_pages import ON_THIS_MACHINE, filesystem_type, page_counter
from modelmon.core.machine.direct_io import DirectRefusedError
from modelmon.core.messages import Message
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from modelmon.core.load.buffers import Destination, OwnedDestination
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.machine.cached_pages import CountPages

    Way = Literal["read", "mapped"]
    """How a chunk with cached pages is taken from the cache; others are read past it."""

# More than a device's or a mount's readahead: 8 MiB is the largest that was met.
_AHEAD_BYTES = 64 * MIB
_WORTH_NAMING_SHARE = 0.01
# The kernel allows about 65,000 maps of a process, which has as many readers again.
_MOST_MAPS = 500
_LEAST_BYTES = MIB
_AT_ONCE_BYTES = 64 * MIB


class AutoSource(CopyingSource):
    """What is cached is taken from the cache, and the rest read past it.

    With `maps` it stays the cache's: it is mapped where its bytes belong, or passes through a map
    that is made where it is needed. Else it is copied. The choice is made once, when the load
    starts: reading through the cache makes the kernel read ahead, so that a choice made later would
    follow its own traces. A chunk that is cached in part goes through the cache, which fetches its
    missing pages alone.

    Cached pages may carry the marks of an earlier reader: whoever reads one has the kernel
    read ahead from there, against any advice, and what it fetches would be read directly
    again. So where something is missing within its reach, cached chunks are taken from a
    map, where MADV_RANDOM stops that too (do_async_mmap_readahead() in the kernel's
    mm/filemap.c). Else copies are read, which is faster.
    """

    looks = True

    def __init__(
        self,
        cached: OpenFiles,
        direct: OpenFiles,
        config: LoadConfig,
        destination: Destination,
        maps: PlacedMaps | Callable[[], MappedSource] | None,
    ) -> None:
        """Raises DirectRefusedError if one of the files cannot be read past the cache, before
        anything is changed.
        """
        super().__init__(destination)
        self._files = cached
        self._config = config
        self._places = maps if isinstance(maps, PlacedMaps) else None
        self._passing = None if isinstance(maps, PlacedMaps) else maps
        self._chunk_bytes = config.chunk_bytes
        self._counters = {shard: _counter(fd) for shard, fd in cached.descriptors.items()}
        self._past_cache = DirectSource(direct, destination)
        self._through_cache = ReadSource(cached, config, destination)
        advise(cached, "random")
        self._mapped: MappedSource | None = None
        self._copied_share = 0.0
        self._ways: dict[tuple[int, int], Way] = {}

    @property
    def copies(self) -> bool:
        """Whether much that is cached is copied, since nothing of these files is mapped."""
        return self._copied_share >= _WORTH_NAMING_SHARE

    @property
    def mapped_bytes(self) -> int:
        """How much is the page cache's own."""
        return 0 if self._places is None else self._places.mapped_bytes

    def begin(self, extents: Sequence[Extent]) -> Begun:
        """Look up what is cached, in as few questions as the extents allow, and map it."""
        is_all_cached = True
        runs: list[Extent] = []
        for shard, start, end in _spans(extents, self._chunk_bytes):
            beyond = min(end + _AHEAD_BYTES, self._files.size_bytes[shard])
            cached, pages = self._count(shard, start, beyond)
            if cached >= pages:
                runs.append(Extent(shard, start, end - start))
                continue
            is_all_cached = False
            if cached:
                runs += self._look(shard, start, end)
        parts = list(self._parts(coalesce(runs), is_all_cached=is_all_cached))
        if self._places is None:
            for part, beside in parts:
                self._choose(part, "mapped" if beside or self._passing else "read")
            if self._passing is None:
                self._copied_share = total_bytes(runs) / max(1, total_bytes(extents))
            return Begun((), is_all_cached)
        placed: list[tuple[Extent, RequestTimes]] = []
        starts = [part[:2] for part, _ in parts]
        for part in within(extents, [part for part, _ in parts]):
            beside = parts[bisect_right(starts, part[:2]) - 1][1]
            if self._places.map(part):
                # Pages that were taken meanwhile would come one at a time.
                alone = beside and self._is_there(part)
                placed.append((part, self._places.bring_in(part, alone=alone)))
            else:
                self._choose(part, "mapped" if beside else "read")
        return Begun(placed, is_all_cached)

    def _parts(
        self, runs: Sequence[Extent], *, is_all_cached: bool
    ) -> Iterator[tuple[Extent, bool]]:
        """The runs in file order, cut where readahead would begin to reach what is missing beside
        them; whether it would. Marks further away do no harm.
        """
        for run in runs:
            near = end = run.end_bytes
            if not (is_all_cached or self._is_cached(run.shard, end)):
                near = end - _AHEAD_BYTES
                near -= near % self._chunk_bytes
            far, beside = run.cut(near)
            if far.nbytes:
                yield far, False
            if beside.nbytes:
                yield beside, True

    def _is_there(self, extent: Extent) -> bool:
        cached, pages = self._count(extent.shard, extent.offset_bytes, extent.end_bytes)
        return cached >= pages

    def _look(self, shard: int, start: int, end: int) -> Iterator[Extent]:
        """What is cached of a range in whole chunks, halving it where some is; what is cached of a
        chunk in part goes through the cache.
        """
        cached, pages = self._count(shard, start, end)
        if not cached:
            return
        extent = Extent(shard, start, end - start)
        if cached >= pages:
            yield extent
            return
        numbers = self._numbers(extent)
        if len(numbers) == 1:
            self._choose(extent, "read")
            return
        middle = (numbers.start + len(numbers) // 2) * self._chunk_bytes
        yield from self._look(shard, start, middle)
        yield from self._look(shard, middle, end)

    def _is_cached(self, shard: int, start: int) -> bool:
        """Whether all is cached as far as readahead reaches from `start`."""
        end = min(start + _AHEAD_BYTES, self._files.size_bytes[shard])
        if start >= end:
            return True
        cached, pages = self._count(shard, start, end)
        return cached >= pages

    def _count(self, shard: int, start: int, end: int) -> tuple[int, int]:
        """Cached pages of a range, and all of them."""
        first = start - start % mmap.PAGESIZE
        cached = self._counters[shard](self._files.descriptors[shard], first, end - first)
        return cached, -(-(end - first) // mmap.PAGESIZE)

    def _numbers(self, extent: Extent) -> range:
        return range(
            extent.offset_bytes // self._chunk_bytes, -(-extent.end_bytes // self._chunk_bytes)
        )

    def _choose(self, extent: Extent, way: Way) -> None:
        # Most loads need no map.
        if way == "mapped" and self._mapped is None:
            try:
                self._mapped = self._map()
            except LoadFailedError:
                # There is no room for a map: reads need none.
                way = "read"
        self._ways.update(((extent.shard, number), way) for number in self._numbers(extent))

    def _map(self) -> MappedSource:
        if self._passing is not None:
            return self._passing()
        return MappedSource(self._files, replace(self._config, advice="random"), self._destination)

    def deliver(self, request: Extent) -> None:
        """Read the request the way that was chosen for its chunk; one that lies in two with
        different ways goes through the cache.
        """
        way = self._way(request)
        if way == "mapped" and not self._is_there(request):
            # Pages that were taken meanwhile would come one at a time.
            self._choose(request, "read")
            way = "read"
        if way is None:
            self._past_cache.deliver(request)
        elif way == "mapped" and self._mapped is not None:
            # A map of a file that was cut would end the process and not just the load.
            self._files.check_size(request.shard)
            self._mapped.populate(request)
            self._mapped.deliver(request)
        else:
            self._through_cache.deliver(request)

    def _way(self, request: Extent) -> Way | None:
        shard, chunk = request.shard, self._chunk_bytes
        first = self._ways.get((shard, request.offset_bytes // chunk))
        last = self._ways.get((shard, (request.end_bytes - 1) // chunk))
        return first if first == last else "read"

    def delivered(self, request: Extent) -> memoryview:
        """The bytes as they were read, or where they are mapped."""
        if self._mapped is not None and self._way(request) == "mapped":
            return self._mapped.delivered(request)
        return super().delivered(request)

    def done(self, request: Extent) -> None:
        """Let go of pages that only pass; other memory is used again without being told."""
        if self._mapped is not None and self._way(request) == "mapped":
            self._mapped.done(request)


def keeps_files(files: OpenFiles) -> bool:
    """Whether files can be mapped safely and fast: a page of a mount that goes away ends the
    process that needs it, and many take one at a time.
    """
    return sys.platform == "linux" and all(
        filesystem_type(descriptor) in ON_THIS_MACHINE for descriptor in files.descriptors.values()
    )


class PlacedMaps:
    """Maps of one reader's files, over the places of their bytes."""

    def __init__(self, files: OpenFiles, destination: OwnedDestination) -> None:
        self.files = files
        self.destination = destination
        self._count = 0
        self.mapped_bytes = 0

    def map(self, extent: Extent) -> bool:
        """Map the whole pages of an extent, and read none of them; whether that can be and is worth
        it. Other bytes may share the first and last page, so that these are left alone.
        """
        pages = _whole_pages(extent)
        if pages.nbytes < _LEAST_BYTES or self._count == _MOST_MAPS:
            return False
        # A map of a file that was cut would end the process and not just the load.
        self.files.check_size(extent.shard)
        try:
            self.destination.map_file(pages, self.files.descriptors[extent.shard])
        except OSError:
            return False
        self._count += 1
        self.mapped_bytes += pages.nbytes
        return True

    def bring_in(self, request: Extent, *, alone: bool = False) -> RequestTimes:
        """Have all of a request there that lies in what was mapped; `alone` if nothing around it is
        to be read ahead. Raises LoadFailedError.
        """
        start_ns = time.monotonic_ns()
        pages = _whole_pages(request)
        if pages.nbytes:
            self._populate(pages, alone=alone)
        for start, end in (
            (request.offset_bytes, pages.offset_bytes),
            (pages.end_bytes, request.end_bytes),
        ):
            if start < end:
                rest = Extent(request.shard, start, end - start)
                self.files.read_into(self.destination.view(rest), rest)
        return RequestTimes(start_ns, time.monotonic_ns())

    def _populate(self, pages: Extent, *, alone: bool) -> None:
        address = self.destination.address(pages)
        if alone:
            advise_random(address, pages.nbytes, on=True)
        try:
            # A call can't be interrupted.
            for start in range(0, pages.nbytes, _AT_ONCE_BYTES):
                populate(address + start, min(_AT_ONCE_BYTES, pages.nbytes - start))
        except LoadFailedError:
            # A file that was cut says so itself.
            self.files.check_size(pages.shard)
            raise
        if alone:
            advise_random(address, pages.nbytes, on=False)


class PlacedSource(CopyingSource):
    """All of the files mapped over its places, where nobody knows what is cached or nothing can be
    read past the cache: what is cached is there at once, and the rest comes as fast as by reading.
    """

    def __init__(self, maps: PlacedMaps) -> None:
        super().__init__(maps.destination)
        self._maps = maps
        self._mapped: list[Extent] = []

    @property
    def mapped_bytes(self) -> int:
        """How much is the page cache's own."""
        return self._maps.mapped_bytes

    def begin(self, extents: Sequence[Extent]) -> Begun:
        """Map what can be mapped; nothing is known."""
        self._mapped = sorted(extent for extent in extents if self._maps.map(extent))
        return Begun()

    def deliver(self, request: Extent) -> None:
        """Have the request's pages brought in, or read it."""
        at = bisect_right(self._mapped, request) - 1
        if any(each.contains(request) for each in self._mapped[max(at, 0) : at + 2]):
            self._maps.files.check_size(request.shard)
            self._maps.bring_in(request)
        else:
            self._maps.files.read_into(self._maps.destination.view(request), request)


def _whole_pages(extent: Extent) -> Extent:
    first = -(-extent.offset_bytes // mmap.PAGESIZE) * mmap.PAGESIZE
    end = max(first, extent.end_bytes // mmap.PAGESIZE * mmap.PAGESIZE)
    return Extent(extent.shard, first, end - first)


def _spans(extents: Sequence[Extent], near_bytes: int) -> Iterator[tuple[int, int, int]]:
    """Shard, start and end of what lies near together, in file order."""
    shard, start, end = -1, 0, 0
    for extent in sorted(extents):
        if extent.shard != shard or extent.offset_bytes > end + near_bytes:
            if end:
                yield shard, start, end
            shard, start, end = extent.shard, extent.offset_bytes, 0
        end = max(end, extent.end_bytes)
    if end:
        yield shard, start, end


def _counter(descriptor: int) -> CountPages:
    count, source = page_counter(descriptor)
    if count is None:
        raise DirectRefusedError(
            Message(
                "What is cached is {source}. Direct I/O works, but reads again what is cached",
                source=source,
            )
        )
    return count
