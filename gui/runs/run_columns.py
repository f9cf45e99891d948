"""The columns of the table of runs: what each says, and what it is sorted by."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.gui.language import mark
from modelmon.gui.session.run_words import time_of_part

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.worker.result import RunFigures
    from modelmon.gui.runs.run_lines import RunLine

    Key = tuple[float, str]

ABSENT = "–"


@dataclass(frozen=True, slots=True)
class Column:
    """How one column reads a run: its text, and what it is sorted by; None stands last."""

    title: str
    text: Callable[[RunLine], str]
    key: Callable[[RunLine], Key | None]
    tool_tip: str = ""
    right: bool = False


def _words(title: str, text: Callable[[RunLine], str], tool_tip: str = "") -> Column:

    def key(line: RunLine) -> Key | None:
        said = text(line)
        return (0.0, said.casefold()) if said else None

    return Column(title, text, key, tool_tip)


def _figure(
    title: str,
    value: Callable[[RunFigures], float | None],
    shown: Callable[[float], str],
    tool_tip: str,
    *,
    of_whole: bool = False,
) -> Column:
    """A column of figures; one that a platform lacks shows a dash. So does that of a part of the
    model in a column `of_whole` loads.
    """

    def known(line: RunLine) -> float | None:
        run = line.figures
        if run is None or (of_whole and run.part_share is not None):
            return None
        return value(run)

    def text(line: RunLine) -> str:
        figure = known(line)
        return ABSENT if figure is None else shown(figure)

    def key(line: RunLine) -> Key | None:
        figure = known(line)
        return None if figure is None else (figure, "")

    return Column(title, text, key, tool_tip, right=True)


def _part(line: RunLine) -> str:
    run = line.figures
    if run is None or run.part_share is None:
        return ""
    return time_of_part(duration_text(run.wall_ns), run)


def _time_of_part(line: RunLine) -> Key | None:
    run = line.figures
    return None if run is None or run.part_share is None else (run.wall_ns, "")


def _star(line: RunLine) -> str:
    return "★" if line.starred else "☆" if line.row is not None else ""


def _when(line: RunLine) -> str:
    if not line.started_unix_s:
        return ABSENT
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(line.started_unix_s))


def _started(line: RunLine) -> Key | None:
    return (line.started_unix_s, "") if line.started_unix_s else None


COLUMNS = (
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
    Column(mark("When"), _when, _started),
    _words(mark("Model"), lambda line: line.model),
    _words(mark("Strategy"), lambda line: line.strategy),
    _figure(
        mark("Time"),
        lambda run: run.wall_ns,
        duration_text,
        mark("From start to last byte"),
        of_whole=True,
    ),
    Column(
        mark("Part"),
        _part,
        _time_of_part,
        mark("Runs of a part of the model: their times say nothing beside those of the whole"),
    ),
    _figure(mark("Rate"), lambda run: run.bytes_per_s, rate_text, mark("Bytes loaded per second")),
    _words(mark("Start"), lambda line: line.start, mark("State of the page cache at the start")),
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
        mark("Share of the readers' time spent waiting for storage"),
    ),
    _figure(
        mark("Peak memory"),
        lambda run: run.peak_rss_bytes,
        size_text,
        mark("Largest resident memory (RSS) during the run"),
        of_whole=True,
    ),
    _figure(
        mark("From disk"),
        lambda run: run.device_bytes,
        size_text,
        mark("Bytes read from storage"),
        of_whole=True,
    ),
    _words(
        mark("Experiment"),
        lambda line: line.arm,
        mark("Experiment and side (A or B), as modelmon history lists them"),
    ),
    _words(mark("Status"), lambda line: line.standing),
)
TITLES = tuple(column.title for column in COLUMNS)
STAR, OVERLAY, WHEN, MODEL, PART, WHERE, NAME = (
    TITLES.index(title)
    for title in (
        *("★", mark("Plot"), mark("When"), mark("Model"), mark("Part"), mark("Where")),
        mark("Name"),
    )
)
