"""One axis of a plot: a line, figures at places that somebody else chooses, and a title.

pyqtgraph's own axis records its figures as a picture for each new range and plays that at each
painting; of a window that watches a load it took a ninth of the processor time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFont, QPen
from PySide6.QtWidgets import QGraphicsItem, QGraphicsWidget

from modelmon.gui.plots.items import draw_safely

if TYPE_CHECKING:
    from pyqtgraph import ViewBox
    from pyqtgraph.GraphicsScene.mouseEvents import MouseDragEvent
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import (
        QGraphicsSceneResizeEvent,
        QGraphicsSceneWheelEvent,
        QStyleOptionGraphicsItem,
        QWidget,
    )

Side = Literal["left", "bottom", "right"]
Ticks = list[tuple[float, str]]

_GAP_PX = 5.0
_OVERHANG_PX = 24.0
"""How far a figure at the very end may reach beyond the axis."""
_WIDEST_PX = 200.0
_PAST_ENDS = 1e-6


class Axis(QGraphicsWidget):
    """Stands beside `box`; on the bottom, wheel and pointer do what they do in the box."""

    def __init__(self, side: Side, box: ViewBox) -> None:
        super().__init__()
        self.title = ""
        self.title_shown = True
        self.line_pen, self.text_pen, self.text_font = QPen(), QPen(), QFont()
        self._side: Side = side
        self._box = box
        self._ticks: Ticks = []
        self._range = (0.0, 1.0)
        self._bounds = QRectF()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)

    def set_thickness(self, px: float) -> None:
        """Its width beside the box, or its height below it."""
        if self._side == "bottom":
            self.setMinimumHeight(px)
            self.setMaximumHeight(px)
        else:
            self.setMinimumWidth(px)
            self.setMaximumWidth(px)

    def show_ticks(self, low: float, high: float, ticks: Ticks) -> None:
        """The figures from now on, and the values at both ends of the axis."""
        if ((low, high), ticks) != (self._range, self._ticks):
            self._range, self._ticks = (low, high), ticks
            self.update()

    def boundingRect(self) -> QRectF:  # noqa: N802 (Qt's name)
        """Its place, and as much as figures at its ends reach beyond."""
        # Qt asks for it several times a frame.
        return self._bounds

    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Cover the new place."""
        super().resizeEvent(event)
        along = (_OVERHANG_PX, 0.0) if self._side == "bottom" else (0.0, _OVERHANG_PX)
        self._bounds = self.rect().adjusted(-along[0], -along[1], *along)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        """Called by the scene."""
        del widget
        exposed = QRectF(option.exposedRect)
        draw_safely(lambda to: self._draw(to, exposed), painter)

    def wheelEvent(self, event: QGraphicsSceneWheelEvent) -> None:  # noqa: N802 (Qt's name)
        """Zoom where there is something to zoom: along the bottom."""
        if self._side == "bottom":
            self._box.wheelEvent(event, axis=0)
        else:
            event.ignore()

    def mouseDragEvent(self, event: MouseDragEvent) -> None:  # noqa: N802 (pyqtgraph's name)
        """Move along the bottom, as in the box."""
        if self._side == "bottom":
            self._box.mouseDragEvent(event, axis=0)

    def _draw(self, painter: QPainter, exposed: QRectF) -> None:
        painter.setPen(self.line_pen)
        painter.drawLine(self._line())
        if not exposed.intersects(self._beyond_gap()):
            # A curve that grew up to the axis.
            return
        painter.setPen(self.text_pen)
        painter.setFont(self.text_font)
        low, high = self._range
        for value, text in self._ticks:
            share = (value - low) / (high - low) if high != low else 0.0
            if text and -_PAST_ENDS <= share <= 1 + _PAST_ENDS:
                self._draw_figure(painter, share, text)
        if self.title and self.title_shown:
            self._draw_title(painter)

    def _line(self) -> QLineF:
        area = self.rect()
        match self._side:
            case "left":
                return QLineF(area.right(), area.top(), area.right(), area.bottom())
            case "right":
                return QLineF(area.left(), area.top(), area.left(), area.bottom())
            case _:
                return QLineF(area.left(), area.top(), area.right(), area.top())

    def _beyond_gap(self) -> QRectF:
        """Where figures and title are."""
        area = self.boundingRect()
        match self._side:
            case "left":
                return area.adjusted(0, 0, -_GAP_PX, 0)
            case "right":
                return area.adjusted(_GAP_PX, 0, 0, 0)
            case _:
                return area.adjusted(0, _GAP_PX, 0, 0)

    def _draw_figure(self, painter: QPainter, share: float, text: str) -> None:
        area = self.rect()
        middle = Qt.AlignmentFlag.AlignVCenter
        if self._side == "bottom":
            at = area.left() + share * area.width()
            room = QRectF(at - _WIDEST_PX / 2, area.top() + _GAP_PX, _WIDEST_PX, area.height())
            painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, text)
            return
        at = area.bottom() - share * area.height()
        room = QRectF(area.left(), at - _WIDEST_PX / 2, area.width(), _WIDEST_PX)
        if self._side == "left":
            room.setRight(room.right() - _GAP_PX)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | middle, text)
        else:
            room.setLeft(room.left() + _GAP_PX)
            painter.drawText(room, Qt.AlignmentFlag.AlignLeft | middle, text)

    def _draw_title(self, painter: QPainter) -> None:
        area, centre = self.rect(), Qt.AlignmentFlag.AlignHCenter
        if self._side == "bottom":
            painter.drawText(area, centre | Qt.AlignmentFlag.AlignBottom, self.title)
            return
        painter.save()
        painter.translate(area.left(), area.bottom())
        painter.rotate(-90)
        # What is long may reach beyond the axis by the room that is left above the box.
        upright = QRectF(-_OVERHANG_PX, 0, area.height() + 2 * _OVERHANG_PX, area.width())
        edge = Qt.AlignmentFlag.AlignTop if self._side == "left" else Qt.AlignmentFlag.AlignBottom
        painter.drawText(upright, centre | edge, self.title)
        painter.restore()
