"""What an exported text rests on: the runs that were compared. No widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.comparison.result import Comparison
from modelmon.core.find_best.result import SearchResult
from modelmon.core.units import request_text
from modelmon.gui.language import tr
from modelmon.gui.plots.run_strip import (
    row_of_runs,
    rows_of_comparison,
    time_in,
    times_title,
    title_of,
)

if TYPE_CHECKING:
    from modelmon.core.export.outcomes import OneRun, Result
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.plots.run_strip import StripRow


@dataclass(frozen=True, slots=True)
class Evidence:
    """Rows of runs whose times are of what `title` says."""

    rows: tuple[StripRow, ...]
    title: str


def evidence_of(result: Result) -> Evidence | None:
    """What was measured; None where that is not a few runs."""
    if isinstance(result, Comparison):
        return _of_comparison(result)
    if isinstance(result, SearchResult):
        return _of_search(result)
    return None if isinstance(result, ClusterResult) else _of_run(result)


def _of_comparison(comparison: Comparison) -> Evidence:
    return Evidence(rows_of_comparison(comparison), title_of(comparison))


def _of_search(found: SearchResult) -> Evidence | None:
    """The runs of what is recommended, of the runner-up, and of what modelmon.toml stores in place
    of the first where that is another; None where these are lost.
    """
    best, part = found.recommendation, found.portion_bytes
    standings = {each.label: each for each in found.standings}
    shown = dict.fromkeys(filter(None, (best.label, best.runner_up, best.exported)))
    runs = {each: own for each in shown if (own := _runs_of(found, each))}
    if not runs:
        return None
    firsts = [each[0] for each in runs.values()]
    return Evidence(
        tuple(
            row_of_runs(each, hue, runs[each], time_in(standings[each]) if part is None else None)
            for hue, each in enumerate(shown)
            if each in runs
        ),
        times_title(firsts) if part is None else tr("load time of {size}", size=request_text(part)),
    )


def _runs_of(found: SearchResult, label: str) -> list[RunResult]:
    """Its runs from the state that the search is about, and of the part that it loads."""
    return [
        run.result
        for run in found.runs
        if run.label == label
        and run.result.cache_asked == found.cache
        and run.result.portion == (found.portion_bytes is not None)
    ]


def _of_run(one: OneRun) -> Evidence:
    run = one.result
    return Evidence((row_of_runs(run.strategy, 0, (run,)),), times_title((run,)))
