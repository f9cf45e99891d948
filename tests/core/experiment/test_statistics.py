from __future__ import annotations

import random
from statistics import median

import pytest

from modelmon.core.experiment.schedule import interleaved
from modelmon.core.experiment.statistics import coverage, mad, ratio_interval


@pytest.mark.parametrize("pairs", range(1, 9))
@pytest.mark.parametrize("seed", range(5))
def test_that_runs_are_interleaved_in_mirrored_pairs(pairs: int, seed: int) -> None:
    order = interleaved(pairs, seed)
    assert order.count("A") == order.count("B") == pairs
    for at in range(0, len(order), 2):
        assert set(order[at : at + 2]) == {"A", "B"}
    for at in range(0, len(order) - 3, 4):
        assert order[at : at + 2] == order[at + 3 : at + 1 : -1]


def test_that_a_seed_repeats_the_order_and_seeds_differ() -> None:
    assert interleaved(20, 3) == interleaved(20, 3)
    assert len({interleaved(20, seed) for seed in range(10)}) > 1


def test_that_a_steady_drift_favours_neither_arm() -> None:
    order = interleaved(4, 0)
    times = {"A": 0.0, "B": 0.0}
    for position, label in enumerate(order):
        times[label] += 100 + position
    assert times["A"] == times["B"]


def test_that_the_ratio_says_how_many_times_as_fast_b_is() -> None:
    interval = ratio_interval([20, 21, 19, 20, 22], [10, 10, 10, 10, 11])
    assert interval.ratio == pytest.approx(2.0)
    assert interval.coverage_share == 0.9375
    assert interval.decided
    assert (interval.low, interval.high) == (1.9, 2.1)


def test_that_under_five_pairs_there_is_a_range_and_no_decision() -> None:
    interval = ratio_interval([20, 30, 20, 20], [10, 10, 10, 10])
    assert (interval.low, interval.high, interval.coverage_share) == (2.0, 3.0, None)
    assert not interval.decided


def test_that_the_same_arm_twice_is_seldom_called_different() -> None:
    draw = random.Random(7)
    comparisons = 2000
    for pairs in (5, 6, 7, 8, 15):
        calls = 0
        for _ in range(comparisons):
            times = [[draw.gauss(100, 8) for _ in range(pairs)] for _ in "AB"]
            interval = ratio_interval(times[0], times[1])
            calls += interval.decided
            assert interval.coverage_share is not None
        promised = 1 - interval.coverage_share
        assert calls / comparisons < promised + 0.02
        assert promised < 0.07


@pytest.mark.parametrize(("count", "inward"), [(5, 0), (6, 0), (8, 0), (9, 1), (15, 3), (20, 5)])
def test_that_the_coverage_is_what_chance_gives(count: int, inward: int) -> None:
    draw = random.Random(count)
    hits = 0
    for _ in range(20_000):
        values = sorted(draw.random() for _ in range(count))
        hits += values[inward] <= 0.5 <= values[count - 1 - inward]
    assert hits / 20_000 == pytest.approx(coverage(count, inward), abs=0.01)


def test_that_the_spread_is_the_median_distance_from_the_median() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 100.0]
    assert mad(values) == 1.0
    assert median(values) == 3.0
