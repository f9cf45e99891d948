"""What the model tree says in each cell of a shard, a block and a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.units import percent_text, size_text
from modelmon.gui.look.language import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.model.tensors import Model, Tensor
    from modelmon.gui.models.tensor_rows import BlockRow, ShardRow

NAME, TYPE, SHAPE, SHARE, SIZE = range(5)
HEADINGS = (mark("Name"), mark("Type"), mark("Shape"), mark("Share"), mark("Size"))

_MOST_TYPES = 3


def shard_cell(shard: ShardRow, column: int) -> str:
    """A shard's name, number of tensors and size."""
    if column == SHAPE:
        return _tensors_text(shard.tensor_count)
    return {NAME: shard.name, SIZE: size_text(shard.nbytes)}.get(column, "")


def block_cell(model: Model, block: BlockRow, column: int) -> str:
    """A block's name, its types by bytes, number of tensors and size."""
    if column == TYPE:
        return _types_text(model.tensors[at] for at in block.tensors)
    if column == SHAPE:
        return _tensors_text(len(block.tensors))
    return {NAME: block.name, SIZE: size_text(block.nbytes)}.get(column, "")


def tensor_cell(tensor: Tensor, block: str, column: int) -> str:
    """A tensor's name without its block's, its type, shape and size."""
    if column == NAME:
        return short_name(tensor.name, block)
    if column == TYPE:
        return tensor.dtype
    if column == SHAPE:
        return shape_text(tensor)
    return size_text(tensor.nbytes) if column == SIZE else ""


def short_name(tensor: str, block: str) -> str:
    """A tensor's name without that of the layer it lies in: `attn.q.weight` in `layers.3`.

    `text_encoder.0.layers.3` is looked for as `0.layers.3` and `layers.3` too: a block may be
    called otherwise than the file calls it.
    """
    words = block.split(".")
    if not words[-1].isdigit():
        return tensor
    for start in range(max(1, len(words) - 1)):
        layer = ".".join(words[start:]) + "."
        at = f".{tensor}".find(f".{layer}")
        if at >= 0 and at + len(layer) < len(tensor):
            return tensor[at + len(layer) :]
    return tensor


def shape_text(tensor: Tensor) -> str:
    """`4096 × 14336`, slowest first."""
    return " × ".join(str(extent) for extent in tensor.shape) or tr("scalar")


def tool_tip(name: str, nbytes: int, share: float, whole: str) -> str:
    """A shard's or block's name, its exact size, and how much of its parent it is."""
    size = tr("{count} bytes", count=f"{nbytes:,}")
    part = tr("{share} of {whole}", share=percent_text(share), whole=whole)
    return f"{name}\n{size}\n{part}"


def tensor_tool_tip(tensor: Tensor, share: float, block: str) -> str:
    """A tensor's whole name, type, shape and place."""
    place = tr(
        "{count} bytes at {offset}", count=f"{tensor.nbytes:,}", offset=f"{tensor.offset_bytes:,}"
    )
    part = tr("{share} of {whole}", share=percent_text(share), whole=block)
    return f"{tensor.name}\n{tensor.dtype}, {shape_text(tensor)}\n{place}\n{part}"


def _tensors_text(count: int) -> str:
    return tr("1 tensor") if count == 1 else tr("{count} tensors", count=f"{count:,}")


def _types_text(tensors: Iterable[Tensor]) -> str:
    """Types by bytes, largest first: `Q4_K, Q6_K, F32`."""
    sums: dict[str, int] = {}
    for tensor in tensors:
        sums[tensor.dtype] = sums.get(tensor.dtype, 0) + tensor.nbytes
    kinds = sorted(sums, key=lambda kind: -sums[kind])
    return ", ".join([*kinds[:_MOST_TYPES], *(["…"] if len(kinds) > _MOST_TYPES else [])])
