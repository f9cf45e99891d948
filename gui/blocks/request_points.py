"""Requests as points in an access map, or as a density where there are too many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from pyqtgraph.functions import create_qpolygonf, ndarray_from_qpolygonf
from PySide6.QtCore import QRectF, Qt

from modelmon.gui.blocks.reader_colours import MOST_COLOURS, colour_numbers, reader_colours
from modelmon.gui.plots.items import Drawn, draw_dots
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

    from modelmon.gui.blocks.requests import Requests
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.session.notices import ArmLabel

MOST_POINTS = 20_000
MOST_LIVE_POINTS = 4_000
_MOST_SYMBOLS = 1_200
_MOST_LARGE = 120
_LARGE_PX: dict[ArmLabel, float] = {"A": 6.5, "B": 8.5}
_SMALL_PX: dict[ArmLabel, float] = {"A": 4.0, "B": 5.5}
_DOT_PX = 2.5
_COLUMNS, _ROWS = 320, 160
_FAINTEST = 0.25


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

    def show(
        self, requests: Requests, part: slice, window: QRectF, unit: float, *, live: bool
    ) -> bool:
        """Draw a part of the requests; whether that took an image. `live` keeps it cheap."""
        x = requests.seconds[part]
        y = requests.positions[part] / unit
        numbers = colour_numbers(requests.readers[part])
        dense = len(x) > (MOST_LIVE_POINTS if live else MOST_POINTS)
        few = len(x) <= _MOST_SYMBOLS
        self._line.setVisible(not dense)
        self.dots.setVisible(not dense and not few)
        if dense:
            self.density.show(x, y, window, numbers, reader_colours(manager().theme, self.label))
        else:
            self.density.hide()
            self._line.setData(*requests.joined(part, unit))
        self._draw_symbols(x, y, numbers, shown=few)
        if not dense and not few:
            colours = reader_colours(manager().theme, self.label)
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
        colours = reader_colours(manager().theme, self.label)
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


class Density:
    """How many points lie in each cell of a window, on a logarithmic scale."""

    def __init__(self, canvas: Canvas) -> None:
        self.counts: NDArray[np.int64] = np.zeros((_ROWS, _COLUMNS), dtype=np.int64)
        self.pixels: NDArray[np.uint8] = np.zeros((_ROWS, _COLUMNS, 4), dtype=np.uint8)
        self._item = pg.ImageItem(axisOrder="row-major")
        self._item.setZValue(5)
        self._item.hide()
        canvas.add(self._item)

    @property
    def visible(self) -> bool:
        """Whether it is shown."""
        return bool(self._item.isVisible())

    def hide(self) -> None:
        """Take it away."""
        self._item.hide()

    def show(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        window: QRectF,
        numbers: NDArray[np.int64],
        colours: Sequence[QColor],
    ) -> None:
        """Count the points in `window`; every cell with a point can be seen.

        `numbers` say which of `colours` each point has; a cell takes that of its last point.
        """
        column = ((x - window.left()) / window.width() * _COLUMNS).astype(np.int64)
        row = ((y - window.top()) / window.height() * _ROWS).astype(np.int64)
        inside = (column >= 0) & (column < _COLUMNS) & (row >= 0) & (row < _ROWS)
        cells = row[inside] * _COLUMNS + column[inside]
        self.counts = np.bincount(cells, minlength=_ROWS * _COLUMNS).reshape(_ROWS, _COLUMNS)
        most = np.log1p(max(int(self.counts.max()), 1))
        share = _FAINTEST + (1 - _FAINTEST) * np.log1p(self.counts) / most
        pixels = np.empty((_ROWS, _COLUMNS, 4), dtype=np.uint8)
        last = np.zeros(_ROWS * _COLUMNS, dtype=np.int64)
        last[cells] = numbers[inside]
        palette = np.array(
            [(colour.red(), colour.green(), colour.blue()) for colour in colours], dtype=np.uint8
        )
        pixels[..., :3] = palette[last.reshape(_ROWS, _COLUMNS)]
        pixels[..., 3] = np.where(self.counts > 0, share * 255, 0)
        self.pixels = pixels
        self._item.setImage(pixels, autoLevels=False, levels=(0, 255))
        self._item.setRect(window)
        self._item.show()


class Dots(Drawn):
    """Squares of one size; pyqtgraph's scatter takes ten times as long where they change."""

    def __init__(self, z: float) -> None:
        super().__init__(z)
        self.points: list[tuple[QPen, QPolygonF]] = []

    def set_points(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        numbers: NDArray[np.int64],
        colours: Sequence[QColor],
        size_px: float,
    ) -> None:
        """Show points of which `numbers` say what colour each has."""
        self.points = []
        for number, colour in enumerate(colours):
            mine = numbers == number
            if not mine.any():
                continue
            polygon = create_qpolygonf(int(mine.sum()))
            places = ndarray_from_qpolygonf(polygon)
            places[:, 0], places[:, 1] = x[mine], y[mine]
            square = pen(colour, size_px, cap=Qt.PenCapStyle.SquareCap)
            self.points.append((square, polygon))
        bounds = QRectF()
        for _, polygon in self.points:
            bounds = bounds.united(polygon.boundingRect())
        self._resize(bounds)

    def draw(self, painter: QPainter) -> None:
        """Draw the points."""
        for square, polygon in self.points:
            draw_dots(painter, square, polygon)
