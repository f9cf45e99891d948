"""Spans: what is read of a rank's slices. Near runs share a span with what lies between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, total_bytes
from modelmon.core.load.slices import Slices
from modelmon.core.units import KIB

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.load.slices import Strided
    from modelmon.core.load.subset import TensorPiece

MAX_GAP_BYTES = 128 * KIB
"""Unwanted bytes up to this are read along with the wanted ones around them.

A request costs this engine, recording included, about 70 us more than its bytes; a disk that
reads 1.3 GB/s needs about 90 us for 128 KiB. Drives whose answers take longer also read more in
that time.
"""


class Part:
    """A rank's part of a model: what is wanted of each tensor, and the spans that hold it."""

    def __init__(self, pieces: Sequence[TensorPiece], chunk_bytes: int) -> None:
        """Gaps are smaller than a chunk, so that no request lies in a gap."""
        self._gap_bytes = min(MAX_GAP_BYTES, chunk_bytes - 1)
        self.slices = Slices(piece.strided for piece in pieces)
        self.by_tensor = {
            piece.tensor: self._spans_of(piece.strided) for piece in pieces if piece.nbytes
        }
        self.spans = self.joined(
            sorted(span for spans in self.by_tensor.values() for span in spans)
        )
        # Where neither runs nor tensors were joined, each tensor is one extent of its own.
        self.is_plain = total_bytes(self.spans) == self.slices.total_bytes and all(
            piece.runs == 1 for piece in pieces
        )

    def _spans_of(self, part: Strided) -> list[Extent]:
        if part.stride_bytes - part.run_bytes <= self._gap_bytes:
            return [Extent(part.shard, part.offset_bytes, part.end_bytes - part.offset_bytes)]
        return [
            Extent(part.shard, part.offset_bytes + run * part.stride_bytes, part.run_bytes)
            for run in range(part.runs)
        ]

    def joined(self, spans: Iterable[Extent]) -> list[Extent]:
        """`spans` in their order; those that follow one another with a small gap in which
        nothing is wanted are one.
        """
        joined: list[Extent] = []
        for span in spans:
            last = joined[-1] if joined else None
            if last is not None and last.shard == span.shard:
                gap = span.offset_bytes - last.end_bytes
                if 0 <= gap <= self._gap_bytes and not (
                    gap and self.slices.nbytes(Extent(last.shard, last.end_bytes, gap))
                ):
                    nbytes = span.end_bytes - last.offset_bytes
                    joined[-1] = Extent(last.shard, last.offset_bytes, nbytes)
                    continue
            joined.append(span)
        return joined
