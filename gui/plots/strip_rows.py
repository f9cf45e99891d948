"""What a strip shows: rows of runs, each a mark at its time, and the one axis for all of them."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Literal

from modelmon.core.comparison.posterior import Time, of_one
from modelmon.core.comparison.run_validity import spoiling_in
from modelmon.core.comparison.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.comparison.verdict import arm_names
from modelmon.core.units import duration_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.plots.scale import tick_texts, ticks, wait_unit
from modelmon.gui.plots.timeline import ARMS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.comparison.result import Comparison, StrategySummary
    from modelmon.core.find_best.result import Standing
    from modelmon.core.worker.result import RunFigures, RunResult
    from modelmon.core.worker.run_warnings import RunWarning
    from modelmon.gui.session.notices import ArmLabel

Kind = Literal["counted", "disturbed", "left-out"]

NOTES: dict[Kind, str] = {
    "disturbed": mark("disturbed"),
    "left-out": mark("not counted"),
}
_FAR_SPANS = 2.0
"""A run further off than so many times what the others span is drawn at the edge: else these
could not be told apart.
"""
_MARGIN_SHARE = 0.06
_LEAST_MARGIN_SHARE = 0.01
"""Of the longest time: runs next to each other are no reason to tell billionths apart."""


@dataclass(frozen=True, slots=True)
class StripMark:
    """One run; `text` says which, and what was wrong with it."""

    time_ns: float
    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class StripRow:
    """Runs of one kind, in the color and shape of an arm or of a further run by its number."""

    name: str
    hue: ArmLabel | int
    marks: tuple[StripMark, ...]
    usual_ns: float | None
    range_ns: tuple[float, float] | None

    @property
    def text(self) -> str:
        """The row in words."""
        parts = []
        if self.usual_ns is not None:
            parts.append(tr("usually {time}", time=duration_text(self.usual_ns)))
        if self.range_ns is not None:
            low, high = map(duration_text, self.range_ns)
            parts.append(tr("likely {low} to {high}", low=low, high=high))
        counted = sum(each.kind != "left-out" for each in self.marks)
        parts.append(tr("1 run") if counted == 1 else tr("{count} runs", count=counted))
        for kind, note in NOTES.items():
            if count := sum(each.kind == kind for each in self.marks):
                parts.append(tr("{count} {note}", count=count, note=tr(note)))
        return tr("{name}: {figures}", name=self.name, figures=tr(", ").join(parts))


def row_of(
    name: str, hue: ArmLabel | int, marks: Iterable[StripMark], time: Time | None = None
) -> StripRow:
    """A row with the usual time of the runs that count and, of enough of them, its likely range:
    by `time` where they were compared with others, else their median.
    """
    shown = tuple(marks)
    times = [each.time_ns for each in shown if each.kind != "left-out"]
    if not times:
        return StripRow(name, hue, shown, None, None)
    usual_ns = time.middle_ns if time else median(times)
    if len(times) < MIN_PAIRS_FOR_INTERVAL or min(times) <= 0:
        return StripRow(name, hue, shown, usual_ns, None)
    found = time or of_one(times)
    return StripRow(name, hue, shown, usual_ns, (found.low_ns, found.high_ns))


def mark_of(figures: RunFigures, name: str, disturbing: Sequence[RunWarning]) -> StripMark:
    """A run with what is known of it."""
    why = [each.message for each in disturbing] if figures.counts else [figures.why_not]
    kind: Kind = "left-out" if not figures.counts else "disturbed" if disturbing else "counted"
    lines = (f"{name}: {duration_text(figures.timed_ns)}", *filter(None, map(said, why)))
    return StripMark(figures.timed_ns, kind, "\n".join(lines))


def row_of_runs(
    name: str, hue: ArmLabel | int, runs: Iterable[RunResult], time: Time | None = None
) -> StripRow:
    """All runs of a strategy, in their order."""
    return row_of(
        name,
        hue,
        [
            mark_of(run, tr("{name}, run {number}", name=name, number=number), spoiling_in(run))
            for number, run in enumerate(runs, start=1)
        ],
        time,
    )


def rows_of_comparison(comparison: Comparison) -> tuple[StripRow, ...]:
    """A and B."""
    names = arm_names(comparison.arm_a, comparison.arm_b)
    return tuple(
        row_of_runs(name, label, comparison.runs(label), time_in(comparison.arm(label)))
        for label, name in zip(ARMS, names, strict=True)
    )


def time_in(summed: StrategySummary | Standing) -> Time | None:
    """The usual time of a summary; None where an earlier version made it, or no run counts."""
    middle, low, high = summed.expected_ns, summed.expected_low_ns, summed.expected_high_ns
    return None if middle is None or low is None or high is None else Time(middle, low, high)


def title_of(comparison: Comparison) -> str:
    """What the times of a comparison are of."""
    return times_title((comparison.runs_a[0], comparison.runs_b[0]))


def times_title(runs: Sequence[RunFigures]) -> str:
    """What the times of these runs are of, one of each strategy."""
    titles = {_time_title(run) for run in runs}
    return titles.pop() if len(titles) == 1 else tr("load time")


def _time_title(run: RunFigures) -> str:
    if not run.is_program:
        return tr("load time")
    return tr("reading time") if run.timed == "reading" else tr("time until ready")


@dataclass(frozen=True, slots=True)
class TimeAxis:
    """From `low_ns` to `high_ns`, with ticks and their texts in `unit`."""

    unit: str
    low_ns: float
    high_ns: float
    ticks: tuple[tuple[float, str], ...]

    def share(self, time_ns: float) -> float:
        """Where a time stands between the ends; one beyond them at an end."""
        held = min(max(time_ns, self.low_ns), self.high_ns)
        return (held - self.low_ns) / (self.high_ns - self.low_ns)

    def beyond(self, time_ns: float) -> Literal["left", "right", ""]:
        """At which end a time is that lies further off."""
        return "left" if time_ns < self.low_ns else "right" if time_ns > self.high_ns else ""


def axis_of(rows: Sequence[StripRow], most_ticks: int) -> TimeAxis | None:
    """An axis that holds the usual times and the runs that nothing disturbed, and of others and of
    the ranges what is near; None without any run.
    """
    marks = [each for row in rows for each in row.marks]
    if not marks:
        return None
    held = [each.time_ns for each in marks if each.kind == "counted"]
    held += [row.usual_ns for row in rows if row.usual_ns is not None]
    held = held or [each.time_ns for each in marks]
    low, high = min(held), max(held)
    far = (high - low) * _FAR_SPANS or high
    others = [each.time_ns for each in marks]
    others += [end for row in rows for end in row.range_ns or ()]
    near = [time_ns for time_ns in others if low - far <= time_ns <= high + far]
    low, high = min([low, *near]), max([high, *near])
    margin = max((high - low) * _MARGIN_SHARE, high * _LEAST_MARGIN_SHARE, 1.0)
    low, high = max(0.0, low - margin), high + margin
    unit = wait_unit(high)
    values = ticks(low / unit.size, high / unit.size, most_ticks)
    texts = zip((value * unit.size for value in values), tick_texts(values), strict=True)
    return TimeAxis(unit.name, low, high, tuple(texts))
