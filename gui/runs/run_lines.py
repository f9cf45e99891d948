"""Runs as the table shows them: of the history, of this window, or both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.strategies import strategy_text
from modelmon.core.units import size_text
from modelmon.core.worker.run_warnings import VERIFIED
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.run_words import cache_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.result import RunFigures
    from modelmon.gui.session.session import Run

_STARTS = {
    "cold": mark("Cold"),
    "warm": mark("Warm"),
    "mixed": mark("Partly cached"),
    "cold-here": mark("Cold here, server unknown"),
    "cached-below": mark("Cold here, cached below"),
}
_HERE = mark("This window")
_UNKNOWN = mark("Unknown")


def start_text(state: str) -> str:
    """What a run started from."""
    return tr(_STARTS.get(state, _UNKNOWN))


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
    def key(self) -> tuple[str, int]:
        """What it is known by: `history` and its number there, or `window` and its number here."""
        if self.row is not None:
            return "history", self.row.id
        return "window", self.run.number if self.run is not None else 0

    @property
    def has_events(self) -> bool:
        """Whether there is a record of it that can be shown."""
        return self.run is not None or (self.row is not None and self.row.events_file is not None)


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
        where = f"{_machine_text(row)}, {where}"
    if elsewhere:
        where = tr("{elsewhere}: {where}", elsewhere=elsewhere, where=where)
    # Runs that were made to verify were not always told why they do not count.
    standing = _standing(row, row.why_not or VERIFIED.message)
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
    start, standing = tr(_UNKNOWN), tr("Not finished")
    if failed is not None:
        standing = tr("Failed: {why}", why=failed.message)
    elif run.result is not None:
        start = start_text(run.result.start)
        standing = _standing(run.result, run.result.why_not)
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


def _standing(figures: RunFigures, why_not: str) -> str:
    """Whether a run counts and how that is known, or why not."""
    if figures.counts:
        return tr("Counts: {start}", start=cache_text(figures).lower())
    return said(why_not) or tr("Not counted")


def _machine_text(row: RunRow) -> str:
    memory = tr("{size} RAM", size=size_text(row.ram_bytes)) if row.ram_bytes else ""
    parts = (row.cpu_model, tr("{count} CPUs", count=row.cpu_count), memory)
    return ", ".join(filter(None, parts))


def _searched(*texts: str) -> str:
    return "\n".join(texts).casefold()


def _elsewhere(row: RunRow, here: Place) -> str:
    if row.is_imported:
        return tr("Imported")
    if row.machine_id != here.machine_id:
        return tr("Another machine")
    return "" if here.storage_id in (None, row.storage_id) else tr("Another disk")
