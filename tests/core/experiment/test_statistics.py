from __future__ import annotations

import random
from statistics import median

import pytest

from modelmon.core.experiment.schedule import interleaved
from modelmon.core.experiment.statistics import mad, ratio_interval


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
    assert interval.kind == "bootstrap-95"
    assert interval.decided
    assert 1.9 <= interval.low <= 2.0 <= interval.high <= 2.1


def test_that_under_five_pairs_there_is_a_range_and_no_decision() -> None:
    interval = ratio_interval([20, 30, 20, 20], [10, 10, 10, 10])
    assert (interval.low, interval.high, interval.kind) == (2.0, 3.0, "range")
    assert not interval.decided


def test_that_the_same_arm_twice_is_seldom_called_different() -> None:
    draw = random.Random(7)
    calls = 0
    for _ in range(60):
        times = [[draw.gauss(100, 8) for _ in range(5)] for _ in "AB"]
        calls += ratio_interval(times[0], times[1]).decided
    assert calls <= 12


def test_that_the_spread_is_the_median_distance_from_the_median() -> None:
    values = [1.0, 2.0, 3.0, 4.0, 100.0]
    assert mad(values) == 1.0
    assert median(values) == 3.0
