from itertools import combinations
from math import comb

import numpy as np
import pytest

from modelmon.core.compare.rank_tests import (
    _rank_sum_ways,
    rank_sum_bounds,
    rank_sum_depth,
    signed_rank_bounds,
    signed_rank_depth,
)


def rejected_share(stats, count, inward):
    """How often a centre lies beyond the Walsh averages `inward` from both ends, from scipy."""
    lowest = np.arange(1.0, count + 1)
    lowest[: count - 1] *= -1  # a positive sum of `count` first, which is then made smaller
    total = inward - 1
    signs = -np.ones(count)
    for rank in range(count, 0, -1):
        if rank <= total:
            signs[rank - 1] = 1
            total -= rank
    result = stats.wilcoxon(signs * np.arange(1.0, count + 1), method="exact")
    return float(result.pvalue)


@pytest.mark.parametrize("count", [5, 7, 8, 9, 11, 15])
@pytest.mark.parametrize("alpha", [0.1, 0.05, 0.02, 0.005])
def test_that_the_bounds_are_the_innermost_that_scipys_test_allows(stats, count, alpha):
    inward = signed_rank_depth(count, alpha)
    if inward:
        assert rejected_share(stats, count, inward) <= alpha
    assert rejected_share(stats, count, inward + 1) > alpha


def test_that_few_values_have_no_bounds_at_a_strict_level():
    assert signed_rank_depth(7, 0.01) == 0
    assert signed_rank_depth(8, 0.01) == 1


def test_that_bounds_are_walsh_averages():
    assert signed_rank_bounds([1.0, 2.0, 10.0], 1) == (1.0, 10.0)
    assert signed_rank_bounds([1.0, 2.0, 10.0], 2) == (1.5, 6.0)


@pytest.mark.parametrize(("first", "second"), [(1, 1), (2, 3), (4, 4), (5, 3), (6, 7)])
def test_that_arrangements_are_counted_as_by_hand(first, second):
    counted = [0] * (first * second + 1)
    for ranks in combinations(range(first + second), first):
        counted[sum(ranks) - sum(range(first))] += 1
    assert _rank_sum_ways(first, second) == tuple(counted)
    assert sum(counted) == comb(first + second, first)


@pytest.mark.parametrize(
    ("first", "second", "alpha"), [(8, 9, 0.05), (5, 12, 0.02), (15, 15, 0.02)]
)
def test_that_a_shift_is_bounded_just_where_scipy_rejects(stats, first, second, alpha):
    ones = [10 + at * at * 0.37 for at in range(first)]
    others = [7 + at * 1.91 for at in range(second)]
    low, high = rank_sum_bounds(ones, others, rank_sum_depth(first, second, alpha))

    def rejected(shift):
        moved = [value - shift for value in ones]
        return bool(stats.mannwhitneyu(moved, others, method="exact").pvalue <= alpha)

    tiny = 1e-6
    assert rejected(low - tiny)
    assert not rejected(low + tiny)
    assert not rejected(high - tiny)
    assert rejected(high + tiny)


def test_that_too_few_values_bound_no_shift():
    assert rank_sum_depth(4, 4, 0.02) == 0
    assert rank_sum_depth(4, 5, 0.02) == 1
