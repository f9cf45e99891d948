from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.compare.spread import (
    FAMILY_ALPHA,
    OUTLIER_SCORE,
    RatioInterval,
    log_bounds,
    mad,
    modified_z_scores,
    ratio_interval,
)

# Eleven cold loads of each of two arms, in ms.
TIMES_A = [172.2, 170.6, 173.6, 190.5, 178.6, 169.0, 169.3, 156.2, 171.6, 163.9, 195.3]
TIMES_B = [150.1, 169.1, 171.4, 169.8, 196.7, 165.6, 157.2, 160.8, 186.7, 156.9, 183.0]

durations = st.floats(0.01, 100.0)
pairs_of_times = st.lists(st.tuples(durations, durations), min_size=1, max_size=20)
look_counts = st.integers(1, 8)


def split(pairs):
    return [a for a, _ in pairs], [b for _, b in pairs]


def test_that_the_spread_is_scipys(stats):
    assert mad(TIMES_A) == pytest.approx(stats.median_abs_deviation(TIMES_A))
    assert mad([1.0, 2.0, 3.0, 4.0, 100.0]) == 1.0


def test_that_modified_z_scores_are_distances_in_robust_standard_deviations(stats):
    values = np.array(TIMES_A)
    wanted = 0.6745 * (values - np.median(values)) / stats.median_abs_deviation(values)
    assert modified_z_scores(TIMES_A) == pytest.approx(wanted)


def test_that_a_slow_run_among_scattered_ones_is_an_outlier_and_a_usual_one_is_not():
    scores = modified_z_scores([100.0, 103.0, 98.0, 101.0, 97.0, 210.0])
    assert [score > OUTLIER_SCORE for score in scores] == [False] * 5 + [True]


def test_that_an_outlier_is_found_among_equal_values():
    scores = modified_z_scores([100.0] * 9 + [200.0])
    assert scores[:9] == [0.0] * 9
    assert scores[9] == pytest.approx(100 / (1.253314 * 10))
    assert modified_z_scores([5.0, 5.0, 5.0]) == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(("pairs", "looks"), [(5, 1), (6, 1), (5, 4), (7, 4)])
def test_that_few_pairs_get_the_interval_of_scipys_t_test(stats, pairs, looks):
    a, b = np.array(TIMES_A[:pairs]), np.array(TIMES_B[:pairs])
    t_test = stats.ttest_1samp(np.log(a / b), 0.0)
    wanted = t_test.confidence_interval(1 - FAMILY_ALPHA / looks)
    interval = ratio_interval(list(a), list(b), looks)
    assert np.log([interval.low, interval.high]) == pytest.approx([wanted.low, wanted.high])


@pytest.mark.parametrize(("pairs", "looks"), [(7, 1), (9, 4), (11, 4), (11, 1)])
def test_that_a_shift_beyond_the_bounds_is_what_scipys_signed_rank_test_rejects(
    stats, pairs, looks
):
    alpha = FAMILY_ALPHA / looks
    logs = np.log(np.array(TIMES_A[:pairs]) / np.array(TIMES_B[:pairs]))
    for bound, outward in zip(log_bounds(list(logs), alpha), (-1, 1), strict=True):
        outside = stats.wilcoxon(logs - bound - outward * 1e-9, method="exact").pvalue
        inside = stats.wilcoxon(logs - bound + outward * 1e-9, method="exact").pvalue
        assert outside <= alpha < inside


def test_that_the_ratio_says_how_many_times_as_fast_b_is():
    interval = ratio_interval([20, 21, 19, 20, 22], [10, 10, 10, 10, 11])
    assert interval.ratio == pytest.approx(2.0)
    assert interval.coverage_share == 0.98
    assert interval.decided
    assert 1.7 < interval.low < 1.9
    assert 2.1 < interval.high < 2.3


def test_that_under_five_pairs_there_is_a_range_and_no_decision():
    interval = ratio_interval([20, 30, 20, 20], [10, 10, 10, 10])
    assert interval == RatioInterval(2.0, 2.0, 3.0, None, 4)
    assert not interval.decided


def test_that_an_outlier_does_not_hide_a_steady_difference_from_nine_pairs_on():
    times_a = [130.0, 131.0, 129.0, 132.0, 128.0, 133.0, 127.0, 134.0, 400.0]
    interval = ratio_interval(times_a, [100.0] * 9, looks=4)
    assert interval.decided
    assert interval.low > 1.25


@given(pairs_of_times, look_counts)
def test_that_the_bounds_hold_the_ratio(pairs, looks):
    times_a, times_b = split(pairs)
    interval = ratio_interval(times_a, times_b, looks)
    assert interval.low <= interval.ratio * (1 + 1e-9)
    assert interval.ratio <= interval.high * (1 + 1e-9)
    assert interval.ratio == median(a / b for a, b in pairs)


@given(pairs_of_times, look_counts)
def test_that_swapping_the_arms_mirrors_the_bounds(pairs, looks):
    times_a, times_b = split(pairs)
    one, other = ratio_interval(times_a, times_b, looks), ratio_interval(times_b, times_a, looks)
    assert other.low == pytest.approx(1 / one.high, rel=1e-6)
    assert other.high == pytest.approx(1 / one.low, rel=1e-6)


@given(pairs_of_times, look_counts, st.floats(0.001, 1000.0))
def test_that_the_unit_of_time_does_not_matter(pairs, looks, unit):
    times_a, times_b = split(pairs)
    scaled = ratio_interval([a * unit for a in times_a], [b * unit for b in times_b], looks)
    assert scaled[:3] == pytest.approx(ratio_interval(times_a, times_b, looks)[:3], rel=1e-6)


@given(pairs_of_times, look_counts, st.floats(1.0, 3.0))
def test_that_a_slower_a_moves_the_bounds_as_far(pairs, looks, slower):
    times_a, times_b = split(pairs)
    before = ratio_interval(times_a, times_b, looks)
    after = ratio_interval([a * slower for a in times_a], times_b, looks)
    assert after.low == pytest.approx(before.low * slower, rel=1e-6)
    assert after.high == pytest.approx(before.high * slower, rel=1e-6)


@given(st.lists(st.tuples(durations, durations), min_size=10, max_size=20), look_counts)
def test_that_more_looks_never_narrow_the_bounds(pairs, looks):
    times_a, times_b = split(pairs)
    few, many = (ratio_interval(times_a, times_b, count) for count in (looks, looks + 1))
    assert many.low <= few.low
    assert many.high >= few.high


def test_that_a_ratio_lies_within_its_bounds_where_ratios_come_in_two_groups():
    """As where a throttled disk gives its bytes in spans: the centre is between the groups."""
    ratios = [1.022] * 31 + [0.96 + number / 1000 for number in range(30)]
    found = ratio_interval(ratios, [1.0] * len(ratios))
    assert found.low <= found.ratio <= found.high
    assert found.low < 1 < found.high
