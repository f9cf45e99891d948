"""Spreads and outliers of a few noisy durations, and gains in time as people say them."""

from __future__ import annotations

from math import expm1, sqrt
from statistics import NormalDist, fmean, median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.messages import Message
from modelmon.core.units import percent_text, two_figures

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


MIN_PAIRS_FOR_INTERVAL = 5
"""Below this no interval holds what it promises and is narrow enough to say anything."""

COVERAGE_SHARE = 0.95
"""How often a range holds what it is of; there is no other."""

OUTLIER_SCORE = 3.5
"""A modified Z-score beyond this marks an outlier."""

_MOST_EXPONENT = 600.0


class RatioInterval(NamedTuple):
    """How many times as long one strategy takes as another, with bounds.

    `coverage_share` is how often such bounds hold the true ratio (0 to 1); None where they are
    mostly a guess. `pairs` are the rounds in which both ran.
    """

    ratio: float
    low: float
    high: float
    coverage_share: float | None
    pairs: int


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


def t_quantile(wrong_share: float, freedom: float) -> float:
    """What |T| exceeds with a probability of `wrong_share`: Student's t with `freedom` degrees, 2
    or more; within 4% of it, with 5 or more within 1%.

    Source: Wallace, Bounds on Normal Approximations to Student's and the Chi-Square
    Distributions, 1959.
    """
    z = NormalDist().inv_cdf(1 - wrong_share / 2) * (8 * freedom + 3) / (8 * freedom + 1)
    return sqrt(freedom * expm1(min(z * z / freedom, _MOST_EXPONENT)))


WORTH_A_FACTOR = 1.1
"""Below it a gain is told as a share of the time."""
_TWICE = 1.95
"""From here on, which is told as 2.0, a loss is told as a factor."""


def speed(ratio: float) -> Message:
    """Of what takes the other's time ÷ `ratio`: `1.2× as fast`, `6% less time`, `4% longer` or
    `2.5× as long`.
    """
    if ratio >= WORTH_A_FACTOR:
        return Message("{ratio}× as fast", ratio=two_figures(ratio))
    if ratio >= 1:
        return Message("{share} less time", share=percent_text(1 - 1 / ratio))
    if ratio > 1 / _TWICE:
        return Message("{share} longer", share=percent_text(1 / ratio - 1))
    return Message("{factor}× as long", factor=two_figures(1 / ratio))
