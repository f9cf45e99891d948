"""What a comparison says: one sentence, the evidence for it, and what it does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from modelmon.core.errors import LoadFailedError
from modelmon.core.experiment.result import ArmSummary, RunResult, Verdict, Winner
from modelmon.core.experiment.statistics.decision import SAME_WITHIN, outcome, paired_times
from modelmon.core.experiment.statistics.detectable import detectable_share, pairs_needed
from modelmon.core.experiment.statistics.spread import (
    MIN_PAIRS_FOR_INTERVAL,
    RatioInterval,
    ratio_interval,
)
from modelmon.core.units import duration_text, percent_text, size_text

if TYPE_CHECKING:
    from collections.abc import Sequence

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
            "No pair of runs can be counted.", "The runs table says why; then compare again."
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
        reason=causes if winner in ("A", "B") else f"{sensitivity} {causes}".strip(),
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
) -> str:
    ratio, low, high = interval.ratio, interval.low, interval.high
    if winner in ("A", "B"):
        fast, slow = (arm_b, arm_a) if winner == "B" else (arm_a, arm_b)
        if winner == "A":
            ratio, low, high = 1 / ratio, 1 / high, 1 / low
        sure = percent_text(interval.coverage_share or 0)
        text = f"{fast.label} loads {times_text(ratio)} times as fast as {slow.label}"
        text += f" ({sure}: {times_text(low)}-{times_text(high)})"
        # The ratio is of neighbours, the medians are of all runs: they may differ by chance.
        if fast.median_ns < slow.median_ns:
            times = f"{duration_text(fast.median_ns)} instead of {duration_text(slow.median_ns)}"
            text += f": {times}"
        return f"{text}."
    sure = f", {percent_text(interval.coverage_share)}" if interval.coverage_share else ""
    bounds = f"A's time ÷ B's{sure}: {times_text(low)}-{times_text(high)}, {_runs(pairs)} each"
    if winner == "no-difference":
        return f"No difference larger than {percent_text(_SAME_SHARE)} ({bounds})."
    why = "too few runs" if pairs < MIN_PAIRS_FOR_INTERVAL else "the runs scatter"
    times = f"A {duration_text(arm_a.median_ns)}, B {duration_text(arm_b.median_ns)}"
    return f"Undecided: {times}, but {why} ({bounds})."


def _sensitivity(detectable: float | None, needed: int | None) -> str:
    """How small a difference could have been seen."""
    if not detectable:
        return ""
    size = (
        percent_text(detectable) if detectable < 1 else f"a factor of {times_text(1 + detectable)}"
    )
    seen = f"A difference of {size} or more would have been seen"
    if needed is None:
        return f"{seen}."
    about = needed if needed < 20 else round(needed, -1)
    return f"{seen}; one of {percent_text(_SAME_SHARE)} takes about {about} pairs."


def _runs(count: int) -> str:
    return "1 run" if count == 1 else f"{count} runs"


def _reason(winner: Winner, arm_a: ArmSummary, arm_b: ArmSummary) -> str:
    slow, fast = (arm_b, arm_a) if winner == "A" else (arm_a, arm_b)
    return f"{_time_goes(slow)}; {_time_goes(fast)}."


def _time_goes(arm: ArmSummary) -> str:
    """What an arm spends its time on, as a clause with its figure."""
    if arm.bottleneck is None:
        return f"{arm.label} took {duration_text(arm.median_ns)}"
    # The cause is that of the run in the middle; where they scatter, others may have another.
    which = " in its middle run" if arm.mad_ns > _SCATTERED_SHARE * arm.median_ns else ""
    return f"{arm.label}{which} {arm.bottleneck.clause}"


def _caveat(
    arm_a: ArmSummary, arm_b: ArmSummary, runs_a: Sequence[RunResult], runs_b: Sequence[RunResult]
) -> str:
    parts = []
    first_a, first_b = runs_a[0], runs_b[0]
    if first_a.extrapolated:
        parts.append(
            f"Only {size_text(first_a.load_bytes)} of {size_text(first_a.model_bytes)} were"
            " loaded; times for the whole model are extrapolated."
        )
        if around := max(run.read_around_share for run in (*runs_a, *runs_b)):
            parts.append(
                f"Up to {percent_text(around)} more than that came from storage, so that these"
                " may be too long."
            )
    if arm_a.outliers or arm_b.outliers:
        each = [f"{arm.outliers} of {arm.label}" for arm in (arm_a, arm_b) if arm.outliers]
        parts.append(f"Outliers, counted all the same: {', '.join(each)}.")
    parts.append(_memory(first_a, first_b))
    asked = first_a.cache_asked
    if asked == "as-is":
        parts.append("The cache was left as it was.")
    elif first_a.cache_state == f"{asked}-here":
        parts.append("Starts were cold here; what the server had in memory could not be seen.")
    elif first_a.cache_state != asked:
        parts.append(f"Whether starts were {asked} could not be seen here.")
    else:
        other = "Warm" if asked == "cold" else "Cold"
        parts.append(f"{other} starts were not measured.")
    return " ".join(parts)


def _memory(run_a: RunResult, run_b: RunResult) -> str:
    if run_a.memory_kind == "streamed":
        return "Neither keeps what it loaded."
    if run_a.memory_kind == run_b.memory_kind:
        kind = "mapped and evictable" if run_a.memory_kind == "mapped" else "owned"
        return f"The memory of both is {kind}."
    mapped = "A" if run_a.memory_kind == "mapped" else "B"
    return f"{mapped}'s memory is mapped and evictable, the other's is owned."


def _confidence(
    interval: RatioInterval, pairs: int, runs_a: Sequence[RunResult], runs_b: Sequence[RunResult]
) -> tuple[Literal["high", "medium", "low"], str]:
    runs = (*runs_a, *runs_b)
    if pairs < MIN_PAIRS_FOR_INTERVAL:
        return "low", f"{_runs(pairs)} each; {MIN_PAIRS_FOR_INTERVAL} are needed for an interval"
    discarded = sum(1 for run in runs if not run.counts)
    unsure = sum(1 for run in runs if run.counts and run.cache_evidence == "unknown")
    if not interval.decided:
        return "low", f"{_runs(pairs)} each, inside the noise"
    if discarded or unsure:
        what = f"{discarded} discarded" if discarded else "cache state not seen"
        return "medium", f"{_runs(pairs)} each, {what}"
    return "high", f"{_runs(pairs)} each, interleaved, all as asked"
