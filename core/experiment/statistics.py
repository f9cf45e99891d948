"""Medians, spreads and intervals of a few noisy durations."""

from __future__ import annotations

from math import comb
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_PAIRS_FOR_INTERVAL = 5
"""Below this no interval of a median holds what it promises: the range is shown."""

_WANTED_COVERAGE = 0.95


class RatioInterval(NamedTuple):
    """Median of paired ratios and its bounds.

    `coverage_share` is how often such bounds hold the true median (0 to 1); None where the
    bounds are only the range of what was seen.
    """

    ratio: float
    low: float
    high: float
    coverage_share: float | None

    @property
    def decided(self) -> bool:
        """Whether the interval is one of confidence and leaves only one direction."""
        return self.coverage_share is not None and not self.low <= 1 <= self.high


def mad(values: Sequence[float]) -> float:
    """Median absolute deviation from the median, unscaled.

    Source: Hampel, The Influence Curve and Its Role in Robust Estimation, 1974.
    """
    middle = median(values)
    return median(abs(value - middle) for value in values)


def ratio_interval(times_a: Sequence[float], times_b: Sequence[float]) -> RatioInterval:
    """How many times as fast B is as A: A's time ÷ B's, over runs that were neighbours.

    From five pairs on the bounds are the innermost two order statistics between which the
    true median lies in at least 95 % of all cases (with five pairs the outermost: 93.75 %).
    That is exact for any distribution, as a bootstrap of so few values is not: it was seen to
    call one comparison in eight of an arm with itself different. Source: David and Nagaraja,
    Order Statistics, 2003, section 7.1. Both sequences have the same length, at least 1, and
    positive values.
    """
    ratios = sorted(a / b for a, b in zip(times_a, times_b, strict=True))
    count = len(ratios)
    if count < MIN_PAIRS_FOR_INTERVAL:
        return RatioInterval(median(ratios), ratios[0], ratios[-1], None)
    inward = 0
    while coverage(count, inward + 1) >= _WANTED_COVERAGE:
        inward += 1
    low, high = ratios[inward], ratios[count - 1 - inward]
    return RatioInterval(median(ratios), low, high, coverage(count, inward))


def coverage(count: int, inward: int) -> float:
    """How often the median of a distribution lies between the order statistics of `count`
    values that are `inward` steps in from both ends.
    """
    outside = sum(comb(count, below) for below in range(inward + 1))
    return 1.0 - 2.0 * outside / 2.0**count
