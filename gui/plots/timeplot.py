"""What the plots over time share: two arms, growing axes, a crosshair with values."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from PySide6.QtCore import Signal

from modelmon.core.export.csv_tables import csv_table
from modelmon.core.units import percent_text
from modelmon.core.worker.curves import mean_between
from modelmon.core.worker.run_warnings import FEW_SAMPLES
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.frame import RunsPlot
from modelmon.gui.plots.header import LegendEntry
from modelmon.gui.plots.items import Dots
from modelmon.gui.plots.readout import Inspector, arm_rows
from modelmon.gui.plots.scale import Unit, linear
from modelmon.gui.plots.time_range import RangeSelector, TimeChart, TimeRange
from modelmon.gui.plots.timeline import ARMS, timeline_of, value_of
from modelmon.gui.plots.traces import Curve, Overlays, Trace
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from PySide6.QtGui import QShowEvent

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.header import Sample
    from modelmon.gui.plots.readout import Row
    from modelmon.gui.plots.scale import YScale
    from modelmon.gui.plots.timeline import Floats, Timeline
    from modelmon.gui.plots.traces import OverlaidRun
    from modelmon.gui.session.notices import ArmLabel

TIME_TITLE = mark("time since start")
NOTHING = "–"
_ABOUT = "≈\N{NO-BREAK SPACE}"
_EARLIER_OPACITY = 0.55


class TimePlot(RunsPlot):
    """A plot over seconds since the start. A new one says its `fields` (figures of a sample), its
    series by `add_series`, `wanted_scale` and `value_text`, and stands in `PlotRow.by_key`.

    `crosshair_moved` carries seconds, or None when the pointer leaves, as `show_crosshair` of
    other plots takes them; `view_changed` the part of the time axis that the user zoomed to.
    """

    fields: ClassVar[tuple[str, ...]]
    tells_few_samples: ClassVar[bool] = False

    crosshair_moved = Signal(object)
    view_changed = Signal(float, float)

    def __init__(self, title: str, empty_text: str) -> None:
        super().__init__(title, empty_text, framed=True)
        self.canvas = TimeChart()
        self.zoom_to = self.canvas.zoom_to
        self.traces: dict[tuple[ArmLabel, str], Trace] = {}
        self.overlays = Overlays(self.canvas, self.main_curve)
        self.scale = linear(Unit("", 1.0), 1.0)
        self.inspector = Inspector(self.canvas, self._heights_at, self.values_at)
        self._columns: dict[str, Callable[[Timeline], Floats]] = {}
        self._tells_of_range = False
        self._missing: set[str] = set()
        self._heads = Dots(self.canvas, z=35)
        self.fill(self.canvas)
        self.inspector.moved.connect(self.crosshair_moved)
        self.canvas.zoomed.connect(self.view_changed)

    def add_series(
        self,
        key: str,
        name: str,
        sample: Sample,
        column: Callable[[Timeline], Floats] | None = None,
        *,
        is_optional: bool = False,
    ) -> None:
        """A series with its legend entry, drawn as its `sample`, and where it is a curve, what
        `column` reads from samples. The first is what the plot is mainly about.
        """
        entry = LegendEntry(name, sample, is_optional=is_optional)
        self.add_entry(key, entry)
        entry.toggled.connect(self.renew)
        if column is not None:
            self._columns[key] = column
            is_main = not self.traces
            for label in ARMS:
                self.traces[label, key] = Trace(self.canvas, label, sample, is_main=is_main)

    def load_curves(self, label: ArmLabel) -> None:
        """Give the traces of one arm their curves."""
        timeline = self.timeline(label)
        few = len(timeline) < FEW_SAMPLES
        for key, column in self._columns.items():
            values = column(timeline) if len(timeline) else np.empty(0)
            self.traces[label, key].set_curve(timeline.seconds, values, points=few)

    def main_curve(self, record: RunRecord, timeline: Timeline) -> Curve:
        """What the plot is about, of any run: the first of its series, if it has one for all."""
        del record
        column = next(iter(self._columns.values()), None)
        empty = np.empty(0)
        return Curve(empty, empty) if column is None else Curve(timeline.seconds, column(timeline))

    def wanted_scale(self) -> YScale:
        """The y axis that the curves need."""
        raise NotImplementedError

    def value_text(self, value: float) -> str:
        """A value with its unit."""
        raise NotImplementedError

    def unit_text(self) -> str:
        """What the y axis figures."""
        return self.scale.unit.name

    def difference_text(self, value: float) -> str:
        """A difference with sign and unit: of shares in points of percent."""
        if self.value_text(value) == percent_text(value):
            return tr("{points} points", points=f"{value * 100:+.0f}".replace("-", "−"))
        return f"{'−' if value < 0 else '+'}{self.value_text(abs(value))}"

    def range_text(self, label: ArmLabel, record: RunRecord, seconds: tuple[float, float]) -> str:
        """What the plot is mainly about between two moments: its mean, where that says it."""
        del record
        curve = next(each.curve for (arm, _), each in self.traces.items() if arm == label)
        values = [float(value) if np.isfinite(value) else None for value in curve.values]
        found = mean_between(pairwise([0.0, *curve.seconds]), values, *seconds)
        return NOTHING if found is None else self.value_text(found)

    def whole_text(self, label: ArmLabel, record: RunRecord) -> str:
        """The same of the whole load."""
        return self.range_text(label, record, (0.0, record.t_ns / 1e9))

    def why_missing(self, key: str) -> str:
        """Why a series has no figures here."""
        return tr("{series}: unknown here.", series=self.entries[key].text())

    def draw_areas(self, label: ArmLabel) -> None:
        """Draw what of an arm is not a curve, after its samples or the scale have changed."""

    def after_draw(self) -> None:
        """Draw what is not a curve."""

    def value(self, label: ArmLabel, key: str, seconds: float) -> float:
        """The value of a series at a moment, nan where it has none."""
        return self.traces[label, key].curve.at(seconds)

    def shown_series(self) -> list[str]:
        """The series whose values the crosshair gives: levels say the same at any time."""
        curves = dict.fromkeys(key for _, key in self.traces)
        return [key for key in curves if self.entries[key].isChecked()]

    def show_visible(self) -> None:
        """Show what belongs to the shown arms and series, hide the rest."""
        for (label, key), trace in self.traces.items():
            trace.set_visible(visible=self.is_shown(label, key))
        self.overlays.set_visible(visible=next(iter(self.entries.values())).isChecked())
        self._show_heads()

    def set_stacked(self, *, stacked: bool, is_last: bool = True) -> None:
        """Stand among others that have the same time axis, which the last of them figures; or by
        itself.
        """
        self.set_upright(upright=stacked)
        self.canvas.axes.set_figured(figured=is_last)
        self.canvas.lay_out()

    def timeline(self, label: ArmLabel) -> Timeline:
        """The samples of an arm's run as columns."""
        return timeline_of(self.records[label])

    def state(self) -> dict[str, object]:
        """What both records have gained, read into columns."""
        found: dict[str, object] = {}
        for label, record in self.records.items():
            timeline = self.timeline(label)
            if record is not None:
                timeline.take(record.samples)
            found[label] = record and (record, timeline.seen_ns, record.state)
        return found

    def set_overlays(self, runs: Sequence[OverlaidRun]) -> None:
        """Draw these runs too, as thin lines beside A and B."""
        self.overlays.set_runs(runs)
        self.renew()

    def set_visible_arms(self, arms: Collection[ArmLabel]) -> None:
        """Show only these arms."""
        self.visible_arms = frozenset(arms)
        self.show_visible()
        self._say_unit()
        self.show_range()
        self.inspector.refresh()

    def follow_range(self, time_range: TimeRange) -> None:
        """Select and show ranges of time together with other plots."""
        self.time_range = time_range
        self.selector = RangeSelector(self.canvas, time_range)
        time_range.changed.connect(self.show_range)

    def show_range(self) -> None:
        """Say the figures of the selected range, and under the pointer those of the whole loads."""
        seconds = self.time_range.seconds
        if self.isHidden() or (seconds is None and not self._tells_of_range):
            return
        of_range: dict[ArmLabel, str] = {}
        of_whole: dict[ArmLabel, str] = {}
        for label in self._shown_arms():
            record = self.records[label]
            if seconds is not None and record is not None and record.t_ns:
                of_range[label] = self.range_text(label, record, seconds)
                of_whole[label] = self.whole_text(label, record)
        self._tells_of_range = bool(of_range)
        figures = tr(", ").join(named(of_whole).values())
        about = tr("{name}: {figures}", name=tr("whole load"), figures=figures)
        self.header.show_values(named(of_range), about)

    @property
    def shown_most(self) -> float:
        """The highest value of the series that the legend shows, and of overlaid runs."""
        shown = [
            trace.most for (_, key), trace in self.traces.items() if self.entries[key].isChecked()
        ]
        return max([self.overlays.most, *shown])

    @property
    def has_table(self) -> bool:
        """Every sample of the shown arms."""
        return True

    def csv_text(self) -> str:
        """One row for each sample of the shown arms, in base units. A figure that is not known
        stays empty; what counts from the start stays such a total, so that nothing is lost to
        rounding.
        """
        names = (field.replace(".", "_") for field in self.fields)
        return csv_table(
            ("run", "t_ns", *names),
            (
                (label, sample.t_ns, *(value_of(sample, field) for field in self.fields))
                for label in self._shown_arms()
                if (record := self.records[label]) is not None
                for sample in record.samples
            ),
        )

    def show_crosshair(self, seconds: float | None) -> None:
        """Put the line of another plot's crosshair at `seconds`, and say the main figure there in
        the header, where it covers nothing; None takes both away.
        """
        if seconds is None or self.is_empty:
            self.inspector.show(None)
            self.header.show_values({})
            self.show_range()
            return
        self.inspector.show(seconds)
        main = next((key for _, key in self.traces if self.entries[key].isEnabled()), "")
        values = {
            label: self.value(label, main, seconds)
            for label in self._shown_arms()
            if self._has_data(label) and main
        }
        self.header.show_values(
            named(
                {
                    label: NOTHING if np.isnan(value) else self.value_text(value)
                    for label, value in values.items()
                }
            )
        )

    def values_at(self, seconds: float) -> tuple[list[str], list[Row]]:
        """Names of the shown series, and a row of values per arm and for B − A."""
        keys = self.shown_series()
        values = {
            label: [self.value(label, key, seconds) for key in keys]
            for label in self._shown_arms()
            if self._has_data(label)
        }
        rows = arm_rows(values, self.value_text, self.difference_text)
        rows += self.overlays.rows(keys, next(iter(self.entries)), seconds, self.value_text)
        return [self.entries[key].text() for key in keys], rows

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what came while it was hidden."""
        super().showEvent(event)
        self.show_range()

    def is_shown(self, label: ArmLabel, key: str) -> bool:
        """Whether a series of an arm is to be seen."""
        return label in self.visible_arms and self.entries[key].isChecked()

    def opacity(self, label: ArmLabel) -> float:
        """Below 1 for a finished run while the other one is loading."""
        mine, other = self.records[label], self.records["B" if label == "A" else "A"]
        other_loads = other is not None and other.state == "loading"
        return _EARLIER_OPACITY if mine is not None and mine.done and other_loads else 1.0

    def _has_data(self, label: ArmLabel) -> bool:
        """Whether there is anything to draw."""
        record = self.records[label]
        return record is not None and (bool(record.samples) or record.finished is not None)

    def _shown_arms(self) -> list[ArmLabel]:
        return [label for label in ARMS if label in self.visible_arms]

    def _heights_at(self, seconds: float) -> list[tuple[ArmLabel, float]]:
        """Where the shown curves are at a moment, in axis units."""
        heights = [
            (each.label, self.scale.height(each.curve.at(seconds)))
            for each in self.traces.values()
            if each.visible
        ]
        return [(label, y) for label, y in heights if np.isfinite(y)]

    def _draw(self, stale: Collection[str]) -> None:
        arms = [label for label in ARMS if label in stale]
        for label in arms:
            self.load_curves(label)
        self._say_what_is_missing()
        ends = (record.t_ns / 1e9 for record in self.records.values() if record is not None)
        self.canvas.fit(max(self.overlays.end_s, *ends, 0.0))
        if self._fit_scale():
            arms = list(ARMS)
        self._say_unit()
        if len(arms) == len(ARMS):
            self.overlays.draw(self.scale)
        for (label, _), trace in self.traces.items():
            if label in arms:
                record = self.records[label]
                trace.draw(self.scale, is_smooth=record is not None and record.done)
            trace.set_opacity(self.opacity(label))
        for label in arms:
            self.draw_areas(label)
        self.after_draw()
        self.show_visible()
        self.show_range()
        self.inspector.refresh()

    def _show_heads(self) -> None:
        """A dot where each main curve of a run under way ends now."""
        ends: list[tuple[ArmLabel, float, float]] = []
        for trace in self.traces.values():
            record = self.records[trace.label]
            running = record is not None and not record.done
            if trace.is_main and trace.visible and running and len(trace.curve.seconds):
                y = self.scale.height(float(trace.curve.values[-1]))
                if np.isfinite(y):
                    ends.append((trace.label, float(trace.curve.seconds[-1]), y))
        self._heads.show_points(ends)

    def _say_what_is_missing(self) -> None:
        known = any(self._has_data(label) for label in ARMS) or bool(self.overlays.curves)
        missing = missing_series(self.traces)
        nothing = known and missing == {key for _, key in self.traces} and not self.overlays.most
        reason = self.why_missing(next(key for _, key in self.traces)) if nothing else ""
        if not known and any(record and not record.done for record in self.records.values()):
            reason = tr("No samples yet.")
        self.show_empty(empty=nothing or not known, reason=reason)
        for key in missing ^ self._missing:
            available = key not in missing
            self.entries[key].set_available(available=available, reason=self.why_missing(key))
        self._missing = missing

    def _say_unit(self) -> None:
        note = self._few_samples_note() if self.tells_few_samples else ""
        unit = self.unit_text()
        unit = tr("{unit}; {note}", unit=unit, note=note) if note else unit
        self.set_unit(unit)

    def _few_samples_note(self) -> str:
        """Which finished runs of the shown arms have so few samples that it must be said."""
        shown = ((label, self.records[label]) for label in self._shown_arms())
        few = [
            f"{manager().arm_text(label)} {len(record.samples)}"
            for label, record in shown
            if record is not None and record.done and len(record.samples) < FEW_SAMPLES
        ]
        return tr("few samples: {runs}", runs=", ".join(few)) if few else ""

    def _fit_scale(self) -> bool:
        scale = self.wanted_scale()
        if scale == self.scale:
            return False
        self.scale = scale
        self.canvas.set_y_axis(scale.low, scale.high, scale.ticks())
        return True


def sampled_text(figure: str) -> str:
    """A figure from looks now and then, so that nobody takes it for an exact one: `≈ 90%`."""
    return f"{_ABOUT}{figure}"


def named(texts: Mapping[ArmLabel, str]) -> dict[ArmLabel, str]:
    """`A 2.28` and `B 2.69 GB/s`: whose it is, and a unit that they share once."""
    units = {text.partition(" ")[2] for text in texts.values()}
    shared = f" {units.pop()}" if len(units) == 1 else ""
    last = list(texts)[-1:]
    return {
        label: ("" if manager().alone else f"{label} ")
        + (text if label in last else text.removesuffix(shared))
        for label, text in texts.items()
    }


def missing_series(traces: Mapping[tuple[ArmLabel, str], Trace]) -> set[str]:
    """Series for which runs were asked and none knew: a row of gaps, never of zeros."""
    asked, known = set(), set()
    for (_, key), trace in traces.items():
        if len(trace.curve.values):
            asked.add(key)
            if trace.is_known:
                known.add(key)
    return asked - known
