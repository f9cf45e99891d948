from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from modelmon.core.experiment.statistics.signed_rank import bounds, depth


def rejected_share(count: int, inward: int) -> float:
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
def test_that_the_bounds_are_the_innermost_that_scipys_test_allows(
    count: int, alpha: float
) -> None:
    inward = depth(count, alpha)
    if inward:
        assert rejected_share(count, inward) <= alpha
    assert rejected_share(count, inward + 1) > alpha


def test_that_few_values_have_no_bounds_at_a_strict_level() -> None:
    assert depth(7, 0.01) == 0
    assert depth(8, 0.01) == 1


def test_that_bounds_are_walsh_averages() -> None:
    assert bounds([1.0, 2.0, 10.0], 1) == (1.0, 10.0)
    assert bounds([1.0, 2.0, 10.0], 2) == (1.5, 6.0)
