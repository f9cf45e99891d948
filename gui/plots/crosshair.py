"""A vertical line with a dot on each curve."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg

from modelmon.gui.plots.pens import pen
from modelmon.gui.theme import manager

if TYPE_CHECKING:
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.theme import ArmLabel, Theme

_DOT_PX = 8


class Dots:
    """Round marks in the arms' colours, with an outline that sets them off the curves."""

    def __init__(self, canvas: Canvas, z: float) -> None:
        self._item = pg.ScatterPlotItem(size=_DOT_PX, pxMode=True)
        self._item.setZValue(z)
        canvas.add(self._item)

    def show(self, points: list[tuple[ArmLabel, float, float]]) -> None:
        """Mark `points`: arm, x, y in axis units."""
        theme = manager().theme
        outline = pen(theme.panel, 1.5)
        self._item.setData(
            [{"pos": (x, y), "brush": theme.arm(label), "pen": outline} for label, x, y in points]
        )


class Crosshair:
    """The line at one moment, in all plots that share a time axis."""

    def __init__(self, canvas: Canvas) -> None:
        self._line = pg.InfiniteLine(angle=90, movable=False)
        self._line.setZValue(40)
        self._line.hide()
        self._dots = Dots(canvas, z=41)
        canvas.add(self._line)

    def show(self, x: float, points: list[tuple[ArmLabel, float, float]]) -> None:
        """Put the line at `x` and the dots on the curves."""
        self._line.setPos(x)
        self._line.show()
        self._dots.show(points)

    def hide(self) -> None:
        """Take line and dots away."""
        self._line.hide()
        self._dots.show([])

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's pen."""
        self._line.setPen(pen(theme.text_2, 1))
