"""Spreads and outliers, beside what scipy says."""

import numpy as np
import pytest

from modelmon.core.comparison.spread import OUTLIER_SCORE, mad, modified_z_scores, t_quantile

# Eleven cold loads, in ms.
TIMES_A = [172.2, 170.6, 173.6, 190.5, 178.6, 169.0, 169.3, 156.2, 171.6, 163.9, 195.3]


def test_that_modified_z_scores_are_distances_in_robust_standard_deviations():
    assert mad(TIMES_A) == pytest.approx(2.6)
    assert mad([1.0, 2.0, 3.0, 4.0, 100.0]) == 1.0
    assert modified_z_scores(TIMES_A) == pytest.approx(0.6745 * (np.array(TIMES_A) - 171.6) / 2.6)


def test_that_a_slow_run_among_scattered_ones_is_an_outlier_and_a_usual_one_is_not():
    scores = modified_z_scores([100.0, 103.0, 98.0, 101.0, 97.0, 210.0])
    assert [score > OUTLIER_SCORE for score in scores] == [False] * 5 + [True]


def test_that_an_outlier_is_found_among_equal_values():
    scores = modified_z_scores([100.0] * 9 + [200.0])
    assert scores[:9] == [0.0] * 9
    assert scores[9] == pytest.approx(100 / (1.253314 * 10))
    assert modified_z_scores([5.0, 5.0, 5.0]) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("wrong_share", "quantiles"),
    [
        (0.05, (2.5706, 2.2826, 2.0860, 1.9719)),
        (0.01, (4.0321, 3.2988, 2.8453, 2.6006)),
        (0.001, (6.8688, 4.9009, 3.8495, 3.3398)),
    ],
)
def test_that_quantiles_of_students_t_are_about_scipys(wrong_share, quantiles):
    found = [t_quantile(wrong_share, freedom) for freedom in (5, 8.5, 20, 200)]
    assert found == pytest.approx(quantiles, rel=0.03)
