"""When a comparison is looked at, and what it decides then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from modelmon.core.compare.level_shift import level_shift
from modelmon.core.compare.spread import MIN_PAIRS_FOR_INTERVAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.compare.spread import RatioInterval
    from modelmon.core.worker.result import RunResult

Winner = Literal["A", "B", "no-difference", "undecided"]

DEFAULT_PAIRS = 11
MOST_PAIRS = 100
"""At most so many pairs, where they are not decided before."""

SAME_WITHIN = 1.05
"""No difference is promised where the whole interval lies within this factor."""

NOTEWORTHY = 1.02
"""Who wins by less is no reason to change anything."""
_PAIRS_BETWEEN_LOOKS = 2


def look_times(max_pairs: int, *, early_stop: bool = True) -> tuple[int, ...]:
    """After how many pairs a comparison may end: 5, 7, 9 and so on, and at its last pair.

    From twelve pairs on the steps grow by a quarter, since every look costs all of them some
    of their confidence. Without `early_stop` there is only the last.
    """
    looks = []
    pairs = MIN_PAIRS_FOR_INTERVAL
    while early_stop and pairs <= max_pairs - _PAIRS_BETWEEN_LOOKS:
        looks.append(pairs)
        pairs += max(_PAIRS_BETWEEN_LOOKS, pairs // 4)
    return (*looks, max_pairs)


def outcome(interval: RatioInterval) -> Winner:
    """What an interval of A's time ÷ B's decides; it never contradicts the interval.

    A winner is named where the interval excludes 1, unless it wins by less than 2%, which is
    no reason to change anything.
    """
    if interval.decided and not 1 / NOTEWORTHY < interval.ratio < NOTEWORTHY:
        return "B" if interval.ratio > 1 else "A"
    inside = interval.low >= 1 / SAME_WITHIN and interval.high <= SAME_WITHIN
    return "no-difference" if interval.coverage_share is not None and inside else "undecided"


def paired_times(
    runs_a: Sequence[RunResult], runs_b: Sequence[RunResult]
) -> tuple[list[int], list[int]]:
    """Timed parts in ns of the pairs in which both runs count, and the storage was the same."""
    by_pair_a, by_pair_b = (
        {run.pair: run for run in runs if run.counts and run.timed_ns} for runs in (runs_a, runs_b)
    )
    both = [(by_pair_a[at], by_pair_b[at]) for at in sorted(by_pair_a.keys() & by_pair_b.keys())]
    shift = level_shift((runs_a, runs_b))
    if shift is not None:
        both = [(a, b) for a, b in both if shift.is_before(a) == shift.is_before(b)]
    return [a.timed_ns for a, _ in both], [b.timed_ns for _, b in both]
