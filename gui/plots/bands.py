"""Level bands across a plot: the offsets that a selected block lies at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush, QPen

from modelmon.gui.plots.items import Drawn
from modelmon.gui.plots.pens import pen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPainter

    from modelmon.gui.look.theme import Theme


class Bands(Drawn):
    """Bands behind the points, with edges that are seen however low a band is."""

    def __init__(self) -> None:
        super().__init__(z=-50)
        self.rects: list[QRectF] = []
        self._brush = QBrush()
        self._pen = QPen()

    def set_bands(self, view: QRectF, spans: Sequence[tuple[float, float]]) -> None:
        """Bands between these heights, across `view`."""
        self.rects = [QRectF(view.left(), low, view.width(), high - low) for low, high in spans]
        self._resize(view)

    def draw(self, painter: QPainter) -> None:
        """Draw the bands."""
        painter.setPen(self._pen)
        painter.setBrush(self._brush)
        painter.drawRects(self.rects)

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's colours."""
        self._brush = QBrush(theme.focus_soft)
        self._pen = pen(theme.focus, 1)
        self.update()
