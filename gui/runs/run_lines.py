"""Runs as the tree shows them: of the history, of this window, or both; and its columns: what each
says of a run, and what it is sorted by.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.explain import glossary
from modelmon.core.export.history_items import machine_text
from modelmon.core.export.items import UNKNOWN
from modelmon.core.export.run_items import START_WORDS
from modelmon.core.history.groups import without_follow_ups
from modelmon.core.load.strategies import strategy_text
from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.run_words import cache_text, time_of_part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.result import RunFigures
    from modelmon.gui.session.session import Run

    Sorted = tuple[float, str]

_HERE = mark("This window")


def start_text(state: str) -> str:
    """What a run started from."""
    return said(START_WORDS.get(state, UNKNOWN)).capitalize()


Key = tuple[str, int]


class Place(NamedTuple):
    """A machine and a storage of it, by their ids; without a storage any of the machine."""

    machine_id: str
    storage_id: str | None = None


@dataclass(frozen=True, slots=True)
class RunLine:
    """One row of the table. `row` is None for a run that the history does not have, `run` for
    one of another session.

    `elsewhere` says why the run is not of the open model's place; it is empty for those that
    are. `searched` is what a word is looked for in.
    """

    row: RunRow | None
    run: Run | None
    started_unix_s: float
    model: str
    strategy: str
    arm: str
    start: str
    standing: str
    where: str
    searched: str
    elsewhere: str = ""

    @property
    def figures(self) -> RunFigures | None:
        """What was measured, as the history or the run has it; None where it did not finish."""
        if self.row is not None:
            return self.row
        return self.run.result if self.run is not None else None

    @property
    def counts(self) -> bool:
        """Whether it can be ranked."""
        return self.figures is not None and self.figures.counts

    @property
    def name(self) -> str:
        """What the user calls it."""
        return self.row.name if self.row is not None else ""

    @property
    def starred(self) -> bool:
        """Whether the user marked it."""
        return self.row is not None and self.row.starred

    @property
    def key(self) -> Key:
        """What it is known by: `history` and its number there, or `window` and its number here."""
        if self.row is not None:
            return "history", self.row.id
        return "window", self.run.number if self.run is not None else 0

    @property
    def set_key(self) -> Key | None:
        """What the comparison or search is known by that it is of; None for a run alone."""
        if self.row is None or self.row.kind == "single":
            return None
        return "experiment", self.row.experiment_id

    @property
    def has_events(self) -> bool:
        """Whether there is a record of it that can be shown."""
        return self.run is not None or (self.row is not None and self.row.events_file is not None)


@dataclass(frozen=True, slots=True)
class RunSet:
    """The runs of one comparison or search, in the order of the table."""

    lines: tuple[RunLine, ...]

    @property
    def key(self) -> Key:
        """What it is known by."""
        key = self.lines[0].set_key
        assert key is not None
        return key

    @property
    def row(self) -> RunRow:
        """A run of it as the history has it, which says what all have in common."""
        row = self.lines[0].row
        assert row is not None
        return row

    @property
    def judged(self) -> list[RunLine]:
        """Those that its verdict rests on."""
        rows = [line.row for line in self.lines if line.row is not None]
        used = {row.id for row in without_follow_ups(rows)}
        return [line for line in self.lines if line.counts and line.key[1] in used]


def sets_of(lines: Iterable[RunLine]) -> list[RunLine | RunSet]:
    """Runs alone, and the runs of a comparison or search where the first of them is."""
    found: dict[Key, list[RunLine]] = {}
    for line in lines:
        found.setdefault(line.set_key or line.key, []).append(line)
    return [each[0] if each[0].set_key is None else RunSet(tuple(each)) for each in found.values()]


@dataclass(frozen=True, slots=True)
class LineFilter:
    """Which rows are wanted; an empty text wants all."""

    text: str = ""
    strategy: str = ""
    start: str = ""
    only_here: bool = True
    starred: bool = False

    def choose(self, lines: Iterable[RunLine]) -> list[RunLine]:
        """The rows that are wanted, wherever they were measured."""
        words = self.text.casefold().split()
        return [
            line
            for line in lines
            if (line.starred or not self.starred)
            and (not self.strategy or line.strategy == self.strategy)
            and (not self.start or line.start == self.start)
            and all(word in line.searched for word in words)
        ]


def line_of_row(row: RunRow, here: Place, run: Run | None = None) -> RunLine:
    """A run of the history; `here` is the open model's place, or this machine."""
    elsewhere = _elsewhere(row, here)
    where = row.storage_text
    if row.machine_id != here.machine_id:
        where = f"{said(machine_text(row))}, {where}"
    if elsewhere:
        where = tr("{elsewhere}: {where}", elsewhere=elsewhere, where=where)
    standing = _standing(row)
    return RunLine(
        row=row,
        run=run,
        started_unix_s=row.started_unix_s,
        model=row.model_name,
        strategy=row.strategy_text,
        arm=row.experiment,
        start=start_text(row.start),
        standing=standing,
        where=where,
        searched=_searched(
            row.name, row.model_name, row.strategy_text, row.experiment, where, standing
        ),
        elsewhere=elsewhere,
    )


def line_of_run(run: Run) -> RunLine:
    """A run of this window that the history does not have: it failed, or could not be kept."""
    hello, planned, failed = run.record.hello, run.record.planned, run.record.failed
    model = planned.model_name if planned is not None else ""
    strategy = strategy_text(hello.job.strategy, hello.job.config) if hello is not None else ""
    start, standing = start_text("unknown"), tr("Not finished")
    if failed is not None:
        standing = tr("Failed: {why}", why=failed.message)
    elif run.result is not None:
        start = start_text(run.result.start)
        standing = _standing(run.result)
    return RunLine(
        row=None,
        run=run,
        started_unix_s=hello.started_unix_s if hello is not None else 0.0,
        model=model,
        strategy=strategy,
        arm=run.label,
        start=start,
        standing=standing,
        where=tr(_HERE),
        searched=_searched(model, strategy, run.label, tr(_HERE), standing),
    )


def _standing(figures: RunFigures) -> str:
    """Whether a run counts and how that is known, or why not."""
    if figures.counts:
        return tr("Counts: {start}", start=cache_text(figures).lower())
    return said(figures.why_not) or tr("Not counted")


def _searched(*texts: str) -> str:
    return "\n".join(texts).casefold()


def _elsewhere(row: RunRow, here: Place) -> str:
    if row.is_imported:
        return tr("Imported")
    if row.machine_id != here.machine_id:
        return tr("Another machine")
    return "" if here.storage_id in (None, row.storage_id) else tr("Another disk")


ABSENT = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """How one column reads a run: its text, and what it is sorted by; None stands last. `of_set`
    is the text for all runs of a comparison.
    """

    title: str
    text: Callable[[RunLine], str]
    key: Callable[[RunLine], Sorted | None]
    tool_tip: str = ""
    right: bool = False
    of_set: Callable[[RunSet], str] = lambda _: ""


def _words(
    title: str,
    text: Callable[[RunLine], str],
    tool_tip: str = "",
    of_set: Callable[[RunSet], str] | None = None,
) -> Column:
    """A column of words; of a comparison it has what the runs of its verdict have in common."""

    def common(runs: RunSet) -> str:
        texts = {text(line) for line in runs.judged or runs.lines}
        return texts.pop() if len(texts) == 1 else ""

    def key(line: RunLine) -> Sorted | None:
        said = text(line)
        return (0.0, said.casefold()) if said else None

    return Column(title, text, key, tool_tip, of_set=of_set or common)


def _figure(
    title: str,
    value: Callable[[RunFigures], float | None],
    shown: Callable[[float], str],
    tool_tip: str,
    *,
    of_whole: bool = False,
) -> Column:
    """A column of figures; one that a platform lacks shows a dash. So does that of a part of the
    model in a column `of_whole` loads. A comparison has the least and the most of its runs that
    count.
    """

    def known(line: RunLine) -> float | None:
        run = line.figures
        if run is None or (of_whole and run.part_share is not None):
            return None
        return value(run)

    def text(line: RunLine) -> str:
        figure = known(line)
        return ABSENT if figure is None else shown(figure)

    def key(line: RunLine) -> Sorted | None:
        figure = known(line)
        return None if figure is None else (figure, "")

    def span(runs: RunSet) -> str:
        figures = [figure for line in runs.judged if (figure := known(line)) is not None]
        ends = dict.fromkeys((shown(min(figures)), shown(max(figures)))) if figures else ()
        return "–".join(ends)

    return Column(title, text, key, tool_tip, right=True, of_set=span)


def _part(line: RunLine) -> str:
    run = line.figures
    if run is None or run.part_share is None:
        return ""
    return time_of_part(duration_text(run.wall_ns), run)


def _time_of_part(line: RunLine) -> Sorted | None:
    run = line.figures
    return None if run is None or run.part_share is None else (run.wall_ns, "")


def _star(line: RunLine) -> str:
    return "★" if line.starred else "☆" if line.row is not None else ""


def _when(line: RunLine) -> str:
    if not line.started_unix_s:
        return ABSENT
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(line.started_unix_s))


def _started(line: RunLine) -> Sorted | None:
    return (line.started_unix_s, "") if line.started_unix_s else None


def _set_name(runs: RunSet) -> str:
    """`Comparison: mmap, direct`; a search names only how many it has tried."""
    names = {line.row.label: line.strategy for line in runs.lines if line.row is not None}
    if runs.row.kind == "best":
        return tr("Find best: {count} strategies", count=len(names))
    return tr("Comparison: {names}", names=tr(", ").join(names[at] for at in sorted(names)))


def _set_standing(runs: RunSet) -> str:
    count = len(runs.lines)
    counted = tr("1 run") if count == 1 else tr("{count} runs", count=count)
    return counted if runs.row.state == "done" else tr("{runs}, not finished", runs=counted)


def _newest(runs: RunSet) -> str:
    return _when(max(runs.lines, key=lambda line: line.started_unix_s))


COLUMNS = (
    _words(mark("Strategy"), lambda line: line.strategy, of_set=_set_name),
    _figure(
        mark("Time"),
        lambda run: run.wall_ns,
        duration_text,
        glossary.RUN["Time"],
        of_whole=True,
    ),
    Column(
        mark("Part"),
        _part,
        _time_of_part,
        glossary.RUN["Part"],
    ),
    Column(
        "★",
        _star,
        lambda line: (float(not line.starred), ""),
        mark("Star"),
    ),
    Column(
        mark("Plot"),
        lambda _: "",
        lambda _: None,
        mark("Show the run next to A and B in the plots"),
    ),
    Column(mark("When"), _when, _started, of_set=_newest),
    _words(mark("Model"), lambda line: line.model),
    _figure(mark("Rate"), lambda run: run.bytes_per_s, rate_text, glossary.RUN["Rate"]),
    _words(mark("Start"), lambda line: line.start, glossary.RUN["Start"]),
    _words(
        mark("Where"),
        lambda line: line.where,
        mark("The disk, and the machine if it's another one"),
    ),
    _words(mark("Name"), lambda line: line.name, mark("Press F2 to name the run")),
    _figure(
        mark("I/O wait"),
        lambda run: run.io_wait_share,
        percent_text,
        glossary.RUN["I/O wait"],
    ),
    _figure(
        mark("Peak memory"),
        lambda run: run.peak_rss_bytes,
        size_text,
        glossary.RUN["Peak memory"],
        of_whole=True,
    ),
    _figure(
        mark("From disk"),
        lambda run: run.device_bytes,
        size_text,
        glossary.RUN["From storage"],
        of_whole=True,
    ),
    _words(
        mark("Experiment"),
        lambda line: line.arm,
        mark("Experiment and side (A or B), as modelmon history lists them"),
        of_set=lambda runs: f"x{runs.row.experiment_id}",
    ),
    _words(mark("Status"), lambda line: line.standing, of_set=_set_standing),
)
TITLES = tuple(column.title for column in COLUMNS)
RUN = 0
"""Stays when the others are scrolled, and has what is unfolded below it."""
STAR, OVERLAY, WHEN, MODEL, PART, WHERE, NAME = (
    TITLES.index(title)
    for title in (
        *("★", mark("Plot"), mark("When"), mark("Model")),
        *(mark("Part"), mark("Where"), mark("Name")),
    )
)
