"""Dealing extents out to readers, balanced by bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, coalesce, total_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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
