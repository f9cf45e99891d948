"""What runs in rounds say of each arm, where the truth is known."""

import random
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.comparison.posterior import Posterior, TimedRun
from modelmon.core.comparison.spread import COVERAGE_SHARE


def posterior_of(times):
    """What runs say, by arm and round; those of a round start in the order of the arms."""
    return Posterior(
        TimedRun(label, number, time, number + at / len(times))
        for at, (label, row) in enumerate(times.items())
        for number, time in row.items()
    )


@given(seed=st.integers(0, 10**6), outlier=st.floats(1, 5))
def test_that_rounds_tie_arms_that_never_met_and_outliers_say_little(seed, outlier):
    draw = random.Random(seed)
    slow_round = [exp(draw.gauss(0, 0.5)) for _ in range(12)]

    def runs(ms, rounds):
        return {n: ms * slow_round[n] * exp(draw.gauss(0, 0.01)) for n in rounds}

    times = {
        "early": runs(300, range(6)),
        "all": runs(200, range(12)),
        "both": runs(150, range(12)),
        "late": runs(100, range(6, 12)),
    }
    times["late"][7] *= outlier
    found = posterior_of(times).ratio("early", "late")
    assert 2.6 < found.ratio < 3.5
    assert found.low < found.ratio < found.high


def test_that_one_slow_run_of_two_does_not_condemn_an_arm():
    times = {
        "good": {1: 100.0, 2: 310.0},
        "a": {1: 101.0, 2: 100.0},
        "b": {1: 99.0, 2: 101.0},
        "bad": {1: 300.0, 2: 310.0},
    }
    found = posterior_of(times)
    assert found.ratio("good", "a").low < 1
    assert found.ratio("bad", "a").low > 1


def test_that_no_arm_is_excused_by_slow_runs_of_its_own():
    for seed in range(20):
        draw = random.Random(seed)
        times = {label: {n: 100 * exp(draw.gauss(0, 0.02)) for n in range(12)} for label in "abcd"}
        for number in draw.sample(range(12), 8):
            times["d"][number] *= 1.8
        found = posterior_of(times)
        assert found.ratio("d", "a").low > 1.6
        assert found.ratio("b", "a").ratio == pytest.approx(1, abs=0.05)


def test_that_bounds_hold_as_often_as_they_promise():
    """By seeds that are always the same: 400 sets of two arms that are 10% apart."""
    held = 0
    for seed in range(400):
        draw = random.Random(seed)
        times = {
            arm: {n: ms * exp(draw.gauss(0, 0.08)) for n in range(6)}
            for arm, ms in (("a", 100.0), ("b", 110.0))
        }
        found = posterior_of(times).ratio("b", "a")
        held += found.low <= 1.1 <= found.high
    assert held / 400 == pytest.approx(COVERAGE_SHARE, abs=0.04)


@given(
    st.dictionaries(
        st.sampled_from("abcd"),
        st.dictionaries(st.integers(1, 6), st.floats(1e6, 1e12), min_size=1),
        min_size=1,
    )
)
def test_that_any_runs_have_an_answer(times):
    found = posterior_of(times)
    chances = found.chances()
    assert sum(chances.values()) == pytest.approx(1)
    assert all(found.loss(label) >= 0 for label in times)
    assert posterior_of(times).chances() == chances
