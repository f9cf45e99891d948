"""The rows of the model tree: shards, the blocks in each, the tensors of each block; and what
stands in each of their cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from modelmon.core.model.sharded import shard_names
from modelmon.core.model.tensors import dtype_bytes
from modelmon.core.terminal_safe import one_line
from modelmon.core.units import percent_text, size_text
from modelmon.gui.language import mark, tr

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.model.tensors import Model, Tensor

NAME, TYPE, SHAPE, SHARE, SIZE = range(5)
HEADINGS = (mark("Name"), mark("Type"), mark("Shape"), mark("Share"), mark("Size"))

_MOST_TYPES = 3


@dataclass(slots=True)
class BlockRow:
    """The part of a block that lies in one shard; `tensors` are indices into the model's.

    `searched` says that some of its tensors were asked for, and not the block itself.
    """

    name: str
    tensors: Sequence[int]
    nbytes: int
    searched: bool = False


@dataclass(slots=True)
class ShardRow:
    """One file of the model."""

    name: str
    blocks: list[BlockRow] = field(default_factory=list)
    nbytes: int = 0

    @property
    def tensor_count(self) -> int:
        """Number of tensors in all of its blocks."""
        return sum(len(block.tensors) for block in self.blocks)


class TensorRows:
    """A model's rows: `shards` are all of them, `found` those that a search leaves."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.shards = _arranged(model)
        self._folded: list[str] | None = None

    def found(self, text: str) -> list[ShardRow]:
        """Blocks with `text` in their name, tensors with it in name or type, and their shards.

        Sizes stay those of the whole block and shard.
        """
        needle = text.casefold()
        if self._folded is None:
            self._folded = [
                f"{tensor.name}\n{tensor.dtype}".casefold() for tensor in self.model.tensors
            ]
        folded = self._folded
        left: list[ShardRow] = []
        for shard in self.shards:
            blocks: list[BlockRow] = []
            for block in shard.blocks:
                if needle in block.name.casefold():
                    blocks.append(block)
                elif hits := [at for at in block.tensors if needle in folded[at]]:
                    blocks.append(BlockRow(block.name, hits, block.nbytes, searched=True))
            if blocks:
                left.append(ShardRow(shard.name, blocks, shard.nbytes))
        return left


def _arranged(model: Model) -> list[ShardRow]:
    """Every shard with its parts of the blocks, in execution order."""
    shards = [ShardRow(one_line(name)) for name in shard_names(model.files)]
    tensors = model.tensors
    for block in model.blocks:
        parts: dict[int, Sequence[int]] = {0: block.tensors}
        if len(shards) > 1:
            split: dict[int, list[int]] = {}
            for at in block.tensors:
                split.setdefault(tensors[at].shard, []).append(at)
            parts = dict(split)
        for shard, members in parts.items():
            nbytes = sum(tensors[at].nbytes for at in members)
            shards[shard].blocks.append(BlockRow(block.name, members, nbytes))
            shards[shard].nbytes += nbytes
    return shards


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
        return one_line(short_name(tensor.name, block))
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
    return f"{one_line(tensor.name)}\n{tensor.dtype}, {shape_text(tensor)}\n{place}\n{part}"


def _tensors_text(count: int) -> str:
    return tr("1 tensor") if count == 1 else tr("{count} tensors", count=f"{count:,}")


def _types_text(tensors: Iterable[Tensor]) -> str:
    """Types by bytes, largest first: `Q4_K, Q6_K, F32`."""
    kinds = [*dtype_bytes(tensors)]
    return ", ".join([*kinds[:_MOST_TYPES], *(["…"] if len(kinds) > _MOST_TYPES else [])])
