"""A vertical line with a dot on each curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from modelmon.gui.plots.items import Drawn, draw_dots
from modelmon.gui.plots.pens import pen
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

_DOT_PX, _RING_PX = 7.0, 2.0


class Dots(Drawn):
    """Round marks in the arms' colours, with an outline that sets them off the curves.

    With pyqtgraph's scatter a growing frame takes a quarter more.
    """

    def __init__(self, canvas: Canvas, z: float) -> None:
        super().__init__(z)
        self._canvas = canvas
        self._points: list[tuple[ArmLabel, float, float]] = []
        canvas.add(self)
        canvas.laid_out.connect(self._fit)

    def show_points(self, points: list[tuple[ArmLabel, float, float]]) -> None:
        """Mark `points`: arm, x, y in axis units."""
        before, self._points = self._points, points
        if bool(before) != bool(points):
            self._fit()
        for _, x, y in (*before, *points):
            self.update(self._around(x, y))

    def draw(self, painter: QPainter) -> None:
        """Draw ring and dot."""
        theme = manager().theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for label, x, y in self._points:
            for colour, size_px in ((theme.panel, _DOT_PX + _RING_PX), (theme.arm(label), _DOT_PX)):
                dot = pen(colour, size_px, cap=Qt.PenCapStyle.RoundCap)
                draw_dots(painter, dot, QPolygonF([QPointF(x, y)]))

    def _around(self, x: float, y: float) -> QRectF:
        """What a mark at this place covers, in axis units."""
        view, (width_px, height_px) = self._canvas.view, self._canvas.size_px
        across = (_DOT_PX + _RING_PX) * view.width() / max(width_px, 1.0)
        up = (_DOT_PX + _RING_PX) * view.height() / max(height_px, 1.0)
        return QRectF(x - across, y - up, 2 * across, 2 * up)

    def _fit(self) -> None:
        # Without an extent it is not painted: no Python runs for it.
        self._resize(self._canvas.view if self._points else QRectF())


class Crosshair:
    """The line at one moment, in all plots that share a time axis."""

    def __init__(self, canvas: Canvas) -> None:
        self._line = pg.InfiniteLine()
        self._line.setZValue(40)
        self._line.hide()
        canvas.add(self._line)
        self._dots = Dots(canvas, z=41)

    def show(self, x: float, points: list[tuple[ArmLabel, float, float]]) -> None:
        """Put the line at `x` and the dots on the curves."""
        self._line.setValue(x)
        self._line.show()
        self._dots.show_points(points)

    def hide(self) -> None:
        """Take line and dots away."""
        self._line.hide()
        self._dots.show_points([])

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's pen."""
        self._line.setPen(pen(theme.text_2, 1))
