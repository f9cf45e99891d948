"""What a comparison says: what to do, why, and what it does not say."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING, Literal

import msgspec

from modelmon.core.compare.checks import is_discarded_by_chance
from modelmon.core.compare.decision import SAME_WITHIN, Winner, outcome, paired_times
from modelmon.core.compare.detectable import detectable_share, pairs_needed
from modelmon.core.compare.judge import posterior_of, preferred
from modelmon.core.compare.level_shift import level_shift
from modelmon.core.compare.result import ArmSummary, Comparison, Verdict
from modelmon.core.compare.simplicity import simpler
from modelmon.core.compare.speed import WORTH_A_FACTOR
from modelmon.core.compare.spread import (
    MIN_PAIRS_FOR_INTERVAL,
    RatioInterval,
    ratio_interval,
)
from modelmon.core.compare.starts import unverified_text
from modelmon.core.compare.step_cause import step_text
from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import (
    duration_text,
    percent_text,
    range_texts,
    size_text,
    three_figures,
    two_figures,
)
from modelmon.core.worker.memory_kinds import memory_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from modelmon.core.compare.posterior import Posterior
    from modelmon.core.explain.kinds import Confidence
    from modelmon.core.worker.result import RunResult

_SAME_SHARE = SAME_WITHIN - 1
# The MAD of steady runs is a few percent of their median.
_VARYING_SHARE = 0.1
_TOLD_ALIKE_SHARE = 0.02
"""By which the medians' ratio may differ from the one that the headline says."""


def judge(
    arm_a: ArmSummary,
    arm_b: ArmSummary,
    runs_a: Sequence[RunResult],
    runs_b: Sequence[RunResult],
    looks: tuple[int, ...] = (),
) -> Verdict:
    """The verdict over the pairs in which both runs count, of a comparison with these `looks`.

    Raises LoadFailedError if there is no such pair.
    """
    times_a, times_b = paired_times(runs_a, runs_b)
    if not times_a:
        raise LoadFailedError(
            Message("No pair of runs counts."),
            Message("See why in the Runs tab or with modelmon history, then compare again."),
        )
    kept = [run for run in runs_a if run.counts], [run for run in runs_b if run.counts]
    number = max(1, len(looks))
    interval = ratio_interval(times_a, times_b, number)
    winner = outcome(interval)
    detectable = detectable_share(interval, number)
    needed = pairs_needed(interval, number, _SAME_SHARE) if winner == "undecided" else None
    sensitivity = _sensitivity(detectable, needed)
    posterior = posterior_of(*kept)
    assert posterior is not None
    estimate = posterior.ratio("A", "B")
    headline, support = _words(winner, interval, posterior, (arm_a, arm_b), _start(kept[0][0]))
    if winner == "undecided" and any(run.file_change for run in (*runs_a, *runs_b)):
        headline = Message("Ended early: the model was changed or removed")
    confidence, why = _confidence(winner, interval, (*runs_a, *runs_b))
    return Verdict(
        winner=winner,
        sentence=headline,
        reason=support,
        caveat=joined(note for _, note in _notes(arm_a, arm_b, runs_a, runs_b)),
        confidence=confidence,
        confidence_reason=why,
        pairs=interval.pairs,
        ratio=interval.ratio,
        ratio_low=interval.low,
        ratio_high=interval.high,
        coverage_share=interval.coverage_share,
        estimate=estimate.ratio,
        estimate_low=estimate.low,
        estimate_high=estimate.high,
        looks=looks,
        sensitivity=sensitivity,
        detectable_share=detectable,
        pairs_needed=needed,
    )


def mirrored(comparison: Comparison) -> Comparison:
    """The same with A and B exchanged."""
    arm_a, arm_b = _labeled(comparison.arm_b, "A"), _labeled(comparison.arm_a, "B")
    runs_a, runs_b = comparison.runs_b, comparison.runs_a
    as_a, as_b = comparison.equivalent_b, comparison.equivalent_a
    return msgspec.structs.replace(
        comparison,
        order=comparison.order.translate(str.maketrans("AB", "BA")),
        runs_a=runs_a,
        runs_b=runs_b,
        arm_a=arm_a,
        arm_b=arm_b,
        verdict=judge(arm_a, arm_b, runs_a, runs_b, comparison.verdict.looks),
        equivalent_a=_labeled(as_a, "A") if as_a is not None else None,
        equivalent_b=_labeled(as_b, "B") if as_b is not None else None,
    )


def _labeled(arm: ArmSummary, label: Literal["A", "B"]) -> ArmSummary:
    return msgspec.structs.replace(arm, label=label)


def _words(
    winner: Winner,
    interval: RatioInterval,
    posterior: Posterior,
    arms: tuple[ArmSummary, ArmSummary],
    start: Message,
) -> tuple[Message, Message]:
    """What to do, and why in figures that need no statistics."""
    arm_a, arm_b = arms
    choice = preferred(posterior, {"A": arm_a.config, "B": arm_b.config})
    if winner == "A":
        return _winner_words(interval.inverse(), arm_b, arm_a, start)
    if winner == "B":
        return _winner_words(interval, arm_a, arm_b, start)
    a, b = arm_names(arm_a, arm_b)
    times = {"time_a": duration_text(arm_a.median_ns), "time_b": duration_text(arm_b.median_ns)}
    if winner == "no-difference":
        return (
            Message("Keep {a}: {b} is just as fast", a=a, b=b)
            if choice == "A"
            else Message("Use {b}: just as fast as {a}, and simpler", a=a, b=b)
            if simpler(arm_b.config, arm_a.config)
            else Message("Use either: {b} is just as fast as {a}", a=a, b=b)
        ), Message(
            "{time_a} and {time_b}; the difference is very likely under {same}.",
            **times,
            same=percent_text(_SAME_SHARE),
        )
    if interval.pairs < MIN_PAIRS_FOR_INTERVAL:
        return (
            Message("Too early to tell: run at least {least} pairs", least=MIN_PAIRS_FOR_INTERVAL),
            Message(
                "{pairs} so far: {a} {time_a}, {b} {time_b}.",
                pairs=_pairs(interval.pairs),
                a=a,
                b=b,
                **times,
            ),
        )
    return (
        Message("No clear winner: keep {a} or compare again", a=a)
        if choice == "A"
        else Message("No clear winner: use {b} for now or compare again", b=b)
    ), _estimated(posterior.ratio("A", "B"), a, b)


def _winner_words(
    interval: RatioInterval, slow: ArmSummary, fast: ArmSummary, start: Message
) -> tuple[Message, Message]:
    """Of an interval of the slower one's time ÷ the faster one's."""
    names = dict(zip(("slow", "fast"), arm_names(slow, fast), strict=True))
    share = percent_text(1 - 1 / interval.ratio)
    figures = {"time": duration_text(fast.median_ns), "other_time": duration_text(slow.median_ns)}
    # The ratio is of neighbors, the medians are of all runs: where they differ by chance, a reader
    # who divides them would find another answer than the headline's, and has to be told of what.
    alike = abs(slow.median_ns / fast.median_ns / interval.ratio - 1) < _TOLD_ALIKE_SHARE
    if fast.median_ns > slow.median_ns:
        times = NOTHING
    elif not start:
        times = (
            Message("{time} instead of {other_time}.", **figures)
            if alike
            else Message("Median times {time} and {other_time}.", **figures)
        )
    else:
        times = (
            Message("{time} instead of {other_time} {start}.", **figures, start=start)
            if alike
            else Message("Median times {time} and {other_time} {start}.", **figures, start=start)
        )
    if interval.ratio < SAME_WITHIN:
        keep = Message("Keep {slow} if you already use it.", **names)
        headline = Message("Use either: {fast} saves only {share}", **names, share=share)
        return headline, joined(filter(None, (times, keep)))
    worth_a_factor = interval.ratio >= WORTH_A_FACTOR
    likely = _range_in_factors(interval) if worth_a_factor else _range_in_shares(interval)
    headline = (
        Message(
            "Use {fast}: {ratio}× as fast as {slow}", **names, ratio=two_figures(interval.ratio)
        )
        if worth_a_factor
        else Message("Use {fast}: {share} less time than {slow}", **names, share=share)
    )
    return headline, joined(filter(None, (times, likely)))


def _range_in_factors(interval: RatioInterval) -> Message:
    low, high = range_texts(interval.low, interval.high)
    if low == high:
        return Message("Very likely {ratio}× as fast.", ratio=low)
    return Message("Very likely {low}× to {high}× as fast.", low=low, high=high)


def _range_in_shares(interval: RatioInterval) -> Message:
    low, high = _share_outward(interval.low, floor), _share_outward(interval.high, ceil)
    if low == high:
        return Message("Very likely {share} less.", share=low)
    return Message("Very likely {low} to {high} less.", low=low, high=high)


def _estimated(estimate: RatioInterval, a: str, b: str) -> Message:
    """How much less time the one takes that seems faster, where that names no winner: a likely
    range (95%), where what names a winner is very likely (98%). Its middle is left out: beside
    medians that lie the other way round it would read as a contradiction.
    """
    if estimate.ratio < 1:
        a, b, estimate = b, a, estimate.inverse()
    least, most = 1 - 1 / estimate.low, 1 - 1 / estimate.high
    if least < 0:
        return Message(
            "{b} likely takes between {most} less and {more} more time than {a}.",
            a=a,
            b=b,
            most=percent_text(most),
            more=percent_text(-least),
        )
    return Message(
        "{b} likely takes {least} to {most} less time than {a}; more pairs would tell.",
        a=a,
        b=b,
        least=percent_text(least),
        most=percent_text(most),
    )


def _share_outward(bound: float, rounded: Callable[[float], int]) -> str:
    """The time that a ratio saves, in whole percents away from the middle; below one in tenths."""
    share = 1 - 1 / bound
    steps = 100 if share >= 0.01 else 1000
    told = rounded(round(share * steps, 9)) / steps
    return percent_text(told or share)


def _sensitivity(detectable: float | None, needed: int | None) -> Message:
    """How small a difference could have been seen."""
    if not detectable:
        return NOTHING
    size = (
        percent_text(detectable)
        if detectable < 1
        else Message("a factor of {value}", value=three_figures(1 + detectable))
    )
    if needed is None:
        return Message("Smallest detectable difference: {size}.", size=size)
    return Message(
        "Smallest detectable difference: {size}. Detecting {same} takes about {about} pairs.",
        size=size,
        same=percent_text(_SAME_SHARE),
        about=needed if needed < 20 else round(needed, -1),
    )


def arm_names(arm_a: ArmSummary, arm_b: ArmSummary) -> tuple[str, str]:
    """What the two are called: their strategies, or A and B where these are the same."""
    names = arm_a.strategy, arm_b.strategy
    return names if names[0] != names[1] else ("A", "B")


def time_goes(name: str, arm: ArmSummary) -> Message:
    """What an arm spends its time on, as a sentence with its figure."""
    if arm.bottleneck is None:
        return Message("{arm} took {time}.", arm=name, time=duration_text(arm.median_ns))
    # The cause is that of the run in the middle; where they vary, others may have another.
    if arm.mad_ns > _VARYING_SHARE * arm.median_ns:
        return Message(
            "{arm}, in its median run, {clause}.", arm=name, clause=arm.bottleneck.clause
        )
    return Message("{arm} {clause}.", arm=name, clause=arm.bottleneck.clause)


def _start(run: RunResult) -> Message:
    """How the runs started, where that is known."""
    if run.cache_state == "cold":
        return Message("from a cold start")
    if run.cache_state == "warm":
        return Message("from a warm start")
    return NOTHING


NoteKind = Literal["step", "portion", "outliers", "programs", "memory", "unverified", "start"]


def notes_of(comparison: Comparison) -> Iterator[tuple[NoteKind, Message]]:
    """What a comparison doesn't say, and what its choice costs, each by what it is about."""
    runs = comparison.runs_a, comparison.runs_b
    if all(any(run.counts for run in each) for each in runs):
        yield from _notes(comparison.arm_a, comparison.arm_b, *runs)


def _notes(
    arm_a: ArmSummary, arm_b: ArmSummary, all_a: Sequence[RunResult], all_b: Sequence[RunResult]
) -> Iterator[tuple[NoteKind, Message]]:
    if (shift := level_shift((all_a, all_b))) is not None:
        yield "step", step_text(shift, (*all_a, *all_b))
    runs_a, runs_b = ([run for run in each if run.counts] for each in (all_a, all_b))
    first_a, first_b = runs_a[0], runs_b[0]
    if first_a.extrapolated:
        yield (
            "portion",
            Message(
                "Loaded {load} of {model}; times for the whole model are extrapolated.",
                load=size_text(first_a.load_bytes),
                model=size_text(first_a.model_bytes),
            ),
        )
        if around := max(run.read_around_share for run in (*runs_a, *runs_b)):
            yield (
                "portion",
                Message(
                    "Up to {around} more came from storage, so these may be too long.",
                    around=percent_text(around),
                ),
            )
    if arm_a.outliers or arm_b.outliers:
        each = [
            Message("{outliers} of {label}", outliers=arm.outliers, label=arm.label)
            for arm in (arm_a, arm_b)
            if arm.outliers
        ]
        yield "outliers", Message("Outliers (counted): {each}.", each=joined(each, ", "))
    for note in _programs((arm_a, first_a), (arm_b, first_b)):
        yield "programs", note
    for note in _memory(first_a, first_b):
        yield "memory", note
    yield _start_note(first_a)


def _start_note(run: RunResult) -> tuple[NoteKind, Message]:
    asked = run.cache_asked
    if asked == "as-is":
        return "start", Message("The page cache was left unchanged.")
    if run.cache_state == f"{asked}-here":
        return "unverified", Message(
            "Starts were cold on this machine; the server's cache can't be seen."
        )
    if run.cache_state != asked:
        return "unverified", unverified_text(asked)
    return "start", (
        Message("Only cold starts were measured.")
        if asked == "cold"
        else Message("Only warm starts were measured.")
    )


def _programs(*arms: tuple[ArmSummary, RunResult]) -> Iterator[Message]:
    """What was timed of programs, how much the other time is, and whether they loaded alike."""
    programs = [(arm, run) for arm, run in arms if run.is_program]
    if not programs:
        return
    reading = programs[0][1].timed == "reading"
    others = [
        Message(
            "{label} {time}",
            label=arm.label,
            time=duration_text(told_ns),
        )
        for arm, _ in programs
        if (told_ns := arm.ready_ns if reading else arm.reading_ns) is not None
    ]
    if len(programs) < len(arms):
        mine = next(arm.label for arm, run in arms if not run.is_program)
        figures = {"program": programs[0][0].label, "mine": mine}
        yield (
            Message("{program} is timed while it reads the model, {mine} as a whole.", **figures)
            if reading
            else Message(
                "{program} is timed from its start until it's ready, {mine} without its start.",
                **figures,
            )
        )
    elif reading:
        yield Message("Timed from the first to the last byte of the model.")
    else:
        yield Message("Timed from the start until ready.")
    if others:
        told = joined(others, ", ")
        yield (
            Message("Time until ready: {times}.", times=told)
            if reading
            else Message("Time to read the model: {times}.", times=told)
        )
    low, high = sorted(run.load_bytes for _, run in arms)
    if low * SAME_WITHIN < high:
        each = [
            Message("{label} {size}", label=arm.label, size=size_text(run.load_bytes))
            for arm, run in arms
        ]
        yield Message("They loaded different amounts: {each}.", each=joined(each, ", "))


def _memory(run_a: RunResult, run_b: RunResult) -> Iterator[Message]:
    """What kind of memory the model is in; of programs that is not always known."""
    kinds = run_a.memory_kind, run_b.memory_kind
    if "unknown" in kinds:
        return
    if kinds == ("streamed", "streamed"):
        yield Message("Neither keeps what it loads in memory.")
    elif kinds == ("mapped", "mapped"):
        yield Message("Both stay memory-mapped (reclaimable).")
    elif kinds == ("owned", "owned"):
        yield Message("Both are private copies.")
    else:
        yield Message(
            "A: {where_a}. B: {where_b}.",
            where_a=memory_text(run_a),
            where_b=memory_text(run_b),
        )


def _pairs(count: int) -> Message:
    return Message("1 pair") if count == 1 else Message("{count} pairs", count=count)


def _confidence(
    winner: Winner, interval: RatioInterval, runs: Sequence[RunResult]
) -> tuple[Confidence, Message]:
    pairs = _pairs(interval.pairs)
    if interval.pairs < MIN_PAIRS_FOR_INTERVAL:
        return "low", Message(
            "{pairs}; a confidence interval needs {least}",
            pairs=pairs,
            least=MIN_PAIRS_FOR_INTERVAL,
        )
    if winner == "undecided":
        return "low", (
            # From less than is noteworthy to more than is the same.
            Message("{pairs}, the range is too wide", pairs=pairs)
            if interval.decided
            else Message("{pairs}, the range includes 1", pairs=pairs)
        )
    if discarded := sum(not run.counts and not is_discarded_by_chance(run) for run in runs):
        return "medium", (
            Message("{pairs}, 1 run not counted", pairs=pairs)
            if discarded == 1
            else Message("{pairs}, {discarded} runs not counted", pairs=pairs, discarded=discarded)
        )
    if any(run.cache_evidence == "unknown" for run in runs):
        return "medium", Message("{pairs}, cache state unknown", pairs=pairs)
    return "high", Message("{pairs}, all started as requested", pairs=pairs)
