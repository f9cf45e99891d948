"""What an exported text rests on: the runs, and the times that they took. No widgets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from modelmon.core.comparison.decision import SAME_WITHIN
from modelmon.core.comparison.spread import median_of_known, speed
from modelmon.core.comparison.verdict import arm_names
from modelmon.core.export.outcomes import equivalent_of
from modelmon.core.history.origin import machine_of
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.programs.registry import PROGRAMS
from modelmon.core.remote import SCHEME, parts_of
from modelmon.core.units import (
    duration_text,
    rate_text,
    request_text,
    size_text,
    three_figures,
)
from modelmon.core.watch.command import program_name
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.plots.strip_rows import (
    row_of_runs,
    rows_of_comparison,
    times_title,
    title_of,
)
from modelmon.gui.session.run_words import interval_text, time_text
from modelmon.gui.session.watched_run import TIMED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.comparison.result import Comparison, Verdict
    from modelmon.core.export.outcomes import OneRun
    from modelmon.core.find_best.result import SearchResult, Standing
    from modelmon.core.history.origin import Machine
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.plots.strip_rows import StripRow
    from modelmon.gui.session.notices import ArmLabel

    Tone = Literal["good", "warn", "plain"]
    Told = tuple[str, Tone]

ABSENT = "–"
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
_TIMES: dict[Cache, str] = {
    "cold": mark("Cold start"),
    "warm": mark("Warm start"),
    "as-is": mark("Load time"),
}


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A figure of each column, and how the first compares with the other."""

    name: str
    values: tuple[str, ...]
    compared: str = ""
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was run where, and how sure that is; `rows` of runs whose times are of what `title`
    says, and `lines` of figures with a name and arm over each column. `compared` stands over how
    they compare.
    """

    summary: str
    lines: tuple[EvidenceLine, ...]
    columns: tuple[tuple[str, ArmLabel | None], ...] = ()
    compared: str = ""
    rows: tuple[StripRow, ...] = ()
    title: str = ""


def of_comparison(comparison: Comparison, chosen: ArmLabel) -> Evidence:
    """The runs of both, and how the chosen one compares with the other."""
    arms = (comparison.arm_a, comparison.arm_b)
    other = "B" if chosen == "A" else "A"
    names = _told_apart(arm_names(*arms))
    return Evidence(
        _summary(
            _where(
                tr(_STARTS[comparison.cache], programs=_programs(_firsts(comparison))),
                comparison.path,
                comparison.machine,
            ),
            said(comparison.measured_with).rstrip("."),
            interval_text(comparison.verdict),
        ),
        tuple(_lines(comparison, chosen)),
        tuple(
            (name if name == arm.label else f"{arm.label} {name}", arm.label)
            for arm, name in zip(arms, names, strict=True)
        ),
        tr("{arm} vs. {other}", arm=chosen, other=other),
        tuple(
            replace(row, name=name)
            for row, name in zip(rows_of_comparison(comparison), names, strict=True)
        ),
        title_of(comparison),
    )


def of_race(race: SearchResult) -> Evidence | None:
    """The runs of what is recommended, of the runner-up, and of what modelmon.toml stores in place
    of the first where that is another; None where these are lost.
    """
    found = race.recommendation
    standings = {each.label: each for each in race.standings}
    labels = [each for each in (found.label, found.runner_up) if each]
    told = [standings[each] for each in labels]
    shown = dict.fromkeys(filter(None, (*labels, found.exported)))
    runs = {each: own for each in shown if (own := _runs_of(race, each))}
    if not runs:
        return None
    firsts = [each[0] for each in runs.values()]
    second = standings.get(found.runner_up)
    part = race.portion_bytes
    names = _told_apart(tuple(shown))
    return Evidence(
        _summary(
            _where(tr(_STARTS[race.cache], programs=_programs(firsts)), race.path, race.machine),
            said(race.measured_with).rstrip("."),
            _likely(second) if second is not None and second.against == found.label else "",
        ),
        tuple(_race_lines(race, told, [runs.get(each, []) for each in labels])),
        tuple((each, None) for each in names[: len(labels)]),
        tr("vs. runner-up") if second is not None else "",
        tuple(
            replace(row_of_runs(each, hue, runs[each]), name=name)
            for hue, (each, name) in enumerate(zip(shown, names, strict=True))
            if each in runs
        ),
        times_title(firsts) if part is None else tr("load time of {size}", size=request_text(part)),
    )


def of_run(one: OneRun) -> Evidence:
    """The times of one run."""
    run = one.result
    what = tr(_ONE_START[run.cache_asked], programs=_programs((run,)))
    where = _where(what, one.inspection.reference, machine_of(one.inspection))
    return Evidence(
        _summary(where, said(run.why_not).rstrip(".")),
        tuple(EvidenceLine(name, (value,)) for name, value in _run_figures(run)),
    )


def _firsts(comparison: Comparison) -> tuple[RunResult, RunResult]:
    return (comparison.runs_a[0], comparison.runs_b[0])


def _programs(runs: Sequence[RunResult]) -> str:
    """Who loaded in these runs, one of each strategy."""
    return tr(", ").join(dict.fromkeys(map(_program, runs)))


def _program(run: RunResult) -> str:
    if run.is_program:
        preset = run.strategy.partition(" ")[0]
        # Of those that Python runs, python would be no name.
        known = PROGRAMS[preset].title if preset in PROGRAMS else program_name(run.command)
        return known or run.strategy
    return "modelmon" if run.config.library == NO_LIBRARY else run.strategy


def _told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The names without the words that all begin with, as the program's; of numbers with the word
    before them.
    """
    words = [name.split() for name in names]
    alike = takewhile(lambda each: len({*each}) == 1, zip(*words, strict=False))
    same = len([*alike]) if len(words) > 1 else 0
    while same and not all(any(map(str.isalpha, "".join(each[same:]))) for each in words):
        same -= 1
    return tuple(" ".join(each[same:]) for each in words) if same else tuple(names)


def _where(starts: str, path: str, machine: Machine) -> str:
    """What was started, and from where it loaded."""
    if server := parts_of(path).server:
        return tr("{starts} on {host}", starts=starts, host=server.removeprefix(SCHEME))
    if machine.filesystem and machine.device:
        return tr(
            "{starts} from {filesystem} on {device}",
            starts=starts,
            filesystem=machine.filesystem,
            device=machine.device,
        )
    if machine.filesystem:
        return tr("{starts} from {filesystem}", starts=starts, filesystem=machine.filesystem)
    return starts


def _summary(*facts: str) -> str:
    return sentences(*(tr("{sentence}.", sentence=each) for each in facts if each))


def _lines(comparison: Comparison, chosen: ArmLabel) -> Iterator[EvidenceLine]:
    a, b = arms = (comparison.arm_a, comparison.arm_b)
    firsts = _firsts(comparison)
    timed = firsts[0].timed
    programs = [run.is_program for run in firsts]
    name = TIMED[timed] if all(programs) else _TIMES["as-is"]
    times = tuple(duration_text(arm.median_ns) for arm in arms)
    yield EvidenceLine(tr(name), times, *_judged(comparison.verdict, chosen))
    stored = equivalent_of(comparison, chosen)
    if stored is not None:
        mine, other = duration_text(stored.median_ns), (b if chosen == "A" else a).median_ns
        values = (mine, ABSENT) if chosen == "A" else (ABSENT, mine)
        told = _beside(stored.median_ns, other)
        yield EvidenceLine(tr("With threads, as stored"), values, *told)
    if not any(programs):
        yield EvidenceLine(tr("Throughput"), tuple(rate_text(arm.bytes_per_s) for arm in arms))
    elif timed == "ready":
        yield from _other_time(tr(TIMED["reading"]), a.reading_ns, b.reading_ns, chosen)
    else:
        yield from _other_time(tr(TIMED["ready"]), a.ready_ns, b.ready_ns, chosen)


def _other_time(
    name: str, a_ns: float | None, b_ns: float | None, chosen: ArmLabel
) -> Iterator[EvidenceLine]:
    """A time that is known of one at least, and wasn't judged."""
    if a_ns is not None or b_ns is not None:
        mine, other = (a_ns, b_ns) if chosen == "A" else (b_ns, a_ns)
        yield EvidenceLine(name, (_time(a_ns), _time(b_ns)), *_beside(mine, other))


def _race_lines(
    race: SearchResult, told: Sequence[Standing], runs: Sequence[Sequence[RunResult]]
) -> Iterator[EvidenceLine]:
    """Of the recommended one, and of the runner-up where there is one."""
    start = tr(_TIMES[race.cache])
    if race.portion_bytes is not None:
        start = tr("{start}, whole model", start=start)
    known = told[0].label == told[-1].against
    yield EvidenceLine(
        start,
        tuple(_time(each.median_ns) for each in told),
        *(_judged_in_race(told[-1]) if known and len(told) > 1 else ("", "plain")),
    )
    others = [each.other_median_ns for each in told]
    readings = [
        median_of_known(
            run.reading_ns for run in own if run.counts and run.first_byte_ns is not None
        )
        for own in runs
    ]
    for name, times in (
        (tr(TIMED["reading"]), readings),
        (tr(_TIMES["warm" if race.cache == "cold" else "cold"]), others),
    ):
        if any(time is not None for time in times):
            compared = _beside(times[0], times[1]) if len(times) > 1 else ("", "plain")
            yield EvidenceLine(name, tuple(map(_time, times)), *compared)
    if race.objective == "memory":
        held = (ABSENT if each.held_bytes is None else size_text(each.held_bytes) for each in told)
        yield EvidenceLine(tr("Private memory"), tuple(held))


def _runs_of(race: SearchResult, label: str) -> list[RunResult]:
    """Its runs from the state that the race is about, and of the part that it loads."""
    return [
        run.result
        for run in race.runs
        if run.label == label
        and run.result.cache_asked == race.cache
        and run.result.portion == (race.portion_bytes is not None)
    ]


def _likely(second: Standing) -> str:
    """How many times as fast the best is as the runner-up; empty after too few runs."""
    if second.coverage_share is None or second.ratio_low is None or second.ratio_high is None:
        return ""
    pairs = tr("1 pair") if second.pairs == 1 else tr("{count} pairs", count=second.pairs)
    return tr(
        "Very likely {low}× to {high}× as fast as {runner_up}, {pairs}",
        low=three_figures(second.ratio_low),
        high=three_figures(second.ratio_high),
        runner_up=second.label,
        pairs=pairs,
    )


def _run_figures(run: RunResult) -> Iterator[tuple[str, str]]:
    if not run.is_program:
        yield tr(_TIMES["as-is"]), time_text(run)
        if run.extrapolated:
            yield tr("Whole model, extrapolated"), duration_text(run.model_wall_ns)
        yield tr("Throughput"), rate_text(run.bytes_per_s)
        return
    yield tr("Not ready after") if run.cut_off else tr(TIMED["ready"]), duration_text(run.wall_ns)
    if run.first_byte_ns is not None and run.last_byte_ns is not None:
        yield tr("Before reading"), duration_text(run.first_byte_ns)
        yield tr(TIMED["reading"]), duration_text(run.reading_ns)
        yield tr("After reading"), duration_text(max(0, run.wall_ns - run.last_byte_ns))


def _time(ns: float | None) -> str:
    return ABSENT if ns is None else duration_text(ns)


def _judged(verdict: Verdict, chosen: ArmLabel) -> Told:
    """What the verdict says of the chosen one."""
    if verdict.winner == "no-difference":
        return tr("just as fast"), "plain"
    if verdict.winner == "undecided" or verdict.ratio is None:
        return tr("no clear winner"), "plain"
    ratio = verdict.ratio if chosen == "B" else 1 / verdict.ratio
    return said(speed(ratio)), "good" if verdict.winner == chosen else "warn"


def _judged_in_race(second: Standing) -> Told:
    """What the race says of the recommended one beside the runner-up."""
    ratio, low, high = second.ratio, second.ratio_low, second.ratio_high
    if second.coverage_share is None or ratio is None or low is None or high is None:
        return tr("too early to tell"), "plain"
    if low <= 1 <= high:
        return tr("no clear winner"), "plain"
    return said(speed(ratio)), "good" if low > 1 else "warn"


def _beside(mine_ns: float | None, other_ns: float | None) -> Told:
    """How times compare that nothing was concluded from."""
    if not mine_ns or not other_ns:
        return "", "plain"
    ratio = other_ns / mine_ns
    if 1 / SAME_WITHIN < ratio < SAME_WITHIN:
        return tr("about the same"), "plain"
    return said(speed(ratio)), "plain" if ratio > 1 else "warn"
