"""Sentences about a race: what it will take, how far it is, how it ended. Pure text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.verdict import times_text
from modelmon.core.units import duration_text, percent_text, rate_text, request_text, size_text
from modelmon.gui.language import tr
from modelmon.gui.narration import part_text, start_fact
from modelmon.gui.slot import Notice, ProgressView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.race import RaceSession
    from modelmon.core.experiment.race_plan import RacePlan
    from modelmon.core.experiment.race_result import Ending, Objective, Race
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.record import RunRecord

OBJECTIVES: Sequence[tuple[Objective, str, str]] = (
    ("cold", "First start (cold)", "Least time to load, with nothing of the file in the cache"),
    ("warm", "Restart (warm)", "Least time to load again, with the file in the page cache"),
    (
        "memory",
        "Least memory",
        "Least memory that the system cannot take back, within 1.25 times the fastest cold start",
    ),
)
"""Value, name and meaning of each objective."""

BUDGETS_S = {60: "1 minute", 300: "5 minutes", 900: "15 minutes"}
"""Names of the budgets that can be chosen."""

_MUCH_LESS = 0.9

ENDINGS: dict[Ending, str] = {
    "decided": "decided",
    "budget": "the budget was spent",
    "stopped": "stopped before it was decided",
    "running": "running",
}


def plan_lines(plan: RacePlan) -> tuple[str, ...]:
    """What a race will cost and who takes part."""
    lines = [
        f"{len(plan.candidates)} ways to load take part, then variants of the fastest. One run"
        f" takes about {duration_text(plan.run_ns)}: at most about {plan.runs:,} runs in"
        f" {duration_text(plan.budget_ns)}, fewer when it is decided earlier.",
        f"The first round reads {size_text(plan.read_bytes)}, at"
        f" {rate_text(plan.rate_bytes_per_s)} by a short look.",
    ]
    if plan.portion_bytes is not None:
        lines.append(
            f"A part of {request_text(plan.portion_bytes)} stands for the model"
            f" ({plan.why_portion}); times for the whole are extrapolated."
        )
    if plan.excluded:
        names = ", ".join(left_out.strategy for left_out in plan.excluded)
        lines.append(f"Not in the race: {names}.")
    return tuple(lines)


def race_progress(race: RaceSession, label: str, record: RunRecord | None) -> ProgressView:
    """The slot while a race is under way; `record` is None between two runs."""
    budget_ns = race.conditions.budget_ns
    left_ns = max(0, race.time_left_ns)
    racing, all_arms = len(race.field.active), len(race.field.entrants)
    needed = race.expected_left_ns
    left = f"{duration_text(left_ns)} of the budget left"
    if needed and needed < left_ns * _MUCH_LESS:
        left = f"About {duration_text(needed)} to go, {left}"
    detail, fact = f"{label} is kept" if label else "Starting", ""
    if record is not None:
        detail, fact = f"Now {label}: {_doing(record)}", start_fact(record, _cache_of(record))
    return ProgressView(
        f"Find best, {race.place}: {racing} of {all_arms} still race",
        min(1.0, 1 - left_ns / budget_ns),
        time_left=left,
        detail=detail,
        fact=fact,
    )


def nothing_measured(reason: str, remedy: str, *, stopped: bool) -> Notice:
    """The slot after a race in which no run counts."""
    if stopped:
        return Notice("Find best was stopped before any run was over.", "Nothing is recommended.")
    return Notice(reason, remedy, tone="bad")


def expected_text(race: Race) -> str:
    """The time to expect, with the range that was seen: `5.23 s (5.18–5.28 s)`."""
    found = race.recommendation
    low, high = duration_text(found.expected_low_ns), duration_text(found.expected_high_ns)
    if low == high:
        return low
    number, _, unit = low.partition(" ")
    first = number if high.endswith(f" {unit}") and " " not in unit else low
    return f"{duration_text(found.expected_ns)} ({first}–{high})"


def gain_text(race: Race, config: LoadConfig, name: str) -> str:
    """What the recommendation gains over how A loads; empty where that did not race."""
    found = race.recommendation
    mine = next((each for each in race.standings if each.config == config), None)
    if mine is None or race.objective == "memory":
        return ""
    if mine.label == found.label:
        return tr("A loads so already.")
    if mine.against != found.label or mine.ratio is None or mine.ratio_low is None:
        return ""
    if mine.ratio_low <= 1:
        return tr("Against A's {name} no difference was seen.", name=name)
    return tr("A's {name} takes {times} times as long.", name=name, times=times_text(mine.ratio))


def summary_text(race: Race) -> str:
    """One line on the whole race."""
    runs = f"{len(race.runs)} runs" if len(race.runs) != 1 else "1 run"
    rounds = f"{race.rounds} rounds" if race.rounds != 1 else "1 round"
    left_out = sum(1 for run in race.runs if not run.result.counts)
    counted = f", {left_out} not counted" if left_out else ""
    spent = f"{duration_text(race.spent_ns)} of {duration_text(race.budget_ns)}"
    return f"{runs} in {rounds}{counted}, {race.cache} starts, {spent}: {ENDINGS[race.ending]}"


def _doing(record: RunRecord) -> str:
    progress = record.progress
    if record.state in ("new", "preparing") or record.planned is None:
        if progress is not None and progress.total_bytes:
            share = percent_text(progress.done_bytes / progress.total_bytes)
            return f"the start is prepared, {share}"
        return "a fresh worker starts"
    text = part_text(record.delivered_bytes, record.planned.planned_bytes)
    if record.delivered_bytes and record.t_ns:
        text += f" at {rate_text(record.delivered_bytes * 1e9 / record.t_ns)}"
    return text


def _cache_of(record: RunRecord) -> Cache:
    return record.hello.job.cache if record.hello is not None else "as-is"
