"""What is cached, mapped over the places that its bytes have in a buffer, instead of copied there.

The pages stay the page cache's: nothing is moved, and the memory is not this process's alone. What
is written to them is kept in this process.
"""

from __future__ import annotations

import mmap
import sys
import time
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.accounts import RequestTimes
from modelmon.core.load.extents import Extent
from modelmon.core.load.touch import advise_random, populate
from modelmon.core.machine.cache_syscalls import ON_THIS_MACHINE, filesystem_type

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.load.buffers import OwnedDestination
    from modelmon.core.load.files import OpenFiles


# The kernel allows about 65,000 maps of a process, which has as many readers again.
_MOST_MAPS = 500
_LEAST_BYTES = 1024 * 1024
_AT_ONCE_BYTES = 64 * 1024 * 1024


class Begun(NamedTuple):
    """What a source found when it began: what is `placed` already, in the order of the extents, and
    whether all that is left `is_cached` and only to be copied.
    """

    placed: Sequence[tuple[Extent, RequestTimes]] = ()
    is_cached: bool = False


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


class PlacedSource:
    """All of the files mapped over its places, where nobody knows what is cached or nothing can be
    read past the cache: what is cached is there at once, and the rest comes as fast as by reading.
    """

    looks = False

    def __init__(self, maps: PlacedMaps) -> None:
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

    def delivered(self, request: Extent) -> memoryview:
        """The request's bytes."""
        return self._maps.destination.delivered(request)

    def done(self, request: Extent) -> None:
        """They stay."""


def _whole_pages(extent: Extent) -> Extent:
    first = -(-extent.offset_bytes // mmap.PAGESIZE) * mmap.PAGESIZE
    end = max(first, extent.end_bytes // mmap.PAGESIZE * mmap.PAGESIZE)
    return Extent(extent.shard, first, end - first)
