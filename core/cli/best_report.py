"""How the terminal shows a race: who takes part, the ranking, the recommendation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.table import Table

from modelmon.core.cli.output import console, print_warnings
from modelmon.core.experiment.race.confidence import at_odds, lead_of
from modelmon.core.experiment.statistics.posterior import COVERAGE_SHARE
from modelmon.core.units import (
    counted,
    duration_text,
    percent_text,
    rate_text,
    request_text,
    size_text,
    three_figures,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from modelmon.core.experiment.race.confidence import Lead
    from modelmon.core.experiment.race.plan import RacePlan
    from modelmon.core.experiment.race.result import (
        Ending,
        Objective,
        Race,
        Recommendation,
        Standing,
    )

_WANTED: dict[Objective, str] = {
    "cold": "the fastest cold start",
    "warm": "the fastest warm start",
    "memory": "the lowest memory",
}
_LEADS: dict[Lead, str] = {
    "too-few": "too early to tell",
    "best-so-far": "best so far",
    "best": "best",
}
_ENDINGS = {
    "decided": "Result is clear",
    "budget": "Time limit reached",
    "stopped": "Stopped",
    "running": "Running",
}


def show_plan(plan: RacePlan, *, whole: bool) -> None:
    """What the race will take, on standard error; with `whole` also who takes part."""
    each = duration_text(plan.run_ns)
    past = plan.history_runs
    source = f"{counted(past, 'run')} in the history" if past else "a quick measurement"
    text = (
        f"Tests {len(plan.candidates)} strategies for {_WANTED[plan.objective]}, up to"
        f" {duration_text(plan.budget_ns)}: about {each} per run, {size_text(plan.read_bytes)} in"
        f" the first round at {rate_text(plan.rate_bytes_per_s)} (from {source})."
    )
    click.echo(text, err=True)
    if plan.too_short:
        click.echo(
            f"About {counted(plan.runs, 'run')} fit in this time, too few to rank them. Choose a"
            " longer time limit with --budget.",
            err=True,
        )
    if plan.why_streamed:
        click.echo(f"Every strategy streams the model: {plan.why_streamed}.", err=True)
    if plan.portion_bytes is not None:
        part = request_text(plan.portion_bytes)
        click.echo(
            f"Only {part} of the model is tested ({plan.why_portion}). Times for the whole model"
            " are extrapolated.",
            err=True,
        )
    if whole:
        for name in plan.candidates:
            click.echo(f"  tests: {name}", err=True)
        for left_out in plan.excluded:
            click.echo(f"  not tested: {left_out.strategy}. {left_out.why}", err=True)


def standings_table(
    standings: Sequence[Standing], running: str = "", ending: Ending = "running"
) -> Table:
    """The ranking; `running` is the arm whose run is under way."""
    table = Table(box=None, header_style="dim", padding=(0, 2, 0, 0))
    # In a narrow terminal cells wrap; a column without a least width would vanish.
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("Strategy", min_width=10)
    table.add_column("Median", justify="right", no_wrap=True)
    table.add_column("Relative time", justify="right", min_width=10)
    table.add_column("Runs", justify="right", no_wrap=True)
    table.add_column("", min_width=11)
    lead = lead_of(standings, ending) if standings else "too-few"
    for place, standing in enumerate(standings, start=1):
        state = _state(standing, place, lead)
        if standing.label == running:
            state = f"running{'; ' if state else ''}{state}"
        table.add_row(
            str(place),
            standing.label,
            duration_text(standing.median_ns) if standing.median_ns is not None else "",
            _against(standing),
            str(standing.runs),
            state,
            style="bold" if place == 1 else "dim" if standing.state != "racing" else "",
        )
    return table


def show_race(race: Race) -> None:
    """The recommendation, the ranking, and what to know beside them."""
    out, found = console(), race.recommendation
    out.print(found.sentence, style="bold")
    for reason in found.reasons:
        out.print(reason)
    _show_expected(out, race)
    out.print(standings_table(race.standings, ending=race.ending))
    for text in _ratio_notes(race.standings):
        out.print(text, style="dim")
    if race.why_stopped:
        out.print(f"Stopped early: {race.why_stopped}", style="bold red")
    for text in found.contradictions:
        out.print(text, style="yellow")
    if found.runner_up:
        out.print(f"Runner-up: {found.runner_up}. {found.runner_up_wins}")
    _show_advice(out, found)
    print_warnings(out, [run.result for run in race.runs])
    left_out = [run for run in race.runs if not run.result.counts]
    for run in left_out:
        out.print(f"Not counted: {run.label}, {run.result.why_not}", style="yellow")
    out.print(
        f"{race.model.name}, {race.cache} starts, {counted(len(race.runs), 'run')} in"
        f" {counted(race.rounds, 'round')} and {duration_text(race.spent_ns)}."
        f" {_ENDINGS[race.ending]}.",
        style="dim",
    )


def _show_expected(out: Console, race: Race) -> None:
    found = race.recommendation
    low, high = duration_text(found.expected_low_ns), duration_text(found.expected_high_ns)
    seen = f" ({low} to {high} seen)" if low != high else ""
    text = f"Expected: {duration_text(found.expected_ns)}{seen}"
    if found.extrapolated:
        text += f", extrapolated from {request_text(race.portion_bytes or 0)}"
    out.print(f"{text}. Confidence: {found.confidence} ({found.confidence_reason}).")


def _show_advice(out: Console, found: Recommendation) -> None:
    for advice in found.advice:
        out.print(f"Also: {advice.text}")
        if advice.command:
            out.print(f"  {advice.command}")
        out.print(f"  {advice.expected} ({advice.basis}: {advice.source})", style="dim")


def _against(standing: Standing) -> str:
    low, high = standing.ratio_low, standing.ratio_high
    if standing.ratio is None or low is None or high is None:
        return ""
    if standing.label == standing.against:
        return "1"
    bounds = f"{three_figures(low)}–{three_figures(high)}"
    if standing.coverage_share is not None:
        bounds = f"{percent_text(standing.coverage_share)}: {bounds}"
    else:
        bounds = f"about {bounds}"
    return f"{three_figures(standing.ratio)} ({bounds})"


def _ratio_notes(standings: Sequence[Standing]) -> Iterator[str]:
    """How the ratios are taken, and why medians may say otherwise."""
    first, *others = standings
    if not any(standing.ratio for standing in others):
        return
    yield (
        f"Relative time: estimated from all rounds, with the range that holds in"
        f" {percent_text(COVERAGE_SHARE)} of cases."
    )
    odd = [standing.label for standing in others if at_odds(standing, first)]
    if odd:
        yield (
            f"The medians of {', '.join(odd)} point the other way: they don't allow for slow"
            " rounds."
        )


def _state(standing: Standing, place: int, lead: Lead) -> str:
    if place == 1 and standing.runs and standing.state != "failed":
        return _LEADS[lead]
    if standing.state == "racing":
        low = standing.ratio_low
        few = low is not None and low <= 1 and standing.coverage_share is None
        return _LEADS["too-few"] if few else ""
    return f"{'ruled out' if standing.state == 'dropped' else 'cannot run'}: {standing.why}"
