"""What is said of a program that was watched, or is."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.comparison.runner import analysis_of
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.glossary import RUN
from modelmon.core.explain.program_report import is_unread, phases_side_by_side
from modelmon.core.export.run_items import start_text
from modelmon.core.units import duration_text
from modelmon.core.worker.result import memory_meaning, memory_text
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.session.details import details_text, lines_of
from modelmon.gui.session.notices import Chip, Choice, Notice
from modelmon.gui.session.run_words import bottleneck_name
from modelmon.gui.session.watched_run import sign_text
from modelmon.gui.widgets.dialog import TextDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QWidget

    from modelmon.core.explain.program_report import WaitVerdict
    from modelmon.core.probe.probe import Limits
    from modelmon.core.worker.events import Failed
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.session.watched_run import WatchedRun

_SEEN_BY = {
    "trace": mark("exact (kernel trace)"),
    "residency": mark("by residency"),
    "counters": mark("by counters"),
}
_SEEN_BY_TIPS = {
    "trace": mark("Traced by the kernel: each page and each direct read, with its time."),
    "residency": mark("Seen by the pages that came into the page cache: which bytes, and when."),
    "counters": mark("Seen by the program's counters: a total over time, without blocks."),
}

_MOST_NAME = 16


class Fact(NamedTuple):
    """A figure of the program's card, what to know of it, and the figure where there is little
    room.
    """

    name: str
    value: str
    tool_tip: str = ""
    short: str = ""


def failure(failed: Failed, name: str, choices: tuple[Choice, ...]) -> Notice:
    """The slot after a program that did not get ready, for as long as it is shown."""
    if failed.kind == "cancelled":
        return stopped(name, failed)
    return Notice(
        said(failed.message),
        said(failed.remedy),
        tr("{program} wasn't measured.", program=name),
        tone="warn" if choices else "bad",
        choices=choices,
    )


def stopped(name: str, failed: Failed | None) -> Notice:
    """The slot after Stop; `failed` is how the run ended, where it told that."""
    return Notice(
        tr("Stopped watching {program}.", program=name),
        tr("Its time isn't counted."),
        said(failed.remedy) if failed is not None else "",
    )


def verdict_notice(
    run: WatchedRun,
    wait: WaitVerdict,
    *,
    export: Choice,
    test: Callable[[str, str, frozenset[str], tuple[str, ...]], None],
    is_of_open_model: bool,
) -> Notice:
    """What came of it. Only of the open model settings are exported, and tested: by `test`, which
    gets the program's preset, its place if that was said, those that shorten its wait, and options.
    """
    from modelmon.core.programs.registry import PROGRAMS  # noqa: PLC0415  start sooner without it

    result = run.result
    assert result is not None
    settings = frozenset(name for part in wait.parts for name in part.settings)
    choices = [export] if is_of_open_model else []
    if is_of_open_model and run.engine:
        tip = tr("Test the load settings of {title}", title=PROGRAMS[run.engine].title)
        named = tr("Test: {settings}", settings=", ".join(sorted(settings)))
        text = tr("Test these settings…") if settings else tr("Find best…")
        tests = partial(test, run.engine, run.place, settings, run.more)
        choices.insert(0, Choice(text, tests, True, "best", named if settings else tip))
    return Notice(
        said(wait.headline),
        said(wait.reason),
        caveat_text(run, wait.next_step),
        tone=wait.tone,
        choices=tuple(choices),
        chips=(*chips(result, run.limits), *_together(wait)),
        details=partial(show_details, run),
    )


def show_details(run: WatchedRun, parent: QWidget, about: str = "") -> None:
    """Open all that is known of it, with the line that `about` is in selected."""
    title = tr("Watched program: details")
    dialog = TextDialog(title, markdown_text(run), parent, is_markdown=True)
    dialog.select(about)
    dialog.open()


def card_facts(run: WatchedRun) -> tuple[Fact, ...]:
    """What the card says of the program beside its command."""
    return tuple(_facts(run))


def _facts(run: WatchedRun) -> Iterator[Fact]:
    program, result = run.program, run.result
    joined = program.pid is not None
    pid = program.pid or run.record.pid
    if pid:
        yield Fact(
            tr("PID"),
            tr("{pid}, joined", pid=pid) if joined else tr("{pid}, started by modelmon", pid=pid),
            tr("It was already running and continues.")
            if joined
            else tr("It's ended once it's ready."),
            str(pid),
        )
    if run.version:
        yield Fact(tr("Version"), run.version, tr("As the program says it"))
    if run.server is not None:
        here = tr("this machine")
        where = tr("Where the program runs. All times are by that machine's clock.")
        yield Fact(tr("Host"), run.server.removeprefix("ssh://") or here, where)
    if result is not None:
        yield Fact(tr("Started from"), said(start_text(result)), said(RUN["Start"]))
        seen_by = _SEEN_BY.get(result.seen_by)
        if seen_by is not None:
            tip, why = tr(_SEEN_BY_TIPS[result.seen_by]), said(result.why_no_trace)
            better = tr("Not exact: {why}.", why=why) if why else ""
            fix = said(result.trace_remedy)
            yield Fact(
                tr("Observed"),
                tr("{how}: {why}", how=tr(seen_by), why=why) if why else tr(seen_by),
                sentences(tip, better, fix),
                tr(seen_by),
            )
    until = tr("The sign that it has loaded: its time ends there.")
    yield Fact(tr("Ready when"), sign_text(program.ready), until)


def big_time(run: WatchedRun) -> tuple[str, str]:
    """The figure of the card, and below it what it is."""
    if run.result is None:
        taken = duration_text(run.record.t_ns) if run.record.t_ns else ""
        failed, until = run.record.failed, tr("so far")
        if failed is not None:
            is_stopped = failed.kind == "cancelled"
            until = tr("until it was stopped") if is_stopped else tr("until it failed")
        return taken, until if taken else ""
    what = tr("start to ready")
    if run.result.cut_off:
        what = tr("not ready")
    elif run.program.pid is not None:
        what = tr("joined to ready")
    return duration_text(run.result.wall_ns), what


def caveat_text(run: WatchedRun, next_step: str) -> str:
    """What to keep in mind of a run, else what to do next."""
    why_not = "" if run.result is None or run.result.counts else said(run.result.why_not)
    return run.caveat or why_not or second_start_text(run) or said(next_step)


def second_start_text(run: WatchedRun) -> str:
    """How long the second start took; empty where none was ready."""
    if run.first is None or run.result is None or run.result.cut_off:
        return ""
    second, first = duration_text(run.result.wall_ns), duration_text(run.first.wall_ns)
    return tr("Second start: {second} instead of {first}.", second=second, first=first)


def chips(result: RunResult, limits: Limits) -> Iterator[Chip]:
    """What to know beside the verdict."""
    if not is_unread(result):
        yield Chip(bottleneck_name(bottleneck_of(result, limits)), "machine")
    kind = said(memory_text(result))
    tip = said(memory_meaning(result))
    yield Chip(f"{kind[:1].upper()}{kind[1:]}", "memory", tool_tip=tip)
    if result.warnings:
        what = "\n".join(said(warning.message) for warning in result.warnings)
        count = len(result.warnings)
        text = tr("1 warning") if count == 1 else tr("{count} warnings", count=count)
        yield Chip(text, "warn", "warn", what)


def _together(wait: WaitVerdict) -> Iterator[Chip]:
    if wait.together:
        tip = tr("If each saves as much as it can: what's in Phases, together.")
        yield Chip(said(wait.together), "clock", tool_tip=tip)


def no_blocks_text(run: WatchedRun) -> str:
    """Why there is nothing to draw of single blocks."""
    if run.result is None and not run.record.done:
        return tr("Shown as the program reads the model.")
    seen_by = run.result.seen_by if run.result is not None else ""
    if seen_by == "counters":
        return tr("Only the program's counters are known: how much it read, not which blocks.")
    return tr("Which blocks it read is unknown.")


def short_name(name: str) -> str:
    """The name where there is little room."""
    return name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 1]}…"


def markdown_text(run: WatchedRun) -> str:
    """What came of it and all that is known of it, as Markdown; "" where nothing came of it."""
    result, limits, wait = run.result, run.limits, run.wait
    if result is None or wait is None:
        return ""
    told = analysis_of(run.record, result, limits)._replace(wait=wait)
    return details_text(told, (*_details(run, result, wait), *lines_of(chips(result, limits))))


def _details(run: WatchedRun, result: RunResult, wait: WaitVerdict) -> Iterator[str]:
    """What the window alone knows."""
    yield tr("Command: {command}", command=run.program.command)
    for fact in card_facts(run):
        yield f"{fact.name}: {fact.value}"
    for part in wait.parts:
        if functions := run.functions_text(part):
            named = tr("Python functions: {names}", names=functions)
            yield tr("{name}: {value}", name=part.name, value=named)
    if run.stacks is not None and run.stacks.problem:
        yield said(run.stacks.problem)
    if run.first is not None and (second := second_start_text(run)):
        yield second
        for phase in phases_side_by_side([run.first], [result]):
            yield tr("{name}: {value}", name=phase.name, value=phase.text)
