"""Cuts tensors into units: requests whose values can be decoded without any others. Pure; no I/O.

A large tensor is cut between quantisation blocks; small neighbours share a request.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import STORED, TensorValues
from modelmon.core.load.planner import MAX_GAP_BYTES
from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME, is_quantised
from modelmon.core.model.stored_codes import stored_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from modelmon.core.model.tensors import Model, Tensor


class Unit(NamedTuple):
    """One request, and what is decoded from it. Parts over shared bytes overlap."""

    extent: Extent
    parts: tuple[TensorValues, ...]


class _Piece(NamedTuple):
    """Values of one tensor, and where they lie. Flat: a model has many."""

    shard: int
    start: int
    end: int
    tensor: int
    first_element: int
    elements: int


def units_of(
    model: Model,
    tensors: Iterable[int],
    chunk_bytes: int,
    portion: Sequence[Extent] | None = None,
) -> list[Unit]:
    """Units of the tensors with these indices, in file order, none larger than the chunk
    unless a single quantisation block is.

    Large tensors are cut between quantisation blocks; neighbours share a unit while they fit
    into a chunk. Tensors over the same bytes are decoded each. No two units have the same
    extent, and every value of a tensor is in exactly one part. Of a `portion`, disjoint and in
    file order, the blocks that begin in it are wanted.
    """
    codes = stored_codes(model)
    pieces = sorted(_pieces(model, tensors, codes, chunk_bytes, portion))
    return [_unit(model, group, codes) for group in _neighbours(pieces, chunk_bytes)]


def _pieces(
    model: Model,
    tensors: Iterable[int],
    codes: frozenset[int],
    chunk_bytes: int,
    portion: Sequence[Extent] | None,
) -> Iterator[_Piece]:
    for index in tensors:
        tensor = model.tensors[index]
        start, nbytes = tensor.offset_bytes, tensor.nbytes
        if not nbytes:
            continue
        block = (1, 1) if index in codes else _packing(tensor)
        if portion is not None:
            for blocks in _blocks_in(tensor, block[1], portion):
                yield from _cut(tensor, index, chunk_bytes, block, blocks)
        elif nbytes > chunk_bytes:
            blocks = range(-(-nbytes // block[1]))
            yield from _cut(tensor, index, chunk_bytes, block, blocks)
        else:
            values = nbytes if index in codes else prod(tensor.shape)
            yield _Piece(tensor.shard, start, start + nbytes, index, 0, values)


def _blocks_in(tensor: Tensor, block_bytes: int, portion: Sequence[Extent]) -> Iterator[range]:
    """Numbers of the tensor's blocks that begin in a portion."""
    shard, offset = tensor.shard, tensor.offset_bytes
    at = max(0, bisect_right(portion, (shard, offset, tensor.nbytes)) - 1)
    stop = bisect_left(portion, (shard, offset + tensor.nbytes, 0), lo=at)
    for piece in portion[at:stop]:
        first = -(-max(0, piece.offset_bytes - offset) // block_bytes)
        last = -(-min(tensor.nbytes, piece.end_bytes - offset) // block_bytes)
        if piece.shard == shard and first < last:
            yield range(first, last)


def _cut(
    tensor: Tensor, index: int, chunk_bytes: int, block: tuple[int, int], blocks: range
) -> Iterator[_Piece]:
    elements, block_bytes = block
    base = tensor.offset_bytes
    step = max(1, chunk_bytes // block_bytes)
    for first in range(blocks.start, blocks.stop, step):
        last = min(first + step, blocks.stop)
        start, end = base + first * block_bytes, base + last * block_bytes
        count = (last - first) * elements
        yield _Piece(tensor.shard, start, end, index, first * elements, count)


def _packing(tensor: Tensor) -> tuple[int, int]:
    """How many values are stored together, and in how many bytes."""
    if is_quantised(tensor.dtype):
        return GGML_TYPES_BY_NAME[tensor.dtype][1:]
    values = prod(tensor.shape)
    # Types below a byte may share bytes anywhere: such a tensor stays whole.
    return (values, tensor.nbytes) if tensor.nbytes % values else (1, tensor.nbytes // values)


def _neighbours(pieces: Iterable[_Piece], chunk_bytes: int) -> Iterator[list[_Piece]]:
    """Pieces, sorted by place, in groups that one request can read."""
    group: list[_Piece] = []
    shard = start = end = 0
    for piece in pieces:
        if group:
            joined_end = max(end, piece.end)
            is_near = piece.shard == shard and piece.start - end <= MAX_GAP_BYTES
            # Bytes that are read anyway are shared even where they alone exceed a chunk.
            if is_near and joined_end - start <= max(chunk_bytes, end - start):
                group.append(piece)
                end = joined_end
                continue
            yield group
        group = [piece]
        shard, start, end = piece.shard, piece.start, piece.end
    if group:
        yield group


def _unit(model: Model, group: list[_Piece], codes: frozenset[int]) -> Unit:
    tensors = model.tensors
    base = group[0].start
    end = max(piece.end for piece in group)
    parts = tuple(
        TensorValues(
            STORED if index in codes else tensors[index].dtype,
            start - base,
            stop - start,
            index,
            first_element,
            elements,
        )
        for _, start, stop, index, first_element, elements in group
    )
    return Unit(Extent(group[0].shard, base, end - base), parts)
