"""The columns of the table of runs: what each says, and what it is sorted by."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.units import duration_text, percent_text, rate_text, size_text
from modelmon.gui.language import mark

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.gui.models.run_lines import RunLine

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
    value: Callable[[RunLine], float | None],
    shown: Callable[[float], str],
    tool_tip: str,
) -> Column:
    """A column of figures; one that a platform lacks shows a dash."""

    def text(line: RunLine) -> str:
        known = value(line)
        return ABSENT if known is None else shown(known)

    def key(line: RunLine) -> Key | None:
        known = value(line)
        return None if known is None else (known, "")

    return Column(title, text, key, tool_tip, right=True)


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
        mark("Plot"), lambda _: "", lambda _: None, mark("Draw the run beside A and B in the plots")
    ),
    Column(mark("When"), _when, _started),
    _words(mark("Model"), lambda line: line.model),
    _words(mark("Strategy"), lambda line: line.strategy),
    _figure(
        mark("Time"), lambda r: r.wall_ns, duration_text, mark("From the start to the last byte")
    ),
    _figure(mark("Rate"), lambda r: r.bytes_per_s, rate_text, mark("Delivered bytes per second")),
    _words(mark("Start"), lambda line: line.start, mark("How the page cache stood")),
    _words(mark("Where"), lambda line: line.where, mark("The disk; of another machine, that too")),
    _words(mark("Name"), lambda line: line.name, mark("F2 gives the run a name")),
    _figure(
        mark("IO-wait"),
        lambda r: r.io_wait_share,
        percent_text,
        mark("Share of the readers' time that they were off the CPU for storage"),
    ),
    _figure(
        mark("Peak RSS"),
        lambda r: r.peak_rss_bytes,
        size_text,
        mark("Largest resident set of the run"),
    ),
    _figure(
        mark("From device"), lambda r: r.device_bytes, size_text, mark("Bytes fetched from storage")
    ),
    _words(
        mark("Of"),
        lambda line: line.arm,
        mark("Experiment and arm, as modelmon history calls them"),
    ),
    _words(mark("Standing"), lambda line: line.standing),
)
TITLES = tuple(column.title for column in COLUMNS)
STAR, OVERLAY, WHEN, MODEL, WHERE, NAME = (
    TITLES.index(title)
    for title in ("★", mark("Plot"), mark("When"), mark("Model"), mark("Where"), mark("Name"))
)
