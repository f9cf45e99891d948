"""How small a difference a comparison could have seen, and how many pairs a smaller one takes."""

from __future__ import annotations

from bisect import bisect_left
from math import expm1, log, log1p, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

from modelmon.core.compare.spread import FAMILY_ALPHA
from modelmon.core.compare.student_t import critical_value

if TYPE_CHECKING:
    from modelmon.core.compare.spread import RatioInterval

POWER = 0.8
_MOST_PAIRS = 1000
_BEYOND = 10.0


def detectable_share(interval: RatioInterval, looks: int) -> float | None:
    """The smallest difference that the last of `looks` looks would have seen in 80% of cases,
    as a share of the faster arm's time; None without an interval or beyond a factor of ten.

    It follows from the interval's own width, and so from the spread seen and the number of
    pairs. In the simulation of benchmarks/trust.py a difference of this size was seen in 68 to
    81% of cases, in 59 to 72% with one load in ten an outlier of either arm, and in 41 to 87%
    where loads have two speeds: there the width of few pairs says little. Source: Bloom, Minimum
    Detectable Effects, 1995; that the width itself varies, as 1 ÷ (2 × (pairs - 1)), is added.
    """
    if interval.coverage_share is None or interval.low <= 0:
        return None
    alpha = FAMILY_ALPHA / looks
    seen = _multiple(interval.pairs, alpha) * _pair_spread(interval, alpha) / sqrt(interval.pairs)
    return expm1(seen) if seen < log(_BEYOND) else None


def pairs_needed(interval: RatioInterval, looks: int, share: float) -> int | None:
    """About how many pairs would show a difference of `share`; None for over a thousand."""
    if interval.coverage_share is None or interval.low <= 0:
        return None
    alpha = FAMILY_ALPHA / looks
    spread = _pair_spread(interval, alpha)
    candidates = range(interval.pairs, _MOST_PAIRS + 1)
    at = bisect_left(
        candidates,
        True,
        key=lambda pairs: _multiple(pairs, alpha) * spread / sqrt(pairs) <= log1p(share),
    )
    return candidates[at] if at < len(candidates) else None


def _pair_spread(interval: RatioInterval, alpha: float) -> float:
    """Standard deviation of the log ratio of one pair that makes an interval as wide as this."""
    half = log(interval.high / interval.low) / 2
    return half * sqrt(interval.pairs) / critical_value(alpha, interval.pairs - 1)


def _multiple(pairs: int, alpha: float) -> float:
    """Standard errors between 1 and a difference that is seen with the wanted power."""
    critical = critical_value(alpha, pairs - 1)
    scatter = sqrt(1 + critical**2 / (2 * (pairs - 1)))
    return critical + NormalDist().inv_cdf(POWER) * scatter
