"""Where a reader gets its bytes: pages mapped or copied out, reads through the cache or past it.

`auto` takes what is cached from the cache, and reads the rest past it. What is cached is mapped
over the places that its bytes have in a buffer, where it can be: the pages stay the page cache's,
nothing is moved, and what is written to them is kept in this process.
"""

from __future__ import annotations

import ctypes
import mmap
import sys
import time
from bisect import bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.extents import Extent, coalesce, total_bytes, within
from modelmon.core.load.files import advise_random, fetch, let_go, populate, remedy_of, touch
from modelmon.core.load.threads import RequestTimes
from modelmon.core.machine.anonymous_memory import OwnedBuffer, address_of
from modelmon.core.machine.cached_pages import ON_THIS_MACHINE, filesystem_type, page_counter
from modelmon.core.machine.direct_io import DirectRefusedError, give_advice
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.messages import Message
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.extents import Slices
    from modelmon.core.load.files import Destination, OpenFiles, OwnedDestination
    from modelmon.core.machine.cached_pages import CountPages

    Way = Literal["read", "mapped"]
    """How a chunk with cached pages is taken from the cache; others are read past it."""


_MAP_NORESERVE = 0x4000  # asm-generic/mman.h; the module `mmap` has no name for it
# Else each mapping has a descriptor of its own as long as it lives.
_UNTRACKED: dict[str, Any] = {}
if sys.version_info >= (3, 13) and sys.platform != "win32":
    _UNTRACKED["trackfd"] = False
_MADVICE = {
    name: getattr(mmap, constant)
    for name, constant in (("sequential", "MADV_SEQUENTIAL"), ("random", "MADV_RANDOM"))
    if hasattr(mmap, constant)
}


class Begun(NamedTuple):
    """What a source found when it began: what is `placed` already, in the order of the extents, and
    whether all that is left `is_cached` and only to be copied.
    """

    placed: Sequence[tuple[Extent, RequestTimes]] = ()
    is_cached: bool = False


class Source:
    """Delivers the requests of one reader, to a destination if there is one."""

    looks = False
    """Whether it looks what is cached when it begins."""
    mapped_bytes = 0
    """How much of what was delivered to a buffer is the page cache's own memory."""

    def __init__(self, destination: Destination) -> None:
        self._destination = destination

    def begin(self, extents: Sequence[Extent]) -> Begun:
        """The load has started, and these are asked for next; nothing is known of them."""
        del extents
        return Begun()

    def deliver(self, request: Extent) -> None:
        """Return when each of the request's bytes is in this process's memory."""
        raise NotImplementedError

    def delivered(self, request: Extent) -> memoryview:
        """The wanted bytes that `deliver` made reachable."""
        return self._destination.delivered(request)

    def done(self, request: Extent) -> None:
        """What was delivered of the request has been used; any thread may say so."""


class MappedSource(Source):
    """A shared read-only mapping per shard; pages are touched, or copied to `destination`.

    Without one, what only passes leaves this process's memory once it has been used.

    Of `slices` that stay mapped, what lies between near ones is touched as well. Where the
    kernel was told nothing of the access pattern, slices are asked for before they are touched:
    its readahead, begun anew at each jump, would wait for most of what is jumped over.
    """

    def __init__(
        self,
        files: OpenFiles,
        config: LoadConfig,
        destination: Destination | None,
        slices: Slices | None = None,
    ) -> None:
        self._copies_to = destination
        self._slices = slices
        self._fetches = slices is not None and config.advice == "normal"
        self._passes = destination is None and config.memory_kind == "streamed"
        self.maps = map_files(files)
        self._addresses: dict[int, int] = {}
        for shard, mapping in self.maps.items():
            if config.advice in _MADVICE:
                mapping.madvise(_MADVICE[config.advice])
            self._addresses[shard] = address_of(mapping)

    def populate(self, extent: Extent) -> None:
        """Have the kernel read and map all pages of an extent in one call."""
        populate(self._addresses[extent.shard] + extent.offset_bytes, extent.nbytes)

    def deliver(self, request: Extent) -> None:
        """Fault the pages in, or copy them out."""
        address = self._addresses[request.shard] + request.offset_bytes
        if self._fetches:
            fetch(address, request.nbytes)
        # Also before a copy: `memmove` may copy from the end to the start, and a disk would move
        # its head for each fault.
        touch(address, request.nbytes)
        if self._copies_to is not None:
            ctypes.memmove(self._copies_to.address(request), address, request.nbytes)
            # What was copied stays cached, but need not count as this process's memory too.
            let_go(address, request.nbytes)
            self._copies_to.arrived(request)

    def delivered(self, request: Extent) -> memoryview:
        """The mapped bytes, or their copy; of slices a copy is made for this."""
        if self._copies_to is not None:
            return self._copies_to.delivered(request)
        view = memoryview(self.maps[request.shard])[request.offset_bytes : request.end_bytes]
        return view if self._slices is None else self._slices.gathered(request, view)

    def done(self, request: Extent) -> None:
        """Let go of pages that only pass; they stay cached."""
        if self._passes:
            let_go(self._addresses[request.shard] + request.offset_bytes, request.nbytes)


class ReadSource(Source):
    """Positioned reads through the page cache into memory of one's own."""

    def __init__(self, files: OpenFiles, config: LoadConfig, destination: Destination) -> None:
        super().__init__(destination)
        self._files = files
        advise(files, config.advice)

    def deliver(self, request: Extent) -> None:
        """Read until the request is complete; the kernel may answer in parts."""
        self._files.read_into(self._destination.view(request), request)
        self._destination.arrived(request)


class DirectSource(Source):
    """Direct reads. Ranges are widened to the alignment; what does not fit takes a detour."""

    def __init__(self, files: OpenFiles, destination: Destination) -> None:
        """Raises DirectRefusedError if one of the files cannot be read this way."""
        super().__init__(destination)
        self._files = files
        self._alignment = {shard: files.alignment_bytes(shard) for shard in files.descriptors}
        self._detour: OwnedBuffer | None = None

    def deliver(self, request: Extent) -> None:
        """Read the aligned range around the request, straight to its place where possible."""
        alignment = self._alignment[request.shard]
        start = request.offset_bytes // alignment * alignment
        end = -(-request.end_bytes // alignment) * alignment
        room = None
        if alignment <= mmap.PAGESIZE:
            room = self._destination.room(request, start, end)
        if room is not None:
            self._read(room, request, start)
            self._destination.arrived(request)
            return
        buffer = self._detour_of(end - start)
        self._read(buffer.view[: end - start], request, start)
        skip = request.offset_bytes - start
        address = self._destination.address(request)
        ctypes.memmove(address, buffer.address + skip, request.nbytes)
        self._destination.arrived(request)

    def _detour_of(self, nbytes: int) -> OwnedBuffer:
        if self._detour is None or len(self._detour.view) < nbytes:
            self._detour = OwnedBuffer(nbytes)
        return self._detour

    def _read(self, view: memoryview, request: Extent, start: int) -> None:
        """Fill `view` from `start` on, at least to the request's end; the rest may not exist."""
        alignment = self._alignment[request.shard]
        wanted = request.end_bytes - start
        done = 0
        while done < wanted:
            count = self._files.read_some(view[done:], request.shard, start + done)
            done += count
            # Only the end of the file answers with a part of a block.
            if done < wanted and (not count or done % alignment):
                raise self._files.nothing_came(request.shard, start + done)


def map_files(files: OpenFiles, *, writable: bool = False) -> dict[int, mmap.mmap]:
    """A mapping of each open file, by shard: shared and read-only, or one in which what is written
    stays in this process. Raises LoadFailedError.
    """
    found = {}
    for shard, descriptor in files.descriptors.items():
        try:
            found[shard] = _mapped(descriptor, files.size_bytes[shard], writable=writable)
        except OSError as error:
            raise LoadFailedError(
                Message(
                    "Couldn't map {path}: {reason}.",
                    path=files.paths[shard],
                    reason=error.strerror,
                ),
                remedy_of(
                    error,
                    address_space_remedy() or Message("Choose a strategy that doesn't map files."),
                ),
            ) from error
    return found


def _mapped(descriptor: int, nbytes: int, *, writable: bool) -> mmap.mmap:
    if not writable:
        return mmap.mmap(descriptor, nbytes, access=mmap.ACCESS_READ, **_UNTRACKED)
    if sys.platform != "linux":
        return mmap.mmap(descriptor, nbytes, access=mmap.ACCESS_COPY, **_UNTRACKED)
    # Little of it is ever written: a file may be larger than memory.
    return mmap.mmap(descriptor, nbytes, flags=mmap.MAP_PRIVATE | _MAP_NORESERVE, **_UNTRACKED)


def advise(files: OpenFiles, advice: str) -> None:
    """Tell the kernel how the open files will be read, where it listens."""
    for descriptor in files.descriptors.values() if advice != "normal" else ():
        give_advice(descriptor, advice)


# More than a device's or a mount's readahead: 8 MiB is the largest that was met.
_AHEAD_BYTES = 64 * MIB
_WORTH_NAMING_SHARE = 0.01
# The kernel allows about 65,000 maps of a process, which has as many readers again.
_MOST_MAPS = 500
_LEAST_BYTES = MIB
_AT_ONCE_BYTES = 64 * MIB


class AutoSource(Source):
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
        maps: PlacedSource | Callable[[], MappedSource] | None,
    ) -> None:
        """Raises DirectRefusedError if one of the files cannot be read past the cache, before
        anything is changed.
        """
        super().__init__(destination)
        self._files = cached
        self._config = config
        self._places = maps if isinstance(maps, PlacedSource) else None
        self._passing = None if isinstance(maps, PlacedSource) else maps
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
                self.mapped_bytes = self._places.mapped_bytes
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
        return start >= end or self._is_there(Extent(shard, start, end - start))

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


class PlacedSource(Source):
    """Maps of one reader's files, over the places of their bytes.

    By itself it has all of them mapped, where nobody knows what is cached or nothing can be read
    past the cache: what is cached is there at once, and the rest comes as fast as by reading.
    """

    def __init__(self, files: OpenFiles, destination: OwnedDestination) -> None:
        super().__init__(destination)
        self._files = files
        self._owned = destination
        self._mapped: list[Extent] = []
        self._count = 0
        self.mapped_bytes = 0

    def begin(self, extents: Sequence[Extent]) -> Begun:
        """Map what can be mapped; nothing is known."""
        self._mapped = sorted(extent for extent in extents if self.map(extent))
        return Begun()

    def deliver(self, request: Extent) -> None:
        """Have the request's pages brought in, or read it."""
        at = bisect_right(self._mapped, request) - 1
        if any(each.contains(request) for each in self._mapped[max(at, 0) : at + 2]):
            self._files.check_size(request.shard)
            self.bring_in(request)
        else:
            self._files.read_into(self._destination.view(request), request)

    def map(self, extent: Extent) -> bool:
        """Map the whole pages of an extent, and read none of them; whether that can be and is worth
        it. Other bytes may share the first and last page, so that these are left alone.
        """
        pages = _whole_pages(extent)
        if pages.nbytes < _LEAST_BYTES or self._count == _MOST_MAPS:
            return False
        # A map of a file that was cut would end the process and not just the load.
        self._files.check_size(extent.shard)
        try:
            self._owned.map_file(pages, self._files.descriptors[extent.shard])
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
                self._files.read_into(self._destination.view(rest), rest)
        return RequestTimes(start_ns, time.monotonic_ns())

    def _populate(self, pages: Extent, *, alone: bool) -> None:
        address = self._destination.address(pages)
        if alone:
            advise_random(address, pages.nbytes, on=True)
        try:
            # A call can't be interrupted.
            for start in range(0, pages.nbytes, _AT_ONCE_BYTES):
                populate(address + start, min(_AT_ONCE_BYTES, pages.nbytes - start))
        except LoadFailedError:
            # A file that was cut says so itself.
            self._files.check_size(pages.shard)
            raise
        if alone:
            advise_random(address, pages.nbytes, on=False)


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
