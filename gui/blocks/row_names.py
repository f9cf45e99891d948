"""The columns left of the waterfall: a block's name, and when it was ready in A and B."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPolygonF
from PySide6.QtWidgets import QWidget

from modelmon.core.units import duration_text
from modelmon.gui.blocks.block_rows import ROW_PX, in_sight, whole_rows
from modelmon.gui.language import tr
from modelmon.gui.plots.items import draw_safely
from modelmon.gui.plots.timeplot import NOTHING
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QColor, QMouseEvent, QPaintEvent, QWheelEvent

    from modelmon.gui.blocks.block_table import BlockTable, Order
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.session.notices import ArmLabel

NAMES_PX = 192
TITLES_PX = 18
_ARROW_PX = 6
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


class ColumnTitles(QWidget):
    """What the columns are, above them; stays where it is while rows are scrolled. A click sorts:
    `order_wanted` carries the order.
    """

    order_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.columns = Columns(())
        self._order: Order = "execution"
        self.setFixedSize(NAMES_PX, TITLES_PX)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr("Sort by this column"))

    def show_arms(self, arms: Sequence[ArmLabel]) -> None:
        """Show the columns of these arms."""
        self.columns = Columns(arms)
        self.update()

    def show_order(self, order: Order) -> None:
        """Mark the column by which the rows are sorted, where it is one of these."""
        self._order = order
        self.update()

    def orders(self) -> list[Order]:
        """By what each title sorts."""
        by_arm: dict[ArmLabel, Order] = {"A": "A ready", "B": "B ready"}
        return ["execution", *(by_arm[arm] for arm in self.columns.arms)]

    def titles(self) -> list[str]:
        """The titles from left to right."""
        alone = manager().alone
        ready = [tr("ready") if alone else tr("{arm} ready", arm=arm) for arm in self.columns.arms]
        return [tr("block"), *ready]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the titles."""
        del event
        painter, theme = QPainter(self), manager().theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(font(11))
        flags = Qt.AlignmentFlag
        for title, order, place in zip(self.titles(), self.orders(), self._places(), strict=True):
            is_name = order == "execution"
            side = flags.AlignVCenter | (flags.AlignLeft if is_name else flags.AlignRight)
            painter.setPen(theme.text if order == self._order else theme.text_2)
            painter.drawText(place, side, title)
            if order == self._order:
                text = painter.boundingRect(place, side, title)
                left = text.right() + _ARROW_PX / 2 if is_name else text.left() - _ARROW_PX * 1.5
                _draw_arrow(painter, QPointF(left, place.center().y()), theme.text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Sort by what was clicked."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        x = event.position().x()
        pairs = zip(self.orders(), self._places(), strict=True)
        order = next((order for order, place in pairs if place.left() <= x <= place.right()), None)
        if order is not None:
            self.order_wanted.emit(order)

    def _places(self) -> list[QRectF]:
        columns = self.columns
        ready = (columns.ready(at, 0, TITLES_PX) for at in range(len(columns.arms)))
        return [columns.name(0, TITLES_PX), *ready]


def _draw_arrow(painter: QPainter, at: QPointF, color: QColor) -> None:
    """Up, for what comes first is least; its left end lies at this point."""
    half = _ARROW_PX / 2
    corners = [QPointF(0, half / 2), QPointF(half, -half / 2), QPointF(_ARROW_PX, half / 2)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawPolygon(QPolygonF([at + corner for corner in corners]))


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
        self._told: object = None
        canvas.laid_out.connect(self._fit)

    def show_blocks(self, table: BlockTable, arms: Sequence[ArmLabel]) -> None:
        """Show these blocks."""
        self._table, self._columns = table, Columns(arms)
        told = (in_sight(table, arms, self._canvas), manager().theme)
        if told != self._told:
            self._told = told
            self.update()

    def select(self, row: int | None) -> None:
        """Set off a row."""
        if row != self._selected:
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

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows in sight."""
        del event
        draw_safely(self._draw, QPainter(self))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the row."""
        low, high = self._canvas.y_range
        self._canvas.setFocus()
        share = event.position().y() / max(self.height(), 1)
        self.clicked.emit(floor(-high + share * (high - low)))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll as over the rows."""
        self.scrolled.emit(event.angleDelta().y())

    def _draw(self, painter: QPainter) -> None:
        theme, table = manager().theme, self._table
        low, high = self._canvas.y_range
        if table is None or high <= low:
            return
        metrics = QFontMetricsF(font(11))
        middle, right = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        for row in whole_rows(low, high, len(table.names)):
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
