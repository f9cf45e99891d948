"""What an exported text rests on: the runs that were compared, and where. No widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.comparison.result import Comparison
from modelmon.core.export.outcomes import measured_in
from modelmon.core.find_best.result import SearchResult
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.programs.registry import PROGRAMS
from modelmon.core.remote import SCHEME, parts_of
from modelmon.core.units import request_text
from modelmon.core.watch.command import program_name
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.plots.run_strip import (
    row_of_runs,
    rows_of_comparison,
    time_in,
    times_title,
    title_of,
)
from modelmon.gui.session.run_words import interval_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.export.outcomes import OneRun, Result
    from modelmon.core.programs.outcome import Measured
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.plots.run_strip import StripRow

_STARTS: dict[Cache, str] = {
    "cold": mark("Cold starts of {programs}"),
    "warm": mark("Warm starts of {programs}"),
    "as-is": mark("Starts of {programs} with the cache unchanged"),
}
_ONE_START: dict[Cache, str] = {
    "cold": mark("1 cold start of {programs}"),
    "warm": mark("1 warm start of {programs}"),
    "as-is": mark("1 start of {programs} with the cache unchanged"),
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was run where, and how sure that is; `rows` of runs whose times are of what `title`
    says.
    """

    summary: str
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
    firsts = (comparison.runs_a[0], comparison.runs_b[0])
    return Evidence(
        _summary(
            _where(_STARTS, firsts, measured_in(comparison)),
            said(comparison.measured_with),
            interval_text(comparison.verdict),
        ),
        rows_of_comparison(comparison),
        title_of(comparison),
    )


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
    second = standings.get(best.runner_up)
    compared = second is not None and second.against == best.label and second.coverage_share
    return Evidence(
        _summary(
            _where(_STARTS, firsts, measured_in(found)),
            said(found.measured_with),
            interval_text(second) if second is not None and compared else "",
        ),
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
    return Evidence(
        _summary(_where(_ONE_START, (run,), measured_in(one)), said(run.why_not)),
        (row_of_runs(run.strategy, 0, (run,)),),
        times_title((run,)),
    )


def _program(run: RunResult) -> str:
    if run.is_program:
        preset = run.strategy.partition(" ")[0]
        # Of those that Python runs, python would be no name.
        known = PROGRAMS[preset].title if preset in PROGRAMS else program_name(run.command)
        return known or run.strategy
    return "modelmon" if run.config.library == NO_LIBRARY else run.strategy


def _where(starts: dict[Cache, str], runs: Sequence[RunResult], measured: Measured) -> str:
    """What was started in these runs, one of each strategy, and from where it loaded."""
    programs = tr(", ").join(dict.fromkeys(map(_program, runs)))
    told = tr(starts[measured.cache], programs=programs)
    machine, server = measured.machine, parts_of(measured.path).server
    if server:
        return tr("{starts} on {host}", starts=told, host=server.removeprefix(SCHEME))
    if machine.filesystem and machine.device:
        place = {"filesystem": machine.filesystem, "device": machine.device}
        return tr("{starts} from {filesystem} on {device}", starts=told, **place)
    if machine.filesystem:
        return tr("{starts} from {filesystem}", starts=told, filesystem=machine.filesystem)
    return told


def _summary(*facts: str) -> str:
    return sentences(*(tr("{sentence}.", sentence=each.rstrip(".")) for each in facts if each))
