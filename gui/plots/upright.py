"""An upright line across a plot, which moves often."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPen

from modelmon.gui.plots.items import Drawn

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from modelmon.gui.plots.canvas import Canvas

_MARGIN_PX = 2.0
"""More than half of the widest line."""


class Upright(Drawn):
    """Where it moves, only the strips of its old and its new place are painted."""

    def __init__(self, canvas: Canvas, z: float) -> None:
        super().__init__(z)
        self.at = 0.0
        self.line_pen = QPen()
        self._canvas = canvas
        self.hide()
        canvas.add(self)
        canvas.laid_out.connect(lambda: self._resize(canvas.view))

    def move_to(self, x: float) -> None:
        """Stand at `x`, in axis units, from now on."""
        if x != self.at:
            before, self.at = self.at, x
            self.update(self._strip(before))
            self.update(self._strip(x))

    def set_pen(self, pen: QPen) -> None:
        """A cosmetic pen."""
        self.line_pen = pen
        self.update()

    def draw(self, painter: QPainter) -> None:
        """Draw the line."""
        painter.setPen(self.line_pen)
        painter.drawLine(QLineF(self.at, self.rect().top(), self.at, self.rect().bottom()))

    def _strip(self, x: float) -> QRectF:
        place = self.rect()
        margin = _MARGIN_PX * place.width() / max(self._canvas.size_px[0], 1.0)
        return QRectF(x - margin, place.top(), 2 * margin, place.height())
