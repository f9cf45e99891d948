"""The points of an access map, in the colours of their readers: single ones, or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyqtgraph as pg

from modelmon.gui.plots.density import Density
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.plots.reader_colours import MOST_COLOURS, colour_numbers, reader_colours
from modelmon.gui.theme import manager

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF

    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.plots.requests import Requests
    from modelmon.gui.theme import ArmLabel

MOST_POINTS = 20_000
MOST_LIVE_POINTS = 4_000


class _Look(NamedTuple):
    """How up to `most` points are drawn: the more, the smaller, and the paler their lines."""

    most: int
    size_px: dict[ArmLabel, float]
    line_opacity: float


_LOOKS = (
    _Look(120, {"A": 6.5, "B": 8.5}, 0.8),
    _Look(1_200, {"A": 4.0, "B": 5.5}, 0.4),
    _Look(MOST_POINTS, {"A": 2.5, "B": 2.5}, 0.25),
)


class RequestPoints:
    """A point per request, round for A and a diamond for B, joined by lines in the arm's colour.

    Where there are too many, an image takes their place: in a cell the colour is that of its last
    request.
    """

    def __init__(self, canvas: Canvas, label: ArmLabel) -> None:
        self.label: ArmLabel = label
        self.density = Density(canvas)
        self.scatters = [
            pg.ScatterPlotItem(pxMode=True, useCache=True) for _ in range(MOST_COLOURS)
        ]
        self._line = pg.PlotDataItem(connect="finite")
        self._line.setZValue(6)
        canvas.add(self._line)
        for scatter in self.scatters:
            scatter.setZValue(7)
            canvas.add(scatter)

    @property
    def xy(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The points that are shown one by one, in the order of time."""
        columns = [scatter.getData() for scatter in self.scatters if scatter.isVisible()]
        none = [np.empty(0)]
        x = np.concatenate(none + [np.asarray(each[0], dtype=float) for each in columns])
        y = np.concatenate(none + [np.asarray(each[1], dtype=float) for each in columns])
        order = np.argsort(x, kind="stable")
        return x[order], y[order]

    def show(
        self, requests: Requests, part: slice, window: QRectF, unit: float, *, live: bool
    ) -> bool:
        """Draw a part of the requests; whether that took an image. `live` keeps it cheap."""
        x = requests.seconds[part]
        y = requests.positions[part] / unit
        colours = colour_numbers(requests.readers[part])
        dense = len(x) > (MOST_LIVE_POINTS if live else MOST_POINTS)
        self._line.setVisible(not dense)
        for scatter in self.scatters:
            scatter.setVisible(not dense)
        if dense:
            self.density.show(x, y, window, colours, reader_colours(manager().theme))
            return True
        self.density.hide()
        self._draw_points(x, y, colours)
        self._line.setData(*requests.joined(part, unit))
        return False

    def _draw_points(
        self, x: NDArray[np.float64], y: NDArray[np.float64], numbers: NDArray[np.int64]
    ) -> None:
        theme = manager().theme
        look = next(look for look in _LOOKS if len(x) <= look.most)
        own = "o" if self.label == "A" else "d"
        size = look.size_px[self.label]
        for number, (scatter, colour) in enumerate(
            zip(self.scatters, reader_colours(theme), strict=True)
        ):
            mine = numbers == number
            scatter.setSymbol("s" if look is _LOOKS[-1] else own)
            scatter.setData(x[mine], y[mine], size=size, brush=colour, pen=None)
        dash = () if self.label == "A" else (4, 3)
        self._line.setPen(pen(faded(theme.arm(self.label), look.line_opacity), 1, dash))
