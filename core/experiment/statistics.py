"""Medians, spreads and intervals of a few noisy durations."""

from __future__ import annotations

import random
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_PAIRS_FOR_INTERVAL = 5
"""Below this a bootstrap interval of a median promises more than it holds: the range is shown."""

_RESAMPLES = 10_000
_SEED = 0


class RatioInterval(NamedTuple):
    """Median of the paired ratios and its bounds; `decided` when the bounds exclude 1."""

    ratio: float
    low: float
    high: float
    kind: str

    @property
    def decided(self) -> bool:
        """Whether the interval is one of confidence and leaves only one direction."""
        return self.kind == "bootstrap-95" and not self.low <= 1 <= self.high


def mad(values: Sequence[float]) -> float:
    """Median absolute deviation from the median, unscaled.

    Source: Hampel, The Influence Curve and Its Role in Robust Estimation, 1974.
    """
    middle = median(values)
    return median(abs(value - middle) for value in values)


def ratio_interval(times_a: Sequence[float], times_b: Sequence[float]) -> RatioInterval:
    """How many times as fast B is as A: A's time ÷ B's, over runs that were neighbours.

    From five pairs on, a percentile bootstrap of the median over pairs with 95 % confidence
    (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13); below, the
    range. Both sequences have the same length, at least 1, and positive values.
    """
    ratios = [a / b for a, b in zip(times_a, times_b, strict=True)]
    middle = median(ratios)
    if len(ratios) < MIN_PAIRS_FOR_INTERVAL:
        return RatioInterval(middle, min(ratios), max(ratios), "range")
    draw = random.Random(_SEED)
    medians = sorted(median(draw.choices(ratios, k=len(ratios))) for _ in range(_RESAMPLES))
    edge = round(_RESAMPLES * 0.025)
    return RatioInterval(middle, medians[edge], medians[-1 - edge], "bootstrap-95")
