from __future__ import annotations

from itertools import combinations
from math import comb

import pytest
from scipy.stats import mannwhitneyu

from modelmon.core.experiment.statistics.rank_sum import _ways, bounds, depth


@pytest.mark.parametrize(("first", "second"), [(1, 1), (2, 3), (4, 4), (5, 3), (6, 7)])
def test_that_arrangements_are_counted_as_by_hand(first: int, second: int) -> None:
    counted = [0] * (first * second + 1)
    for ranks in combinations(range(first + second), first):
        counted[sum(ranks) - sum(range(first))] += 1
    assert _ways(first, second) == tuple(counted)
    assert sum(counted) == comb(first + second, first)


@pytest.mark.parametrize(
    ("first", "second", "alpha"), [(8, 9, 0.05), (5, 12, 0.02), (15, 15, 0.02)]
)
def test_that_the_interval_holds_just_what_scipy_does_not_reject(
    first: int, second: int, alpha: float
) -> None:
    ones = [10 + at * at * 0.37 for at in range(first)]
    others = [7 + at * 1.91 for at in range(second)]
    low, high = bounds(ones, others, depth(first, second, alpha))

    def rejected(shift: float) -> bool:
        moved = [value - shift for value in ones]
        return bool(mannwhitneyu(moved, others, method="exact").pvalue <= alpha)

    tiny = 1e-6
    assert rejected(low - tiny)
    assert not rejected(low + tiny)
    assert not rejected(high - tiny)
    assert rejected(high + tiny)


def test_that_too_few_values_bound_nothing() -> None:
    assert depth(4, 4, 0.02) == 0
    assert depth(4, 5, 0.02) == 1
