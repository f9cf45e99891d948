"""The columns left of the waterfall: a block's name, and when it was ready in A and B."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QWidget

from modelmon.core.units import duration_text
from modelmon.gui.look.language import tr
from modelmon.gui.look.theme import font, manager
from modelmon.gui.plots.header import HEADER_PX, HeaderLead
from modelmon.gui.plots.items import draw_safely
from modelmon.gui.plots.time.timeplot import NOTHING
from modelmon.gui.plots.waterfall.block_rows import ROW_PX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent, QWheelEvent

    from modelmon.gui.plots.blocks.block_table import BlockTable
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.window.notices import ArmLabel

NAMES_PX = 192
_TITLES_PX = 14
_LEFT_PX, _RIGHT_PX, _READY_PX, _GAP_PX = 12, 8, 50, 4


class Columns:
    """Where the columns of the shown arms lie; the name takes what they leave."""

    def __init__(self, arms: Sequence[ArmLabel]) -> None:
        self.arms = arms
        self.name_px = NAMES_PX - _LEFT_PX - _RIGHT_PX - len(arms) * _READY_PX - _GAP_PX

    def name(self, top: float, height: float) -> QRectF:
        """The place of a name."""
        return QRectF(_LEFT_PX, top, self.name_px, height)

    def ready(self, at: int, top: float, height: float) -> QRectF:
        """The place of when a block was ready in the arm with this number."""
        right = NAMES_PX - _RIGHT_PX - (len(self.arms) - 1 - at) * _READY_PX
        return QRectF(right - _READY_PX, top, _READY_PX, height)


class ColumnTitles(HeaderLead):
    """What the columns are, above them; stays where it is while rows are scrolled."""

    names_plot = True
    for_pictures = True

    def __init__(self) -> None:
        super().__init__()
        self.columns = Columns(())
        self.setFixedSize(NAMES_PX, HEADER_PX)

    def set_narrow(self, *, narrow: bool) -> None:
        """They are as wide as the columns, always."""

    def show_arms(self, arms: Sequence[ArmLabel]) -> None:
        """Show the columns of these arms."""
        self.columns = Columns(arms)
        self.update()

    def titles(self) -> list[str]:
        """The titles from left to right."""
        alone = manager().alone
        ready = [tr("ready") if alone else tr("{arm} ready", arm=arm) for arm in self.columns.arms]
        return [tr("block"), *ready]

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the titles."""
        del event
        painter = QPainter(self)
        painter.setFont(font(11))
        painter.setPen(manager().theme.text_2)
        name, *ready = self.titles()
        middle, top = Qt.AlignmentFlag.AlignVCenter, HEADER_PX - _TITLES_PX
        painter.drawText(self.columns.name(top, _TITLES_PX), middle, name)
        for at, title in enumerate(ready):
            place = self.columns.ready(at, top, _TITLES_PX)
            painter.drawText(place, middle | Qt.AlignmentFlag.AlignRight, title)


class RowNames(QWidget):
    """Lies over the left margin of the canvas, beside its rows. `clicked` carries a row."""

    clicked = Signal(int)
    scrolled = Signal(int)

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self._table: BlockTable | None = None
        self._columns = Columns(())
        self._selected: int | None = None
        canvas.laid_out.connect(self._fit)

    def show_blocks(self, table: BlockTable, arms: Sequence[ArmLabel]) -> None:
        """Show these blocks."""
        self._table, self._columns = table, Columns(arms)
        self.update()

    def select(self, row: int | None) -> None:
        """Set off a row."""
        self._selected = row
        self.update()

    def texts(self, row: int) -> list[str]:
        """What a row says, from left to right."""
        table = self._table
        if table is None:
            return []
        name = table.names[row]
        ready = [table.ready_ns(label, name) for label in self._columns.arms]
        return [name, *(NOTHING if ns is None else duration_text(ns) for ns in ready)]

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the rows in sight."""
        del event
        draw_safely(self._draw, QPainter(self))

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Select the row."""
        low, high = self._canvas.y_range
        self._canvas.setFocus()
        share = event.position().y() / max(self.height(), 1)
        self.clicked.emit(floor(-high + share * (high - low)))

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Scroll as over the rows."""
        self.scrolled.emit(event.angleDelta().y())

    def _draw(self, painter: QPainter) -> None:
        theme, table = manager().theme, self._table
        low, high = self._canvas.y_range
        if table is None or high <= low:
            return
        metrics = QFontMetricsF(font(11))
        middle, right = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        for row in range(max(floor(-high), 0), min(ceil(-low), len(table.names))):
            top = (row + high) * ROW_PX
            is_selected = row == self._selected
            if is_selected:
                painter.fillRect(QRectF(0, top, self.width(), ROW_PX), theme.focus_soft)
            name, *ready = self.texts(row)
            name = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, self._columns.name_px)
            painter.setFont(font(11, 600 if is_selected else 400))
            painter.setPen(theme.text)
            painter.drawText(self._columns.name(top, ROW_PX), middle, name)
            painter.setFont(font(11))
            for at, (label, text) in enumerate(zip(self._columns.arms, ready, strict=True)):
                painter.setPen(theme.arm(label))
                painter.drawText(self._columns.ready(at, top, ROW_PX), middle | right, text)

    def _fit(self) -> None:
        left, bottom = self._canvas.x_range[0], self._canvas.y_range[0]
        corner = self._canvas.to_px(left, bottom)
        height = self._canvas.size_px[1]
        self.setGeometry(1, round(corner.y() - height), round(corner.x()) - 2, round(height))
        self.update()
