"""Extents: contiguous byte ranges of a shard, joined, cut into requests, dealt out to readers."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Extent(NamedTuple):
    """`nbytes` bytes of shard number `shard`, from `offset_bytes`."""

    shard: int
    offset_bytes: int
    nbytes: int

    @property
    def end_bytes(self) -> int:
        """Offset of the first byte behind the extent."""
        return self.offset_bytes + self.nbytes

    def is_continued_by(self, other: Extent) -> bool:
        """Whether `other` begins where this one ends."""
        return other.shard == self.shard and other.offset_bytes == self.end_bytes

    def contains(self, other: Extent) -> bool:
        """Whether all of `other` lies in this one."""
        starts_in = other.shard == self.shard and other.offset_bytes >= self.offset_bytes
        return starts_in and other.end_bytes <= self.end_bytes

    def cut(self, at_bytes: int) -> tuple[Extent, Extent]:
        """What lies before and behind an offset; either may be empty."""
        first = min(max(0, at_bytes - self.offset_bytes), self.nbytes)
        behind = Extent(self.shard, self.offset_bytes + first, self.nbytes - first)
        return self._replace(nbytes=first), behind


def coalesce(extents: Iterable[Extent]) -> list[Extent]:
    """`extents` in their order, neighbours that continue one another joined, empty ones gone."""
    joined: list[Extent] = []
    for extent in extents:
        if extent.nbytes == 0:
            continue
        if joined:
            last = joined[-1]
            if last.is_continued_by(extent):
                joined[-1] = Extent(last.shard, last.offset_bytes, last.nbytes + extent.nbytes)
                continue
        joined.append(extent)
    return joined


def distinct(extents: Iterable[Extent]) -> list[Extent]:
    """The bytes of `extents`, each once, in file order."""
    merged: list[Extent] = []
    for extent in coalesce(sorted(extents)):
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.shard == extent.shard
            and extent.offset_bytes <= last.end_bytes
        ):
            end = max(last.end_bytes, extent.end_bytes)
            merged[-1] = Extent(last.shard, last.offset_bytes, end - last.offset_bytes)
        else:
            merged.append(extent)
    return merged


def total_bytes(extents: Iterable[Extent]) -> int:
    """Sum of the extents' sizes."""
    return sum(extent.nbytes for extent in extents)


def split(extent: Extent, chunk_bytes: int) -> Iterator[Extent]:
    """The requests that read `extent`: cut where the file offset is a multiple of the chunk.

    Cutting at absolute offsets keeps every request but the first and last aligned, and no
    page is asked for twice.
    """
    offset = extent.offset_bytes
    end = extent.end_bytes
    while offset < end:
        stop = min(end, (offset // chunk_bytes + 1) * chunk_bytes)
        yield Extent(extent.shard, offset, stop - offset)
        offset = stop


def within(asked: Sequence[Extent], wanted: Sequence[Extent]) -> list[Extent]:
    """The parts of `asked`, in its order, that lie in `wanted`: disjoint and in file order."""
    parts: list[Extent] = []
    starts = [(room.shard, room.offset_bytes) for room in wanted]
    for extent in asked:
        # Slices make tens of thousands of both: only those near the extent are looked at.
        first = max(0, bisect_right(starts, (extent.shard, extent.offset_bytes)) - 1)
        last = bisect_left(starts, (extent.shard, extent.end_bytes), lo=first)
        for room in wanted[first:last]:
            start = max(extent.offset_bytes, room.offset_bytes)
            end = min(extent.end_bytes, room.end_bytes)
            if room.shard == extent.shard and start < end:
                parts.append(Extent(extent.shard, start, end - start))
    return parts


def request_count(extent: Extent, chunk_bytes: int) -> int:
    """How many requests `split` yields, without making them."""
    if extent.nbytes == 0:
        return 0
    first = extent.offset_bytes // chunk_bytes
    last = (extent.end_bytes - 1) // chunk_bytes
    return last - first + 1


def partition(extents: Sequence[Extent], readers: int, chunk_bytes: int) -> list[list[Extent]]:
    """`extents` cut into one consecutive run per reader, balanced by bytes.

    Cuts fall on multiples of the chunk in the file, so that no request is split in two.
    """
    total = total_bytes(extents)
    shares: list[list[Extent]] = [[] for _ in range(readers)]
    reader = 0
    passed = 0
    for extent in extents:
        offset = extent.offset_bytes
        while offset < extent.end_bytes:
            while reader < readers - 1 and passed >= total * (reader + 1) // readers:
                reader += 1
            stop = extent.end_bytes
            if reader < readers - 1:
                even = offset + total * (reader + 1) // readers - passed
                stop = min(stop, -(-even // chunk_bytes) * chunk_bytes)
            shares[reader].append(Extent(extent.shard, offset, stop - offset))
            passed += stop - offset
            offset = stop
    return shares


def partition_whole(extents: Sequence[Extent], readers: int) -> list[list[Extent]]:
    """`extents` in one consecutive run per reader, balanced by bytes; none is cut."""
    total = total_bytes(extents)
    shares: list[list[Extent]] = [[] for _ in range(readers)]
    passed = 0
    for extent in extents:
        middle = passed + extent.nbytes // 2
        shares[min(readers - 1, middle * readers // max(1, total))].append(extent)
        passed += extent.nbytes
    return shares
