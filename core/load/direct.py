"""Reads past the page cache, and the source that chooses by what is cached."""

from __future__ import annotations

import ctypes
import mmap
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.sources import ReadSource, advise
from modelmon.core.machine.anonymous_memory import OwnedBuffer
from modelmon.core.machine.direct_io import DirectRefusedError
from modelmon.core.machine.resident_pages import page_counter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.load.buffers import Destination
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.machine.resident_pages import CountPages


class DirectSource:
    """Direct reads. Ranges are widened to the alignment; what does not fit takes a detour."""

    def __init__(self, files: OpenFiles, destination: Destination) -> None:
        """Raises DirectRefusedError if one of the files cannot be read this way."""
        self._files = files
        self._destination = destination
        self._alignment = {shard: files.alignment_bytes(shard) for shard in files.descriptors}
        self._detour: OwnedBuffer | None = None

    def begin(self, extents: Sequence[Extent]) -> None:
        """Nothing to prepare."""

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
            return
        buffer = self._detour_of(end - start)
        self._read(buffer.view[: end - start], request, start)
        skip = request.offset_bytes - start
        address = self._destination.address(request)
        ctypes.memmove(address, buffer.address + skip, request.nbytes)

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
                raise LoadFailedError(
                    f"{self._files.paths[request.shard]} ends at byte {start + done:,};"
                    " more was expected.",
                    "The file was cut while it was loaded: open the model again.",
                )

    def delivered(self, request: Extent) -> memoryview:
        """The bytes as they were read."""
        return self._destination.view(request)


class AutoSource:
    """What is cached is read through the cache, and the rest past it.

    The choice is made once, when the load starts: reading through the cache makes the
    kernel read ahead, so that a choice made later would follow its own traces. A request
    that is cached in part goes through the cache, which fetches the missing pages alone.
    """

    def __init__(
        self,
        cached: OpenFiles,
        direct: OpenFiles,
        config: LoadConfig,
        destination: Destination,
    ) -> None:
        """Raises DirectRefusedError if one of the files cannot be read past the cache."""
        self._files = cached
        self._chunk_bytes = config.chunk_bytes
        self._counters = {shard: _counter(fd) for shard, fd in cached.descriptors.items()}
        self._through_cache = ReadSource(cached, config, destination)
        # Readahead beyond what is asked for would fetch what is then read directly again.
        advise(cached, "random")
        self._past_cache = DirectSource(direct, destination)
        self._cached_chunks: set[tuple[int, int]] = set()

    def begin(self, extents: Sequence[Extent]) -> None:
        """Look up what is cached, in as few questions as the extents allow."""
        shard, start, end = -1, 0, 0
        for extent in sorted(extents):
            if extent.shard != shard or extent.offset_bytes > end + self._chunk_bytes:
                if end:
                    self._look(shard, start, end)
                shard, start, end = extent.shard, extent.offset_bytes, 0
            end = max(end, extent.end_bytes)
        if end:
            self._look(shard, start, end)

    def _look(self, shard: int, start: int, end: int) -> None:
        """Note the chunks of a range that have cached pages, halving where it has some."""
        pages = -(-end // mmap.PAGESIZE) - start // mmap.PAGESIZE
        first = start - start % mmap.PAGESIZE
        cached = self._counters[shard](self._files.descriptors[shard], first, end - first)
        if not cached:
            return
        chunk = self._chunk_bytes
        numbers = range(start // chunk, -(-end // chunk))
        if cached >= pages or len(numbers) == 1:
            self._cached_chunks.update((shard, number) for number in numbers)
            return
        middle = (numbers.start + len(numbers) // 2) * chunk
        self._look(shard, start, middle)
        self._look(shard, middle, end)

    def deliver(self, request: Extent) -> None:
        """Read the request the way that was chosen for its chunk."""
        first = (request.shard, request.offset_bytes // self._chunk_bytes)
        last = (request.shard, (request.end_bytes - 1) // self._chunk_bytes)
        cached = first in self._cached_chunks or last in self._cached_chunks
        (self._through_cache if cached else self._past_cache).deliver(request)

    def delivered(self, request: Extent) -> memoryview:
        """The bytes as they were read."""
        return self._through_cache.delivered(request)


def _counter(descriptor: int) -> CountPages:
    count, source = page_counter(descriptor)
    if count is None:
        raise DirectRefusedError(f"What is cached is {source}")
    return count
