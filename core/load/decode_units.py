"""Tensors cut into units that can be read and decoded on their own. Pure; no I/O."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.extents import Extent
from modelmon.core.model.ggml_types import GGML_TYPE_NUMBERS, GGML_TYPES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.model.tensors import Model, Tensor

# As in the plans of stored bytes: fewer unwanted bytes than this are read along.
_MAX_GAP_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Part:
    """What a unit holds of one tensor: where in the unit's bytes, and which values it is."""

    dtype: str
    start_bytes: int
    nbytes: int
    tensor: int
    first_element: int
    elements: int


class Unit(NamedTuple):
    """One request, and what is decoded from it."""

    extent: Extent
    parts: tuple[Part, ...]


def units_of(model: Model, tensors: Sequence[int], chunk_bytes: int) -> list[Unit]:
    """Units of the tensors with these indices, in file order, none larger than the chunk
    unless a single quantisation block is.

    Large tensors are cut between quantisation blocks; small neighbours share a unit. Tensors
    over the same bytes are decoded each.
    """
    pieces = sorted(
        (piece for index in tensors for piece in _pieces(model.tensors[index], index, chunk_bytes)),
        key=lambda piece: (piece[0], piece[1].dtype),
    )
    units: list[Unit] = []
    for extent, part in pieces:
        if units:
            joined = _joined(units[-1], extent, part, chunk_bytes)
            if joined is not None:
                units[-1] = joined
                continue
        units.append(Unit(extent, (part,)))
    return units


def _pieces(tensor: Tensor, index: int, chunk_bytes: int) -> Iterator[tuple[Extent, Part]]:
    if not tensor.nbytes:
        return
    elements, block_bytes = packing(tensor)
    step = max(1, chunk_bytes // block_bytes)
    blocks = tensor.nbytes // block_bytes
    for first in range(0, blocks, step):
        count = min(step, blocks - first)
        nbytes = count * block_bytes
        extent = Extent(tensor.shard, tensor.offset_bytes + first * block_bytes, nbytes)
        yield extent, Part(tensor.dtype, 0, nbytes, index, first * elements, count * elements)


def packing(tensor: Tensor) -> tuple[int, int]:
    """How many values are stored together, and in how many bytes."""
    kind = (
        GGML_TYPES[GGML_TYPE_NUMBERS[tensor.dtype]] if tensor.dtype in GGML_TYPE_NUMBERS else None
    )
    if kind is not None and kind.block_values > 1:
        return kind.block_values, kind.block_bytes
    values = 1
    for extent in tensor.shape:
        values *= extent
    return 1, max(1, tensor.nbytes // max(1, values))


def _joined(unit: Unit, extent: Extent, part: Part, chunk_bytes: int) -> Unit | None:
    """`unit` with one more part, or None where that would be too much or too far away."""
    whole = unit.extent
    gap = extent.offset_bytes - whole.end_bytes
    end = max(whole.end_bytes, extent.end_bytes)
    nbytes = end - whole.offset_bytes
    if extent.shard != whole.shard or gap > _MAX_GAP_BYTES or nbytes > chunk_bytes:
        return None
    start = extent.offset_bytes - whole.offset_bytes
    moved = Part(part.dtype, start, part.nbytes, part.tensor, part.first_element, part.elements)
    return Unit(Extent(whole.shard, whole.offset_bytes, nbytes), (*unit.parts, moved))
