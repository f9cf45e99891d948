"""Extents: contiguous byte ranges of a shard, and how wanted ranges become them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Extent(NamedTuple):
    """`nbytes` bytes of shard number `shard`, from `offset_bytes`."""

    shard: int
    offset_bytes: int
    nbytes: int

    @property
    def end_bytes(self) -> int:
        """Offset of the first byte behind the extent."""
        return self.offset_bytes + self.nbytes


def coalesce(extents: Iterable[Extent]) -> list[Extent]:
    """`extents` in their order, neighbours that continue one another joined, empty ones gone."""
    joined: list[Extent] = []
    for extent in extents:
        if extent.nbytes == 0:
            continue
        if joined:
            last = joined[-1]
            if extent.shard == last.shard and extent.offset_bytes == last.end_bytes:
                joined[-1] = Extent(last.shard, last.offset_bytes, last.nbytes + extent.nbytes)
                continue
        joined.append(extent)
    return joined


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


def request_count(extent: Extent, chunk_bytes: int) -> int:
    """How many requests `split` yields, without making them."""
    if extent.nbytes == 0:
        return 0
    first = extent.offset_bytes // chunk_bytes
    last = (extent.end_bytes - 1) // chunk_bytes
    return last - first + 1
