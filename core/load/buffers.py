"""Where the bytes of a load go: a place for each in one buffer, or a small buffer they pass.

Of slices the wanted bytes alone are kept, or handed on: they are gathered from spans that passed.
"""

from __future__ import annotations

import mmap
from bisect import bisect_right
from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, coalesce
from modelmon.core.machine.anonymous_memory import HUGE_PAGE_BYTES, OwnedBuffer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.load.slices import Slices


_PAGE_BYTES = mmap.PAGESIZE
# Up to two huge pages are filled for their ends.
_LONG_BYTES = 32 * HUGE_PAGE_BYTES


class Layout:
    """Where each extent of the files lies in one buffer; extents that touch stay together.

    Each run of bytes has pages of its own and keeps the offset within a page that it has in
    the file: a direct read may then fill its first and last page whole, and what is cached be
    mapped over its place. A long one keeps its offset within a huge page: the kernel then maps
    2 MiB of the cache at once, which is 20 times as fast. Of `slices` only the
    wanted bytes have a place, end to end, which costs direct reads a copy.
    """

    def __init__(self, extents: Iterable[Extent], slices: Slices | None = None) -> None:
        self._slices = slices
        self._runs = coalesce(sorted(extents))
        self._keys = [(run.shard, run.offset_bytes) for run in self._runs]
        self._places: list[int] = []
        end = 0
        for run in self._runs:
            place = end
            if slices is None:
                place = -(-end // _PAGE_BYTES) * _PAGE_BYTES
                is_long = run.nbytes >= _LONG_BYTES
                place += (run.offset_bytes - place) % (HUGE_PAGE_BYTES if is_long else _PAGE_BYTES)
            self._places.append(place)
            end = place + self.wanted(run)
        self.nbytes = -(-end // _PAGE_BYTES) * _PAGE_BYTES
        self.is_packed = slices is not None

    def wanted(self, extent: Extent) -> int:
        """How many bytes of an extent have a place."""
        return extent.nbytes if self._slices is None else self._slices.nbytes(extent)

    def place(self, shard: int, offset_bytes: int) -> int:
        """Offset in the buffer of a byte that lies in one of the extents; of a byte between
        slices that of the next wanted one.
        """
        number = bisect_right(self._keys, (shard, offset_bytes)) - 1
        if number < 0:
            raise KeyError((shard, offset_bytes))
        run = self._runs[number]
        if run.shard != shard or offset_bytes >= run.end_bytes:
            raise KeyError((shard, offset_bytes))
        if self._slices is None:
            return self._places[number] + offset_bytes - run.offset_bytes
        before = Extent(shard, run.offset_bytes, offset_bytes - run.offset_bytes)
        return self._places[number] + self.wanted(before)


class Destination:
    """Memory that requests are delivered to."""

    def address(self, request: Extent) -> int:
        """Address of the request's first byte."""
        raise NotImplementedError

    def view(self, request: Extent) -> memoryview:
        """The request's bytes."""
        raise NotImplementedError

    def room(self, request: Extent, start_bytes: int, end_bytes: int) -> memoryview | None:
        """Memory for a wider range of the file around the request, where there is room for it up to
        the borders of the request's first and last page; None where there is none.
        """
        raise NotImplementedError

    def arrived(self, request: Extent) -> None:
        """The request's bytes are where `view` shows them."""

    def delivered(self, request: Extent) -> memoryview:
        """What is wanted of a request that has arrived."""
        return self.view(request)


class OwnedDestination(Destination):
    """One private buffer in which each byte has its own place."""

    def __init__(
        self, extents: Iterable[Extent], slices: Slices | None = None, *, huge_pages: bool
    ) -> None:
        self.layout = Layout(extents, slices)
        # A smaller model would have a whole one cleared for it.
        huge_pages = huge_pages and self.layout.nbytes >= HUGE_PAGE_BYTES
        self.buffer = OwnedBuffer(self.layout.nbytes, huge_pages=huge_pages)

    def address(self, request: Extent) -> int:
        """Address of the request's first byte."""
        return self.buffer.address + self.layout.place(request.shard, request.offset_bytes)

    def view(self, request: Extent) -> memoryview:
        """The place of the request's wanted bytes."""
        place = self.layout.place(request.shard, request.offset_bytes)
        return self.buffer.view[place : place + self.layout.wanted(request)]

    def room(self, request: Extent, start_bytes: int, end_bytes: int) -> memoryview | None:
        """The request's pages; neighbours in the file are neighbours here."""
        if self.layout.is_packed:
            return None
        place = self.layout.place(request.shard, request.offset_bytes)
        first = place - (request.offset_bytes - start_bytes)
        last = first + end_bytes - start_bytes
        return self.buffer.view[first:last] if last <= self.layout.nbytes else None

    def map_file(self, pages: Extent, descriptor: int) -> None:
        """Have whole pages of a file in place of the memory for them. Raises OSError."""
        place = self.layout.place(pages.shard, pages.offset_bytes)
        self.buffer.map_file(place, descriptor, pages.offset_bytes, pages.nbytes)


class PassingDestination(Destination):
    """A few slots that requests pass through in turn; nothing is kept."""

    def __init__(self, request_bytes: int, slots: int, *, huge_pages: bool) -> None:
        # A page more on either side, so that a direct read may fill whole pages.
        self._slot_bytes = (-(-request_bytes // _PAGE_BYTES) + 3) * _PAGE_BYTES
        self.slots = slots
        self.buffer = OwnedBuffer(self._slot_bytes * slots, huge_pages=huge_pages)
        self._slot = 0

    def turn(self, slot: int) -> None:
        """The slot that the next request goes to."""
        self._slot = slot % self.slots

    def _place(self, request: Extent) -> int:
        return self._slot * self._slot_bytes + _PAGE_BYTES + request.offset_bytes % _PAGE_BYTES

    def address(self, request: Extent) -> int:
        """Address of the request's first byte in the present slot."""
        return self.buffer.address + self._place(request)

    def view(self, request: Extent) -> memoryview:
        """The request's bytes in the present slot."""
        place = self._place(request)
        return self.buffer.view[place : place + request.nbytes]

    def room(self, request: Extent, start_bytes: int, end_bytes: int) -> memoryview | None:
        """The pages around the request in the present slot."""
        first = self._place(request) - (request.offset_bytes - start_bytes)
        start = self._slot * self._slot_bytes
        last = first + end_bytes - start_bytes
        fits = start <= first and last <= start + self._slot_bytes
        return self.buffer.view[first:last] if fits else None


class GatheringDestination(Destination):
    """Requests that hold unwanted bytes come to a buffer that is used again; once they are
    there, the wanted ones are moved to their place, or together where nothing is kept.

    Requests of wanted bytes alone go to their place at once.
    """

    def __init__(
        self, slices: Slices, kept: OwnedDestination | None, detour: PassingDestination
    ) -> None:
        self._slices = slices
        self._kept = kept
        self._detour = detour

    def _straight(self, request: Extent) -> OwnedDestination | None:
        whole = self._kept is not None and self._slices.nbytes(request) == request.nbytes
        return self._kept if whole else None

    def address(self, request: Extent) -> int:
        """Address that the request's first byte comes to."""
        return (self._straight(request) or self._detour).address(request)

    def view(self, request: Extent) -> memoryview:
        """Where the request's bytes come to."""
        return (self._straight(request) or self._detour).view(request)

    def room(self, request: Extent, start_bytes: int, end_bytes: int) -> memoryview | None:
        """Memory for a wider range around the request, where there is some."""
        return (self._straight(request) or self._detour).room(request, start_bytes, end_bytes)

    def arrived(self, request: Extent) -> None:
        """Gather what is wanted of the request."""
        if self._straight(request) is None:
            self._slices.gather(request, self._detour.view(request), self.delivered(request))

    def delivered(self, request: Extent) -> memoryview:
        """The request's wanted bytes."""
        if self._kept is not None:
            return self._kept.view(request)
        return self._detour.view(request)[: self._slices.nbytes(request)]
