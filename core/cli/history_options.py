"""How runs of the history are named on the command line, and since when."""

from __future__ import annotations

import re
import time
from datetime import datetime
from typing import TYPE_CHECKING

import click

from modelmon.core.history.file import HistoryError
from modelmon.core.history.history import no_such_run
from modelmon.core.history.rows import RunFilter
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import RunRow

_AGO = re.compile(r"(\d{1,18})\s*([hdwmy])")
_SECONDS = {"h": 3600, "d": 86400, "w": 7 * 86400, "m": 30 * 86400, "y": 365 * 86400}
REFERENCE = re.compile(r"x(\d{1,18})([A-Za-z][A-Za-z0-9 ,;:+=_-]*|)|(\d{1,18})")


class SinceType(click.ParamType[float]):
    """A time as seconds since 1970, written as 30d, 12h, 2w, 6m, 1y ago or as 2026-11-21."""

    name = "since"

    def convert(
        self, value: str | float, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Parse, or fail with the reason."""
        if not isinstance(value, str):
            return value
        ago = _AGO.fullmatch(value.strip())
        if ago is not None:
            return max(0.0, time.time() - int(ago[1]) * _SECONDS[ago[2]])
        try:
            return max(0.0, datetime.fromisoformat(value).timestamp())
        except (ValueError, OverflowError):
            self.fail(
                f"{value!r} isn't a time. Write for example 30d, 12h, or 2026-11-21.", param, ctx
            )


here_option = click.option(
    "only_here",
    "--here/--all",
    default=None,
    help="Only runs on this machine, or on other machines too.",
)
references_argument = click.argument("references", nargs=-1, required=True, metavar="ID...")


def runs_called(history: History, reference: str) -> list[RunRow]:
    """The runs that `12` (a run), `x7` (an experiment) or `x7A` (one of its arms) names.

    In the order of their experiment. Raises HistoryError where there are none.
    """
    match = REFERENCE.fullmatch(reference)
    if match is None:
        raise HistoryError(
            Message("There's no run {reference}.", reference=repr(reference)),
            Message("Write for example 12, x7 for an experiment, or x7A for its A."),
        )
    if match[3] is not None:
        rows = history.runs(RunFilter(ids=(int(match[3]),)))
        if not rows:
            raise no_such_run(int(match[3]))
        return rows
    experiment = history.experiment(int(match[1]))
    rows = history.runs(RunFilter(experiment_id=experiment.id, label=match[2] or None))
    if not rows:
        raise HistoryError(
            Message("Experiment x{id} has no {match}.", id=experiment.id, match=match[2])
        )
    return sorted(rows, key=lambda row: row.id)


def parts_of_reference(reference: str) -> tuple[int | None, str]:
    """The experiment's number and the arm that `x7A` names; (None, "") of a run's number."""
    match = REFERENCE.fullmatch(reference)
    if match is None or match[1] is None:
        return None, ""
    return int(match[1]), match[2]


def ids_called(history: History, references: tuple[str, ...]) -> list[int]:
    """The numbers of all runs that are named, each once."""
    rows = (row for reference in references for row in runs_called(history, reference))
    return list(dict.fromkeys(row.id for row in rows))
