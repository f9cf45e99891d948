"""Wilcoxon's signed-rank test turned into an interval of the centre of a symmetric distribution.

Source: Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 2014, section 3.3 (the
interval is Tukey's).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@lru_cache(maxsize=1024)
def depth(count: int, alpha: float) -> int:
    """How many of the smallest and of the largest Walsh averages of `count` values bound the
    centre so that it is outside with probability `alpha` at the most; 0 if none do.

    Two bounds are wrong with probability 2 ÷ 2 to the power of `count` at the least, so that
    eight values are needed for 1%.
    """
    below, inward = 0, 0
    for ways in _ways(count):
        below += ways
        if 2 * below > alpha * 2**count:
            break
        inward += 1
    return inward


def bounds(values: Sequence[float], inward: int) -> tuple[float, float]:
    """The Walsh averages that are number `inward` (from 1) from both ends."""
    averages = sorted(
        (first + second) / 2 for at, first in enumerate(values) for second in values[at:]
    )
    return averages[inward - 1], averages[-inward]


@lru_cache(maxsize=128)
def _ways(count: int) -> tuple[int, ...]:
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
