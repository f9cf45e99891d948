"""What is read for a rank's slices: spans of near runs, with what lies between them.

A request for each run would cost more than the bytes in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, total_bytes
from modelmon.core.load.slices import Slices
from modelmon.core.units import KIB

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from modelmon.core.load.slices import Strided
    from modelmon.core.load.subset import TensorPiece

MAX_GAP_BYTES = 128 * KIB
"""Unwanted bytes up to this are read along with the wanted ones around them.

A request costs this engine, recording included, about 70 us more than its bytes; a disk that
reads 1.3 GB/s needs about 90 us for 128 KiB. Drives whose answers take longer also read more in
that time.
"""


class RankShare:
    """A rank's part of a model: what is wanted of it, and the spans that hold that."""

    def __init__(self, pieces: Sequence[TensorPiece], chunk_bytes: int) -> None:
        """Gaps are smaller than a chunk, so that no request lies in a gap."""
        self._pieces = pieces
        self._gap_bytes = min(MAX_GAP_BYTES, chunk_bytes - 1)
        self.slices = Slices(piece.strided for piece in pieces)
        self.spans = list(_spans_of(self.slices.parts, self._gap_bytes))
        # Where neither runs nor tensors were joined, each tensor is one extent of its own.
        self.is_plain = total_bytes(self.spans) == self.slices.total_bytes and all(
            part.runs == 1 for part in self.slices.parts
        )

    def by_tensor(self) -> dict[int, list[Extent]]:
        """The spans of each tensor that has any bytes, by its index."""
        return {
            piece.tensor: list(_spans_of([piece.strided], self._gap_bytes))
            for piece in self._pieces
            if piece.nbytes
        }

    def joined(self, spans: Iterable[Extent]) -> list[Extent]:
        """`spans` in their order; those that follow one another with a small gap in which
        nothing is wanted are one.
        """
        joined: list[Extent] = []
        for span in spans:
            last = joined[-1] if joined else None
            if last is not None and last.shard == span.shard:
                gap = span.offset_bytes - last.end_bytes
                between = Extent(last.shard, last.end_bytes, gap)
                if 0 <= gap <= self._gap_bytes and not (gap and self.slices.nbytes(between)):
                    nbytes = span.end_bytes - last.offset_bytes
                    joined[-1] = Extent(last.shard, last.offset_bytes, nbytes)
                    continue
            joined.append(span)
        return joined


def _spans_of(parts: Iterable[Strided], gap_bytes: int) -> Iterator[Extent]:
    """What is read of parts in file order, joined over small gaps; plain numbers, for a model
    has many parts.
    """
    shard, start, end = -1, 0, 0
    for at, offset, run, stride, runs in parts:
        # Rows far apart are each for themselves.
        step, count = (run, runs) if stride - run > gap_bytes else ((runs - 1) * stride + run, 1)
        for first in range(offset, offset + count * stride, stride):
            if at != shard or first - end > gap_bytes:
                if shard >= 0:
                    yield Extent(shard, start, end - start)
                shard, start = at, first
            end = first + step
    if shard >= 0:
        yield Extent(shard, start, end - start)
