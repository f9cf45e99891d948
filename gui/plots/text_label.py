"""Words in a plot, on a ground that lets them be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QBrush

from modelmon.gui.widgets.theme import font

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtGui import QColor

    from modelmon.gui.plots.canvas import Canvas

_TEXT_PX = 11
_GROUND_PX = 3.0
"""Around the words: more of it would hide what the plot shows."""


class TextLabel(pg.TextItem):  # type: ignore[misc]  # pyqtgraph has no types
    """A line of text beside a point of the plot, hidden at first."""

    def __init__(self, canvas: Canvas, z: float, *, weight: int = 400) -> None:
        super().__init__()
        self._canvas, self._weight = canvas, weight
        self.textItem.document().setDocumentMargin(_GROUND_PX)
        self.setZValue(z)
        self.hide()
        canvas.add(self)

    @property
    def width_px(self) -> float:
        """With the ground around the words."""
        return float(self.boundingRect().width())

    def set_colours(self, colour: QColor, ground: QColor) -> None:
        """Colours of the words and of what is behind them."""
        self.setColor(colour)
        self.fill = QBrush(ground)
        # The size of text may have changed with the theme.
        self.setFont(font(_TEXT_PX, self._weight))

    def place(self, x: float, y: float, anchor: tuple[float, float]) -> None:
        """Stand at a point in axis units; `anchor` says which part of the words lies there, as
        shares of their width and height from the upper left.
        """
        self.setPos(x, y)
        self.setAnchor(anchor)

    def rect_px(self) -> QRectF:
        """Where it stands, in pixels of the canvas."""
        at, size = self._canvas.to_px(self.pos().x(), self.pos().y()), self.boundingRect().size()
        left, top = self.anchor.x() * size.width(), self.anchor.y() * size.height()
        return QRectF(at.x() - left, at.y() - top, size.width(), size.height())


def show_apart(labels: Iterable[TextLabel], canvas: Canvas) -> None:
    """Show of these, in their order, those that lie within the plot and cover none before."""
    (left, right), (bottom, top) = canvas.x_range, canvas.y_range
    room = QRectF(canvas.to_px(left, top), canvas.to_px(right, bottom))
    taken: list[QRectF] = []
    for label in labels:
        place = label.rect_px()
        fits = room.left() <= place.left() and place.right() <= room.right() + 2 * _GROUND_PX
        shown = fits and not any(place.intersects(other) for other in taken)
        label.setVisible(shown)
        if shown:
            taken.append(place)
