"""Curves over time: those of A and B with their marks, where they end now, and further runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from modelmon.gui.plots.items import Line
from modelmon.gui.plots.pens import overlay_pen, series_pen
from modelmon.gui.plots.readout import Row, row_texts
from modelmon.gui.plots.scale import highest
from modelmon.gui.plots.timeline import timeline_of
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.chart import Chart
    from modelmon.gui.plots.header import Sample
    from modelmon.gui.plots.scale import YScale
    from modelmon.gui.plots.timeline import Floats, Timeline
    from modelmon.gui.session.notices import ArmLabel

_NOTHING: Floats = np.empty(0)
_NAN = float("nan")
_MOST_ROWS = 4
_DIAMONDS = 12
"""As many fit beside each other on the whole axis: the curve between them is seen."""


class Curve(NamedTuple):
    """Values in base units at seconds since the start."""

    seconds: Floats
    values: Floats

    def at(self, seconds: float) -> float:
        """The value there, nan where it has none."""
        if not len(self.seconds):
            return _NAN
        return float(np.interp(seconds, self.seconds, self.values, left=_NAN, right=_NAN))


def stepped(edges: Floats, values: Floats) -> Curve:
    """A curve that keeps each of n values between two of n + 1 edges."""
    return Curve(np.repeat(edges, 2)[1:-1], np.repeat(values, 2))


class Trace:
    """A curve of one arm, kept in base units and drawn on the plot's scale.

    B's has diamonds on it, so that the two differ without colour; where there are few values,
    each is marked.
    """

    def __init__(
        self,
        chart: Chart,
        label: ArmLabel,
        sample: Sample,
        *,
        is_main: bool,
    ) -> None:
        self.label = label
        self.is_main = is_main
        self.curve = Curve(_NOTHING, _NOTHING)
        self.is_known = False
        """Whether it has any value; a figure that a platform lacks has none."""
        self.most = 0.0
        """The highest value, 0 without any."""
        self.visible = True
        self._points = False
        self._chart, self._sample = chart, sample
        self.line = Line(chart, z=20 if label == "B" else 10, diamonds=label == "B")
        chart.laid_out.connect(self._mark)

    def set_curve(self, seconds: Floats, values: Floats, *, points: bool = False) -> None:
        """The curve from now on; `points` marks each value, where there are few."""
        self.curve = Curve(seconds, values)
        self.is_known = bool(np.isfinite(values).any())
        self.most = highest(values)
        self._points = points

    def draw(self, scale: YScale, *, is_smooth: bool) -> None:
        """Show the curve on `scale`; `is_smooth`, as those that don't grow, its edges cost more."""
        look = series_pen(self._sample, manager().theme.arm(self.label))
        self.line.set_pen(look, antialiased=is_smooth and self.is_main)
        # A figure that this platform lacks is nothing to draw, not a row of gaps.
        seconds, values = self.curve if self.is_known else (_NOTHING, _NOTHING)
        self.line.set_data(seconds, scale.place(values))
        self._mark()

    def set_visible(self, *, visible: bool) -> None:
        """Show or hide it."""
        if visible != self.visible:
            self.visible = visible
            self.line.setVisible(visible)

    def set_opacity(self, share: float) -> None:
        """Paler while another run is what one watches."""
        if share != self.line.opacity():
            self.line.setOpacity(share)

    def _mark(self) -> None:
        x, y = self.line.at_x, self.line.at_y
        if self._points:
            self.line.set_marks(x, y)
        elif self.label == "B" and len(x):
            low, high = self._chart.x_range
            step = (high - low) / _DIAMONDS
            # They stay where they are while the curve grows.
            places = (np.floor(low / step) + np.arange(_DIAMONDS + 1) + 0.5) * step
            places = places[(places > x[0]) & (places < x[-1])]
            self.line.set_marks(places, np.interp(places, x, y))
        elif not self.line.marks.isEmpty():
            self.line.set_marks(_NOTHING, _NOTHING)


@dataclass(frozen=True, slots=True, eq=False)
class OverlaidRun:
    """A run to be drawn beside A and B; `style` counts its colour and dashes from 0."""

    name: str
    record: RunRecord
    style: int


class Overlays:
    """One thin line for each overlaid run; it shows what the plot is mainly about."""

    def __init__(self, chart: Chart, curve_of: Callable[[RunRecord, Timeline], Curve]) -> None:
        """`curve_of` reads the curve of a run from its record and its samples as columns."""
        self._chart = chart
        self._curve_of = curve_of
        self.lines: dict[OverlaidRun, Line] = {}
        self.curves: dict[OverlaidRun, Curve] = {}
        self.visible = True

    @property
    def most(self) -> float:
        """The highest value of all, 0 without any."""
        return max((highest(curve.values) for curve in self.curves.values()), default=0.0)

    @property
    def end_s(self) -> float:
        """The time that the longest run covers."""
        return max((run.record.t_ns / 1e9 for run in self.curves), default=0.0)

    def set_runs(self, runs: Sequence[OverlaidRun]) -> None:
        """Show these runs; those that were there before are not read again."""
        for run in [run for run in self.curves if run not in runs]:
            self._chart.remove(self.lines.pop(run))
            del self.curves[run]
        for run in runs:
            if run not in self.curves:
                timeline = timeline_of(run.record)
                timeline.take(run.record.samples)
                self.curves[run] = self._curve_of(run.record, timeline)
                # Under A and B, over areas.
                self.lines[run] = Line(self._chart, z=5)

    def draw(self, scale: YScale) -> None:
        """Show the curves on `scale`."""
        for run, curve in self.curves.items():
            known = bool(np.isfinite(curve.values).any())
            seconds, values = curve if known else (_NOTHING, _NOTHING)
            self.lines[run].set_pen(overlay_pen(manager().theme, run.style))
            self.lines[run].set_data(seconds, scale.place(values))
            self.lines[run].setVisible(self.visible)

    def set_visible(self, *, visible: bool) -> None:
        """Show or hide them all."""
        self.visible = visible
        for line in self.lines.values():
            line.setVisible(visible)

    def rows(
        self, keys: list[str], main: str, seconds: float, text: Callable[[float], str]
    ) -> list[Row]:
        """Values at a moment, in the column of `main`; the box has no room for many runs."""
        if main not in keys:
            return []
        rows, colours = [], manager().theme.overlays
        for run, curve in list(self.curves.items())[:_MOST_ROWS]:
            values = [curve.at(seconds) if key == main else _NAN for key in keys]
            colour = colours[run.style % len(colours)].name()
            rows.append(Row(run.name, row_texts(values, text), colour))
        return rows
