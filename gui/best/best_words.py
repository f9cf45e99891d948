"""What Find best says: what it will take, how far it is, what it recommends."""

from __future__ import annotations

import shlex
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from modelmon.core.load.config import PROGRAM
from modelmon.core.units import (
    duration_text,
    limit_text,
    rough_text,
)
from modelmon.core.worker.result import memory_text, middle_run
from modelmon.gui.best.ranking import compared_text
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.session.details import details_text, lines_of
from modelmon.gui.session.notices import Chip, Choice, Notice, ProgressView
from modelmon.gui.session.run_progress import run_view
from modelmon.gui.session.run_words import (
    MOST_CHIPS,
    disturbed,
    other_file,
    settings_chip,
)
from modelmon.gui.session.watched_run import READY_WHEN
from modelmon.gui.widgets.dialog import TextDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from PySide6.QtWidgets import QWidget

    from modelmon.core.find_best.plan import BestPlan, ProgramPlan
    from modelmon.core.find_best.result import Objective, SearchResult
    from modelmon.core.find_best.session import SearchSession
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.record import RunRecord

OBJECTIVES: Sequence[tuple[Objective, str, str]] = (
    (
        "cold",
        mark("Fastest cold start"),
        mark("Least time to load with nothing cached"),
    ),
    (
        "warm",
        mark("Fastest warm start"),
        mark("Least time to load with the file in the page cache"),
    ),
    (
        "memory",
        mark("Lowest memory"),
        mark("Least memory the system can't reclaim, at up to 1.25× the fastest cold start"),
    ),
)
"""Value, name and meaning of each objective."""

BUDGETS_S = {60: mark("1 minute"), 300: mark("5 minutes"), 900: mark("15 minutes")}
"""Names of the budgets that can be chosen."""


def plan_lines(plan: BestPlan) -> tuple[str, ...]:
    """What a search will cost and who takes part."""
    lines = tuple(map(said, plan.sentences()))
    if not plan.excluded:
        return lines
    names = tr(", ").join(left_out.strategy for left_out in plan.excluded)
    return (*lines, tr("Not tested: {names}.", names=names))


def tune_lines(plan: ProgramPlan) -> tuple[str, ...]:
    """What testing a program's settings will do, and what becomes of the program."""
    conditions = plan.conditions
    sign, _, value = plan.settings[0].ready.partition(":")
    when = next(tr(name) for known, name, _ in READY_WHEN if known == sign)
    return (
        tr(
            "Starts {title} with {count} settings, one after the other: up to {budget}, less if "
            "the result is clear sooner. A run takes {time} or more.",
            title=plan.title,
            count=len(plan.settings),
            budget=limit_text(conditions.budget_ns),
            time=duration_text(conditions.first_cost_ns),
        ),
        tr("Loaded when: {sign}.", sign=f"{when} ({value})" if value else when),
        tr(
            "Each run waits until the cache is prepared, and is ended with all its processes when "
            "loaded, or after {limit}.",
            limit=limit_text(plan.limit_ns),
        ),
    )


def command_rows(plan: ProgramPlan) -> Iterator[tuple[str, str, str]]:
    """What is run in each way: its name, what it means, and the command in full."""
    for setting in plan.settings:
        meaning = said(setting.variant.meaning)
        if setting.warm_first:
            meaning = tr("{meaning} modelmon launch reads the model before.", meaning=meaning)
        elif setting.launched:
            meaning = tr("{meaning} modelmon launch reads the model ahead.", meaning=meaning)
        yield setting.label, meaning, shlex.join(setting.started)


def search_progress(
    search: SearchSession, label: str, record: RunRecord | None, place: str = ""
) -> ProgressView:
    """The slot while Find best is under way; `record` is None between two runs.

    `place` is where the run of `label` stands; without it, where the search does.
    """
    place = place or search.place
    budget_ns = search.conditions.budget_ns
    left_ns = max(0, search.time_left_ns)
    detail, fact = tr("Starting"), ""
    if label:
        detail = tr("Saving run: {way}", way=label)
    if record is not None:
        view = run_view(record, label)
        detail, fact = tr("Now {way}: {doing}", way=label, doing=view.detail), view.fact
    return ProgressView(
        tr("Find best, {place}", place=place),
        min(1.0, 1 - left_ns / budget_ns),
        time_left=tr("{time} left", time=rough_text(left_ns)),
        detail=detail,
        fact=fact,
    )


_DETAILS_PX = (920, 560)


def recommendation_notice(  # noqa: PLR0913  what it says, and what its buttons do
    result: SearchResult,
    used_by_a: LoadConfig | None,
    name_a: str = "",
    *,
    export: Choice,
    use_as_b: Callable[[], None],
    dated: str = "",
) -> Notice:
    """What it recommends, what that gains over what A uses, and when it was, where before."""
    found = result.recommendation
    gain = gain_text(result, used_by_a, name_a)
    reasons = (dated, gain, *(said(text) for text in (found.to_set, *found.reasons[:2])))
    is_program = found.config.library == PROGRAM
    if is_program:
        writes = tr("Write the command of {strategy}", strategy=found.label)
    elif found.exported:
        writes = tr("Write {strategy} as modelmon.toml", strategy=found.exported)
    else:
        writes = tr("Write the ranking; the recommended strategy can't be stored")
    uses = tr("Use {way} as B, to compare it with A", way=found.label)
    use = Choice(tr("Use as B"), use_as_b, icon="swap", tool_tip=uses)
    return Notice(
        said(found.sentence),
        sentences(*reasons),
        choices=(
            replace(export, tool_tip=writes),
            *((use,) * (not is_program or bool(result.command))),
        ),
        tone="good",
        icon="best",
        chips=chips(result),
        details=partial(show_details, result),
    )


def show_details(result: SearchResult, parent: QWidget, about: str = "") -> None:
    """Open all that is known of the recommendation, with the line that `about` is in selected."""
    title = tr("Find best details")
    dialog = TextDialog(title, markdown_text(result), parent, _DETAILS_PX, is_markdown=True)
    dialog.select(about)
    dialog.open()


def markdown_text(result: SearchResult) -> str:
    """What Find best recommends, to be pasted into an issue or a page."""
    out = (tr("{name}: {value}", name=each.strategy, value=each.why) for each in result.excluded)
    return details_text(result, (*lines_of(chips(result)), *out), result.command)


def gain_text(result: SearchResult, config: LoadConfig | None, name: str) -> str:
    """How A's way to load compares with the recommendation, where the reasons don't say it."""
    found = result.recommendation
    mine = next((each for each in result.standings if each.config == config), None)
    if mine is None or result.objective == "memory":
        return ""
    if mine.label == found.label:
        return tr("A already uses this.")
    if mine.label == found.baseline or mine.against != found.label or mine.ratio is None:
        return ""
    return tr("{name} (A): {compared}.", name=name, compared=compared_text(mine, result.ending))


def chips(result: SearchResult) -> tuple[Chip, ...]:
    """What to know beside the recommendation, at most three; the gravest first."""
    return tuple(_chips(result))[:MOST_CHIPS]


def _chips(result: SearchResult) -> Iterator[Chip]:
    found = result.recommendation
    yield from other_file(result)
    if result.why_stopped:
        yield Chip(tr("Stopped early"), "warn", "warn", said(result.why_stopped))
    if found.confidence == "low":
        yield Chip(tr("Low confidence"), "warn", "warn", said(found.confidence_reason))
    if found.contradictions:
        count = len(found.contradictions)
        text = tr("1 caveat") if count == 1 else tr("{count} caveats", count=count)
        yield Chip(text, "info", "focus", "\n".join(map(said, found.contradictions)))
    # As the caveats count them: those that rank.
    alike = [run for run in result.runs if run.result.cache_asked == result.cache]
    yield from disturbed([run.result for run in alike])
    yield from settings_chip({"": found})
    own = middle_run(run.result for run in alike if run.label == found.label)
    if own is not None and not own.is_program:
        kind = memory_text(own)
        yield Chip(tr("{way}: {kind}", way=found.strategy, kind=kind), "memory")
    if result.ending == "budget":
        limit = tr("Time limit: {time}", time=limit_text(result.budget_ns))
        why = tr("The time limit was reached before the result was clear.")
        yield Chip(limit, "clock", tool_tip=why)
