"""Shards, blocks and tensors of a model as a tree: name, type, shape, share and size."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from modelmon.core.model.sharded import shard_names
from modelmon.core.model.tensors import dtype_bytes
from modelmon.core.terminal_safe import one_line
from modelmon.core.units import percent_text, size_text
from modelmon.gui.language import mark, tr
from modelmon.gui.widgets.styling import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from modelmon.core.model.tensors import Model, Tensor

NAME, TYPE, SHAPE, SHARE, SIZE = range(5)
HEADINGS = (mark("Name"), mark("Type"), mark("Shape"), mark("Share"), mark("Size"))

_MOST_TYPES = 3

Index = QModelIndex | QPersistentModelIndex

SHARE_ROLE = Qt.ItemDataRole.UserRole
"""Size as a share of its parent's, 0 to 1."""
BLOCK_ROLE = Qt.ItemDataRole.UserRole + 1
"""Name of the block that a row is or belongs to; None for a shard."""
FULL_NAME_ROLE = Qt.ItemDataRole.UserRole + 2
"""A name as the file has it."""

# An index carries the place of its parents as a number: shard + 1 in the low bits for rows
# below a shard, block + 1 in the high bits for rows below a block; 0 is a shard's own row.
_BLOCK_BITS = 31
_SHARD_MASK = (1 << _BLOCK_BITS) - 1
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


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


class _Row(NamedTuple):
    """What an index stands for; a shard's has neither block nor tensor."""

    shard: ShardRow
    block: BlockRow | None = None
    tensor: Tensor | None = None


class TensorTree(QAbstractItemModel):
    """A model's contents; `set_filter` leaves what has a text in its name or type."""

    model_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: TensorRows | None = None
        self._filter = ""
        self._shards: list[ShardRow] = []
        self._nbytes = 0
        self._readers: dict[int, Callable[[_Row, int], object]] = {
            Qt.ItemDataRole.DisplayRole: self._text,
            Qt.ItemDataRole.ToolTipRole: lambda row, _: plain(self._tool_tip(row)),
            SHARE_ROLE: lambda row, _: self._share(row),
            BLOCK_ROLE: lambda row, _: row.block and row.block.name,
            FULL_NAME_ROLE: lambda row, _: (row.tensor or row.block or row.shard).name,
        }

    def set_model(self, model: Model | None) -> None:
        """Show another model, or none."""
        self._rows = TensorRows(model) if model is not None else None
        self._rearrange()
        self.model_changed.emit()

    def set_filter(self, text: str) -> None:
        """Show only blocks and tensors that have `text` in their name or type, and their shards."""
        if text != self._filter:
            self._filter = text
            self._rearrange()

    @property
    def tensor_count(self) -> int:
        """Number of tensors that the filter leaves."""
        return sum(shard.tensor_count for shard in self._shards)

    @property
    def block_count(self) -> int:
        """Number of blocks that the filter leaves some of."""
        return len({block.name for shard in self._shards for block in shard.blocks})

    def block_names(self) -> list[str]:
        """Names of all blocks, whatever the filter."""
        return [block.name for block in self._rows.model.blocks] if self._rows else []

    def searched_blocks(self, most_tensors: int) -> list[QModelIndex]:
        """Blocks that are there for the sake of some tensors: the first with so many in all."""
        places: list[QModelIndex] = []
        for at, shard in enumerate(self._shards):
            for row, block in enumerate(shard.blocks):
                if block.searched:
                    most_tensors -= len(block.tensors)
                    if most_tensors < 0:
                        return places
                    places.append(self.createIndex(row, NAME, at + 1))
        return places

    def block_index(self, name: str) -> QModelIndex:
        """Where a block is, in the first shard that holds a part of it."""
        for at, shard in enumerate(self._shards):
            for row, block in enumerate(shard.blocks):
                if block.name == name:
                    return self.createIndex(row, NAME, at + 1)
        return QModelIndex()

    def row_text(self, index: Index) -> str:
        """A row to paste elsewhere: name, type, shape and bytes, with tabs between."""
        row = self._row(index)
        part = row.tensor or row.block or row.shard
        return "\t".join(
            [part.name, *(self._text(row, at) for at in (TYPE, SHAPE)), str(part.nbytes)]
        )

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        """The index of a row below `parent`."""
        if not 0 <= column <= SIZE or not 0 <= row < self.rowCount(parent):
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
            return self.createIndex(block - 1, NAME, place & _SHARD_MASK)
        return self.createIndex(place - 1, NAME, 0)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
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

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: N802 (Qt's)
        """Whether a row can be opened; Qt's own way asks twice as much for each tensor."""
        return self.rowCount(parent) > 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """Name, type, shape, share and size."""
        del parent
        return len(HEADINGS)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """Headings."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section == SIZE else _LEFT
        return tr(HEADINGS[section]) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, tool tips, shares and names."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() == SIZE else _LEFT
        read = self._readers.get(role)
        return read(self._row(index), index.column()) if read and index.isValid() else None

    def _rearrange(self) -> None:
        self.beginResetModel()
        rows = self._rows
        self._shards = []
        if rows is not None:
            self._shards = rows.found(self._filter) if self._filter else rows.shards
            self._nbytes = sum(shard.nbytes for shard in rows.shards)
        self.endResetModel()

    def _row(self, index: Index) -> _Row:
        place = int(index.internalId())
        if place == 0:
            return _Row(self._shards[index.row()])
        shard = self._shards[(place & _SHARD_MASK) - 1]
        if place >> _BLOCK_BITS == 0:
            return _Row(shard, shard.blocks[index.row()])
        block = shard.blocks[(place >> _BLOCK_BITS) - 1]
        assert self._rows is not None
        return _Row(shard, block, self._rows.model.tensors[block.tensors[index.row()]])

    def _text(self, row: _Row, column: int) -> str:
        assert self._rows is not None
        if row.block is None:
            return shard_cell(row.shard, column)
        if row.tensor is None:
            return block_cell(self._rows.model, row.block, column)
        return tensor_cell(row.tensor, row.block.name, column)

    def _share(self, row: _Row) -> float:
        if row.block is None:
            return row.shard.nbytes / max(self._nbytes, 1)
        if row.tensor is None:
            return row.block.nbytes / max(row.shard.nbytes, 1)
        return row.tensor.nbytes / max(row.block.nbytes, 1)

    def _tool_tip(self, row: _Row) -> str:
        share = self._share(row)
        if row.block is None:
            return tool_tip(row.shard.name, row.shard.nbytes, share, tr("the model"))
        if row.tensor is None:
            return tool_tip(row.block.name, row.block.nbytes, share, row.shard.name)
        return tensor_tool_tip(row.tensor, share, row.block.name)


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
