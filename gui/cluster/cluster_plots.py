"""Plots of a cluster: what all nodes get together, by how many there are; and nodes over time."""

from __future__ import annotations

from math import isnan, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLineF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QFontMetricsF, QResizeEvent

from modelmon.core.cluster.summary import ONE_NODE
from modelmon.core.export.csv_tables import csv_table
from modelmon.core.units import duration_text, rate_text
from modelmon.gui.cluster.cluster_words import nodes_text
from modelmon.gui.language import tr
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.explanations import NODES, SCALING
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.header import LegendEntry
from modelmon.gui.plots.items import Area, Grid, Line, Strokes
from modelmon.gui.plots.pens import faded, pen, series_pen
from modelmon.gui.plots.readout import Row, UnderPointer
from modelmon.gui.plots.scale import data_unit
from modelmon.gui.plots.scale import ticks as round_ticks
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from modelmon.core.cluster.result import ClusterArm
    from modelmon.core.cluster.scaling import Between
    from modelmon.gui.plots.chart import Ticks
    from modelmon.gui.plots.readout import Told
    from modelmon.gui.session.node_times import NodeTimes
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

    Floats = NDArray[np.float64]

_POINT_PX = 9
_STEPS = (1, 2, 5)
_PX_PER_TICK = 40
_ROOM = 0.08
_LEAST = 1e-6
_HOVERED = 0.15
"""Of a decade, around a number of nodes."""


class Beyond(NamedTuple):
    """What so many nodes are expected to get together, in bytes per second. Not measured."""

    nodes: int
    rate: Between


class ScalingPlot(PlotFrame):
    """Both axes are logarithmic: what doubles with the nodes is a straight line."""

    can_zoom = False
    explained = SCALING

    def __init__(self) -> None:
        super().__init__(
            tr("Scaling"), tr("Rates of 1, 2, 4, … nodes, once they were measured"), framed=True
        )
        self.can_hide = False
        self.canvas = Chart(tr("nodes at once"))
        self.canvas.x_ticks = self._x_ticks
        self.readout = UnderPointer(self.canvas, self._told_at)
        self._arms: Sequence[ClusterArm] = ()
        self._unit = data_unit(1e9)
        self.curves: dict[ArmLabel, _Curve] = {
            "A": _Curve(self.canvas, "A"),
            "B": _Curve(self.canvas, "B"),
        }
        self._ideal = Line(self.canvas, 0)
        self.add_entry("ideal", LegendEntry(tr("linear"), "dotted"))
        self.add_entry("expected", LegendEntry(tr("extrapolated"), "dashed"))
        self.add_entry("limit", LegendEntry(tr("shared limit"), "dashed"))
        for entry in self.entries.values():
            entry.toggled.connect(self._draw)
        self.fill(self.canvas)

    def show_arms(self, arms: Sequence[ClusterArm]) -> None:
        """Show what the ways came to; arms without a start are left out."""
        self._arms = [arm for arm in arms if arm.curve and arm.curve[0].nodes]
        self.show_empty(empty=not self._arms)
        self._draw()

    def renew(self) -> None:
        """Draw all anew, in the theme's colours."""
        self._draw()

    @property
    def has_table(self) -> bool:
        """Whether anything was measured."""
        return bool(self._arms)

    def csv_text(self) -> str:
        """A row for each number of nodes in each way."""
        lines = [
            f"{arm.way.label},{point.nodes},{point.runs},{point.first_ns / 1e9:.6g},"
            f"{point.median_ns / 1e9:.6g},{point.last_ns / 1e9:.6g},{point.bytes_per_s:.6g}"
            for arm in self._arms
            for point in arm.curve
        ]
        head = "way,nodes,runs,first_s,median_s,last_s,bytes_per_s"
        return "\n".join((head, *lines, ""))

    def _draw(self) -> None:
        if not self._arms:
            return
        with_beyond = self.entries["expected"].isChecked()
        rates = [point.bytes_per_s for arm in self._arms for point in arm.curve]
        beyond = {arm.way.label: beyond_of(arm) for arm in self._arms} if with_beyond else {}
        for each in filter(None, beyond.values()):
            rates += [each.rate.low, each.rate.high]
        rates = [rate for rate in rates if rate > 0] or [1.0]
        most = max(
            *(arm.curve[-1].nodes for arm in self._arms),
            *(each.nodes for each in beyond.values() if each is not None),
            2,
        )
        self._unit = data_unit(max(rates))
        unit = self._unit.size
        low, high = _log10(min(rates) / unit), _log10(max(rates) / unit)
        room = max(_ROOM * (high - low), _ROOM)
        ticks = _log_ticks(low - room, high + room, max(2, int(self.height() / _PX_PER_TICK)))
        self.set_unit(tr("{unit}/s together", unit=self._unit.name))
        self.canvas.set_x_range(-_ROOM, _log10(most) + _ROOM)
        self.canvas.set_y_axis(low - room, high + room, ticks)
        self._draw_ideal(most)
        with_limit = self.entries["limit"].isChecked()
        for label, curve in self.curves.items():
            arm = next((each for each in self._arms if each.way.label == label), None)
            curve.show(arm, beyond.get(label), unit, with_limit=with_limit)

    def _draw_ideal(self, most: int) -> None:
        """As many times the first point as there are nodes."""
        first = self._arms[0].curve[0]
        shown = self.entries["ideal"].isChecked() and first.bytes_per_s > 0
        ends = np.array([_log10(first.nodes), _log10(most)]) if shown else np.empty(0)
        start = _log10(max(first.bytes_per_s, 1.0) / self._unit.size) - _log10(first.nodes)
        self._ideal.set_pen(pen(manager().theme.text_2, 1.2, (2, 3)))
        self._ideal.set_data(ends, ends + start)

    def _x_ticks(self, low: float, high: float, width_px: float) -> Ticks:
        measured = {point.nodes for arm in self._arms for point in arm.curve}
        apart = _PX_PER_TICK * (high - low) / max(width_px, 1.0)
        wanted = sorted(measured, reverse=True)
        far = [each.nodes for each in map(beyond_of, self._arms) if each is not None]
        places: list[int] = []
        for nodes in (*wanted[:1], *far, *wanted[1:]):
            at = _log10(nodes)
            if low <= at <= high and all(abs(at - _log10(each)) >= apart for each in places):
                places.append(nodes)
        return [(_log10(nodes), f"{nodes:,}") for nodes in sorted(places)]

    def _told_at(self, x: float, _y: float) -> Told | None:
        """The figures of the nearest number of nodes, measured or beyond."""
        found = {(point.nodes, arm.way.label): point for arm in self._arms for point in arm.curve}
        rows = {
            key: (rate_text(of.bytes_per_s), duration_text(of.last_ns), f"{of.runs}")
            for key, of in found.items()
        }
        for arm in self._arms:
            beyond, further = beyond_of(arm), arm.extrapolated
            if beyond is not None and further is not None:
                key = (beyond.nodes, arm.way.label)
                last = duration_text(further.last_ns.value)
                rows.setdefault(key, (rate_text(beyond.rate.value), last, tr("extrapolated")))
        nearest = min((nodes for nodes, _ in rows), key=lambda at: abs(_log10(at) - x), default=0)
        if not nearest or abs(_log10(nearest) - x) > _HOVERED:
            return None
        shown = [Row(label, texts) for (nodes, label), texts in rows.items() if nodes == nearest]
        columns = [tr("together"), tr("last ready"), tr("starts")]
        return nodes_text(nearest), columns, shown


def _log10(value: float) -> float:
    """Where a figure of a stranger has no logarithm, that of next to nothing."""
    return log10(max(value, _LEAST))


def beyond_of(arm: ClusterArm) -> Beyond | None:
    """What an arm is expected to get with more nodes; None where that isn't known."""
    further, last = arm.extrapolated, arm.curve[-1] if arm.curve else None
    if further is None or last is None or not last.nodes or further.nodes < 1:
        return None
    times_ns = further.last_ns
    if min(times_ns.value, times_ns.low, times_ns.high, last.bytes_per_s, last.last_ns) <= 0:
        return None
    loaded = last.bytes_per_s * last.last_ns
    more = 1.0 if arm.way.copy_per == "cluster" else further.nodes / last.nodes
    value, low, high = (
        loaded * more / ns
        for ns in (further.last_ns.value, further.last_ns.high, further.last_ns.low)
    )
    return Beyond(further.nodes, type(further.last_ns)(value, low, high))


class _Curve:
    """Points, the line that is fitted to them, its knee, and what lies beyond, of one way."""

    def __init__(self, canvas: Chart, label: ArmLabel) -> None:
        self._label = label
        self._range = Area(-1)
        self._fit, self._expected = Line(canvas, 1), Line(canvas, 1)
        self.knee = pg.InfiniteLine(angle=90)
        self._knee_range = pg.LinearRegionItem(movable=False, pen=pg.mkPen(None))
        symbol = "o" if label == "A" else "d"
        self._points, self._end = (
            pg.ScatterPlotItem(size=_POINT_PX, pxMode=True, symbol=symbol) for _ in range(2)
        )
        for z, item in enumerate((self._knee_range, self._range, self.knee)):
            item.setZValue(z - 2)
            canvas.add(item)
        for points in (self._points, self._end):
            points.setZValue(3)
            canvas.add(points)

    def show(
        self, arm: ClusterArm | None, beyond: Beyond | None, unit: float, *, with_limit: bool
    ) -> None:
        """Show this in units of `unit` bytes per second; None shows nothing."""
        self._colour(manager().theme)
        points = [p for p in (arm.curve if arm is not None else ()) if p.bytes_per_s > 0]
        self._points.setData(
            [_log10(p.nodes) for p in points], [_log10(p.bytes_per_s / unit) for p in points]
        )
        scaling = arm.scaling if arm is not None and points else None
        knee = scaling.knee if scaling is not None and scaling.shared is not None else None
        has_knee = with_limit and knee is not None and knee.value >= ONE_NODE
        for item in (self.knee, self._knee_range):
            item.setVisible(has_knee)
        x = y = empty = np.empty(0)
        if scaling is not None:
            x = np.unique(np.linspace(0.0, _log10(points[-1].nodes), 60))
            if knee is not None and 0 < _log10(knee.value) < x[-1]:
                x = np.sort(np.append(x, _log10(knee.value)))
            limit = scaling.shared.value if scaling.shared is not None else np.inf
            rates = np.minimum(np.power(10.0, x) * scaling.per_node.value, limit)
            y = np.log10(np.maximum(rates / unit, _LEAST))
        self._fit.set_data(x, y)
        if has_knee and knee is not None:
            self.knee.setPos(_log10(knee.value))
            self._knee_range.setRegion((_log10(knee.low), _log10(knee.high)))
        self._expected.set_data(empty, empty)
        self._range.set_curves(empty, empty, empty)
        self._end.setData([], [])
        if beyond is not None and len(x):
            end, low, high = (
                _log10(max(v, 1.0) / unit)
                for v in (beyond.rate.value, beyond.rate.low, beyond.rate.high)
            )
            ends = np.array([x[-1], _log10(beyond.nodes)])
            self._expected.set_data(ends, np.array([y[-1], end]))
            self._range.set_curves(ends, np.array([y[-1], low]), np.array([y[-1], high]))
            self._end.setData([ends[-1]], [end])

    def _colour(self, theme: Theme) -> None:
        colour = theme.arm(self._label)
        self._fit.set_pen(series_pen("thick", colour), antialiased=True)
        self._expected.set_pen(pen(colour, 1.6, (4, 3)), antialiased=True)
        self.knee.setPen(pen(colour, 1.0, (4, 3)))
        self._range.filling = QBrush(faded(colour, 0.14))
        self._knee_range.setBrush(QBrush(faded(colour, 0.10)))
        self._points.setPen(pen(theme.panel, 1.0))
        self._points.setBrush(QBrush(colour))
        self._end.setPen(pen(colour, 1.5))
        self._end.setBrush(QBrush(theme.panel))


def _log_ticks(low: float, high: float, at_most: int) -> Ticks:
    """1, 2, 5, 10 and so on, or fewer of them."""
    for steps in (_STEPS, (1, 3), (1,)):
        found = list(_between(low, high, steps))
        if len(found) <= at_most:
            break
    return [(_log10(value), f"{value:,g}") for value in found]


def _between(low: float, high: float, steps: Sequence[int]) -> Iterator[float]:
    for power in range(int(low) - 2, int(high) + 2):
        for step in steps:
            value = step * 10.0**power
            if low <= _log10(value) <= high:
                yield value


_MOST_NAMED = 24
_MOST_NAME_PX = 120.0
_LEAST_NAME_PX = 14.0
_LEVELS = 256
_MOST_COLUMNS = 400
_TICKS = 5
_HIGH_PX = 6
"""Lines as high as that have gaps between them."""


class NodeMap(PlotFrame):
    """One start of many nodes, the first ready at the bottom. `node_clicked` carries a name."""

    node_clicked = Signal(str)
    explained = NODES

    def __init__(self) -> None:
        super().__init__(
            tr("Nodes over time"), tr("Each node's load, once one was started"), framed=True
        )
        self.can_hide = False
        self.canvas = Chart(tr("time since start"))
        self.readout = UnderPointer(self.canvas, self._told_at)
        self.times: NodeTimes | None = None
        self._label: ArmLabel = "A"
        self._marked = ""
        # Of more rows than pixels it shows the mean.
        self._image = self.canvas.add(pg.ImageItem(axisOrder="row-major", autoDownsample=True))
        self._ready, self._gaps = self.canvas.add(Strokes(1)), self.canvas.add(Grid(2))
        self._failed, self._frame = self.canvas.add(Area(3)), self.canvas.add(Area(4))
        self.fill(self.canvas)
        self.canvas.laid_out.connect(self._draw)
        self.canvas.clicked.connect(self._on_clicked)

    def show_times(self, times: NodeTimes | None, label: ArmLabel) -> None:
        """Show a start in the color of its way; None shows nothing."""
        self.times, self._label = times, label
        self.show_empty(empty=times is None)
        if times is None:
            return
        self.canvas.set_x_range(0.0, times.end_s * 1.02)
        self._write_rows()

    def mark(self, name: str) -> None:
        """Frame this node's line; "" none."""
        if name != self._marked:
            self._marked = name
            self._draw()

    def reset_view(self) -> None:
        """Show the whole time again."""
        self.canvas.reset_view()

    @property
    def has_table(self) -> bool:
        """Whether a start is shown."""
        return self.times is not None

    def csv_text(self) -> str:
        """A row for each node: when it began and was ready."""
        times = self.times
        assert times is not None
        rows = zip(times.names, times.began_s, times.ready_s, strict=True)
        lines = ((name, f"{a:.6g}", f"{b:.6g}") for name, a, b in rows)
        return csv_table(("node", "began_s", "ready_s"), lines)

    def _write_rows(self) -> None:
        times = self.times
        assert times is not None
        count = len(times.names)
        letters = QFontMetricsF(font(11))
        row_px = (self.canvas.size_px[1] or 1.0) / max(count, 1)
        if count <= _MOST_NAMED and row_px >= _LEAST_NAME_PX:
            elide = Qt.TextElideMode.ElideMiddle
            ticks = [
                (at + 0.5, letters.elidedText(name, elide, _MOST_NAME_PX))
                for at, name in enumerate(times.names)
            ]
        else:
            ticks = [(at, f"{at:,.0f}") for at in round_ticks(0, count, _TICKS) if at == int(at)]
        self.canvas.set_y_axis(0.0, float(max(count, 1)), ticks, headroom_share=0.0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Names need room."""
        super().resizeEvent(event)
        if self.times is not None:
            self._write_rows()

    def _draw(self) -> None:
        times = self.times
        if times is None:
            return
        width_px, height_px = self.canvas.size_px
        if width_px < 1 or height_px < 1:
            return
        theme = manager().theme
        rates = times.rates(min(_MOST_COLUMNS, max(60, int(width_px / 2))))
        most = float(np.nanmax(rates)) if np.isfinite(rates).any() else 0.0
        rows = {name: at for at, name in enumerate(times.names)}
        place = QRectF(0.0, 0.0, times.end_s, float(len(rows)))
        pixels = _image(rates / (most or 1.0), theme, self._label)
        self._image.setImage(pixels, autoLevels=False, levels=(0, 255))
        self._image.setRect(place)
        ready = [(at, row) for row, at in enumerate(times.ready_s.tolist()) if not isnan(at)]
        self._ready.setPen(pen(theme.text, 2))
        self._ready.draw_lines(QLineF(at, row, at, row + 1) for at, row in ready)
        self._gaps.setPen(pen(theme.panel, 3))
        apart = height_px / len(rows) >= _HIGH_PX
        self._gaps.set_lines(place, [], map(float, range(1, len(rows))) if apart else [])
        for area, names, colour in (
            (self._failed, times.failed, theme.bad),
            (self._frame, {self._marked}, theme.focus),
        ):
            area.filling = QBrush(faded(colour, 0.3))
            # However low a row is, it is seen.
            area.setPen(pen(faded(colour, 0.3), 1))
            area.set_rects(
                QRectF(0.0, rows[name], times.end_s, 1.0) for name in names if name in rows
            )
        what = tr("nodes") if times.live else tr("nodes, the slowest on top")
        told = tr("fainter is slower; full color {rate}", rate=rate_text(most))
        self.set_unit(told if most else what)

    def _row_at(self, y: float) -> int | None:
        count = len(self.times.names) if self.times is not None else 0
        return int(y) if 0 <= y < count else None

    def _on_clicked(self, _x: float, y: float) -> None:
        row = self._row_at(y)
        if row is not None and self.times is not None:
            self.node_clicked.emit(self.times.names[row])

    def _told_at(self, x: float, y: float) -> Told | None:
        times, row = self.times, self._row_at(y)
        if times is None or row is None or not 0 <= x <= times.end_s:
            return None
        rates = times.rates(min(_MOST_COLUMNS, max(60, int(self.canvas.size_px[0] / 2))))
        now = float(rates[row, min(int(x / times.end_s * rates.shape[1]), rates.shape[1] - 1)])
        ready = float(times.ready_s[row])
        state = _state(times, row, x)
        cells = (
            rate_text(now) if not isnan(now) else state,
            duration_text(ready * 1e9) if not isnan(ready) else "–",
        )
        columns = [tr("rate"), tr("ready")]
        shown = Row(times.names[row], cells, manager().theme.text.name())
        return f"{x:.3g} s", columns, [shown]


def _state(times: NodeTimes, row: int, x: float) -> str:
    """What a node does while it doesn't load."""
    if x < times.began_s[row]:
        return tr("waits")
    return tr("failed") if times.names[row] in times.failed else tr("is ready")


def _image(levels: Floats, theme: Theme, label: ArmLabel) -> NDArray[np.uint8]:
    """Red, green, blue and opacity, the first line at the bottom; clear where a node doesn't
    load.
    """
    share = np.linspace(0.0, 1.0, _LEVELS)[:, None]
    soft, full = (
        np.array(c.getRgb(), dtype=float) for c in (theme.arm_soft(label), theme.arm(label))
    )
    ramp = (soft * (1 - share) + full * share).astype(np.uint8)
    # By the root: what is slow differs as much as what is fast.
    index = (np.sqrt(np.clip(np.nan_to_num(levels), 0.0, 1.0)) * (_LEVELS - 1)).astype(int)
    pixels: NDArray[np.uint8] = ramp[index]
    pixels[~np.isfinite(levels)] = 0
    return pixels
