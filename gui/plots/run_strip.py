"""A strip: every run a mark at its time, with the usual time and its range behind."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Literal

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QBrush, QFontMetricsF
from PySide6.QtWidgets import QSizePolicy

from modelmon.core.comparison.posterior import Time, of_one
from modelmon.core.comparison.run_validity import spoiling_in
from modelmon.core.comparison.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.comparison.verdict import arm_names
from modelmon.core.units import duration_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.explanations import STRIP
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.plots.saving import offer_picture
from modelmon.gui.plots.scale import tick_texts, ticks, wait_unit
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from PySide6.QtGui import QColor
    from PySide6.QtWidgets import QGraphicsItem

    from modelmon.core.comparison.result import Comparison, StrategySummary
    from modelmon.core.worker.result import RunFigures, RunResult
    from modelmon.gui.plots.chart import Ticks
    from modelmon.gui.session.notices import ArmLabel

WIDTH_PX = 400
_ROW_PX, _AXIS_PX = 22, 46
_MOST_NAME_PX = 130
_PX_PER_TICK = 45
_BOX_SHARE = 0.17
_MARK_PX, _USUAL_PX, _HOLLOW_PX = 8, 2.5, 1.4
_MOST_UP_PX = 7
_SYMBOLS: dict[ArmLabel, str] = {"A": "o", "B": "d"}

Kind = Literal["counted", "disturbed", "left-out"]

NOTES: dict[Kind, str] = {
    "disturbed": mark("disturbed"),
    "left-out": mark("not counted"),
}
_SIGNS: dict[Kind, str] = {
    "disturbed": mark("hollow: disturbed"),
    "left-out": mark("×: not counted"),
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
    """Runs of an arm, in its color and shape."""

    name: str
    label: ArmLabel
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
    name: str, label: ArmLabel, marks: Iterable[StripMark], time: Time | None = None
) -> StripRow:
    """A row with the usual time of the runs that count and, of enough of them, its likely range:
    by `time` where they were compared with others, else their median.
    """
    shown = tuple(marks)
    times = [each.time_ns for each in shown if each.kind != "left-out"]
    if not times:
        return StripRow(name, label, shown, None, None)
    usual_ns = time.middle_ns if time else median(times)
    if len(times) < MIN_PAIRS_FOR_INTERVAL or min(times) <= 0:
        return StripRow(name, label, shown, usual_ns, None)
    found = time or of_one(times)
    return StripRow(name, label, shown, usual_ns, (found.low_ns, found.high_ns))


def _mark_of(name: str, run: RunResult) -> StripMark:
    """A run with what is known of it."""
    disturbing = spoiling_in(run)
    why = [each.message for each in disturbing] if run.counts else [run.why_not]
    kind: Kind = "left-out" if not run.counts else "disturbed" if disturbing else "counted"
    lines = (f"{name}: {duration_text(run.timed_ns)}", *filter(None, map(said, why)))
    return StripMark(run.timed_ns, kind, "\n".join(lines))


def rows_of_comparison(comparison: Comparison) -> tuple[StripRow, ...]:
    """A and B, all runs of each in their order."""
    names = arm_names(comparison.arm_a, comparison.arm_b)
    return tuple(
        row_of(
            name,
            label,
            (
                _mark_of(tr("{name}, run {number}", name=name, number=number), run)
                for number, run in enumerate(comparison.runs(label), start=1)
            ),
            _time_in(comparison.arm(label)),
        )
        for label, name in zip(ARMS, names, strict=True)
    )


def _time_in(summed: StrategySummary) -> Time | None:
    """The usual time of a summary; None where an earlier version made it, or no run counts."""
    middle, low, high = summed.expected_ns, summed.expected_low_ns, summed.expected_high_ns
    return None if middle is None or low is None or high is None else Time(middle, low, high)


def title_of(comparison: Comparison) -> str:
    """What the times of a comparison are of."""
    titles = {_time_title(runs[0]) for runs in (comparison.runs_a, comparison.runs_b)}
    return titles.pop() if len(titles) == 1 else tr("load time")


def _time_title(run: RunFigures) -> str:
    if not run.is_program:
        return tr("load time")
    return tr("reading time") if run.timed == "reading" else tr("time until ready")


def span_of(rows: Sequence[StripRow]) -> tuple[float, float] | None:
    """From and to of an axis that holds the usual times and the runs that nothing disturbed, and of
    others and of the ranges what is near; None without any run.
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
    return max(0.0, low - margin), high + margin


class RunStrip(Chart):
    """Shows rows of runs on one axis; the tool tip names the run under the pointer, else all rows.

    A is round and B a diamond.
    """

    is_clear = True

    def __init__(self) -> None:
        super().__init__(zooms=False)
        self.rows: tuple[StripRow, ...] = ()
        self._unit = wait_unit(1.0)
        self._title: list[str] = []
        self._items: list[QGraphicsItem] = []
        self.x_ticks = self._ticks
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Times of all runs"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWhatsThis(tr(STRIP))
        offer_picture(self)
        self.laid_out.connect(self._draw)
        self.laid_out.connect(self._say_title)
        self._view.setCacheMode(self._view.CacheModeFlag.CacheNone)
        self._view.viewport().setAutoFillBackground(False)

    def show_rows(self, rows: Sequence[StripRow], title: str) -> None:
        """Show these; `title` says what the times are of."""
        self.rows = tuple(rows)
        about = "\n".join([*(row.text for row in rows), tr(STRIP)])
        self.setAccessibleDescription(about)
        self.setToolTip(about)
        span = span_of(rows)
        if span is not None:
            self._unit = wait_unit(span[1])
            self.set_x_range(*span)
        kinds = {each.kind for row in rows for each in row.marks}
        signs = [tr(sign) for kind, sign in _SIGNS.items() if kind in kinds]
        self._title = [f"{title}, {self._unit.name}", *signs]
        self._say_title()
        self.set_rows([_named(row) for row in rows])
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Room for all rows and the axis."""
        height = len(self.rows) * _ROW_PX + _AXIS_PX
        return QSize(round(WIDTH_PX * manager().scale), round(height * manager().scale))

    def minimumSizeHint(self) -> QSize:
        """A strip can be narrower, never lower."""
        return QSize(self.sizeHint().width() // 2, self.sizeHint().height())

    def _say_title(self) -> None:
        """What the times are of, and the signs that have room; the tool tip explains all."""
        metrics, said = QFontMetricsF(font(11)), self._title
        titles = ["; ".join(said[:count]) for count in range(len(said), 0, -1)]
        fitting = (each for each in titles if metrics.horizontalAdvance(each) <= self.width())
        title = next(fitting, titles[-1] if titles else "")
        if title != self.axes.title:
            self.axes.set_title(title)

    def _ticks(self, low: float, high: float, width_px: float) -> Ticks:
        size = self._unit.size
        values = ticks(low / size, high / size, max(2, int(width_px / _PX_PER_TICK)))
        return [(v * size, text) for v, text in zip(values, tick_texts(values), strict=True)]

    def _draw(self) -> None:
        for item in self._items:
            self.remove(item)
        self._items = []
        spots: list[dict[str, object]] = []
        for number, row in enumerate(self.rows):
            colour, top, bottom = manager().theme.arm(row.label), -number - 0.1, -number - 0.9
            if row.range_ns is not None:
                (low, high), edge = row.range_ns, pen(faded(colour, 0.6), 1)
                box = {"x0": [low], "x1": [high], "y0": [bottom], "y1": [top]}
                ground = QBrush(faded(colour, _BOX_SHARE))
                self._items.append(self.add(pg.BarGraphItem(**box, brush=ground, pen=edge)))
            if row.usual_ns is not None:
                usual, look = [row.usual_ns] * 2, pen(colour, _USUAL_PX)
                self._items.append(self.add(pg.PlotCurveItem(usual, [bottom, top], pen=look)))
            spots += self._spots(row, -number - 0.5, colour)
        # One item: of several, one that is left takes away what another says.
        marks = pg.ScatterPlotItem(
            spots,
            size=_MARK_PX,
            hoverable=True,
            tip=lambda **spot: str(spot["data"]),
            useCache=False,
        )
        self._items.append(self.add(marks))

    def _spots(self, row: StripRow, middle: float, colour: QColor) -> Iterator[dict[str, object]]:
        """Beside each other where they would hide each other; what is further off points there."""
        (low, high), (width_px, height_px) = self.x_range, self.size_px
        per_px = (high - low) / max(width_px, 1.0)
        inset, edge, fill = _MARK_PX / 2 * per_px, pen(colour, _HOLLOW_PX), QBrush(colour)
        usual = _SYMBOLS[row.label]
        x = np.clip([each.time_ns for each in row.marks], low + inset, high - inset)
        up_px = pg.pseudoScatter(x / per_px, spacing=_MARK_PX, shuffle=False, bidir=True)
        up = np.clip(up_px, -_MOST_UP_PX, _MOST_UP_PX) * len(self.rows) / max(height_px, 1.0)
        for at, each in enumerate(row.marks):
            beyond = "t3" if each.time_ns < low else "t2" if each.time_ns > high else ""
            is_hollow = each.kind == "disturbed"
            yield {
                "pos": (x[at], middle + up[at]),
                "symbol": beyond or ("x" if each.kind == "left-out" else usual),
                "pen": edge if is_hollow else None,
                "brush": None if is_hollow else fill,
                "data": each.text,
            }


def _named(row: StripRow) -> str:
    """Its name and the usual time."""
    room_px = _MOST_NAME_PX * manager().scale
    name = QFontMetricsF(font(11)).elidedText(row.name, Qt.TextElideMode.ElideMiddle, room_px)
    time = tr("none counted") if row.usual_ns is None else duration_text(row.usual_ns)
    return f"{name}  {time}"
