"""Words in a plot: as large on screen whatever the axes show, on a ground that lets them be read.

pyqtgraph's TextItem holds a whole document for them; to make and to paint one takes several times
as long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QStaticText

from modelmon.gui.look.theme import font
from modelmon.gui.plots.items import Drawn

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from modelmon.gui.plots.canvas import Canvas

_TEXT_PX = 11
_BESIDE_PX, _ABOVE_PX = 4.0, 1.0
"""Ground around the words: more of it would hide what the plot shows."""


class Word(Drawn):
    """A line of text beside a point of the plot."""

    def __init__(self, canvas: Canvas, z: float, *, weight: int = 400) -> None:
        super().__init__(z)
        self.text = ""
        self._canvas = canvas
        self._weight = weight
        self._colour, self._ground = QColor(), QColor()
        self._shape = QStaticText()
        self._shape.setTextFormat(Qt.TextFormat.PlainText)
        self._at, self._anchor = QPointF(), (0.0, 0.0)
        self.width_px = self._height_px = 0.0
        self.hide()
        canvas.add(self)
        canvas.laid_out.connect(self._fit)

    def say(self, text: str) -> None:
        """Show other words."""
        if text != self.text:
            self.text = text
            self._measure()

    def set_colours(self, colour: QColor, ground: QColor) -> None:
        """Colours of the words and of what is behind them."""
        self._colour, self._ground = colour, ground
        # The size of text may have changed with the theme.
        self._measure()

    def place(self, x: float, y: float, anchor: tuple[float, float]) -> None:
        """Stand at a point in axis units; `anchor` says which part of the words lies there, as
        shares of their width and height from the upper left.
        """
        if (QPointF(x, y), anchor) != (self._at, self._anchor):
            self._at, self._anchor = QPointF(x, y), anchor
            self._fit()

    def draw(self, painter: QPainter) -> None:
        """Draw the ground and the words on it."""
        back, possible = self.sceneTransform().inverted()
        if not possible:
            return
        # In pixels of the window, or of a picture of it, rather than in axis units.
        painter.setWorldTransform(back, combine=True)
        corner = self.mapToScene(self._at) - QPointF(
            self._anchor[0] * self.width_px, self._anchor[1] * self._height_px
        )
        painter.fillRect(
            QRectF(corner.x(), corner.y(), self.width_px, self._height_px), self._ground
        )
        painter.setPen(self._colour)
        painter.setFont(font(_TEXT_PX, self._weight))
        painter.drawStaticText(corner + QPointF(_BESIDE_PX, _ABOVE_PX), self._shape)

    def _measure(self) -> None:
        metrics = QFontMetricsF(font(_TEXT_PX, self._weight))
        self.width_px = metrics.horizontalAdvance(self.text) + 2 * _BESIDE_PX
        self._height_px = metrics.height() + 2 * _ABOVE_PX
        self._shape.setText(self.text)
        self._fit()

    def _fit(self) -> None:
        """Cover the words, in axis units of what is shown now."""
        view, (width_px, height_px) = self._canvas.view, self._canvas.size_px
        width = self.width_px * view.width() / max(width_px, 1.0)
        height = self._height_px * view.height() / max(height_px, 1.0)
        # The upper edge is the higher value: y grows upwards in a plot.
        left = self._at.x() - self._anchor[0] * width
        bottom = self._at.y() - (1 - self._anchor[1]) * height
        self._resize(QRectF(left, bottom, width, height))
