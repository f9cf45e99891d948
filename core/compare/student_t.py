"""Student's t distribution for whole degrees of freedom, without a library."""

from __future__ import annotations

from functools import lru_cache
from math import atan, cos, exp, lgamma, pi, sin, sqrt
from statistics import NormalDist

_EXACT_TO = 1e-12


def central_share(t: float, freedom: int) -> float:
    """Probability that |T| is at most `t` (0 or more) with `freedom` (1 or more) degrees.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
    """
    angle = atan(t / sqrt(freedom))
    odd = freedom % 2
    term = cos(angle) if odd else 1.0
    total = 0.0
    for power in range(odd, freedom - 1, 2):
        total += term
        term *= cos(angle) ** 2 * (power + 1) / (power + 2)
    return (angle + sin(angle) * total) * 2 / pi if odd else sin(angle) * total


@lru_cache(maxsize=1024)
def critical_value(alpha: float, freedom: int) -> float:
    """The t that |T| exceeds with probability `alpha`, which is between 0 and 1.

    By Newton's method. The share is concave, so that from below no step goes beyond the solution,
    and the normal distribution's value, where it starts, is always below.
    """
    t, further = 0.0, NormalDist().inv_cdf(1 - alpha / 2)
    while further - t > further * _EXACT_TO:
        t = further
        further = t + (1 - alpha - central_share(t, freedom)) / (2 * _density(t, freedom))
    return further


def _density(t: float, freedom: int) -> float:
    """Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.2."""
    scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(freedom * pi)
    return float(scale * (1 + t * t / freedom) ** (-(freedom + 1) / 2))
