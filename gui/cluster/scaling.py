"""What all nodes get together, by how many there are: measured, fitted, and beyond."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QBrush

from modelmon.core.cluster.summary import ONE_NODE
from modelmon.core.units import duration_text, rate_text, two_figures
from modelmon.gui.cluster.cluster_words import nodes_text
from modelmon.gui.language import tr
from modelmon.gui.plots.canvas import Canvas
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.items import Area
from modelmon.gui.plots.legend import LegendEntry
from modelmon.gui.plots.line import Line
from modelmon.gui.plots.pens import faded, main_pen, pen
from modelmon.gui.plots.readout import Readout, Row
from modelmon.gui.plots.scale import data_unit
from modelmon.gui.plots.text_label import TextLabel, show_apart
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.cluster.result import ClusterArm
    from modelmon.core.cluster.scaling import Between
    from modelmon.gui.plots.axes import Ticks
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

_POINT_PX = 9
_STEPS = (1, 2, 5)
_PX_PER_TICK = 40
_ROOM = 0.08
_LOW_SHARE, _HIGH_SHARE = 0.3, 0.8
"""Words about an end that lies lower have no room below it, of one that lies higher none above."""
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
        self.canvas = Canvas(tr("nodes at once"))
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
        self.entries["ideal"].explain(tr("As if no node slowed another down."))
        self.entries["expected"].explain(tr("With more nodes than were measured."))
        for entry in self.entries.values():
            entry.toggled.connect(self._draw)
        self.fill(self.canvas)
        self.canvas.hovered.connect(self._on_hovered)
        self.canvas.left.connect(self.readout.hide)
        self.canvas.laid_out.connect(self._show_words)
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
        # Words about the higher end stand above it, those about the other one below.
        ends = {label: each.rate.value for label, each in beyond.items() if each is not None}
        top = max(ends, key=lambda label: ends[label], default="A")
        for label, curve in self.curves.items():
            arm = next((each for each in self._arms if each.way.label == label), None)
            further = beyond.get(label)
            curve.show(arm, further, unit, above=label == top)
        self._show_words()

    def _show_words(self) -> None:
        """Those for which there is room: the table of the ways has all of them."""
        curves = self.curves.values()
        words = (*(each.end_text for each in curves), *(each.knee_text for each in curves))
        told = {word for curve in curves for word in curve.told}
        show_apart((word for word in words if word in told), self.canvas)

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
        nodes = {point.nodes for arm in self._arms for point in arm.curve}
        nearest = min(nodes, key=lambda each: abs(_log10(each) - x), default=0)
        if not nearest or abs(_log10(nearest) - x) > _HOVERED:
            self.readout.hide()
            return
        rows = [
            Row(
                arm.way.label,
                (
                    rate_text(point.bytes_per_s),
                    duration_text(point.last_ns),
                    f"{point.runs}",
                ),
            )
            for arm in self._arms
            for point in arm.curve
            if point.nodes == nearest
        ]
        heading = nodes_text(nearest)
        columns = [tr("together"), tr("last ready"), tr("starts")]
        self.readout.show_rows(heading, columns, rows, self.canvas.to_px(x, y))


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

    def __init__(self, canvas: Canvas, label: ArmLabel) -> None:
        self._label = label
        self._range = Area(-1)
        canvas.add(self._range)
        self._knee_range = Area(-2)
        canvas.add(self._knee_range)
        self._canvas = canvas
        self._fit, self._expected, self._knee = (Line(canvas, z) for z in (1, 1, 1))
        symbol = "o" if label == "A" else "d"
        self._points = pg.ScatterPlotItem(size=_POINT_PX, pxMode=True, symbol=symbol)
        self._points.setZValue(3)
        self._end = pg.ScatterPlotItem(size=_POINT_PX, pxMode=True, symbol=symbol)
        self._end.setZValue(3)
        canvas.add(self._points)
        canvas.add(self._end)
        self.knee_text, self.end_text = TextLabel(canvas, 4), TextLabel(canvas, 4)
        self.told: list[TextLabel] = []
        """Those of the two that have something to tell."""

    def show(
        self, arm: ClusterArm | None, beyond: Beyond | None, unit: float, *, above: bool
    ) -> None:
        """Show this in units of `unit` bytes per second; None shows nothing. The words about the
        far end stand `above` it.
        """
        self.told = []
        for each in (self.knee_text, self.end_text):
            each.hide()
        empty = np.empty(0)
        points = [p for p in (arm.curve if arm is not None else ()) if p.bytes_per_s > 0]
        self._points.setData(
            [_log10(p.nodes) for p in points], [_log10(p.bytes_per_s / unit) for p in points]
        )
        self._end.setData([], [])
        for line in (self._fit, self._expected, self._knee):
            line.set_data(empty, empty)
        for area in (self._range, self._knee_range):
            area.set_curves(empty, empty, empty)
        scaling = arm.scaling if arm is not None else None
        if arm is None or scaling is None or not points:
            return
        most = points[-1].nodes
        x = np.unique(np.linspace(0.0, _log10(most), 60))
        knee = scaling.knee
        if knee is not None and 0 < _log10(max(knee.value, 1e-9)) < x[-1]:
            x = np.sort(np.append(x, _log10(knee.value)))
        rates = np.power(10.0, x) * scaling.per_node.value
        limit = scaling.shared.value if scaling.shared is not None else np.inf
        self._fit.set_data(x, np.log10(np.maximum(np.minimum(rates, limit) / unit, _LEAST)))
        if knee is not None and scaling.shared is not None:
            self._show_knee(knee, scaling.shared.value)
        if beyond is not None:
            self._show_beyond(beyond, most, float(np.minimum(rates, limit)[-1]), unit, above=above)

    def _show_knee(self, knee: Between, rate: float) -> None:
        low, high = self._canvas.y_range
        left, right = self._canvas.whole_x_range
        if knee.value < ONE_NODE:
            text = tr("limit {rate}: 1 node uses it up", rate=rate_text(rate))
        else:
            at, first, last = (_log10(max(v, 1e-3)) for v in (knee.value, knee.low, knee.high))
            self._knee.set_data(np.array([at, at + 1e-9]), np.array([low, high]))
            span = np.array([max(first, left), min(last, right)])
            self._knee_range.set_curves(span, np.full(2, low), np.full(2, high))
            text = tr(
                "limit {rate} from {knee} nodes ({low}–{high})",
                rate=rate_text(rate),
                knee=two_figures(knee.value),
                low=two_figures(knee.low),
                high=two_figures(knee.high),
            )
        self.knee_text.setText(text)
        # Below the curve there is room on the right.
        self.knee_text.place(right, low, (1.0, 2.1 if self._label == "A" else 1.0))
        self.told.append(self.knee_text)

    def _show_beyond(
        self, beyond: Beyond, most: int, rate: float, unit: float, *, above: bool
    ) -> None:
        x = np.array([_log10(most), _log10(beyond.nodes)])
        end = _log10(beyond.rate.value / unit)
        self._expected.set_data(x, np.array([_log10(rate / unit), end]))
        low, high = (_log10(max(v, 1.0) / unit) for v in (beyond.rate.low, beyond.rate.high))
        begin = _log10(rate / unit)
        self._range.set_curves(x, np.array([begin, low]), np.array([begin, high]))
        self._end.setData([x[-1]], [end])
        self.end_text.setText(tr("{rate}, extrapolated", rate=rate_text(beyond.rate.value)))
        bottom, top = self._canvas.y_range
        share = (end - bottom) / (top - bottom)
        above = (above or share < _LOW_SHARE) and share < _HIGH_SHARE
        self.end_text.place(x[-1], end, (1.0, 1.3 if above else -0.3))
        self.told.append(self.end_text)

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's colours."""
        colour = theme.arm(self._label)
        self._fit.set_pen(main_pen(theme, self._label), antialiased=True)
        self._expected.set_pen(pen(colour, 1.6, (4, 3)), antialiased=True)
        self._knee.set_pen(pen(colour, 1.0, (4, 3)), antialiased=False)
        self._range.filling = QBrush(faded(colour, 0.14))
        self._knee_range.filling = QBrush(faded(colour, 0.10))
        self._points.setPen(pen(theme.panel, 1.0))
        self._points.setBrush(QBrush(colour))
        self._end.setPen(pen(colour, 1.5))
        self._end.setBrush(QBrush(theme.panel))
        for each in (self.knee_text, self.end_text):
            each.set_colours(colour, faded(theme.panel, 0.85))


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
