"""What all nodes get together, by how many there are: measured, fitted, and beyond."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QBrush

from modelmon.core.cluster.summary import ONE_NODE
from modelmon.core.units import duration_text, rate_text
from modelmon.gui.cluster.cluster_words import nodes_text
from modelmon.gui.language import tr
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.header import LegendEntry
from modelmon.gui.plots.items import Area, Line
from modelmon.gui.plots.pens import faded, main_pen, pen
from modelmon.gui.plots.readout import Readout, Row
from modelmon.gui.plots.scale import data_unit
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.cluster.result import ClusterArm
    from modelmon.core.cluster.scaling import Between
    from modelmon.gui.plots.chart import Ticks
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

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

    def __init__(self) -> None:
        super().__init__(
            tr("Scaling"), tr("Rates of 1, 2, 4, … nodes, once they were measured"), framed=True
        )
        self.can_hide = False
        self.canvas = Chart(tr("nodes at once"))
        self.canvas.x_ticks = self._x_ticks
        self.readout = Readout(self.canvas)
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
        self.entries["limit"].explain(tr("From how many nodes on they use up what all share."))
        self.entries["ideal"].explain(tr("As if no node slowed another down."))
        self.entries["expected"].explain(tr("With more nodes than were measured."))
        for entry in self.entries.values():
            entry.toggled.connect(self._draw)
        self.fill(self.canvas)
        self.canvas.hovered.connect(self._on_hovered)
        self.canvas.left.connect(self.readout.hide)
        self.apply_theme(manager().theme)

    def show_arms(self, arms: Sequence[ClusterArm]) -> None:
        """Show what the ways came to; arms without a start are left out."""
        self._arms = [arm for arm in arms if arm.curve and arm.curve[0].nodes]
        self.show_empty(empty=not self._arms)
        self._draw()

    def apply_theme(self, theme: Theme) -> None:
        """Redraw in the theme's colours."""
        super().apply_theme(theme)
        self.canvas.apply_theme(theme)
        self._ideal.set_pen(pen(theme.text_2, 1.2, (2, 3)), antialiased=False)
        for curve in self.curves.values():
            curve.apply_theme(theme)

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
        self.canvas.axes.set_title("left", tr("{unit}/s together", unit=self._unit.name))
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

    def _on_hovered(self, x: float, y: float) -> None:
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
            self.readout.hide()
            return
        shown = [Row(label, texts) for (nodes, label), texts in rows.items() if nodes == nearest]
        columns = [tr("together"), tr("last ready"), tr("starts")]
        at = self.canvas.to_px(x, y)
        self.readout.show_rows(nodes_text(nearest), columns, shown, at)


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

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's colours."""
        colour = theme.arm(self._label)
        self._fit.set_pen(main_pen(theme, self._label), antialiased=True)
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
