"""Things drawn in a plot that pyqtgraph lacks: a grid, bands, hatched areas and hatched bars."""

from __future__ import annotations

import sys
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from pyqtgraph.functions import arrayToQPolygonF
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QPen, QPolygonF
from PySide6.QtWidgets import QGraphicsRectItem, QStyleOptionGraphicsItem, QWidget

from modelmon.gui.plots.pens import pen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QPainter

    from modelmon.gui.widgets.theme import Theme

    Floats = NDArray[np.float64]

_ROOM = 1.5


class Drawn(QGraphicsRectItem):
    """A drawing in data coordinates whose pens and hatches keep their size on screen.

    Qt asks each item for its extent several times a frame. A rectangle keeps it itself: nothing
    of Python runs for that.
    """

    def __init__(self, z: float = 0) -> None:
        super().__init__()
        self.setPen(Qt.PenStyle.NoPen)
        self.setZValue(z)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        """Called by the scene."""
        del option, widget
        draw_safely(self.draw, painter)

    def draw(self, painter: QPainter) -> None:
        """What the drawing shows."""
        raise NotImplementedError

    def _resize(self, bounds: QRectF) -> None:
        self.setRect(bounds)
        self.update()


def draw_safely(draw: Callable[[QPainter], None], painter: QPainter) -> None:
    """Let `draw` paint, and go on where it fails."""
    try:
        draw(painter)
    except Exception:
        # One that left an item's `paint` would end the program: it is told and the rest is drawn.
        sys.excepthook(*sys.exc_info())


def draw_dots(painter: QPainter, pen: QPen, points: QPolygonF) -> None:
    """Points as wide as the pen. Qt draws wide ones as strokes of 1/63 in the painter's units,
    which are many pixels where a unit is a second.
    """
    placed = painter.worldTransform().map(points)
    painter.save()
    painter.resetTransform()
    painter.setPen(pen)
    painter.drawPoints(placed)
    painter.restore()


def on_screen(brush: QBrush, painter: QPainter) -> QBrush:
    """`brush` with its pattern in pixels rather than in data coordinates."""
    made = QBrush(brush)
    if brush.style() == Qt.BrushStyle.TexturePattern:
        back, possible = painter.worldTransform().inverted()
        if possible:
            made.setTransform(back)
    return made


class Grid(Drawn):
    """Lines at the ticks, behind everything."""

    def __init__(self) -> None:
        super().__init__(z=-100)
        self.line_pen = QPen()
        self._lines: list[QLineF] = []

    def set_lines(self, view: QRectF, at_x: list[float], at_y: list[float]) -> None:
        """Put vertical lines at `at_x` and horizontal ones at `at_y`, across `view`."""
        self._lines = [QLineF(x, view.top(), x, view.bottom()) for x in at_x]
        self._lines += [QLineF(view.left(), y, view.right(), y) for y in at_y]
        self._resize(view)

    def draw(self, painter: QPainter) -> None:
        """Draw the lines."""
        painter.setPen(self.line_pen)
        painter.drawLines(self._lines)


class Area(Drawn):
    """The area between two curves over the same x; where one is absent there is none.

    Where it only grows, only its new end is painted.
    """

    def __init__(self, z: float = 0) -> None:
        super().__init__(z)
        self.filling = QBrush()
        self.polygons: list[QPolygonF] = []
        self._curves = (np.empty(0), np.empty(0), np.empty(0))

    def set_curves(self, x: Floats, low: Floats, high: Floats) -> None:
        """Fill from `low` to `high`; x ascends."""
        changed = changed_stretch(self._curves, (x, low, high))
        if changed is None:
            return
        self._curves = (x, low, high)
        there = np.flatnonzero(np.isfinite(low) & np.isfinite(high))
        runs = np.split(there, np.flatnonzero(np.diff(there) > 1) + 1) if len(there) else []
        self.polygons = [_outline(x[run], low[run], high[run]) for run in runs]
        bounds = QRectF()
        for polygon in self.polygons:
            bounds = bounds.united(polygon.boundingRect())
        room = self.rect()
        if room.contains(bounds):
            left, right = max(changed[0], room.left()), changed[1]
            self.update(QRectF(left, room.top(), right - left, room.height()))
        else:
            # With room to grow: other bounds are painted as a whole.
            roomy = QRectF(bounds.topLeft(), bounds.size() * _ROOM)
            self._resize(roomy)

    def draw(self, painter: QPainter) -> None:
        """Draw the area."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(on_screen(self.filling, painter))
        for polygon in self.polygons:
            painter.drawPolygon(polygon)


def _outline(x: Floats, low: Floats, high: Floats) -> QPolygonF:
    along, level = np.concatenate([x, x[::-1]]), np.concatenate([high, low[::-1]])
    outline: QPolygonF = arrayToQPolygonF(along, level)
    return outline


class Bars(Drawn):
    """Upright bars; with a `top_pen` also the line along their tops."""

    def __init__(self, z: float = 0) -> None:
        super().__init__(z)
        self.filling = QBrush()
        self.top_pen: QPen | None = None
        self.rects: list[QRectF] = []

    def set_bars(
        self, left: Floats, width: float, top: Floats, bottom: Floats | None = None
    ) -> None:
        """One bar per entry, from zero where there is no `bottom`; one that is not finite has
        none.
        """
        low = np.zeros(len(top)) if bottom is None else bottom
        heights = top - low
        self.rects = [
            QRectF(x, y, width, height)
            for x, y, height in zip(left.tolist(), low.tolist(), heights.tolist(), strict=True)
            if np.isfinite(height)
        ]
        bounds = QRectF()
        for bar in self.rects:
            bounds = bounds.united(bar)
        self._resize(bounds)

    def draw(self, painter: QPainter) -> None:
        """Draw the bars."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(on_screen(self.filling, painter))
        painter.drawRects(self.rects)
        if self.top_pen is not None:
            painter.setPen(self.top_pen)
            for bar in self.rects:
                # A rectangle's bottom is the higher value: y grows upwards in a plot.
                painter.drawLine(bar.bottomLeft(), bar.bottomRight())


def changed_stretch(before: Sequence[Floats], now: Sequence[Floats]) -> tuple[float, float] | None:
    """Between which x two states of a curve differ; None where they do not.

    The first column of each is x, which ascends. Strokes join neighbours, so the point before
    the first that differs counts as changed. To paint all of a curve takes half as much again.
    """
    lengths = len(before[0]), len(now[0])
    common = min(lengths)
    differs = np.zeros(common, dtype=np.bool_)
    for old, new in zip(before, now, strict=True):
        here, there = old[:common], new[:common]
        differs |= (here != there) & ~(np.isnan(here) & np.isnan(there))
    first = int(np.argmax(differs)) if differs.any() else common
    if first == max(lengths):
        return None
    ends = [float(columns[0][-1]) for columns in (before, now) if len(columns[0])]
    return (float(now[0][first - 1]) if first else -inf), max(ends)


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
