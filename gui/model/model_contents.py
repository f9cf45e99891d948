"""Everything in a model with room to read it: types, sizes, and the tree with all columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QSizePolicy, QVBoxLayout, QWidget

from modelmon.core.units import percent_text, size_text
from modelmon.gui.language import tr
from modelmon.gui.model import facts
from modelmon.gui.model.model_figures import size_bins, type_parts
from modelmon.gui.model.model_tree import ModelTree
from modelmon.gui.model.share_bar import ShareBar
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.screen_room import resize_on_screen
from modelmon.gui.widgets.styling import label, rule
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from PySide6.QtCore import QObject

    from modelmon.core.model.tensors import Model
    from modelmon.gui.model.model_figures import SizeBin

TYPE_ROLES = ("neutral_1", "focus", "overlay_1", "overlay_2", "overlay_3", "neutral_3")
_PART_ROLES = ("neutral_1", "neutral_2", "neutral_3")
_SIZE_PX = (880, 720)
_HEIGHT_PX = 112
_LINE_PX = 14
_SAMPLE_PX = 8
_BAR_SHARE = 0.36
"""Width of one of a bin's two bars, as a share of the bin's."""


class SizeHistogram(QWidget):
    """A pair of bars for each bin: its share of all tensors, and of all bytes."""

    def __init__(self) -> None:
        super().__init__()
        self._bins: list[SizeBin] = []
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setMinimumWidth(280)
        self.setMouseTracking(True)
        manager().changed.connect(self.update)

    def set_bins(self, bins: list[SizeBin]) -> None:
        """Show other bins."""
        self._bins = bins
        self.setAccessibleName(tr("Tensors by size"))
        self.setAccessibleDescription("\n".join(self._sentence(at) for at in range(len(bins))))
        self.update()

    def sizeHint(self) -> QSize:
        """A legend, bars, and a line of sizes."""
        return QSize(360, round(_HEIGHT_PX * manager().scale))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Have the figures of the bin under the pointer as the tool tip."""
        at = self._bin_at(event.position().x())
        self.setToolTip("" if at is None else self._sentence(at))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint legend, bars and sizes."""
        del event
        painter = QPainter(self)
        painter.setFont(font(11))
        line = round(_LINE_PX * manager().scale)
        self._paint_legend(painter, line)
        if self._bins:
            top, bottom = line + 6.0, self.height() - line - 2.0
            self._paint_bars(painter, top, bottom)
            self._paint_sizes(painter, bottom + 2, line)
        painter.end()

    def _paint_legend(self, painter: QPainter, line: int) -> None:
        theme, left = manager().theme, 0.0
        for text, colour in (
            (tr("share of the tensors"), theme.neutral_2),
            (tr("share of the bytes"), theme.focus),
        ):
            sample = QRectF(left, (line - _SAMPLE_PX) / 2, _SAMPLE_PX, _SAMPLE_PX)
            painter.fillRect(sample, colour)
            painter.setPen(theme.text_2)
            place = QRectF(sample.right() + 4, 0, self.width(), line)
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
            left = place.left() + painter.fontMetrics().horizontalAdvance(text) + 12

    def _paint_bars(self, painter: QPainter, top: float, bottom: float) -> None:
        theme, slot = manager().theme, self.width() / len(self._bins)
        painter.fillRect(QRectF(0, bottom, self.width(), 1), theme.control)
        for at in range(len(self._bins)):
            middle = (at + 0.5) * slot
            tensors, nbytes = self._shares(at)
            for share, left, colour in (
                (tensors, middle - _BAR_SHARE * slot - 1, theme.neutral_2),
                (nbytes, middle + 1, theme.focus),
            ):
                height = max(1.0, share * (bottom - top)) if share else 0.0
                bar = QRectF(left, bottom - height, _BAR_SHARE * slot, height)
                painter.fillRect(bar, colour)

    def _paint_sizes(self, painter: QPainter, top: float, line: int) -> None:
        """The size at which each bin starts, where it starts; the last bin's end is left out."""
        slot = self.width() / len(self._bins)
        painter.setPen(manager().theme.text_2)
        free_from = 0.0
        for at, found in enumerate(self._bins):
            text = size_text(found.low_bytes)
            width = painter.fontMetrics().horizontalAdvance(text)
            left = max(0.0, at * slot - (width / 2 if at else 0))
            if left >= free_from and left + width <= self.width():
                place = QRectF(left, top, width + 1, line)
                painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, text)
                free_from = left + width + 8

    def _shares(self, at: int) -> tuple[float, float]:
        tensors = sum(found.tensors for found in self._bins)
        nbytes = sum(found.nbytes for found in self._bins)
        found = self._bins[at]
        return found.tensors / max(tensors, 1), found.nbytes / max(nbytes, 1)

    def _sentence(self, at: int) -> str:
        found = self._bins[at]
        tensors, nbytes = self._shares(at)
        return tr(
            "{low} to {high}: {count} tensors ({tensors}), {size} ({bytes})",
            low=size_text(found.low_bytes),
            high=size_text(found.high_bytes),
            count=f"{found.tensors:,}",
            tensors=percent_text(tensors),
            size=size_text(found.nbytes),
            bytes=percent_text(nbytes),
        )

    def _bin_at(self, x: float) -> int | None:
        if not self._bins or not 0 <= x < self.width():
            return None
        return int(x * len(self._bins) / self.width())


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
        self.sizes = SizeHistogram()
        self.tree = ModelTree()
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
        parts = facts.composition(model)
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
