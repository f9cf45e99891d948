"""One map of requests: a caption over offset against time."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from modelmon.core.units import duration_text, request_text, size_text, three_figures
from modelmon.gui.plots.canvas import Canvas
from modelmon.gui.plots.density import Density
from modelmon.gui.plots.items import Grid
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.plots.readout import Readout, Row
from modelmon.gui.plots.scale import data_unit, linear
from modelmon.gui.theme import font, manager

if TYPE_CHECKING:
    from PySide6.QtCore import QPointF

    from modelmon.gui.plots.requests import Requests
    from modelmon.gui.theme import ArmLabel, Theme

MOST_POINTS = 20_000
MOST_LIVE_POINTS = 4_000
_MOST_NAMED_READERS = 8
_MOST_NAMED_POINTS = 2_000
_MOST_SHARDS = 24
_REACH_PX = 12


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


class RequestMap(QWidget):
    """A point per request, joined by lines; a density image where there are too many."""

    def __init__(self, label: ArmLabel) -> None:
        super().__init__()
        self.label: ArmLabel = label
        self.requests: Requests | None = None
        self.live = False
        self.end_s = 0.0
        self.name = "Whole load"
        self.caption = QLabel()
        self.caption.setProperty("role", "heading")
        self.detail = QLabel()
        self.detail.setProperty("role", "hint")
        self.detail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.canvas = Canvas("seconds since start")
        self.readout = Readout(self.canvas)
        self.density = Density(self.canvas)
        self._scale = linear(data_unit(1e6), 1e6)
        self._line = pg.PlotDataItem(connect="finite")
        self.points = pg.ScatterPlotItem(pxMode=True, useCache=True)
        self._shards = Grid()
        self._names = [pg.TextItem(anchor=(0.0, 0.5)) for _ in range(_MOST_NAMED_READERS)]
        for item, z in ((self._shards, -90), (self._line, 6), (self.points, 7)):
            item.setZValue(z)
            self.canvas.add(item)
        for name in self._names:
            self.canvas.add(name)
        self._lay_out(label)
        self.canvas.laid_out.connect(self._draw)
        self.canvas.hovered.connect(self._on_hovered)
        self.canvas.left.connect(self.readout.hide)
        self.apply_theme(manager().theme)

    def show_requests(
        self, requests: Requests, start_s: float, end_s: float, *, live: bool = False
    ) -> None:
        """Show what was requested between two times; `live` keeps drawing cheap."""
        self.requests = requests
        self.live = live
        self.end_s = end_s
        self._scale = linear(data_unit(requests.total_bytes), requests.total_bytes)
        self.canvas.axes.set_title("left", f"offset, {self._scale.unit.name}")
        self.canvas.set_y_axis(self._scale.low, self._scale.high, self._scale.ticks())
        self.canvas.set_x_range(start_s, end_s)
        self._draw()

    def apply_theme(self, theme: Theme) -> None:
        """Redraw in the theme's colours."""
        self.canvas.apply_theme(theme)
        self._shards.pen = pen(theme.border, 1, (4, 3))
        self._draw()

    def _lay_out(self, label: ArmLabel) -> None:
        badge = QLabel(label)
        badge.setProperty("role", "badge")
        badge.setProperty("arm", label)
        badge.setFixedSize(18, 18)
        row = QHBoxLayout()
        row.setContentsMargins(8, 0, 8, 2)
        row.setSpacing(8)
        row.addWidget(badge)
        row.addWidget(self.caption)
        row.addWidget(self.detail, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.canvas, 1)

    def _draw(self) -> None:
        requests = self.requests
        if requests is None:
            return
        low, high = self.canvas.x_range
        first, last = np.searchsorted(requests.seconds, (low, high), side="left").tolist()
        # One beyond each edge, so that lines leave the window where they should.
        first, last = max(first - 1, 0), min(last + 1, len(requests))
        unit = self._scale.unit.size
        x = requests.seconds[first:last]
        y = requests.positions[first:last] / unit
        dense = len(x) > (MOST_LIVE_POINTS if self.live else MOST_POINTS)
        self.caption.setText(f"{self.name}, density" if dense else self.name)
        self._line.setVisible(not dense)
        self.points.setVisible(not dense)
        if dense:
            window = QRectF(low, 0.0, high - low, self._scale.high)
            self.density.show(x, y, window, manager().theme.arm(self.label))
        else:
            self.density.hide()
            self._draw_points(x, y)
            self._line.setData(*requests.joined(first, last, unit))
        self._draw_shards(requests)
        self._name_readers(requests)

    def _draw_points(
        self,
        x: np.ndarray[tuple[int], np.dtype[np.float64]],
        y: np.ndarray[tuple[int], np.dtype[np.float64]],
    ) -> None:
        colour = manager().theme.arm(self.label)
        look = next(look for look in _LOOKS if len(x) <= look.most)
        circle = "o" if self.label == "A" else "d"
        self.points.setSymbol("s" if look is _LOOKS[-1] else circle)
        self.points.setData(x, y, size=look.size_px[self.label], brush=colour, pen=None)
        dash = () if self.label == "A" else (4, 3)
        self._line.setPen(pen(faded(colour, look.line_opacity), 1, dash))

    def _draw_shards(self, requests: Requests) -> None:
        starts = requests.shard_starts[1:] if len(requests.shard_starts) <= _MOST_SHARDS else ()
        low, high = self.canvas.x_range
        view = QRectF(low, 0.0, high - low, self._scale.high)
        self._shards.set_lines(view, [], [start / self._scale.unit.size for start in starts])

    def _name_readers(self, requests: Requests) -> None:
        readers = np.unique(requests.readers)
        few = 1 < len(readers) <= _MOST_NAMED_READERS and len(requests) <= _MOST_NAMED_POINTS
        low, high = self.canvas.x_range
        second_px = self.canvas.size_px[0] / max(high - low, 1e-9)
        for name in self._names:
            name.hide()
        if not few or requests.shared:
            return
        for reader, name in zip(readers.tolist(), self._names, strict=False):
            last = int(np.flatnonzero(requests.readers == reader)[-1])
            x = float(requests.seconds[last])
            y = float(requests.positions[last]) / self._scale.unit.size
            room_px = (high - x) * second_px
            name.setText(f"Reader {reader + 1}", manager().theme.arm(self.label))
            name.setFont(font(11))
            name.setAnchor((-0.05, 0.5) if room_px > 64 else (1.0, 1.1))
            name.setPos(x, y)
            name.setVisible(low <= x <= high)

    def _on_hovered(self, x: float, y: float) -> None:
        found = self._nearest(x, y)
        if found is None or self.requests is None:
            self.readout.hide()
            return
        requests = self.requests
        row = Row(
            self.label,
            (
                str(int(requests.readers[found]) + 1),
                size_text(requests.positions[found]),
                request_text(requests.nbytes[found]),
                duration_text(requests.durations_s[found] * 1e9),
            ),
        )
        at: QPointF = self.canvas.to_px(x, y)
        heading = f"{three_figures(requests.seconds[found])} s"
        self.readout.show_rows(heading, ["reader", "offset", "size", "took"], [row], at)

    def _nearest(self, x: float, y: float) -> int | None:
        requests = self.requests
        if requests is None or not len(requests):
            return None
        low, high = self.canvas.x_range
        width_px, height_px = self.canvas.size_px
        across = (requests.seconds - x) / (high - low) * width_px
        up = (requests.positions / self._scale.unit.size - y) / self._scale.high * height_px
        far = across**2 + up**2
        nearest = int(far.argmin())
        return nearest if far[nearest] <= _REACH_PX**2 else None
