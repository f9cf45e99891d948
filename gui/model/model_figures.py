"""What a model is made of, in figures to draw: its types by bytes, its tensors by size."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.units import data_scale
from modelmon.gui.language import tr
from modelmon.gui.model.share_bar import BarSegment

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model


@dataclass(frozen=True, slots=True)
class SizeBin:
    """Tensors of `low_bytes` up to less than `high_bytes`: how many, and their bytes in all."""

    low_bytes: int
    high_bytes: int
    tensors: int
    nbytes: int


def type_parts(model: Model, most: int) -> list[BarSegment]:
    """Types by their share of the bytes, largest first; the last of `most` takes all others."""
    total = max(model.nbytes, 1)
    parts = [BarSegment(kind, nbytes / total) for kind, nbytes in model.dtype_bytes().items()]
    if len(parts) <= most:
        return parts
    kept, others = parts[: most - 1], parts[most - 1 :]
    return [*kept, BarSegment(tr("others"), sum(part.share for part in others))]


def size_bins(model: Model) -> list[SizeBin]:
    """Tensors by size in bins of a factor of about ten, from the smallest to the largest."""
    edges = _edges(max((tensor.nbytes for tensor in model.tensors), default=0))
    counts, sums = [0] * len(edges), [0] * len(edges)
    for tensor in model.tensors:
        at = bisect_right(edges, tensor.nbytes) - 1
        counts[at] += 1
        sums[at] += tensor.nbytes
    first = next((at for at, count in enumerate(counts) if count), 0)
    return [
        SizeBin(edges[at], edges[at + 1], counts[at], sums[at])
        for at in range(first, len(edges) - 1)
    ]


def _edges(largest_bytes: int) -> list[int]:
    """0, 10, 100, one unit, 10 of it and so on, up to the first that is above the largest."""
    unit, _ = data_scale()
    edges = [0]
    step = 1
    while edges[-1] <= largest_bytes:
        edges += [step * 10, step * 100, step * unit]
        step *= unit
    return edges[: next(at for at, edge in enumerate(edges) if edge > largest_bytes) + 1]
