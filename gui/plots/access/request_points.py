"""The points of an access map, in the colours of their readers: symbols, dots or an image."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg

from modelmon.gui.look.theme import manager
from modelmon.gui.plots.access.density import Density
from modelmon.gui.plots.access.dots import Dots
from modelmon.gui.plots.access.reader_colours import MOST_COLOURS, colour_numbers, reader_colours
from modelmon.gui.plots.pens import faded, pen

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF

    from modelmon.gui.plots.access.requests import Requests
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.slot import ArmLabel

MOST_POINTS = 20_000
MOST_LIVE_POINTS = 4_000
_MOST_SYMBOLS = 1_200
_MOST_LARGE = 120
_LARGE_PX: dict[ArmLabel, float] = {"A": 6.5, "B": 8.5}
_SMALL_PX: dict[ArmLabel, float] = {"A": 4.0, "B": 5.5}
_DOT_PX = 2.5


class RequestPoints:
    """A point per request, joined by lines in the arm's colour: the more, the smaller and paler.

    Few are round for A and diamonds for B. Where there are too many, an image takes their place:
    in a cell the colour is that of its last request.
    """

    def __init__(self, canvas: Canvas, label: ArmLabel) -> None:
        self.label: ArmLabel = label
        self.density = Density(canvas)
        self.dots = Dots(z=7)
        self.symbols = [pg.ScatterPlotItem(pxMode=True, useCache=True) for _ in range(MOST_COLOURS)]
        self._line = pg.PlotDataItem(connect="finite")
        self._line.setZValue(6)
        for item in (self._line, self.dots, *self.symbols):
            canvas.add(item)
        for symbol in self.symbols:
            symbol.setZValue(7)
        self._shown: tuple[NDArray[np.float64], NDArray[np.float64]] = (np.empty(0), np.empty(0))

    @property
    def xy(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The points that are shown one by one, in the order of time; none in an image."""
        return self._shown

    def show(
        self, requests: Requests, part: slice, window: QRectF, unit: float, *, live: bool
    ) -> bool:
        """Draw a part of the requests; whether that took an image. `live` keeps it cheap."""
        x = requests.seconds[part]
        y = requests.positions[part] / unit
        numbers = colour_numbers(requests.readers[part])
        dense = len(x) > (MOST_LIVE_POINTS if live else MOST_POINTS)
        self._shown = (x[:0], y[:0]) if dense else (x, y)
        few = len(x) <= _MOST_SYMBOLS
        self._line.setVisible(not dense)
        self.dots.setVisible(not dense and not few)
        if dense:
            self.density.show(x, y, window, numbers, reader_colours(manager().theme))
        else:
            self.density.hide()
            self._line.setData(*requests.joined(part, unit))
        self._draw_symbols(x, y, numbers, shown=few)
        if not dense and not few:
            colours = reader_colours(manager().theme)
            self.dots.set_points(x, y, numbers, colours, _DOT_PX)
            self._draw_line(0.25)
        return dense

    def _draw_symbols(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        numbers: NDArray[np.int64],
        *,
        shown: bool,
    ) -> None:
        large = len(x) <= _MOST_LARGE
        size = (_LARGE_PX if large else _SMALL_PX)[self.label]
        colours = reader_colours(manager().theme)
        for number, (symbol, colour) in enumerate(zip(self.symbols, colours, strict=True)):
            mine = numbers == number if shown else None
            symbol.setVisible(mine is not None and bool(mine.any()))
            if mine is not None and symbol.isVisible():
                shape = "o" if self.label == "A" else "d"
                symbol.setData(x[mine], y[mine], size=size, brush=colour, pen=None, symbol=shape)
        if shown:
            self._draw_line(0.8 if large else 0.4)

    def _draw_line(self, opacity: float) -> None:
        dash = () if self.label == "A" else (4, 3)
        colour = manager().theme.arm(self.label)
        self._line.setPen(pen(faded(colour, opacity), 1, dash))
