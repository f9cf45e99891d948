"""Student's t distribution for whole degrees of freedom, without a library."""

from __future__ import annotations

from functools import lru_cache
from math import atan, cos, pi, sin, sqrt


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
    """The t that |T| exceeds with probability `alpha`, which is between 0 and 1."""
    low, high = 0.0, 1.0
    while central_share(high, freedom) < 1 - alpha:
        low, high = high, high * 2
    while (middle := (low + high) / 2) not in {low, high}:
        if central_share(middle, freedom) < 1 - alpha:
            low = middle
        else:
            high = middle
    return high
