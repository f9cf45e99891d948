"""What a model is made of: bars of shares, a table of sizes, and a window with room for both and
for the tree with all columns.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLabel,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from modelmon.core.units import data_scale, percent_text, size_text
from modelmon.gui.language import mark, tr
from modelmon.gui.model.model_tree import ModelTree, ShareDelegate
from modelmon.gui.model.tensor_tree import SHARE, SHARE_ROLE
from modelmon.gui.widgets.dialog import resize_on_screen
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import label, plain, rule
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from modelmon.core.machine.memory import Memory
    from modelmon.core.model.tensors import Model

TYPE_ROLES = ("neutral_1", "focus", "overlay_1", "overlay_2", "overlay_3", "neutral_3")
_PART_ROLES = ("neutral_1", "neutral_2", "neutral_3")
_SIZE_PX = (880, 720)
_TABLE_PX = 168
_THIN = "<span style='font-size:5px'>&nbsp;</span>"
"""What makes a bar as high as it is."""
_ATTENTION = re.compile("attn|attention")
_MLP = re.compile("mlp|ffn|feed_forward|experts")
_COMPOSED_OF = {"mlp": mark("MLP"), "attention": mark("Attention"), "rest": mark("Rest")}


@dataclass(frozen=True, slots=True)
class BarSegment:
    """A part of a composition bar; `share` is 0 to 1."""

    name: str
    share: float


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


def composition(model: Model) -> list[BarSegment]:
    """MLP, attention and the rest, by bytes; empty where names tell nothing."""
    sums = dict.fromkeys(_COMPOSED_OF, 0)
    for tensor in model.tensors:
        name = tensor.name.lower()
        if _ATTENTION.search(name):
            sums["attention"] += tensor.nbytes
        elif _MLP.search(name):
            sums["mlp"] += tensor.nbytes
        else:
            sums["rest"] += tensor.nbytes
    total = sum(sums.values())
    if not total or sums["rest"] == total:
        return []
    return [
        BarSegment(tr(_COMPOSED_OF[kind]), nbytes / total)
        for kind, nbytes in sums.items()
        if nbytes
    ]


def memory_parts(memory: Memory, model: Model | None) -> list[BarSegment]:
    """In use, this model, free: shares of all RAM."""
    total = max(memory.total_bytes, 1)
    used = (memory.total_bytes - memory.available_bytes) / total
    mine = min(model.nbytes / total, 1 - used) if model is not None else 0.0
    return [
        BarSegment(tr("In use"), used),
        BarSegment(tr("This model"), mine),
        BarSegment(tr("Free"), 1 - used - mine),
    ]


class ShareBar(QLabel):
    """Parts side by side, each in its own colour; the legend below names them.

    `roles` are the theme's colours in the order of the parts. The legend leaves shares
    out where `with_shares` is False.
    """

    def __init__(self, roles: tuple[str, ...], *, with_shares: bool) -> None:
        super().__init__()
        self._roles, self._with_shares = roles, with_shares
        self._parts: list[BarSegment] = []
        self.setFont(font(11))
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        manager().changed.connect(self._draw)

    def set_parts(self, parts: list[BarSegment]) -> None:
        """Show other parts; none hides the bar."""
        self._parts = parts
        self.setVisible(bool(parts))
        words = ", ".join(f"{part.name} {percent_text(part.share)}" for part in parts if part.share)
        self.setAccessibleName(words)
        self.setToolTip(plain(words))
        self._draw()

    def _draw(self) -> None:
        theme, cells, names = manager().theme, "", []
        for part, role in zip(self._parts, self._roles, strict=False):
            if not part.share:
                continue
            colour = getattr(theme, role).name()
            cells += f"<td width='{max(100 * part.share, 1):.0f}%' bgcolor='{colour}'>{_THIN}</td>"
            text = part.name
            if self._with_shares:
                text = f"{text} {percent_text(part.share)}"
            square = f"<span style='color:{colour}'>■</span>"
            names.append(f"<nobr>{square}&nbsp;{escape(text).replace(' ', '&nbsp;')}</nobr>")
        bar = f"<table width='100%' cellspacing='1' cellpadding='0'><tr>{cells}"
        grey = f"<span style='color:{theme.text_2.name()}'>{'  '.join(names)}</span>"
        self.setText(f"{bar}</tr></table>{grey}" if cells else "")


class SizeTable(QTreeView):
    """How many tensors are of which size, and what they are of all bytes."""

    def __init__(self) -> None:
        super().__init__()
        headings = tr("Size"), tr("Tensors"), tr("Bytes"), tr("Share")
        self._rows = QStandardItemModel(0, len(headings), self)
        self._rows.setHorizontalHeaderLabels(headings)
        self.setModel(self._rows)
        self.setItemDelegate(ShareDelegate(self))
        self.setAccessibleName(tr("Tensors by size"))
        self.setRootIsDecorated(False)
        self.setEditTriggers(QTreeView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QTreeView.SelectionMode.NoSelection)
        self.setFixedHeight(round(_TABLE_PX * manager().scale))
        self.setFrameShape(QTreeView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def set_bins(self, bins: list[SizeBin]) -> None:
        """Show other bins."""
        tensors = max(sum(found.tensors for found in bins), 1)
        nbytes = max(sum(found.nbytes for found in bins), 1)
        self._rows.removeRows(0, self._rows.rowCount())
        for found in bins:
            low, high = size_text(found.low_bytes), size_text(found.high_bytes)
            share = percent_text(found.tensors / tensors)
            texts = (
                tr("{low} to {high}", low=low, high=high),
                f"{found.tensors:,} ({share})",
                size_text(found.nbytes),
                "",
            )
            items = [QStandardItem(text) for text in texts]
            items[SHARE].setData(found.nbytes / nbytes, SHARE_ROLE)
            self._rows.appendRow(items)


class ModelContents(QDialog):
    """A window beside the main one; it follows the model and the selected block."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle(tr("Model contents"))
        resize_on_screen(self, *_SIZE_PX)
        self._main = parent.window()
        self._main.installEventFilter(self)
        self.heading = label("", "headline")
        self.types = ShareBar(TYPE_ROLES, with_shares=True)
        self.parts = ShareBar(_PART_ROLES, with_shares=True)
        self._parts = _titled(tr("Parts by bytes"), self.parts)
        self.sizes = SizeTable()
        self.tree = ModelTree(wide=True)
        head = in_row((self._shares(), 1), margins=(16, 12, 16, 12), spacing=32)
        head.addWidget(_titled(tr("Tensors by size"), self.sizes), 1)
        in_column(head, rule(), (self.tree, 1), on=self, spacing=0)

    def set_model(self, model: Model) -> None:
        """Show another model."""
        self.setWindowTitle(tr("{model}: model contents", model=model.name))
        self.heading.setText(
            tr(
                "{size}, {tensors} tensors in {blocks} blocks",
                size=size_text(model.nbytes),
                tensors=f"{len(model.tensors):,}",
                blocks=f"{len(model.blocks):,}",
            )
        )
        self.types.set_parts(type_parts(model, len(TYPE_ROLES)))
        parts = composition(model)
        self.parts.set_parts(parts)
        self._parts.setVisible(bool(parts))
        self.sizes.set_bins(size_bins(model))
        self.tree.set_model(model)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close with the main window, or the program would not end.

        That hides when it closes; it may have been asked to and have refused.
        """
        hidden = event.type() == QEvent.Type.Hide and not event.spontaneous()
        if watched is self._main and hidden:
            self.close()
        return super().eventFilter(watched, event)

    def _shares(self) -> QVBoxLayout:
        column = in_column(self.heading, _titled(tr("Types by bytes"), self.types), spacing=12)
        column.addWidget(self._parts)
        column.addStretch(1)
        return column


def _titled(title: str, widget: QWidget) -> QWidget:
    box = QWidget()
    in_column(label(title, "heading"), widget, STRETCH, on=box, spacing=4)
    return box
