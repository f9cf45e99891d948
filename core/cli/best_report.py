"""How the terminal shows a race: who takes part, the ranking, the recommendation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.cli.layout import Column, Listing, OneLine
from modelmon.core.cli.output import console, print_left_out, print_warnings, tell
from modelmon.core.comparison.spread import COVERAGE_SHARE
from modelmon.core.find_best.confidence import lead_of
from modelmon.core.units import (
    counted,
    duration_text,
    limit_text,
    percent_text,
    rate_text,
    request_text,
    size_text,
    three_figures,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from modelmon.core.find_best.confidence import Lead
    from modelmon.core.find_best.plan import RacePlan
    from modelmon.core.find_best.result import (
        Ending,
        Objective,
        Race,
        Recommendation,
        Standing,
    )
    from modelmon.core.worker.events import Cache

_WANTED: dict[Objective, str] = {
    "cold": "the fastest cold start",
    "warm": "the fastest warm start",
    "memory": "the lowest memory",
}

_LEADS: dict[Lead, str] = {
    "too-few": "too early to tell",
    "kept": "keep",
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
    """What the race will take, on standard error; with `whole` also who takes part, and with it or
    where nobody does why others don't.
    """
    shared = plan.conditions
    each = duration_text(shared.first_cost_ns)
    text = (
        f"Tests {len(plan.arms)} strategies for {_WANTED[shared.objective]}, up to"
        f" {limit_text(shared.budget_ns)}: about {each} per run, {size_text(plan.read_bytes)} in"
        f" the first round at {rate_text(plan.rate_bytes_per_s)} (from a quick measurement)."
    )
    if plan.arms:
        tell(text)
    if plan.too_short:
        tell(
            f"About {counted(plan.runs, 'run')} fit in this time, too few to rank them. Choose a"
            " longer time limit with --budget."
        )
    if shared.why_streamed:
        tell(f"Every strategy streams the model: {shared.why_streamed}.")
    if shared.portion_bytes is not None:
        part = request_text(shared.portion_bytes)
        tell(
            f"Only {part} of the model is tested ({shared.why_portion}). Times for the whole model"
            " are extrapolated."
        )
    if whole or not plan.arms:
        for arm in plan.arms:
            tell(f"  tests: {arm.label}")
        for left_out in plan.excluded:
            tell(f"  not tested: {left_out.strategy}. {left_out.why}")


def standings_table(
    standings: Sequence[Standing],
    cache: Cache = "cold",
    running: str = "",
    ending: Ending = "running",
    portion_bytes: int | None = None,
) -> Listing:
    """The ranking by starts from such a cache; `running` is the arm whose run is under way. Times
    are for the whole model, memory is what a part takes where only that was loaded.
    """
    first, second = ("Cold", "Warm") if cache == "cold" else ("Warm", "Cold")
    memory = f"Memory of\n{size_text(portion_bytes)}" if portion_bytes else "Private\nmemory"
    table = Listing(
        Column("", right=True, lead=True),
        Column("Strategy", lead=True),
        Column(f"{first}\nstart", right=True, named=True),
        Column("Relative\ntime", right=True, named=True),
        Column("Runs", right=True, named=True),
        Column(f"{second}\nstart", right=True, named=True),
        Column(memory, right=True, named=True),
        Column(""),
    )
    lead = lead_of(standings, ending) if standings else "too-few"
    for place, standing in enumerate(standings, start=1):
        state = _state(standing, place, lead)
        if standing.label == running:
            state = f"running{'; ' if state else ''}{state}"
        table.add_row(
            str(place),
            standing.label,
            _time(standing.expected_ns),
            _against(standing),
            str(standing.runs),
            _time(standing.other_median_ns),
            _held(standing),
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
    part = race.portion_bytes
    out.print(standings_table(race.standings, race.cache, ending=race.ending, portion_bytes=part))
    if any(standing.ratio for standing in race.standings[1:]):
        out.print(
            f"Times are estimated from all rounds; a range holds in {percent_text(COVERAGE_SHARE)}"
            " of cases.",
            style="dim",
        )
    if race.why_stopped:
        out.print(f"Stopped early: {race.why_stopped}", style="bold red")
    for text in found.contradictions:
        out.print(text, style="yellow")
    if found.runner_up:
        out.print(f"Runner-up: {found.runner_up}. {found.runner_up_wins}".rstrip())
    _show_advice(out, found)
    print_warnings(out, [run.result for run in race.runs])
    print_left_out(out, [(run.label, run.result) for run in race.runs])
    out.print(
        f"{race.model.name}, {race.cache} starts, {counted(len(race.runs), 'run')} in"
        f" {counted(race.rounds, 'round')} and {duration_text(race.spent_ns)}."
        f" {_ENDINGS[race.ending]}.",
        style="dim",
    )
    if found.to_set:
        out.print(OneLine(found.to_set))


def _show_expected(out: Console, race: Race) -> None:
    found = race.recommendation
    low, high = duration_text(found.expected_low_ns), duration_text(found.expected_high_ns)
    bounds = f" (likely {low} to {high})" if low != high else ""
    text = f"Expected: {duration_text(found.expected_ns)}{bounds}"
    if found.extrapolated:
        text += f", extrapolated from {request_text(race.portion_bytes or 0)}"
    out.print(f"{text}. Confidence: {found.confidence} ({found.confidence_reason}).")


def _show_advice(out: Console, found: Recommendation) -> None:
    for advice in found.advice:
        out.print(f"Also: {advice.text}")
        if advice.command:
            out.print(OneLine(f"  {advice.command}"))
        out.print(f"  {advice.expected} ({advice.basis}: {advice.source})".strip(), style="dim")


def _against(standing: Standing) -> str:
    low, high = standing.ratio_low, standing.ratio_high
    if standing.ratio is None or low is None or high is None:
        return ""
    if standing.label == standing.against:
        return "1"
    about = "" if standing.coverage_share is not None else "about "
    return f"{three_figures(standing.ratio)} ({about}{three_figures(low)}–{three_figures(high)})"


def _held(standing: Standing) -> str:
    return size_text(standing.held_bytes) if standing.held_bytes is not None else ""


def _time(ns: float | None) -> str:
    return duration_text(ns) if ns is not None else ""


def _state(standing: Standing, place: int, lead: Lead) -> str:
    if place == 1 and standing.runs and standing.state != "failed":
        return _LEADS[lead]
    if standing.state == "racing":
        low = standing.ratio_low
        few = low is not None and low <= 1 and standing.coverage_share is None
        return _LEADS["too-few"] if few else ""
    return f"{'ruled out' if standing.state == 'dropped' else 'cannot run'}: {standing.why}"
