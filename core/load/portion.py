"""A portion: part of a model that stands for the whole, the same for every strategy."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, coalesce, total_bytes
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.load.slices import Slices

_MOST_PIECES = 64
# The kernel reads up to two of its windows past the end of a piece, 16 MiB with a readahead of
# 8 MiB: with pieces of 1.6 MiB mapped loads fetched four times what they needed, and what was
# extrapolated from them was five times too long. Here it is a sixteenth.
_LEAST_PIECE_BYTES = 256 * MIB


def spread_portion(wanted: Sequence[Extent], portion_bytes: int) -> list[Extent]:
    """`portion_bytes` of `wanted` in evenly spaced pieces of equal size, in file order.

    The pieces do not depend on the strategy, so that two strategies load the same bytes. They
    are large, so that a sequential strategy still meets sequential ranges and what the kernel
    reads past their ends hardly counts, and a large portion covers the whole model.
    `portion_bytes` is smaller than the whole.
    """
    total = total_bytes(wanted)
    pieces = max(1, min(_MOST_PIECES, portion_bytes // _LEAST_PIECE_BYTES))
    # Both ends of each piece follow from its number, so the sizes add up exactly.
    parts = [
        (
            total * number // pieces,
            total * number // pieces
            + portion_bytes * (number + 1) // pieces
            - portion_bytes * number // pieces,
        )
        for number in range(pieces)
    ]
    taken: list[Extent] = []
    passed = at = 0
    for extent in wanted:
        behind = passed + extent.nbytes
        while at < pieces and parts[at][0] < behind:
            start, end = parts[at]
            first, last = max(start, passed), min(end, behind)
            if first < last:
                offset = extent.offset_bytes + first - passed
                taken.append(Extent(extent.shard, offset, last - first))
            if end > behind:
                break
            at += 1
        passed = behind
    return coalesce(taken)


def spread_slices(spans: Sequence[Extent], slices: Slices, portion_bytes: int) -> list[Extent]:
    """Evenly spaced parts of `spans` that hold `portion_bytes` of the wanted bytes, and of the
    others only those between them.
    """
    pieces = spread_portion([Extent(0, 0, slices.total_bytes)], portion_bytes)
    taken: list[Extent] = []
    for span in spans:
        passed = slices.before(span.shard, span.offset_bytes)
        behind = passed + slices.nbytes(span)
        for piece in pieces:
            first, last = max(piece.offset_bytes, passed), min(piece.end_bytes, behind)
            if first < last:
                start = slices.place(first)
                taken.append(Extent(span.shard, start, slices.place(last - 1) + 1 - start))
    return coalesce(taken)


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
