"""Shards, blocks and tensors of a model as a tree of two columns: name and size."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from modelmon.core.units import size_text

if TYPE_CHECKING:
    from modelmon.core.model.tensors import Model

Index = QModelIndex | QPersistentModelIndex

NAME, SIZE = 0, 1
SHARE_ROLE = Qt.ItemDataRole.UserRole
"""Size as a share of its parent's, 0 to 1."""
BLOCK_ROLE = Qt.ItemDataRole.UserRole + 1
"""Name of the block that a row is or belongs to; None for a shard."""

# An index carries the place of its parents as a number: shard + 1 in the low bits for rows
# below a shard, block + 1 in the high bits for rows below a block; 0 is a shard's own row.
_BLOCK_BITS = 31


@dataclass(slots=True)
class _Block:
    name: str
    tensors: list[int] = field(default_factory=list)
    nbytes: int = 0


@dataclass(slots=True)
class _Shard:
    name: str
    blocks: list[_Block] = field(default_factory=list)
    nbytes: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    nbytes: int
    whole_bytes: int
    block: str | None

    def cell(self, column: int, role: int) -> object:
        answers: dict[int, object] = {
            Qt.ItemDataRole.DisplayRole: self.name if column == NAME else size_text(self.nbytes),
            Qt.ItemDataRole.ToolTipRole: f"{self.name}, {self.nbytes:,} bytes",
            SHARE_ROLE: self.nbytes / max(self.whole_bytes, 1),
            BLOCK_ROLE: self.block,
        }
        return answers.get(role)


class TensorTree(QAbstractItemModel):
    """A model's contents; `set_filter` leaves what has a text in its name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model: Model | None = None
        self._filter = ""
        self._shards: list[_Shard] = []

    def set_model(self, model: Model | None) -> None:
        """Show another model, or none."""
        self.beginResetModel()
        self._model = model
        self._shards = _arranged(model, self._filter) if model else []
        self.endResetModel()

    def set_filter(self, text: str) -> None:
        """Show only blocks and tensors whose name contains `text`, and where they are."""
        if text == self._filter:
            return
        self.beginResetModel()
        self._filter = text
        self._shards = _arranged(self._model, text) if self._model else []
        self.endResetModel()

    def block_index(self, name: str) -> QModelIndex:
        """Where a block is, in the first shard that holds a part of it."""
        for at, shard in enumerate(self._shards):
            for row, block in enumerate(shard.blocks):
                if block.name == name:
                    return self.createIndex(row, NAME, at + 1)
        return QModelIndex()

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 (Qt's signature)
        """The index of a row below `parent`."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, 0)
        place = int(parent.internalId())
        if place == 0:
            return self.createIndex(row, column, parent.row() + 1)
        return self.createIndex(row, column, place | (parent.row() + 1) << _BLOCK_BITS)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # Qt overloads it
        """The index of the block or shard that holds a row."""
        place = int(index.internalId()) if index.isValid() else 0
        if place == 0:
            return QModelIndex()
        block = place >> _BLOCK_BITS
        if block:
            return self.createIndex(block - 1, NAME, place & ((1 << _BLOCK_BITS) - 1))
        return self.createIndex(place - 1, NAME, 0)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 (Qt's)
        """Shards, the blocks of a shard, or the tensors of a block."""
        if not parent.isValid():
            return len(self._shards)
        if parent.column() != NAME:
            return 0
        place = int(parent.internalId())
        if place == 0:
            return len(self._shards[parent.row()].blocks)
        if place >> _BLOCK_BITS == 0:
            return len(self._shards[place - 1].blocks[parent.row()].tensors)
        return 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 (Qt's)
        """Name and size."""
        del parent
        return 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, tool tips, size shares and block names."""
        if not index.isValid() or self._model is None:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == SIZE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        place = int(index.internalId())
        block_place, shard_place = place >> _BLOCK_BITS, place & ((1 << _BLOCK_BITS) - 1)
        if place == 0:
            shard = self._shards[index.row()]
            whole = max(sum(other.nbytes for other in self._shards), 1)
            return _Row(shard.name, shard.nbytes, whole, None).cell(index.column(), role)
        shard = self._shards[shard_place - 1]
        if block_place == 0:
            block = shard.blocks[index.row()]
            row = _Row(block.name, block.nbytes, shard.nbytes, block.name)
            return row.cell(index.column(), role)
        block = shard.blocks[block_place - 1]
        tensor = self._model.tensors[block.tensors[index.row()]]
        if role == Qt.ItemDataRole.ToolTipRole:
            shape = " × ".join(str(extent) for extent in tensor.shape) or "scalar"
            return f"{tensor.name}\n{tensor.dtype}, {shape}\noffset {tensor.offset_bytes:,} bytes"
        name = _short(tensor.name, block.name)
        return _Row(name, tensor.nbytes, block.nbytes, block.name).cell(index.column(), role)


def _short(tensor: str, block: str) -> str:
    """A tensor's name without its block's, which stands above it."""
    _, found, rest = tensor.partition(f"{block}.")
    return rest if found and rest else tensor


def _arranged(model: Model, text: str) -> list[_Shard]:
    needle = text.casefold()
    shards = [_Shard(name) for name in _shard_names(model)]
    for block in model.blocks:
        whole = needle in block.name.casefold()
        for at in block.tensors:
            tensor = model.tensors[at]
            if not whole and needle not in tensor.name.casefold():
                continue
            shard = shards[tensor.shard]
            if not shard.blocks or shard.blocks[-1].name != block.name:
                shard.blocks.append(_Block(block.name))
            part = shard.blocks[-1]
            part.tensors.append(at)
            part.nbytes += tensor.nbytes
            shard.nbytes += tensor.nbytes
    return [shard for shard in shards if shard.blocks or not needle]


def _shard_names(model: Model) -> list[str]:
    """File names, without what all of several have in common at both ends."""
    names = [path.name for path in model.files]
    if len(names) == 1:
        return names
    stems = [name.rsplit(".", 1)[0] for name in names]
    tails = ["-".join(stem.rsplit("-", 3)[1:]) for stem in stems]
    numbered = all("-of-" in tail for tail in tails)
    return tails if numbered else names
