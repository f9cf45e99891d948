"""A portion: part of a model that stands for the whole, the same for every strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.extents import Extent, coalesce, total_bytes
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.load.slices import Slices

LEAST_PORTION_BYTES = MIB
"""Less tells nothing of a load: a single page that the kernel reads for it outweighs the rest."""

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

    def spread(self, wanted: Sequence[Extent]) -> list[Extent]:
        """Evenly spaced pieces of `wanted`, of equal size and in file order.

        The pieces do not depend on the strategy. They are large, so that a sequential strategy
        still meets sequential ranges and what the kernel reads past their ends hardly counts, and
        a large portion covers the whole model. It is smaller than the whole.
        """
        total = total_bytes(wanted)
        pieces = max(1, min(_MOST_PIECES, self.nbytes // _LEAST_PIECE_BYTES))
        parts = []
        for number in range(pieces):
            first, behind = (total * at // pieces for at in (number, number + 1))
            # From its number, so that the sizes add up exactly.
            size = self.nbytes * (number + 1) // pieces - self.nbytes * number // pieces
            start = first + round((behind - first - size) * self.place)
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

    def spread_over_slices(self, spans: Sequence[Extent], slices: Slices) -> list[Extent]:
        """Evenly spaced parts of `spans` that hold a portion of the wanted bytes, and of the
        others only those between them.
        """
        pieces = self.spread([Extent(0, 0, slices.total_bytes)])
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
