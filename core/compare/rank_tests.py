"""Wilcoxon's rank tests turned into intervals: of a symmetric distribution's centre, of a shift.

Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 2014: section 3.3 for
signed ranks (the interval is Tukey's), 4.3 for the rank sum, which is also Mann and Whitney's
(the interval is Moses').
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@lru_cache(maxsize=1024)
def signed_rank_depth(count: int, alpha: float) -> int:
    """How many of the smallest and of the largest Walsh averages of `count` values bound the
    centre so that it is outside with probability `alpha` at the most; 0 if none do.

    Two bounds are wrong with probability 2 ÷ 2 to the power of `count` at the least, so that
    eight values are needed for 1%.
    """
    return _depth(_signed_rank_ways(count), alpha * 2**count)


def signed_rank_bounds(values: Sequence[float], inward: int) -> tuple[float, float]:
    """The Walsh averages that are number `inward` (from 1) from both ends."""
    averages = sorted(
        (first + second) / 2 for at, first in enumerate(values) for second in values[at:]
    )
    return averages[inward - 1], averages[-inward]


@lru_cache(maxsize=256)
def rank_sum_depth(first: int, second: int, alpha: float) -> int:
    """How many of the smallest and of the largest differences between `first` and `second`
    values bound the shift so that it is outside with probability `alpha` at the most; 0 if none.
    """
    return _depth(_rank_sum_ways(first, second), alpha * comb(first + second, first))


def rank_sum_bounds(
    first: Sequence[float], second: Sequence[float], inward: int
) -> tuple[float, float]:
    """The differences, first − second, that are number `inward` (from 1) from both ends."""
    differences = sorted(one - other for one in first for other in second)
    return differences[inward - 1], differences[-inward]


def _depth(all_ways: Iterable[int], most: float) -> int:
    """How many values of a statistic, from its lowest on, come about in at most `most` ways on
    both sides together.
    """
    below, inward = 0, 0
    for ways in all_ways:
        below += ways
        if 2 * below > most:
            break
        inward += 1
    return inward


@lru_cache(maxsize=128)
def _signed_rank_ways(count: int) -> tuple[int, ...]:
    """In how many of the 2 to the power of `count` choices of signs each sum of positive ranks
    comes about.
    """
    ways = [1]
    for rank in range(1, count + 1):
        longer = ways + [0] * rank
        for total, number in enumerate(ways):
            longer[total + rank] += number
        ways = longer
    return tuple(ways)


@lru_cache(maxsize=64)
def _rank_sum_ways(first: int, second: int) -> tuple[int, ...]:
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
