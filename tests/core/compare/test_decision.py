import random
from itertools import pairwise
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.compare.decision import look_times, outcome
from modelmon.core.compare.spread import RatioInterval, ratio_interval


def interval(ratio, low, high, sure=0.98):
    return RatioInterval(ratio, low, high, sure, 7)


@pytest.mark.parametrize(
    ("max_pairs", "looks"),
    [
        (3, (3,)),
        (5, (5,)),
        (6, (6,)),
        (7, (5, 7)),
        (8, (5, 8)),
        (11, (5, 7, 9, 11)),
        (20, (5, 7, 9, 11, 13, 16, 20)),
    ],
)
def test_that_looks_start_at_five_pairs_and_end_at_the_last(max_pairs, looks):
    assert look_times(max_pairs) == looks
    assert look_times(max_pairs, early_stop=False) == (max_pairs,)


@given(st.integers(1, 100))
def test_that_looks_are_apart_and_few(max_pairs):
    looks = look_times(max_pairs)
    assert looks[-1] == max_pairs
    assert all(later - earlier >= 2 for earlier, later in pairwise(looks))
    assert len(looks) <= 16


@pytest.mark.parametrize(
    ("seen", "wanted"),
    [
        (interval(1.5, 1.2, 1.8), "B"),
        (interval(0.7, 0.6, 0.9), "A"),
        (interval(1.5, 0.9, 1.8), "undecided"),
        (interval(1.5, 1.2, 1.8, None), "undecided"),
        (interval(1.0, 0.97, 1.04), "no-difference"),
        (interval(1.0, 0.97, 1.04, None), "undecided"),
        (interval(1.0, 0.94, 1.04), "undecided"),
        (interval(1.0, 0.97, 1.06), "undecided"),
        (interval(1.01, 1.005, 1.015), "no-difference"),
        (interval(1.03, 1.02, 1.04), "B"),
    ],
)
def test_that_the_decision_is_what_the_interval_shows(seen, wanted):
    assert outcome(seen) == wanted


def normal(draw):
    return exp(draw.gauss(0, 0.08))


def with_outliers(draw):
    return normal(draw) * (draw.uniform(1.3, 3) if draw.random() < 0.1 else 1)


def long_tailed(draw):
    return 1 + 0.1 * draw.lognormvariate(0, 1)


def called(noise, ratio, max_pairs):
    """Share of comparisons that name a winner at some look."""
    draw = random.Random(1)
    comparisons, calls = 1500, 0
    looks = look_times(max_pairs)
    for _ in range(comparisons):
        times_a = [ratio * noise(draw) for _ in range(max_pairs)]
        times_b = [noise(draw) for _ in range(max_pairs)]
        calls += any(
            outcome(ratio_interval(times_a[:pairs], times_b[:pairs], len(looks))) in {"A", "B"}
            for pairs in looks
        )
    return calls / comparisons


@pytest.mark.parametrize("max_pairs", [5, 11])
@pytest.mark.parametrize("noise", [normal, with_outliers, long_tailed])
def test_that_an_arm_against_itself_is_seldom_called_different_though_looked_at_often(
    noise, max_pairs
):
    """Two in a hundred are promised; five would break the promise beyond the chance of 1500."""
    assert called(noise, 1.0, max_pairs) < 0.03


@pytest.mark.parametrize("noise", [normal, long_tailed])
def test_that_a_difference_far_beyond_the_noise_is_found(noise):
    assert called(noise, 1.5, 11) > 0.95
