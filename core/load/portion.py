"""A portion: part of a model that stands for the whole, the same for every strategy."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

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


_GOLDEN_RATIO = (5**0.5 - 1) / 2


def place_of_run(number: int) -> float:
    """Where the portion of such a run lies (0 to 1): as far as can be from those before it.

    Steps of the golden ratio leave the most even gaps. Source: Knuth, The Art of Computer
    Programming, volume 3, section 6.4, on multiplicative hashing.
    """
    return number * _GOLDEN_RATIO % 1


class Portion(NamedTuple):
    """So many bytes of a model. `place` (0 to 1) says where: from as far ahead as they can lie to
    as far behind. Runs at different places are given nothing by what a server or a drive keeps
    of those before, which no start can empty.
    """

    nbytes: int
    place: float = 0.0


def spread_portion(wanted: Sequence[Extent], portion: Portion) -> list[Extent]:
    """A portion of `wanted` in evenly spaced pieces of equal size, in file order.

    The pieces do not depend on the strategy. They are large, so that a sequential strategy still
    meets sequential ranges and what the kernel reads past their ends hardly counts, and a large
    portion covers the whole model. It is smaller than the whole.
    """
    total, portion_bytes = total_bytes(wanted), portion.nbytes
    pieces = max(1, min(_MOST_PIECES, portion_bytes // _LEAST_PIECE_BYTES))
    parts = []
    for number in range(pieces):
        first, behind = (total * at // pieces for at in (number, number + 1))
        # From its number, so that the sizes add up exactly.
        size = portion_bytes * (number + 1) // pieces - portion_bytes * number // pieces
        start = first + round((behind - first - size) * portion.place)
        parts.append((start, start + size))
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


def spread_slices(spans: Sequence[Extent], slices: Slices, portion: Portion) -> list[Extent]:
    """Evenly spaced parts of `spans` that hold a portion of the wanted bytes, and of the others
    only those between them.
    """
    pieces = spread_portion([Extent(0, 0, slices.total_bytes)], portion)
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
