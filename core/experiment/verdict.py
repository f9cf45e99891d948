"""What a comparison says: one sentence, the evidence for it, and what it does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from modelmon.core.errors import LoadFailedError
from modelmon.core.experiment.result import ArmSummary, Verdict
from modelmon.core.experiment.statistics.decision import SAME_WITHIN, Winner, outcome, paired_times
from modelmon.core.experiment.statistics.detectable import detectable_share, pairs_needed
from modelmon.core.experiment.statistics.spread import (
    MIN_PAIRS_FOR_INTERVAL,
    RatioInterval,
    ratio_interval,
)
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import duration_text, percent_text, size_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.worker.result import RunResult

_SAME_SHARE = SAME_WITHIN - 1
# The MAD of steady runs is a few percent of their median.
_SCATTERED_SHARE = 0.1


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
            Message("No pair of runs can be counted."),
            Message("The runs table says why; then compare again."),
        )
    kept = [run for run in runs_a if run.counts], [run for run in runs_b if run.counts]
    number = max(1, len(looks))
    interval = ratio_interval(times_a, times_b, number)
    pairs, winner = interval.pairs, outcome(interval)
    detectable = detectable_share(interval, number)
    needed = pairs_needed(interval, number, _SAME_SHARE) if winner == "undecided" else None
    sensitivity = _sensitivity(detectable, needed)
    causes = _reason(winner, arm_a, arm_b)
    confidence, why = _confidence(interval, pairs, runs_a, runs_b)
    return Verdict(
        winner=winner,
        sentence=_sentence(winner, interval, pairs, arm_a, arm_b),
        reason=causes if winner in ("A", "B") else joined(filter(None, (sensitivity, causes))),
        caveat=_caveat(arm_a, arm_b, *kept),
        confidence=confidence,
        confidence_reason=why,
        pairs=pairs,
        ratio=interval.ratio,
        ratio_low=interval.low,
        ratio_high=interval.high,
        coverage_share=interval.coverage_share,
        looks=looks,
        sensitivity=sensitivity,
        detectable_share=detectable,
        pairs_needed=needed,
    )


def times_text(ratio: float) -> str:
    """A ratio as a factor with three figures: `1.58`, `16.2`."""
    return f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}" if ratio < 99.95 else f"{ratio:.0f}"


def _sentence(
    winner: Winner, interval: RatioInterval, pairs: int, arm_a: ArmSummary, arm_b: ArmSummary
) -> Message:
    ratio, low, high = interval.ratio, interval.low, interval.high
    if winner in ("A", "B"):
        fast, slow = (arm_b, arm_a) if winner == "B" else (arm_a, arm_b)
        if winner == "A":
            ratio, low, high = 1 / ratio, 1 / high, 1 / low
        sure = percent_text(interval.coverage_share or 0)
        text = Message(
            "{fast} loads {ratio} times as fast as {slow} ({sure}: {low}-{high})",
            fast=fast.label,
            ratio=times_text(ratio),
            slow=slow.label,
            sure=sure,
            low=times_text(low),
            high=times_text(high),
        )
        # The ratio is of neighbours, the medians are of all runs: they may differ by chance.
        if fast.median_ns < slow.median_ns:
            return Message(
                "{text}: {time} instead of {other_time}.",
                text=text,
                time=duration_text(fast.median_ns),
                other_time=duration_text(slow.median_ns),
            )
        return Message("{text}.", text=text)
    figures = {"low": times_text(low), "high": times_text(high), "runs": _runs(pairs)}
    bounds = (
        Message(
            "A's time ÷ B's, {sure}: {low}-{high}, {runs} each",
            sure=percent_text(interval.coverage_share),
            **figures,
        )
        if interval.coverage_share
        else Message("A's time ÷ B's: {low}-{high}, {runs} each", **figures)
    )
    if winner == "no-difference":
        return Message(
            "No difference larger than {same} ({bounds}).",
            same=percent_text(_SAME_SHARE),
            bounds=bounds,
        )
    why = Message("too few runs") if pairs < MIN_PAIRS_FOR_INTERVAL else Message("the runs scatter")
    return Message(
        "Undecided: A {time_a}, B {time_b}, but {why} ({bounds}).",
        time_a=duration_text(arm_a.median_ns),
        time_b=duration_text(arm_b.median_ns),
        why=why,
        bounds=bounds,
    )


def _sensitivity(detectable: float | None, needed: int | None) -> Message:
    """How small a difference could have been seen."""
    if not detectable:
        return NOTHING
    size = (
        percent_text(detectable)
        if detectable < 1
        else Message("a factor of {value}", value=times_text(1 + detectable))
    )
    seen = Message("A difference of {size} or more would have been seen", size=size)
    if needed is None:
        return Message("{seen}.", seen=seen)
    about = needed if needed < 20 else round(needed, -1)
    return Message(
        "{seen}; one of {same} takes about {about} pairs.",
        seen=seen,
        same=percent_text(_SAME_SHARE),
        about=about,
    )


def _runs(count: int) -> Message:
    return Message("1 run") if count == 1 else Message("{count} runs", count=count)


def _reason(winner: Winner, arm_a: ArmSummary, arm_b: ArmSummary) -> Message:
    slow, fast = (arm_b, arm_a) if winner == "A" else (arm_a, arm_b)
    return Message("{slow}; {fast}.", slow=_time_goes(slow), fast=_time_goes(fast))


def _time_goes(arm: ArmSummary) -> Message:
    """What an arm spends its time on, as a clause with its figure."""
    if arm.bottleneck is None:
        return Message("{arm} took {time}", arm=arm.label, time=duration_text(arm.median_ns))
    # The cause is that of the run in the middle; where they scatter, others may have another.
    if arm.mad_ns > _SCATTERED_SHARE * arm.median_ns:
        return Message(
            "{arm} in its middle run {clause}", arm=arm.label, clause=arm.bottleneck.clause
        )
    return Message("{arm} {clause}", arm=arm.label, clause=arm.bottleneck.clause)


def _caveat(
    arm_a: ArmSummary, arm_b: ArmSummary, runs_a: Sequence[RunResult], runs_b: Sequence[RunResult]
) -> Message:
    parts = []
    first_a, first_b = runs_a[0], runs_b[0]
    if first_a.extrapolated:
        parts.append(
            Message(
                "Only {load} of {model} were loaded; times for the whole model are extrapolated.",
                load=size_text(first_a.load_bytes),
                model=size_text(first_a.model_bytes),
            )
        )
        if around := max(run.read_around_share for run in (*runs_a, *runs_b)):
            parts.append(
                Message(
                    "Up to {around} more than that came from storage, so that these may be"
                    " too long.",
                    around=percent_text(around),
                )
            )
    if arm_a.outliers or arm_b.outliers:
        each = [
            Message("{outliers} of {label}", outliers=arm.outliers, label=arm.label)
            for arm in (arm_a, arm_b)
            if arm.outliers
        ]
        parts.append(Message("Outliers (counted): {each}.", each=joined(each, ", ")))
    parts.append(_memory(first_a, first_b))
    asked = first_a.cache_asked
    if asked == "as-is":
        parts.append(Message("The cache was left as it was."))
    elif first_a.cache_state == f"{asked}-here":
        parts.append(
            Message("Starts were cold here; what the server had in memory could not be seen.")
        )
    elif first_a.cache_state != asked:
        parts.append(
            Message("Whether starts were cold could not be seen here.")
            if asked == "cold"
            else Message("Whether starts were warm could not be seen here.")
        )
    else:
        parts.append(
            Message("Only cold starts were measured.")
            if asked == "cold"
            else Message("Only warm starts were measured.")
        )
    return joined(parts)


def _memory(run_a: RunResult, run_b: RunResult) -> Message:
    if run_a.memory_kind == "streamed":
        return Message("Neither keeps what it loaded.")
    if run_a.memory_kind == run_b.memory_kind:
        if run_a.memory_kind == "mapped":
            return Message("The memory of both is mapped and evictable.")
        return Message("The memory of both is owned.")
    arm = "A" if run_a.memory_kind == "mapped" else "B"
    return Message("{arm}'s memory is mapped and evictable, the other's is owned.", arm=arm)


def _confidence(
    interval: RatioInterval, pairs: int, runs_a: Sequence[RunResult], runs_b: Sequence[RunResult]
) -> tuple[Literal["high", "medium", "low"], Message]:
    runs = (*runs_a, *runs_b)
    if pairs < MIN_PAIRS_FOR_INTERVAL:
        return "low", Message(
            "{runs} each; {min_pairs_for_interval} are needed for an interval",
            runs=_runs(pairs),
            min_pairs_for_interval=MIN_PAIRS_FOR_INTERVAL,
        )
    discarded = sum(1 for run in runs if not run.counts)
    unsure = sum(1 for run in runs if run.counts and run.cache_evidence == "unknown")
    if not interval.decided:
        return "low", Message("{runs} each, inside the noise", runs=_runs(pairs))
    if discarded or unsure:
        if discarded:
            return "medium", Message(
                "{runs} each, {discarded} discarded", runs=_runs(pairs), discarded=discarded
            )
        return "medium", Message("{runs} each, cache state not seen", runs=_runs(pairs))
    return "high", Message("{runs} each, interleaved, all as asked", runs=_runs(pairs))
