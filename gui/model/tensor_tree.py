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
)

from modelmon.core.explain.glossary import MODEL
from modelmon.core.export.csv_tables import spreadsheet_cell
from modelmon.core.messages import NOTHING
from modelmon.core.model.sharded import shard_names
from modelmon.core.model.tensors import dtype_bytes
from modelmon.core.terminal_safe import one_line
from modelmon.core.units import percent_text, size_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.widgets.styling import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(slots=True, eq=False)
class Node:
    """A shard, the part of a block that lies in it, or a tensor; known by its `number`.

    `block` is the block that it is or belongs to, `tensors` are those of a block, as indices into
    the model's; `searched` says that they were asked for, and not the block itself.
    """

    number: int
    above: Node | None
    row: int
    name: str
    nbytes: int
    block: str = ""
    tensors: Sequence[int] = ()
    tensor: Tensor | None = None
    searched: bool = False
    below: list[Node] = field(default_factory=list)

    @property
    def tensor_count(self) -> int:
        """Number of tensors in a shard or block."""
        return len(self.tensors) + sum(len(block.tensors) for block in self.below)


class _Part(NamedTuple):
    """What of a block lies in one shard."""

    block: str
    tensors: Sequence[int]
    nbytes: int


class TensorTree(QAbstractItemModel):
    """A model's contents; `set_filter` leaves what has a text in its name or type.

    Tensors get their nodes when their block is unfolded: there may be a hundred thousand.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model: Model | None = None
        self._filter = ""
        self._parts: list[tuple[str, list[_Part]]] = []
        self._nbytes = 0
        self._folded: list[str] = []
        self._nodes: list[Node] = []
        self._shards: list[Node] = []
        self._readers: dict[int, Callable[[Node, int], object]] = {
            Qt.ItemDataRole.DisplayRole: self._text,
            Qt.ItemDataRole.ToolTipRole: lambda node, _: plain(self._tool_tip(node)),
            SHARE_ROLE: lambda node, _: self._share(node),
            BLOCK_ROLE: lambda node, _: node.block or None,
            FULL_NAME_ROLE: lambda node, _: one_line(node.name),
        }

    def set_model(self, model: Model | None) -> None:
        """Show another model, or none."""
        self._model = model
        self._parts = _arranged(model) if model is not None else []
        self._nbytes = sum(part.nbytes for _, parts in self._parts for part in parts)
        self._folded = []
        self._rearrange()

    def set_filter(self, text: str) -> None:
        """Show only blocks and tensors that have `text` in their name or type, and their shards.

        Sizes stay those of the whole block and shard.
        """
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
        return len({block.name for block in self._blocks()})

    def searched_blocks(self, most_tensors: int) -> list[QModelIndex]:
        """Blocks that are there for the sake of some tensors: the first with so many in all."""
        places: list[QModelIndex] = []
        for block in self._blocks():
            if block.searched:
                most_tensors -= len(block.tensors)
                if most_tensors < 0:
                    break
                places.append(self._index(block))
        return places

    def block_index(self, name: str) -> QModelIndex:
        """Where a block is, in the first shard that holds a part of it."""
        found = (self._index(block) for block in self._blocks() if block.name == name)
        return next(found, QModelIndex())

    def row_text(self, index: Index) -> str:
        """A row to paste elsewhere: name, type, shape and bytes, with tabs between."""
        node = self._node(index)
        texts = (self._text(node, at) for at in (TYPE, SHAPE))
        cells = map(spreadsheet_cell, (node.name, *texts, node.nbytes))
        return "\t".join(map(str, cells))

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        """The index of a row below `parent`."""
        if not 0 <= column <= SIZE or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        among = self._below(self._node(parent)) if parent.isValid() else self._shards
        return self._index(among[row], column)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # Qt overloads it
        """The index of the block or shard that holds a row."""
        above = self._node(index).above if index.isValid() else None
        return self._index(above) if above is not None else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Shards, the blocks of a shard, or the tensors of a block."""
        if not parent.isValid():
            return len(self._shards)
        node = self._node(parent)
        if parent.column() != NAME:
            return 0
        return len(node.tensors) if node.block else len(node.below)

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
        if role == Qt.ItemDataRole.ToolTipRole:
            return said(MODEL.get(HEADINGS[section], NOTHING))
        return tr(HEADINGS[section]) if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, tool tips, shares and names."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() == SIZE else _LEFT
        read = self._readers.get(role)
        return read(self._node(index), index.column()) if read and index.isValid() else None

    def _rearrange(self) -> None:
        self.beginResetModel()
        self._nodes, self._shards = [], []
        needle, tensors = self._filter.casefold(), self._model.tensors if self._model else ()
        if needle and not self._folded:
            self._folded = [f"{tensor.name}\n{tensor.dtype}".casefold() for tensor in tensors]
        for name, parts in self._parts:
            shard = self._add(None, len(self._shards), name, sum(part.nbytes for part in parts))
            for part in parts:
                named, found = needle in part.block.casefold(), part.tensors
                if not named:
                    found = [at for at in found if needle in self._folded[at]]
                if found or named:
                    block = self._add(shard, len(shard.below), part.block, part.nbytes)
                    block.block, block.tensors, block.searched = part.block, found, not named
                    shard.below.append(block)
            if shard.below or not needle:
                self._shards.append(shard)
        self.endResetModel()

    def _add(self, above: Node | None, row: int, name: str, nbytes: int) -> Node:
        node = Node(len(self._nodes), above, row, name, nbytes)
        self._nodes.append(node)
        return node

    def _below(self, node: Node) -> list[Node]:
        if node.block and not node.below:
            assert self._model is not None
            for row, at in enumerate(node.tensors):
                tensor = self._model.tensors[at]
                made = self._add(node, row, tensor.name, tensor.nbytes)
                made.block, made.tensor = node.block, tensor
                node.below.append(made)
        return node.below

    def _blocks(self) -> Iterator[Node]:
        return (block for shard in self._shards for block in shard.below)

    def _node(self, index: Index) -> Node:
        return self._nodes[int(index.internalId())]

    def _index(self, node: Node, column: int = NAME) -> QModelIndex:
        return self.createIndex(node.row, column, node.number)

    def _text(self, node: Node, column: int) -> str:
        """A shard has no type, a tensor the name that it has within its block."""
        tensor = node.tensor
        if column == NAME:
            return one_line(short_name(node.name, node.block)) if tensor else node.name
        if column == SIZE:
            return size_text(node.nbytes)
        if column == SHAPE:
            return shape_text(tensor) if tensor else _tensors_text(node.tensor_count)
        if column != TYPE or not node.block:
            return ""
        assert self._model is not None
        return tensor.dtype if tensor else _types_text(self._model, node.tensors)

    def _share(self, node: Node) -> float:
        return node.nbytes / max(node.above.nbytes if node.above is not None else self._nbytes, 1)

    def _tool_tip(self, node: Node) -> str:
        """A whole name, type, shape and place, and how much of its parent it is."""
        tensor, count = node.tensor, f"{node.nbytes:,}"
        whole = node.above.name if node.above is not None else tr("the model")
        share = percent_text(self._share(node))
        lines = [one_line(node.name)]
        if tensor is None:
            lines.append(tr("{count} bytes", count=count))
        else:
            offset = f"{tensor.offset_bytes:,}"
            lines.append(f"{tensor.dtype}, {shape_text(tensor)}")
            lines.append(tr("{count} bytes at {offset}", count=count, offset=offset))
        return "\n".join((*lines, tr("{share} of {whole}", share=share, whole=whole)))


def _arranged(model: Model) -> list[tuple[str, list[_Part]]]:
    """Every shard with its parts of the blocks, in execution order."""
    shards: list[tuple[str, list[_Part]]] = [
        (one_line(name), []) for name in shard_names(model.files)
    ]
    for block in model.blocks:
        split: dict[int, list[int]] = {}
        for at in block.tensors:
            split.setdefault(model.tensors[at].shard if len(shards) > 1 else 0, []).append(at)
        for shard, members in split.items():
            nbytes = sum(model.tensors[at].nbytes for at in members)
            shards[shard][1].append(_Part(block.name, members, nbytes))
    return shards


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


def _tensors_text(count: int) -> str:
    return tr("1 tensor") if count == 1 else tr("{count} tensors", count=f"{count:,}")


def _types_text(model: Model, tensors: Sequence[int]) -> str:
    """Types by bytes, largest first: `Q4_K, Q6_K, F32`."""
    kinds = [*dtype_bytes(model.tensors[at] for at in tensors)]
    return ", ".join([*kinds[:_MOST_TYPES], *(["…"] if len(kinds) > _MOST_TYPES else [])])
