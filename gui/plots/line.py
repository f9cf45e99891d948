"""A curve as single strokes, with dashes of our own.

Qt's raster engine strokes a dashed or antialiased path twenty times as slowly as the same
strokes one by one (2 to 7 ms against 0.1 to 0.3 ms for 240 points): with pyqtgraph's curves a
growing frame of six plots takes 2.4 times as long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from pyqtgraph.functions import arrayToQPolygonF
from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem
from shiboken6 import wrapInstance

from modelmon.gui.plots.items import Drawn, changed_stretch, draw_dots

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

    from modelmon.gui.plots.canvas import Canvas

    Floats = NDArray[np.float64]

_POINT_PX = 5.0
_MARGIN_PX = 6.0
_MOST_DASHES = 100_000
"""A line of more, as only the figures of strangers make it, has none."""
"""More than half of the widest stroke, and than half of a point."""


class Line(Drawn):
    """Strokes between points; none to or from a point whose y is not finite.

    Where a curve only grows, only its new end is painted.
    """

    def __init__(self, canvas: Canvas, z: float) -> None:
        super().__init__(z)
        self.at_x: Floats = np.empty(0)
        self.at_y: Floats = np.empty(0)
        self.marks_points = False
        self._canvas = canvas
        self._antialiased = False
        self._pen, self._dashes_px = QPen(), np.empty(0)
        self._strokes: Floats = np.empty((0, 4))
        self._made_for: object = None
        self._exposed: QRectF | None = None
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        canvas.add(self)
        canvas.laid_out.connect(self._fit)

    def set_data(self, x: Floats, y: Floats) -> None:
        """The curve in axis units from now on; x ascends."""
        changed = changed_stretch((self.at_x, self.at_y), (x, y))
        was_empty = not len(self.at_x)
        self.at_x, self.at_y = x, y
        if was_empty != (not len(x)):
            self._fit()
        if changed is not None:
            self._made_for = None
            self.update(self._strip(*changed))

    def set_pen(self, pen: QPen, *, antialiased: bool) -> None:
        """A cosmetic pen, solid or with dashes."""
        self._dashes_px = np.array(pen.dashPattern()) * pen.widthF()
        self._pen = QPen(pen)
        self._pen.setStyle(Qt.PenStyle.SolidLine)
        self._antialiased = antialiased
        self._renew()

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionGraphicsItem,
        widget: QWidget | None = None,
    ) -> None:
        """Called by the scene, for the part of the plot that changed."""
        self._exposed = QRectF(option.exposedRect)
        super().paint(painter, option, widget)
        self._exposed = None

    def draw(self, painter: QPainter) -> None:
        """Stroke what is in view; the strokes are kept until the curve or the scale changes."""
        to_device = painter.deviceTransform()
        scale = to_device.m11(), to_device.m22()
        if not all(scale):
            # A plot that is about to get its room has none yet.
            return
        if self._made_for != scale:
            self._made_for = scale
            self._strokes = self._make_strokes(*scale)
        strokes = self._exposed_strokes()
        if len(strokes):
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, self._antialiased)
            painter.setPen(self._pen)
            strokes, first = as_lines(strokes)
            painter.drawLines(first, len(strokes))
        if self.marks_points:
            self._draw_points(painter)

    def _exposed_strokes(self) -> Floats:
        if self._exposed is None:
            return self._strokes
        strip = self._strip(self._exposed.left(), self._exposed.right())
        first = np.searchsorted(self._strokes[:, 2], strip.left())
        last = np.searchsorted(self._strokes[:, 0], strip.right(), side="right")
        return self._strokes[first:last]

    def _strip(self, left: float, right: float) -> QRectF:
        """The plot's part between two x, and as much around it as a stroke is wide."""
        view = self.boundingRect()
        margin = _MARGIN_PX * view.width() / max(self._canvas.size_px[0], 1.0)
        left = max(left - margin, view.left())
        return QRectF(left, view.top(), max(right + margin - left, 0.0), view.height())

    def _make_strokes(self, x_scale: float, y_scale: float) -> Floats:
        """One row of x and y of both ends for each stroke, laid out as QLineF is."""
        view = self.boundingRect()
        first, last = np.searchsorted(self.at_x, (view.left(), view.right()))
        seen = slice(max(int(first) - 1, 0), int(last) + 1)
        x, y = self.at_x[seen] * x_scale, self.at_y[seen] * y_scale
        is_known = np.isfinite(y)
        if is_known.all():
            return _segments(x, y, self._dashes_px) / (x_scale, y_scale, x_scale, y_scale)
        known = np.flatnonzero(is_known)
        runs = np.split(known, np.flatnonzero(np.diff(known) > 1) + 1)
        pieces = [_segments(x[run], y[run], self._dashes_px) for run in runs]
        return np.concatenate(pieces) / (x_scale, y_scale, x_scale, y_scale)

    def _draw_points(self, painter: QPainter) -> None:
        pen = QPen(self._pen)
        pen.setWidthF(_POINT_PX * pen.widthF() / max(self._pen.widthF(), 1.0))
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        known = np.isfinite(self.at_y)
        if known.any():
            draw_dots(painter, pen, arrayToQPolygonF(self.at_x[known], self.at_y[known]))

    def _renew(self) -> None:
        self._made_for = None
        self.update()

    def _fit(self) -> None:
        # Without an extent it is not painted: no Python runs for it.
        view = self._canvas.view if len(self.at_x) else QRectF()
        if view != self.boundingRect():
            self._made_for = None
            self._resize(view)


def as_lines(strokes: Floats) -> tuple[Floats, QLineF]:
    """One object over the whole array, which has to live as long: with a list of them the slowest
    frames of six plots take a third more.
    """
    # What Qt has freed without Python's knowledge, shiboken still has for what lies there now. What
    # was tried stays, so that the next lies elsewhere.
    tried = [strokes]
    while type(first := wrapInstance(tried[-1].ctypes.data, QLineF)) is not QLineF:
        tried.append(strokes.copy())
    return tried[-1], first


def _segments(x: Floats, y: Floats, dashes: Floats) -> Floats:
    """Both ends of the strokes along a curve, all in pixels; `dashes` alternates line and gap,
    or is empty.
    """
    if not len(dashes) or len(x) < 2:
        return _ends(x, y, slice(None))
    along = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    marks = np.concatenate(([0.0], np.cumsum(dashes)))
    period = marks[-1]
    if along[-1] > _MOST_DASHES * period:
        return _ends(x, y, slice(None))
    starts = np.arange(0.0, along[-1], period)
    breaks = (starts[:, None] + marks[:-1]).ravel()
    at = np.sort(np.concatenate((along, breaks[breaks < along[-1]])))
    middle = (at[:-1] + at[1:]) / 2
    drawn = np.searchsorted(marks, middle % period, side="right") % 2 == 1
    return _ends(np.interp(at, along, x), np.interp(at, along, y), drawn)


def _ends(x: Floats, y: Floats, which: slice | NDArray[np.bool_]) -> Floats:
    """x and y of both ends of the strokes between neighbours; `column_stack` takes far longer."""
    froms, tos = (x[:-1][which], y[:-1][which]), (x[1:][which], y[1:][which])
    ends = np.empty((len(froms[0]), 4))
    for column, values in enumerate((*froms, *tos)):
        ends[:, column] = values
    return ends
