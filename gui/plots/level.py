"""A dotted level that is no curve: a limit, a size, a total; with its words on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from modelmon.gui.plots.line import Line
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.plots.text_label import TextLabel
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

    from modelmon.gui.plots.canvas import Canvas

_DOTS_PX = (2, 3)


class Level:
    """A horizontal line from the start of the plot to `end`, and words above one end of it."""

    def __init__(self, canvas: Canvas, side: Literal["left", "right"]) -> None:
        self.text = ""
        self.y: float | None = None
        self._canvas = canvas
        self._side = side
        self._end: float | None = None
        self._start = 0.0
        self._shown: object = None
        self._line = Line(canvas, z=6)
        self._line.hide()
        self._words = TextLabel(canvas, z=25)
        canvas.laid_out.connect(self._place)

    @property
    def words_px(self) -> float:
        """The width that its words take, 0 where it is not shown."""
        return self._words.width_px if self.visible and self.text else 0.0

    @property
    def visible(self) -> bool:
        """Whether it is shown."""
        return bool(self._line.isVisible())

    def show(
        self,
        y: float | None,
        text: str,
        colour: QColor,
        end: float | None = None,
        start: float = 0.0,
    ) -> None:
        """Draw the level at `y` (axis units) from `start` to `end`; None takes it away."""
        line = pen(colour, 1, _DOTS_PX)
        shown = (y, text, line, end, start, manager().theme)
        if shown == self._shown:
            return
        self._shown = shown
        for item in (self._line, self._words):
            item.setVisible(y is not None)
        self.y, self.text, self._end, self._start = y, text, end, start
        self._words.setText(text)
        self._words.set_colours(colour, faded(manager().theme.panel, 0.75))
        self._line.set_pen(line, antialiased=False)
        self._place()

    def _place(self) -> None:
        if self.y is None:
            return
        low, high = self._canvas.x_range
        end = high if self._end is None else self._end
        self._line.set_data(np.array([self._start, end]), np.array([self.y, self.y]))
        # Near the top there is no room above the line, so the words go below it.
        bottom, top = self._canvas.y_range
        above = (top - self.y) / (top - bottom) * self._canvas.size_px[1] > 18
        is_left = self._side == "left"
        anchor = (0.0 if is_left else 1.0, 1.0 if above else 0.0)
        self._words.place(low if is_left else min(end, high), self.y, anchor)
