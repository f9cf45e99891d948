"""All blocks at once, beside the rows: shows which of them are in sight, and scrolls to others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from modelmon.gui.blocks.block_rows import ROW_PX
from modelmon.gui.plots.items import draw_safely
from modelmon.gui.plots.pens import faded
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent, QWheelEvent
    from PySide6.QtWidgets import QScrollBar

    from modelmon.gui.blocks.block_table import BlockTable
    from modelmon.gui.session.notices import ArmLabel

WIDTH_PX = 64
_MOST_ROW_PX = 7.0
_INSET_PX = 3.0
_LINE_SHARE = 0.36
_FRAME_SHARE = 0.12


class Overview(QWidget):
    """Drags like a scroll bar, on behalf of `bar`."""

    def __init__(self, bar: QScrollBar) -> None:
        super().__init__()
        self._bar = bar
        self._table: BlockTable | None = None
        self._arms: Sequence[ArmLabel] = ()
        self._end_s = 1.0
        self._picture: QPixmap | None = None
        self.setFixedWidth(WIDTH_PX)
        bar.valueChanged.connect(self.update)
        bar.rangeChanged.connect(self.update)

    def show_blocks(self, table: BlockTable, arms: Sequence[ArmLabel], end_s: float) -> None:
        """Show all blocks of these arms over a time that ends at `end_s`."""
        self._table, self._arms, self._end_s = table, arms, end_s
        self._renew()

    @property
    def row_px(self) -> float:
        """The height of a block."""
        count = len(self._table.names) if self._table else 0
        return min(_MOST_ROW_PX, (self.height() - 2 * _INSET_PX) / max(count, 1))

    def frame(self) -> QRectF:
        """What stands for the rows in sight."""
        scale = self.row_px / ROW_PX
        top = _INSET_PX + self._bar.value() * scale
        height = min(self._bar.pageStep() * scale, self.height() - top)
        return QRectF(0.5, top, self.width() - 1, max(height, 2.0))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw blocks and frame."""
        del event
        draw_safely(self._draw, QPainter(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The blocks have another height."""
        super().resizeEvent(event)
        self._renew()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring what is under the pointer into the middle."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._scroll_to(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on while it is dragged."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._scroll_to(event.position().y())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll as over the rows."""
        self._bar.wheelEvent(event)

    def _scroll_to(self, y: float) -> None:
        middle_px = (y - _INSET_PX) / self.row_px * ROW_PX
        self._bar.setValue(round(middle_px - self._bar.pageStep() / 2))

    def _renew(self) -> None:
        self._picture = None
        self.update()

    def _draw(self, painter: QPainter) -> None:
        theme = manager().theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.border)
        painter.setBrush(theme.raised)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        if self._picture is None:
            self._picture = self._drawn()
        painter.drawPixmap(0, 0, self._picture)
        if self._bar.maximum() > 0:
            painter.setPen(theme.focus)
            painter.setBrush(faded(theme.focus, _FRAME_SHARE))
            painter.drawRoundedRect(self.frame(), 3, 3)

    def _drawn(self) -> QPixmap:
        """The blocks; of more than there are pixels, evenly chosen ones."""
        ratio = self.devicePixelRatioF()
        made = QPixmap(self.size() * ratio)
        made.setDevicePixelRatio(ratio)
        made.fill(Qt.GlobalColor.transparent)
        if (table := self._table) is None:
            return made
        painter, row_px = QPainter(made), self.row_px
        every = max(1, int(1 / max(row_px, 1e-6)))
        across = (self.width() - 2 * _INSET_PX) / self._end_s / 1e9
        for at, label in enumerate(self._arms):
            lines = []
            for row in range(0, len(table.names), every):
                timing = table.seen(label, table.names[row])
                y = _INSET_PX + (row + (at + 1) / (len(self._arms) + 1)) * row_px
                for start_ns, end_ns in timing.arrivals_ns if timing is not None else ():
                    x = _INSET_PX + start_ns * across
                    lines.append(QLineF(x, y, max(_INSET_PX + end_ns * across, x + 1), y))
            line = painter.pen()
            line.setColor(manager().theme.arm(label))
            line.setWidthF(max(row_px * _LINE_SHARE, 1.0))
            line.setCapStyle(Qt.PenCapStyle.FlatCap)
            painter.setPen(line)
            painter.drawLines(lines)
        painter.end()
        return made
