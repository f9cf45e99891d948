"""When a comparison is looked at, what it decides, and which strategy is used."""

import random
from itertools import pairwise
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.comparison.decision import (
    detectable_share,
    look_times,
    outcome,
    pairs_needed,
    preferred,
)
from modelmon.core.comparison.posterior import Posterior, TimedRun, of_pairs
from modelmon.core.comparison.spread import Ratio
from modelmon.core.load.config import PROGRAM, LoadConfig


def known(ratio, scale, pairs=7):
    return Ratio(log(ratio), scale, 10.0, pairs)


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
        (known(1.5, 0.08), "B"),
        (known(0.7, 0.08), "A"),
        (known(1.5, 0.3), "undecided"),
        (known(1.5, 0.01, pairs=4), "undecided"),
        (known(1.0, 0.02), "no-difference"),
        (known(1.0, 0.03), "undecided"),
        (known(1.01, 0.002), "no-difference"),
        (known(1.03, 0.002), "B"),
    ],
)
def test_that_the_decision_is_what_is_known(seen, wanted):
    assert outcome(seen) == wanted


@given(st.floats(-2, 2), st.floats(0.001, 1), st.integers(5, 100))
def test_that_the_decision_is_the_same_with_the_arms_exchanged(middle, scale, pairs):
    exchanged = {"A": "B", "B": "A"}
    found, other = (outcome(Ratio(each, scale, 8.0, pairs)) for each in (middle, -middle))
    assert exchanged.get(found, found) == other


def test_that_more_pairs_show_smaller_differences():
    seen = known(1.0, 0.05, pairs=11)
    needed = [pairs_needed(seen, share) for share in (0.5, 0.2, 0.1, 0.05)]
    assert needed == sorted(needed)
    assert needed[0] == 11
    assert detectable_share(seen) == pytest.approx(0.25, abs=0.05)
    assert pairs_needed(known(1.0, 2.0), 0.05) is None


def normal(draw):
    return exp(draw.gauss(0, 0.08))


def with_outliers(draw):
    return normal(draw) * (draw.uniform(1.3, 3) if draw.random() < 0.1 else 1)


def long_tailed(draw):
    return 1 + 0.1 * draw.lognormvariate(0, 1)


def called(noise, ratio, comparisons):
    """Share of comparisons that name a winner at some look."""
    draw, calls = random.Random(1), 0
    for _ in range(comparisons):
        times_a = [ratio * noise(draw) for _ in range(11)]
        times_b = [noise(draw) for _ in range(11)]
        calls += any(
            outcome(of_pairs(times_a[:pairs], times_b[:pairs]).ratio("A", "B")) in {"A", "B"}
            for pairs in look_times(11)
        )
    return calls / comparisons


@pytest.mark.parametrize(
    "noise",
    [
        *(pytest.param(noise, marks=pytest.mark.long) for noise in (normal, with_outliers)),
        long_tailed,
    ],
)
def test_that_an_arm_against_itself_is_seldom_called_different_though_looked_at_often(noise):
    """Two in a hundred are promised; five would break the promise beyond the chance of 150."""
    assert called(noise, 1.0, 150) <= 0.05


@pytest.mark.parametrize("noise", [normal, long_tailed])
def test_that_a_difference_far_beyond_the_noise_is_found(noise):
    assert called(noise, 1.5, 50) > 0.9


@pytest.mark.parametrize(("slower", "kept"), [(1.0, True), (1.015, True), (1.05, False)])
def test_that_a_program_is_left_as_it_is_unless_another_setting_is_noteworthy(slower, kept):
    """Nobody changes a command for one percent; modelmon's own strategies may be exchanged."""
    scatter = (0.998, 1.002, 1.0, 1.001, 0.999)
    runs = [
        TimedRun(label, number, 1e9 * factor * share, float(number))
        for label, factor in (("default", slower), ("other", 1.0))
        for number, share in enumerate(scatter)
    ]
    program = LoadConfig(library=PROGRAM)
    chosen = preferred(Posterior(runs), {"default": program, "other": program})
    assert chosen == ("default" if kept else "other")
