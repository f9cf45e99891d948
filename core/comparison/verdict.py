"""What a comparison says: what to do, why, and what it does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from modelmon.core.comparison.decision import (
    SAME_WITHIN,
    chosen,
    detectable_share,
    outcome,
    pairs_needed,
    posterior_of,
)
from modelmon.core.comparison.result import Comparison, StrategySummary, Verdict, with_time
from modelmon.core.comparison.run_validity import is_discarded_by_chance, unverified_text
from modelmon.core.comparison.spread import (
    MIN_PAIRS_FOR_INTERVAL,
    by_chance,
    faster_than,
    level_shift,
    likely_gain,
    likely_time,
)
from modelmon.core.errors import LoadFailedError
from modelmon.core.explain.program_report import phases_side_by_side
from modelmon.core.load.config import PROGRAM
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import (
    duration_text,
    percent_text,
    size_text,
    two_figures,
)
from modelmon.core.worker.result import memory_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from modelmon.core.comparison.decision import Label, Winner
    from modelmon.core.comparison.result import Confidence
    from modelmon.core.comparison.spread import Ratio
    from modelmon.core.explain.program_report import PhaseTimes
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.result import RunResult

_SAME_SHARE = SAME_WITHIN - 1
# The MAD of steady runs is a few percent of their median.
_VARYING_SHARE = 0.1


class Judged(NamedTuple):
    """Both arms with their times, and the verdict: all by one posterior."""

    arm_a: StrategySummary
    arm_b: StrategySummary
    verdict: Verdict


def judge(
    arm_a: StrategySummary,
    arm_b: StrategySummary,
    runs_a: Sequence[RunResult],
    runs_b: Sequence[RunResult],
) -> Judged:
    """The verdict over the pairs in which both runs count.

    Raises LoadFailedError if there is no such pair.
    """
    posterior = posterior_of(runs_a, runs_b)
    if posterior is None:
        raise LoadFailedError(
            Message("No pair of runs counts."),
            Message(
                "See why in the Runs tab{terminal}, then compare again.",
                terminal=" or with modelmon history",
            ),
        )
    arm_a, arm_b = with_time(arm_a, posterior.time("A")), with_time(arm_b, posterior.time("B"))
    found = posterior.ratio("A", "B")
    winner, runs = outcome(found), (*runs_a, *runs_b)
    enough = found.pairs >= MIN_PAIRS_FOR_INTERVAL
    needed = pairs_needed(found, _SAME_SHARE) if winner == "undecided" and enough else None
    start = _start(next(run for run in runs_a if run.counts))
    headline, support = _words(winner, found, needed, (arm_a, arm_b), start)
    if winner == "undecided" and any(run.file_change for run in runs):
        headline = Message("Ended early: the model was changed or removed")
    confidence, why = _confidence(winner, found, runs)
    verdict = Verdict(
        winner=winner,
        sentence=headline,
        reason=support,
        caveat=joined(note for _, note in _notes(arm_a, arm_b, runs_a, runs_b)),
        confidence=confidence,
        confidence_reason=why,
        pairs=found.pairs,
        ratio=found.ratio,
        ratio_low=found.low,
        ratio_high=found.high,
        coverage_share=found.coverage_share if enough else None,
        sensitivity=_sensitivity(detectable_share(found)) if enough else NOTHING,
        pairs_needed=needed,
    )
    return Judged(arm_a, arm_b, verdict)


def mirrored(comparison: Comparison) -> Comparison:
    """The same with A and B exchanged."""
    arm_a, arm_b = _labeled(comparison.arm_b, "A"), _labeled(comparison.arm_a, "B")
    runs_a, runs_b = comparison.runs_b, comparison.runs_a
    judged = judge(arm_a, arm_b, runs_a, runs_b)
    return msgspec.structs.replace(
        comparison,
        order=comparison.order.translate(str.maketrans("AB", "BA")),
        runs_a=runs_a,
        runs_b=runs_b,
        **judged._asdict(),
    )


def _labeled(arm: StrategySummary, label: Literal["A", "B"]) -> StrategySummary:
    return msgspec.structs.replace(arm, label=label)


def _words(
    winner: Winner,
    found: Ratio,
    needed: int | None,
    arms: tuple[StrategySummary, StrategySummary],
    start: Message,
) -> tuple[Message, Message]:
    """What to do, and why in figures that need no statistics."""
    arm_a, arm_b = arms
    names = dict(zip(("a", "b"), arm_names(arm_a, arm_b), strict=True))
    times = {
        "time_a": duration_text(arm_a.usual_ns),
        "time_b": duration_text(arm_b.usual_ns),
    }
    if winner in ("A", "B"):
        return _winner_words(winner, found, arms, start)
    if winner == "no-difference":
        configs: dict[Label, LoadConfig] = {"A": arm_a.config, "B": arm_b.config}
        return (
            Message("Keep {label}: {rival} is just as fast", label=names["a"], rival=names["b"])
            if chosen(winner, configs) == "A"
            else Message("Use {b}: just as fast as {a}, and simpler", **names)
        ), Message(
            "{time_a} and {time_b}; very likely less than {same} apart.",
            **times,
            same=percent_text(_SAME_SHARE),
        )
    if found.pairs < MIN_PAIRS_FOR_INTERVAL:
        return Message("Too early to tell"), Message(
            "{pairs} so far: {time_a} and {time_b}. Run at least {least}.",
            pairs=_pairs(found.pairs),
            least=MIN_PAIRS_FOR_INTERVAL,
            **times,
        )
    return _undecided_words(found, needed, names)


def _winner_words(
    winner: Winner, found: Ratio, arms: tuple[StrategySummary, StrategySummary], start: Message
) -> tuple[Message, Message]:
    """Of a comparison that one of them wins. A program or strategy is not changed for a few
    percent.
    """
    found = found._replace(middle=abs(found.middle))
    order = (0, 1) if winner == "B" else (1, 0)
    slow, fast = (arm_names(*arms)[at] for at in order)
    slow_time, fast_time = (duration_text(arms[at].usual_ns) for at in order)
    figures = {"time": fast_time, "other_time": slow_time, "start": start}
    reason = (
        Message("{time} instead of {other_time} {start}", **figures)
        if start
        else Message("{time} instead of {other_time}", **figures)
    )
    if found.ratio < SAME_WITHIN:
        share = percent_text(1 - 1 / found.ratio)
        headline = (
            Message("Keep {label}: {rival} saves only {saved}", label=slow, rival=fast, saved=share)
            if winner == "B"
            else Message(
                "Keep {fast}: {share} less time than {slow}", slow=slow, fast=fast, share=share
            )
        )
        return headline, Message("{reason}.", reason=reason)
    words = {"label": fast, "change": faster_than(slow, found.ratio)}
    # No program can use a strategy of modelmon, which times another thing, too.
    alike = len({arm.config.library == PROGRAM for arm in arms}) == 1
    headline = (
        Message("Use {label}: {change}", **words)
        if alike
        else Message("{label}: {change}", **words)
    )
    likely = likely_gain(found)
    return headline, Message("{reason} ({likely}).", reason=reason, likely=likely)


def _undecided_words(
    found: Ratio, needed: int | None, names: dict[str, str]
) -> tuple[Message, Message]:
    """That none is clearly faster, how much time B may take, and what would settle it."""
    more = (
        Message(
            "About {pairs} pairs show a difference of {same}.",
            pairs=_rounded(needed),
            same=percent_text(_SAME_SHARE),
        )
        if needed is not None
        else Message("Compare again for a clearer result.")
    )
    likely = likely_time(names["b"], found)
    if found.low <= 1 <= found.high:
        return Message("No clear winner: keep {a}", **names), joined((likely, more))
    support = joined((likely, by_chance(found.pairs), more))
    return Message("No clear winner yet: keep {label}", label=names["a"]), support


def _rounded(pairs: int) -> int:
    return pairs if pairs < 20 else round(pairs, -1)


def _sensitivity(detectable: float) -> Message:
    """How small a difference could have been seen."""
    size = (
        percent_text(detectable)
        if detectable < 1
        else Message("{factor}×", factor=two_figures(1 + detectable))
    )
    return Message("These runs can't show differences below {size}.", size=size)


def arm_names(arm_a: StrategySummary, arm_b: StrategySummary) -> tuple[str, str]:
    """What the two are called: their strategies, or A and B where these are the same."""
    names = arm_a.strategy, arm_b.strategy
    return names if names[0] != names[1] else ("A", "B")


def time_goes(name: str, arm: StrategySummary) -> Message:
    """What an arm spends its time on, as a sentence with its figure."""
    if arm.bottleneck is None:
        return Message("{arm} took {time}.", arm=name, time=duration_text(arm.median_ns))
    # The cause is that of the run in the middle; where they vary, others may have another.
    if arm.mad_ns > _VARYING_SHARE * arm.median_ns:
        return Message(
            "{arm}, in its median run, {clause}.", arm=name, clause=arm.bottleneck.clause
        )
    return Message("{arm} {clause}.", arm=name, clause=arm.bottleneck.clause)


def phases_of_programs(comparison: Comparison) -> tuple[PhaseTimes, ...]:
    """How long each phase of both took, where programs were compared; else empty."""
    of_a, of_b = ([run for run in comparison.runs(label) if run.counts] for label in ("A", "B"))
    if not any(run.is_program for run in (*of_a, *of_b)):
        return ()
    return phases_side_by_side(of_a, of_b)


def _start(run: RunResult) -> Message:
    """How the runs started, where that is known."""
    if run.cache_state == "cold":
        return Message("from a cold start")
    if run.cache_state == "warm":
        return Message("from a warm start")
    return NOTHING


NoteKind = Literal["step", "portion", "programs", "memory", "unverified", "start"]


def notes_of(comparison: Comparison) -> Iterator[tuple[NoteKind, Message]]:
    """What a comparison doesn't say, and what its choice costs, each by what it is about."""
    runs = comparison.runs_a, comparison.runs_b
    if all(any(run.counts for run in each) for each in runs):
        yield from _notes(comparison.arm_a, comparison.arm_b, *runs)


def _notes(
    arm_a: StrategySummary,
    arm_b: StrategySummary,
    all_a: Sequence[RunResult],
    all_b: Sequence[RunResult],
) -> Iterator[tuple[NoteKind, Message]]:
    if (shift := level_shift((all_a, all_b))) is not None:
        yield "step", shift.text
    runs_a, runs_b = ([run for run in each if run.counts] for each in (all_a, all_b))
    first_a, first_b = runs_a[0], runs_b[0]
    if first_a.extrapolated:
        yield (
            "portion",
            Message(
                "Loaded {load} of {model}; times are for this part.",
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
    for note in _programs((arm_a, first_a), (arm_b, first_b)):
        yield "programs", note
    for note in _memory(first_a, first_b):
        yield "memory", note
    yield _start_note(first_a)


def _start_note(run: RunResult) -> tuple[NoteKind, Message]:
    asked = run.cache_asked
    if asked == "as-is":
        return "start", Message("The page cache was left unchanged.")
    for each in run.warnings:
        if each.kind == "simulated-storage":
            return "unverified", each.message
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


def _programs(*arms: tuple[StrategySummary, RunResult]) -> Iterator[Message]:
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
        yield Message("Both only stream the model.")
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
    winner: Winner, found: Ratio, runs: Sequence[RunResult]
) -> tuple[Confidence, Message]:
    pairs = _pairs(found.pairs)
    if found.pairs < MIN_PAIRS_FOR_INTERVAL:
        return "low", Message(
            "{pairs}; {least} are needed", pairs=pairs, least=MIN_PAIRS_FOR_INTERVAL
        )
    if winner == "undecided":
        return "low", (
            Message("{pairs}, the range includes 1", pairs=pairs)
            if found.low <= 1 <= found.high
            else Message("{pairs}, the range is too wide", pairs=pairs)
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
