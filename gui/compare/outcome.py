"""What came of an arm, as its card shows it: a time, figures, and a sentence about them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from modelmon.core.explain.bottleneck import bottleneck_of, typical_bottleneck
from modelmon.core.explain.evidence import limits_seen
from modelmon.core.explain.glossary import RUN
from modelmon.core.explain.terms import phase_rows
from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.core.worker.curves import resident_bytes
from modelmon.core.worker.result import memory_meaning, middle_run
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.run_words import bottleneck_name
from modelmon.gui.session.session import LOADING, Activity
from modelmon.gui.session.watched_run import program_of
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, label, plain, restyle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent

    from modelmon.core.explain.evidence import Bottleneck
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.session.notices import ArmLabel, Tone
    from modelmon.gui.session.session import Session

ABSENT = "–"
_AVERAGED = 5
_GAP_PX = 12
_MOST_METRICS = 5
_WAITING = mark(
    "Percent of this load's readers that wait for storage, sampled. Lower is better, unless "
    "the disk is at its limit."
)
_MEMORY = mark("Memory (RSS) of the loading processes now, by the kernel.")
_RUNS_SO_FAR = mark(
    "Runs that are over, of those planned. Compare ends early once the result is clear."
)
_EARLIER = mark("These results are from earlier settings.")
_NOT_PLOTTED = mark("The plots show a recorded run, not these results.")
_UNCLEAR = mark("No clear bottleneck. This says nothing about which is faster.")
_COUNTING = mark("counted runs")
_ALIKE = {
    "cold": mark("cold runs"),
    "warm": mark("warm runs"),
    "mixed": mark("partly cached runs"),
    "unknown": mark("runs, cache state unknown"),
    "cold-here": mark("runs, cold here"),
}
"""What the runs are called that all started from the same state of the cache."""


class Metric(NamedTuple):
    """A figure with its unit, and below it what it is."""

    value: str
    name: str
    tool_tip: str = ""


@dataclass(frozen=True, slots=True)
class CardView:
    """Result and figures, where there are any, and in a `sentence` what to know of them: what held
    the loads back, or what is under way, or why there are none.
    """

    sentence: str
    about: str = ""
    result: str = ""
    metrics: tuple[Metric, ...] = ()
    tone: Tone = "plain"
    stale: bool = False
    result_tip: str = ""


def card_view(session: Session, arm: ArmLabel) -> CardView:
    """The card of one arm as the session stands."""
    results = session.results(arm)
    under_way = session.activity in LOADING
    takes_turns = session.activity is Activity.COMPARING
    if under_way and session.loading == arm:
        if results and takes_turns and not _is_timed(session.loading_record):
            return _so_far(session, arm, tr("Preparing"))
        return _loading(session.loading_record, len(results), session)
    failed = session.failure(arm)
    if failed is not None and not takes_turns:
        return CardView(said(failed.message), tone="bad")
    if not results:
        return CardView(tr("Waiting") if takes_turns and session.loading else tr("Not run yet"))
    if takes_turns:
        return _so_far(session, arm, tr("Waiting"))
    return _done(session, arm, results)


def _so_far(session: Session, arm: ArmLabel, sentence: str) -> CardView:
    """The arm's latest run, which the plots show, while its next one is not timed yet."""
    results = session.results(arm)
    view = _done(session, arm, results[-1:])
    kept = sum(result.counts for result in results)
    runs = Metric(_of(kept, max(session.repeats, kept)), tr("runs so far"), tr(_RUNS_SO_FAR))
    return CardView(sentence, result=view.result, metrics=(*view.metrics[:-1], runs))


def _is_timed(record: RunRecord | None) -> TypeGuard[RunRecord]:
    return record is not None and record.state in ("loading", "finished")


def _loading(record: RunRecord | None, runs: int, session: Session) -> CardView:
    if not _is_timed(record):
        return CardView(tr("Starting a new process"))
    latest = record.samples[-1] if record.samples else None
    taken_ns = record.clock_ns(time.monotonic_ns())
    rate = record.delivered_bytes * 1e9 / taken_ns if taken_ns else None
    rss = resident_bytes(latest) if latest else None
    total = session.repeats if session.activity is Activity.COMPARING else 1
    doing = tr("Loading {share}", share=percent_text(record.delivered_share))
    if record.done:
        doing = tr("Loaded")
    elif program_of(record) is not None and record.delivered_share == 1:
        doing = tr("Getting ready")
    return CardView(
        doing,
        result=duration_text(taken_ns),
        result_tip=said(RUN["Time"]),
        metrics=(
            Metric(_text(rate, rate_text), tr("throughput so far"), said(RUN["Rate"])),
            Metric(_text(rss, size_text), tr("memory now"), tr(_MEMORY)),
            Metric(_text(_waiting_share(record), percent_text), tr("I/O wait now"), tr(_WAITING)),
            Metric(_of(runs, max(total, runs)), tr("runs so far"), tr(_RUNS_SO_FAR)),
        ),
    )


def _waiting_share(record: RunRecord) -> float | None:
    """Of the last few samples: of one reader each is all or nothing."""
    last = record.samples[-_AVERAGED:]
    known = [each.waiting_share for each in last if each.waiting_share is not None]
    return sum(known) / len(known) if known else None


def _done(session: Session, arm: ArmLabel, results: Sequence[RunResult]) -> CardView:
    changed, elsewhere = session.changed_since(arm), arm in session.looked_at
    counting = [result for result in results if result.counts]
    shown = counting or list(results)
    state = shown[0].cache_state
    alike = all(result.cache_state == state for result in shown)
    middle = middle_run(shown) or shown[0]
    found = _bottleneck(session, arm, shown)
    sentence, tone, about = sentence_of(found), _tone(found), _about(found, middle)
    if not counting:
        sentence, tone, about = said(results[-1].why_not) or tr("Not counted"), "warn", ""
    if changed:
        sentence, tone, about = tr(_EARLIER), "plain", ""
    if elsewhere:
        sentence, tone, about = tr(_NOT_PLOTTED), "plain", ""
    return CardView(
        sentence,
        about,
        result=duration_text(median(result.timed_ns for result in shown)),
        result_tip="\n".join(
            filter(None, ("" if middle.is_program else said(RUN["Time"]), _phases_text(middle)))
        ),
        metrics=(
            *_part(shown[0]),
            _pace(shown),
            Metric(
                _median_text(shown, lambda result: result.peak_rss_bytes, size_text),
                tr("peak memory"),
                said(RUN["Peak memory"]),
            ),
            # Of the run that the plots show and the verdict speaks of.
            Metric(
                _text(middle.io_wait_share, percent_text),
                tr("I/O wait"),
                said(RUN["I/O wait"]),
            ),
            Metric(
                _of(len(counting), len(results)),
                tr(_ALIKE[state] if alike else _COUNTING),
                said(RUN["Runs"]),
            ),
        ),
        tone=tone,
        stale=changed or elsewhere,
    )


def _part(result: RunResult) -> tuple[Metric, ...]:
    """Of how much of the model the other figures are, where that is not all of it."""
    if result.part_share is None:
        return ()
    tip = ""
    if result.extrapolated:
        whole = duration_text(result.model_wall_ns)
        tip = tr("The whole model would take about {time}, extrapolated", time=whole)
    return (Metric(percent_text(result.part_share), tr("of the model"), tip),)


def _pace(results: Sequence[RunResult]) -> Metric:
    """How fast it loaded; of a program the time that the result is not of."""
    if not results[0].is_program:
        # Of the time above it, as tables have it: of two runs in the middle no run has that.
        middle_ns = median(result.timed_ns for result in results)
        return Metric(
            rate_text(results[0].load_bytes * 1e9 / middle_ns) if middle_ns else ABSENT,
            tr("throughput"),
            said(RUN["Rate"]),
        )
    if results[0].timed == "reading":
        until_ready = _median_text(results, lambda result: result.wall_ns, duration_text)
        return Metric(until_ready, tr("until ready"), tr("From its start, median of the runs"))
    return Metric(
        _median_text(
            results,
            lambda run: run.reading_ns if run.first_byte_ns is not None else None,
            duration_text,
        ),
        tr("reading"),
        tr("From the first to the last byte of the model, median of the runs"),
    )


def _bottleneck(session: Session, arm: ArmLabel, shown: Sequence[RunResult]) -> Bottleneck:
    """What held the middle run back: of a comparison what its verdict's details say."""
    comparison, results = session.comparison, session.results(arm)
    if comparison is not None:
        found = comparison.arm(arm).bottleneck
        compared = [run.timed_ns for run in comparison.runs(arm)]
        if found is not None and compared == [run.timed_ns for run in results]:
            return found
    limits = limits_seen(session.limits, session.loads_here)
    seen = session.loads_here
    return typical_bottleneck(shown, limits, seen) or bottleneck_of(shown[-1], limits, seen)


def sentence_of(found: Bottleneck) -> str:
    """Its clause about a load: `Waits for the disk 93% of the time`."""
    clause = said(found.clause)
    return f"{clause[:1].upper()}{clause[1:]}"


def _tone(found: Bottleneck) -> Tone:
    """A warning where settings can help."""
    return "warn" if found.saves_share > 0 else "plain"


def _about(found: Bottleneck, run: RunResult) -> str:
    """Its figures, and where the bytes are."""
    lines = (
        bottleneck_name(found),
        tr(_UNCLEAR) if found.kind == "undecided" else "",
        *(f"{said(figure.name)}: {said(figure.value)}" for figure in found.evidence),
        said(found.remedy),
        said(memory_meaning(run)),
    )
    return "\n".join(filter(None, lines))


def _of(count: int, total: int) -> str:
    return tr("{done} of {total}", done=count, total=total)


def _median_text(
    results: Sequence[RunResult],
    figure: Callable[[RunResult], float | None],
    text: Callable[[float], str],
) -> str:
    values = [value for result in results if (value := figure(result)) is not None]
    return text(median(values)) if values else ABSENT


def _text(value: float | None, text: Callable[[float], str]) -> str:
    return ABSENT if value is None else text(value)


def _phases_text(result: RunResult) -> str:
    """Where the time of a run went, in two lines."""
    rows = phase_rows(result)
    return "\n".join(tr("{name}: {value}", name=name, value=value) for name, value in rows)


class Outcome(QWidget):
    """Time and figures of an arm, as many as have room; its card has places for the sentence."""

    def __init__(self) -> None:
        super().__init__()
        self._view: CardView | None = None
        self.result = label("", "result")
        self.metrics = [_MetricLabel() for _ in range(_MOST_METRICS)]
        self.sentence = ElidedLabel("value")
        self.sentence_above = ElidedLabel("value", lines=2)
        self._row = in_row(self.result, spacing=_GAP_PX)
        for metric in self.metrics:
            self._row.addWidget(metric)
        self._row.addStretch(1)
        in_column(self._row, on=self)

    def show_view(self, view: CardView) -> None:
        """Show the card's state; costs nothing where that is what is shown."""
        if view == self._view:
            return
        self._view = view
        self.result.setText(view.result)
        self.result.setToolTip(plain(view.result_tip))
        self.result.setAccessibleDescription(view.result_tip)
        self.result.setVisible(bool(view.result))
        self.result.ensurePolished()
        restyle(self.result, stale=view.stale)
        for sentence in (self.sentence, self.sentence_above):
            sentence.set_whole(view.sentence)
            sentence.set_more(view.about)
            sentence.setAccessibleDescription(view.about)
            restyle(sentence, tone=view.tone)
        for metric, figure in zip(self.metrics, view.metrics, strict=False):
            metric.show_metric(figure, stale=view.stale)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as many figures as there is room for; a clipped figure would be a wrong one."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        known = len(self._view.metrics) if self._view is not None else 0
        width_px = -1
        # To show a part lays out what it is in, which may get another width by that.
        while width_px != self.width():
            width_px = self.width()
            room_px = width_px - self.result.sizeHint().width()
            for at, metric in enumerate(self.metrics):
                room_px -= _GAP_PX + metric.sizeHint().width()
                metric.setVisible(at < known and room_px >= 0)
                metric.updateGeometry()
        self._row.activate()


class _MetricLabel(QWidget):
    """A figure above its name."""

    def __init__(self) -> None:
        super().__init__()
        self._value = label("", "metric")
        self._name = label("", "hint")
        self._value.setAlignment(Qt.AlignmentFlag.AlignBottom)
        self._name.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._column = in_column(self._value, self._name, on=self, spacing=0)

    def show_metric(self, metric: Metric, *, stale: bool) -> None:
        """Show this, with what to know of it."""
        for part, text in ((self._value, metric.value), (self._name, metric.name)):
            part.ensurePolished()
            part.setText(text)
        restyle(self._value, stale=stale)
        self.setToolTip(plain(metric.tool_tip))
        self.setAccessibleName(f"{metric.name}: {metric.value}")
        self.setAccessibleDescription(metric.tool_tip)
        # The row asks for the new size at once, before Qt gets round to telling it.
        self._column.activate()
        self.updateGeometry()
