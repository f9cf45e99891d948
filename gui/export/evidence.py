"""What an exported text rests on: the runs, and the times that they took. No widgets."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Literal

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.comparison.decision import SAME_WITHIN
from modelmon.core.comparison.result import Comparison
from modelmon.core.comparison.spread import median_of_known, speed
from modelmon.core.comparison.verdict import arm_names
from modelmon.core.export.outcomes import equivalent_of, measured_in
from modelmon.core.find_best.result import SearchResult
from modelmon.core.load.config import NO_LIBRARY
from modelmon.core.programs.registry import PROGRAMS
from modelmon.core.remote import SCHEME, parts_of
from modelmon.core.units import duration_text, rate_text, request_text, size_text
from modelmon.core.watch.command import program_name
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.plots.strip_rows import (
    row_of_runs,
    rows_of_comparison,
    time_in,
    times_title,
    title_of,
)
from modelmon.gui.session.run_words import interval_text, time_text
from modelmon.gui.session.watched_run import TIMED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from modelmon.core.comparison.result import Verdict
    from modelmon.core.export.outcomes import OneRun, Result
    from modelmon.core.find_best.result import Standing
    from modelmon.core.programs.outcome import Measured
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


def evidence_of(result: Result, chosen: ArmLabel) -> Evidence | None:
    """What was measured, and of a comparison how the chosen arm compares with the other; None
    where that is not a few runs.
    """
    if isinstance(result, Comparison):
        return _of_comparison(result, chosen)
    if isinstance(result, SearchResult):
        return _of_race(result)
    return None if isinstance(result, ClusterResult) else _of_run(result)


def _of_comparison(comparison: Comparison, chosen: ArmLabel) -> Evidence:
    arms = (comparison.arm_a, comparison.arm_b)
    firsts = (comparison.runs_a[0], comparison.runs_b[0])
    names = _told_apart(arm_names(*arms))
    return Evidence(
        _summary(
            _where(_STARTS, firsts, measured_in(comparison)),
            said(comparison.measured_with),
            interval_text(comparison.verdict),
        ),
        tuple(_lines(comparison, chosen)),
        tuple(
            (name if name == arm.label else f"{arm.label} {name}", arm.label)
            for arm, name in zip(arms, names, strict=True)
        ),
        tr("{arm} vs. {other}", arm=chosen, other="B" if chosen == "A" else "A"),
        tuple(
            replace(row, name=name)
            for row, name in zip(rows_of_comparison(comparison), names, strict=True)
        ),
        title_of(comparison),
    )


def _lines(comparison: Comparison, chosen: ArmLabel) -> Iterator[EvidenceLine]:
    arms = (comparison.arm_a, comparison.arm_b)
    first_a, first_b = comparison.runs_a[0], comparison.runs_b[0]
    times = tuple(duration_text(arm.usual_ns) for arm in arms)
    name = TIMED[first_a.timed] if first_a.is_program and first_b.is_program else _TIMES["as-is"]
    yield EvidenceLine(tr(name), times, *_judged(comparison.verdict, chosen))
    if (stored := equivalent_of(comparison, chosen)) is not None:
        threads = (stored.usual_ns, None) if chosen == "A" else (None, stored.usual_ns)
        other_ns = comparison.arm("B" if chosen == "A" else "A").usual_ns
        yield from _times(tr("With threads, as stored"), threads, stored.usual_ns, other_ns)
    if not (first_a.is_program or first_b.is_program):
        yield EvidenceLine(tr("Throughput"), tuple(rate_text(arm.bytes_per_s) for arm in arms))
        return
    # The time that wasn't judged.
    reading = first_a.timed == "ready"
    a_ns, b_ns = (arm.reading_ns if reading else arm.ready_ns for arm in arms)
    compared = (a_ns, b_ns) if chosen == "A" else (b_ns, a_ns)
    yield from _times(tr(TIMED["reading" if reading else "ready"]), (a_ns, b_ns), *compared)


def _of_race(race: SearchResult) -> Evidence | None:
    """The runs of what is recommended, of the runner-up, and of what modelmon.toml stores in place
    of the first where that is another; None where these are lost.
    """
    found = race.recommendation
    standings = {each.label: each for each in race.standings}
    labels = [each for each in (found.label, found.runner_up) if each]
    shown = dict.fromkeys(filter(None, (*labels, found.exported)))
    runs = {each: own for each in shown if (own := _runs_of(race, each))}
    if not runs:
        return None
    firsts = [each[0] for each in runs.values()]
    second = standings.get(found.runner_up)
    if second is not None and second.against != found.label:
        second = None
    part = race.portion_bytes
    names = _told_apart(tuple(shown))
    whole = {} if part is not None else {each: time_in(standings[each]) for each in shown}
    return Evidence(
        _summary(
            _where(_STARTS, firsts, measured_in(race)),
            said(race.measured_with),
            interval_text(second) if second is not None and second.coverage_share else "",
        ),
        tuple(_race_lines(race, [standings[each] for each in labels], runs, second)),
        tuple((each, None) for each in names[: len(labels)]),
        tr("vs. runner-up") if len(labels) > 1 else "",
        tuple(
            replace(row_of_runs(each, hue, runs[each], whole.get(each)), name=name)
            for hue, (each, name) in enumerate(zip(shown, names, strict=True))
            if each in runs
        ),
        times_title(firsts) if part is None else tr("load time of {size}", size=request_text(part)),
    )


def _race_lines(
    race: SearchResult,
    told: Sequence[Standing],
    runs: dict[str, list[RunResult]],
    second: Standing | None,
) -> Iterator[EvidenceLine]:
    """Of the recommended one, and of the runner-up where there is one."""
    start = tr(_TIMES[race.cache])
    if race.portion_bytes is not None:
        start = tr("{start}, whole model", start=start)
    judged = _judged_in_race(second) if second is not None else ("", "plain")
    yield EvidenceLine(start, tuple(_time(each.expected_ns) for each in told), *judged)
    readings = [
        median_of_known(
            run.reading_ns
            for run in runs.get(each.label, ())
            if run.counts and run.first_byte_ns is not None
        )
        for each in told
    ]
    yield from _times(tr(TIMED["reading"]), readings, *readings)
    others = [each.other_median_ns for each in told]
    yield from _times(tr(_TIMES["warm" if race.cache == "cold" else "cold"]), others, *others)
    if race.objective == "memory":
        held = tuple(_known(each.held_bytes, size_text) for each in told)
        yield EvidenceLine(tr("Private memory"), held)


def _runs_of(race: SearchResult, label: str) -> list[RunResult]:
    """Its runs from the state that the race is about, and of the part that it loads."""
    return [
        run.result
        for run in race.runs
        if run.label == label
        and run.result.cache_asked == race.cache
        and run.result.portion == (race.portion_bytes is not None)
    ]


def _of_run(one: OneRun) -> Evidence:
    """The times of one run."""
    run = one.result
    return Evidence(
        _summary(_where(_ONE_START, (run,), measured_in(one)), said(run.why_not)),
        tuple(EvidenceLine(name, (value,)) for name, value in _run_figures(run)),
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


def _times(
    name: str, values_ns: Sequence[float | None], mine_ns: float | None, other_ns: float | None = 0
) -> Iterator[EvidenceLine]:
    """Times that are known of one at least, and how mine compares: nothing was concluded of it."""
    if any(value is not None for value in values_ns):
        yield EvidenceLine(name, tuple(map(_time, values_ns)), *_beside(mine_ns, other_ns))


def _beside(mine_ns: float | None, other_ns: float | None) -> Told:
    """How times compare that nothing was concluded from."""
    if not mine_ns or not other_ns:
        return "", "plain"
    ratio = other_ns / mine_ns
    if 1 / SAME_WITHIN < ratio < SAME_WITHIN:
        return tr("about the same"), "plain"
    return said(speed(ratio)), "plain" if ratio > 1 else "warn"


def _time(ns: float | None) -> str:
    return _known(ns, duration_text)


def _known(value: float | None, text: Callable[[float], str]) -> str:
    return ABSENT if value is None else text(value)
