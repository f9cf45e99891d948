"""A portion: part of a model that stands for the whole, the same for every strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, coalesce, total_bytes
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_PIECES = 64
_LEAST_PIECE_BYTES = MIB


def spread_portion(wanted: Sequence[Extent], portion_bytes: int) -> list[Extent]:
    """`portion_bytes` of `wanted` in evenly spaced pieces of equal size, in file order.

    The pieces do not depend on the strategy, so that two strategies load the same bytes. They
    are large, so that a sequential strategy still meets sequential ranges, and they cover the
    whole model, so that no shard or kind of layer is left out. `portion_bytes` is smaller
    than the whole.
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
    passed = 0
    for extent in wanted:
        for start, end in parts:
            first = max(start, passed)
            last = min(end, passed + extent.nbytes)
            if first < last:
                offset = extent.offset_bytes + first - passed
                taken.append(Extent(extent.shard, offset, last - first))
        passed += extent.nbytes
    return coalesce(taken)


def within(asked: Sequence[Extent], wanted: Sequence[Extent]) -> list[Extent]:
    """The parts of `asked`, in its order, that lie in `wanted` (which is in file order)."""
    parts: list[Extent] = []
    for extent in asked:
        for room in wanted:
            if room.shard != extent.shard:
                continue
            start = max(extent.offset_bytes, room.offset_bytes)
            end = min(extent.end_bytes, room.end_bytes)
            if start < end:
                parts.append(Extent(extent.shard, start, end - start))
    return parts
