"""Spreads, outliers and intervals of a few noisy durations."""

from __future__ import annotations

from math import exp, inf, log, sqrt
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.compare.rank_tests import signed_rank_bounds, signed_rank_depth
from modelmon.core.compare.student_t import critical_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MIN_PAIRS_FOR_INTERVAL = 5
"""Below this no interval holds what it promises and is narrow enough to say anything."""

COVERAGE_SHARE = 0.95
"""How often the bounds of an estimate hold it."""

FAMILY_ALPHA = 0.02
"""How often all looks of a comparison together may be wrong, at the most."""

OUTLIER_SCORE = 3.5
"""A modified Z-score beyond this marks an outlier."""


class RatioInterval(NamedTuple):
    """How many times as long one way to load takes as another, with bounds.

    `coverage_share` is how often such bounds hold the true ratio (0 to 1), in a comparison at all
    looks together; None where they are only the range of what was seen, or a guess. `pairs` are
    the rounds in which both ran.
    """

    ratio: float
    low: float
    high: float
    coverage_share: float | None
    pairs: int

    @property
    def decided(self) -> bool:
        """Whether the interval is one of confidence and leaves only one direction."""
        return self.coverage_share is not None and not self.low <= 1 <= self.high

    def inverse(self) -> RatioInterval:
        """The same of B's time ÷ A's."""
        return self._replace(ratio=1 / self.ratio, low=1 / self.high, high=1 / self.low)


def median_of_known(values: Iterable[float | None]) -> float | None:
    """Median of the values that are known; None if none is."""
    known = [value for value in values if value is not None]
    return median(known) if known else None


def whole_median_of_known(values: Iterable[int | None]) -> int | None:
    """The same of bytes and other things that come whole, rounded."""
    middle = median_of_known(values)
    return None if middle is None else round(middle)


def mad(values: Sequence[float]) -> float:
    """Median absolute deviation from the median, unscaled.

    Source: Hampel, The Influence Curve and Its Role in Robust Estimation, 1974.
    """
    middle = median(values)
    return median(abs(value - middle) for value in values)


def modified_z_scores(values: Sequence[float]) -> list[float]:
    """How far each value is from the median, in robust standard deviations.

    Where more than half of the values are equal, so that their MAD is 0, the mean absolute
    deviation takes its place. Beyond OUTLIER_SCORE a value is an outlier. Source: Iglewicz and
    Hoaglin, How to Detect and Handle Outliers, 1993; IBM, Modified z score, for a MAD of 0.
    """
    middle = median(values)
    scale = mad(values) / 0.6745
    if not scale:
        scale = 1.253314 * fmean(abs(value - middle) for value in values)
    return [(value - middle) / scale if scale else 0.0 for value in values]


def ratio_interval(
    times_a: Sequence[float], times_b: Sequence[float], looks: int = 1
) -> RatioInterval:
    """How many times as fast B is as A: A's time ÷ B's, over runs that were neighbours.

    The bounds are one of `looks` repeated confidence intervals: each may be wrong in
    FAMILY_ALPHA ÷ `looks` of all cases, so that all of them together are right in 98% and a
    difference may be called at the first one that excludes 1. They come from the signed-rank
    test where the pairs suffice for one at this level (nine with four looks), so that outliers
    move them little, and from Student's t of the logarithms before; under five pairs they are
    the range. Both hold for pairs that are independent, with differences that are symmetric if
    both arms are alike, as those of runs in turns nearly are; t errs to the safe side where tails
    are long (Ibragimov and Müller, t-Statistic Based Correlation and Heterogeneity Robust
    Inference, 2010, section 2).

    Bootstraps do not. Over the kinds of noise of benchmarks/noise.py, nominal 95% intervals
    held the truth in so many of 100 cases (`benchmarks/trust.py --simulate`):

    ========================  =======  =======  ========  ========
    pairs                     5        7        10        15
    median, percentiles       89-97    83-93    89-97     87-96
    mean, BCa                 73-90    73-93    70-95     59-96
    these bounds, at 95%     94-98    92-98    92-98     90-98
    ========================  =======  =======  ========  ========

    Both sequences have the same length, at least 1, and positive values. Source: Jennison and
    Turnbull, Group Sequential Methods, 2000, chapter 9 (repeated confidence intervals).
    """
    ratios = [a / b for a, b in zip(times_a, times_b, strict=True)]
    pairs, middle = len(ratios), median(ratios)
    if pairs < MIN_PAIRS_FOR_INTERVAL:
        return RatioInterval(middle, min(ratios), max(ratios), None, pairs)
    low, high = map(_exp, log_bounds([log(ratio) for ratio in ratios], FAMILY_ALPHA / looks))
    # The bounds are around the centre: of two groups of ratios the median is in one of them.
    return RatioInterval(min(max(middle, low), high), low, high, 1 - FAMILY_ALPHA, pairs)


def median_range(times: Sequence[float]) -> tuple[float, float] | None:
    """Where the median of so many runs very likely lies (98%), around that of these; None where
    there are too few of them to say.
    """
    if len(times) < MIN_PAIRS_FOR_INTERVAL or min(times) <= 0:
        return None
    low, high = log_bounds([log(time) for time in times], FAMILY_ALPHA)
    # The bounds are around the centre, which is beside the median where times are lopsided.
    middle = median(times)
    return min(_exp(low), middle), max(_exp(high), middle)


def log_bounds(values: Sequence[float], alpha: float) -> tuple[float, float]:
    """Bounds of the centre of at least two values, wrong with probability `alpha`."""
    inward = signed_rank_depth(len(values), alpha)
    if inward:
        return signed_rank_bounds(values, inward)
    half = critical_value(alpha, len(values) - 1) * stdev(values) / sqrt(len(values))
    middle = fmean(values)
    return middle - half, middle + half


def _exp(value: float) -> float:
    """The exponential; infinite where it is too large for a float."""
    return exp(value) if value < 709 else inf
