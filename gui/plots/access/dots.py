"""Thousands of small points in a few colours, drawn at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyqtgraph.functions import create_qpolygonf, ndarray_from_qpolygonf
from PySide6.QtCore import QRectF, Qt

from modelmon.gui.plots.items import Drawn, draw_dots
from modelmon.gui.plots.pens import pen

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF


class Dots(Drawn):
    """Squares of one size; pyqtgraph's scatter takes ten times as long where they change."""

    def __init__(self, z: float) -> None:
        super().__init__(z)
        self.points: list[tuple[QPen, QPolygonF]] = []

    def set_points(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        numbers: NDArray[np.int64],
        colours: Sequence[QColor],
        size_px: float,
    ) -> None:
        """Show points of which `numbers` say what colour each has."""
        self.points = []
        for number, colour in enumerate(colours):
            mine = numbers == number
            if not mine.any():
                continue
            polygon = create_qpolygonf(int(mine.sum()))
            places = ndarray_from_qpolygonf(polygon)
            places[:, 0], places[:, 1] = x[mine], y[mine]
            square = pen(colour, size_px)
            square.setCapStyle(Qt.PenCapStyle.SquareCap)
            self.points.append((square, polygon))
        bounds = QRectF()
        for _, polygon in self.points:
            bounds = bounds.united(polygon.boundingRect())
        self._resize(bounds)

    def draw(self, painter: QPainter) -> None:
        """Draw the points."""
        for square, polygon in self.points:
            draw_dots(painter, square, polygon)
