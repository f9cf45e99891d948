"""The rows of the model tree: shards, the blocks in each, the tensors of each block."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from modelmon.gui.models.shard_names import shard_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.model.tensors import Model


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
    shards = [ShardRow(name) for name in shard_names(model.files)]
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
