"""Axes and grid of a plot: few ticks that we choose, in our colours."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtGui import QFontMetricsF

from modelmon.gui.look.theme import font
from modelmon.gui.plots.items import Grid
from modelmon.gui.plots.pens import pen
from modelmon.gui.plots.scale import tick_texts, ticks

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF

    from modelmon.gui.look.theme import Theme
    from modelmon.gui.plots.axis import Axis, Side, Ticks

_PX_PER_TICK = 44
_LEAST_PX_PER_Y_TICK = 14
_LEFT_PX, _RIGHT_PX, _BOTTOM_PX = 46, 46, 36
_TITLE_PX = 24
_TITLE_OVERHANG_PX = 8


def number_ticks(low: float, high: float, width_px: float) -> Ticks:
    """Round figures, as many as `width_px` has room for."""
    values = ticks(low, high, max(2, int(width_px // _PX_PER_TICK)))
    return list(zip(values, tick_texts(values), strict=True))


class Axes:
    """Left, bottom and, if asked for, right axis, and the grid at the ticks."""

    def __init__(self, sides: dict[Side, Axis], x_title: str, y_title: str) -> None:
        self.grid = Grid()
        self._sides = sides
        self._x_ticks: Ticks = []
        self._y_ticks: Ticks = []
        self._right_ticks: Ticks = []
        self._untold: tuple[Side, ...] = ()
        sides["left"].set_thickness(_LEFT_PX)
        sides["left"].title = y_title
        sides["bottom"].set_thickness(_BOTTOM_PX)
        sides["bottom"].title = x_title
        sides["right"].set_thickness(0)

    def title(self, side: Side) -> str:
        """What an axis shows, with its unit."""
        return self._sides[side].title

    @property
    def untold(self) -> str:
        """Titles of upright axes that are too low for them: somebody else has to say them."""
        return "; ".join(self.title(side) for side in self._untold)

    def set_title(self, side: Side, title: str) -> None:
        """Say what an axis shows, with its unit."""
        if self.title(side) != title:
            self._sides[side].title = title
            self._sides[side].update()

    def set_y_ticks(self, texts: Ticks) -> None:
        """Ticks of the left axis, which grows as wide as they need."""
        self._y_ticks = texts
        metrics = QFontMetricsF(font(11))
        widest_px = max((metrics.horizontalAdvance(text) for _, text in texts), default=0.0)
        self._sides["left"].set_thickness(max(_LEFT_PX, widest_px + _TITLE_PX))

    def set_right_ticks(self, title: str, texts: Ticks) -> None:
        """Ticks on the right, at positions of the left axis; none hides the axis."""
        self._right_ticks = texts
        axis = self._sides["right"]
        axis.setVisible(bool(texts))
        axis.set_thickness(_RIGHT_PX if texts else 0)
        self.set_title("right", title)

    def lay_out(self, view: QRectF, height_px: float, x_ticks: Ticks) -> None:
        """Write the ticks and draw the grid for what `view` shows."""
        self._x_ticks = x_ticks
        self._sides["bottom"].show_ticks(view.left(), view.right(), x_ticks)
        self._leave_out_long_titles(height_px)
        # A low plot has room for every second or third figure only; the grid stays.
        px_per_tick = max(height_px / max(len(self._y_ticks), 1), 1.0)
        every = max(1, ceil(_LEAST_PX_PER_Y_TICK / px_per_tick))
        texts = [
            (value, "" if index % every else text)
            for index, (value, text) in enumerate(self._y_ticks)
        ]
        self._sides["left"].show_ticks(view.top(), view.bottom(), texts)
        self._sides["right"].show_ticks(view.top(), view.bottom(), self._right_ticks)
        at_x, at_y = [value for value, _ in x_ticks], [value for value, _ in self._y_ticks]
        self.grid.set_lines(view, at_x, at_y)

    @property
    def x_labels(self) -> Ticks:
        """The ticks written under the plot."""
        return self._x_ticks

    @property
    def y_labels(self) -> Ticks:
        """The ticks of the left axis."""
        return self._y_ticks

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's axis and grid colours."""
        self.grid.line_pen = pen(theme.grid, 1)
        self.grid.update()
        for axis in self._sides.values():
            axis.line_pen, axis.text_pen = pen(theme.control, 1), pen(theme.text_2, 1)
            axis.text_font = font(11)
            axis.update()

    def _leave_out_long_titles(self, height_px: float) -> None:
        metrics = QFontMetricsF(font(11))
        room_px = height_px + _TITLE_OVERHANG_PX
        upright: tuple[Side, ...] = ("left", "right")
        self._untold = tuple(
            side for side in upright if metrics.horizontalAdvance(self.title(side)) > room_px
        )
        for side in upright:
            self._sides[side].title_shown = side not in self._untold
