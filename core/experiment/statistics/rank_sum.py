"""The rank-sum test of Wilcoxon, Mann and Whitney turned into an interval of a shift.

Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 2014, section 4.3 (the
interval is Moses').
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@lru_cache(maxsize=256)
def depth(first: int, second: int, alpha: float) -> int:
    """How many of the smallest and of the largest differences between `first` and `second`
    values bound the shift so that it is outside with probability `alpha` at the most; 0 if none.
    """
    arrangements = comb(first + second, first)
    below, inward = 0, 0
    for ways in _ways(first, second):
        below += ways
        if 2 * below > alpha * arrangements:
            break
        inward += 1
    return inward


def bounds(first: Sequence[float], second: Sequence[float], inward: int) -> tuple[float, float]:
    """The differences, first − second, that are number `inward` (from 1) from both ends."""
    differences = sorted(one - other for one in first for other in second)
    return differences[inward - 1], differences[-inward]


@lru_cache(maxsize=64)
def _ways(first: int, second: int) -> tuple[int, ...]:
    """In how many arrangements each value of the statistic U comes about, from 0 on.

    They are the coefficients of the Gaussian binomial: the product of (1 − q^(second + i)) ÷
    (1 − q^i) for i from 1 to `first`. Source: Andrews, The Theory of Partitions, 1976, chapter 3.
    """
    ways = [1] + [0] * (first * second)
    for i in range(1, first + 1):
        for at in range(len(ways) - 1, second + i - 1, -1):
            ways[at] -= ways[at - second - i]
        for at in range(i, len(ways)):
            ways[at] += ways[at - i]
    return tuple(ways)
