"""Whether a model that was told, and not read from its files, can be one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model, Tensor

_MOST_BYTES = 2**53 - 1
_MOST_SHAPE = 64


def is_sound(model: Model) -> bool:
    """Whether each tensor lies within its file, and each is in one block: what reading the headers
    makes sure of, and all that computes with a model relies on.
    """
    sizes = [shard.size_bytes for shard in model.shards]
    if not sizes or not all(0 <= size <= _MOST_BYTES for size in sizes):
        return False
    if not all(_lies_within(tensor, sizes) for tensor in model.tensors):
        return False
    members = [index for block in model.blocks for index in block.tensors]
    return sorted(members) == list(range(len(model.tensors))) and all(
        block.nbytes == sum(model.tensors[index].nbytes for index in block.tensors)
        for block in model.blocks
    )


def _lies_within(tensor: Tensor, sizes: list[int]) -> bool:
    if not 0 <= tensor.shard < len(sizes) or len(tensor.shape) > _MOST_SHAPE:
        return False
    if not all(0 <= extent <= _MOST_BYTES for extent in tensor.shape):
        return False
    fits = 0 <= tensor.offset_bytes <= tensor.offset_bytes + tensor.nbytes <= sizes[tensor.shard]
    return fits and tensor.nbytes >= 0
