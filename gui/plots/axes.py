"""Axes and grid of a plot: few ticks that we choose, in our colours."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Literal

from PySide6.QtGui import QFontMetricsF

from modelmon.gui.look.theme import font, manager
from modelmon.gui.plots.items import Grid
from modelmon.gui.plots.pens import pen
from modelmon.gui.plots.scale import tick_texts, ticks

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF

    from modelmon.gui.look.theme import Theme
    from modelmon.gui.plots.plot_view import PlotView

Side = Literal["left", "bottom", "right"]
Ticks = list[tuple[float, str]]

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

    def __init__(self, plot: PlotView, x_title: str, y_title: str) -> None:
        self.grid = Grid()
        self._plot = plot
        self._titles: dict[Side, str] = {"left": y_title, "bottom": x_title}
        self._x_ticks: Ticks = []
        self._y_ticks: Ticks = []
        self._right_ticks: Ticks = []
        self._untold: tuple[Side, ...] = ()
        self._written: dict[Side, Ticks] = {}
        plot.axis("left").setWidth(_LEFT_PX)
        plot.axis("bottom").setHeight(_BOTTOM_PX)

    def title(self, side: Side) -> str:
        """What an axis shows, with its unit."""
        return self._titles.get(side, "")

    @property
    def untold(self) -> str:
        """Titles of upright axes that are too low for them: somebody else has to say them."""
        return "; ".join(self._titles[side] for side in self._untold)

    def set_title(self, side: Side, title: str) -> None:
        """Say what an axis shows, with its unit."""
        if self._titles.get(side) != title:
            self._titles[side] = title
            self._style(side, manager().theme)

    def set_y_ticks(self, texts: Ticks) -> None:
        """Ticks of the left axis, which grows as wide as they need."""
        self._y_ticks = texts
        metrics = QFontMetricsF(font(11))
        widest_px = max((metrics.horizontalAdvance(text) for _, text in texts), default=0.0)
        self._plot.axis("left").setWidth(max(_LEFT_PX, widest_px + _TITLE_PX))

    def set_right_ticks(self, title: str, texts: Ticks) -> None:
        """Ticks on the right, at positions of the left axis; none hides the axis."""
        if (title, texts) == (self._titles.get("right"), self._right_ticks):
            return
        self._right_ticks = texts
        axis = self._plot.axis("right")
        self._plot.show_axis("right", shown=bool(texts))
        axis.setWidth(_RIGHT_PX if texts else 0)
        self._write("right", texts)
        self.set_title("right", title)

    def lay_out(self, view: QRectF, height_px: float, x_ticks: Ticks) -> None:
        """Write the ticks and draw the grid for what `view` shows."""
        self._x_ticks = x_ticks
        self._write("bottom", x_ticks)
        self._leave_out_long_titles(height_px)
        # A low plot has room for every second or third figure only; the grid stays.
        px_per_tick = max(height_px / max(len(self._y_ticks), 1), 1.0)
        every = max(1, ceil(_LEAST_PX_PER_Y_TICK / px_per_tick))
        texts = [
            (value, "" if index % every else text)
            for index, (value, text) in enumerate(self._y_ticks)
        ]
        self._write("left", texts)
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
        self.grid.pen = pen(theme.grid, 1)
        self.grid.update()
        for side in self._titles:
            self._style(side, theme)

    def _write(self, side: Side, texts: Ticks) -> None:
        # pyqtgraph draws an axis anew for ticks that are the same as before, too.
        if self._written.get(side) != texts:
            self._written[side] = texts
            self._plot.axis(side).setTicks([texts])

    def _leave_out_long_titles(self, height_px: float) -> None:
        metrics = QFontMetricsF(font(11))
        room_px = height_px + _TITLE_OVERHANG_PX
        upright: tuple[Side, ...] = ("left", "right")
        self._untold = tuple(
            side for side in upright if metrics.horizontalAdvance(self.title(side)) > room_px
        )
        for side in upright:
            if side in self._titles:
                self._plot.axis(side).showLabel(side not in self._untold)

    def _style(self, side: Side, theme: Theme) -> None:
        axis = self._plot.axis(side)
        axis.enableAutoSIPrefix(enable=False)
        axis.setPen(pen(theme.control, 1))
        axis.setTextPen(pen(theme.text_2, 1))
        small = font(11)
        axis.setTickFont(small)
        axis.setStyle(tickLength=0, tickTextOffset=5, hideOverlappingLabels=False)
        axis.setLabel(
            self._titles[side],
            **{"color": theme.text_2.name(), "font-size": f"{small.pixelSize()}px"},
        )
        axis.showLabel(side not in self._untold)
