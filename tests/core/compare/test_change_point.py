"""A step is found where it is, whatever the unit of time, and no order of chance is one."""

import random
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.compare.change_point import can_tell, change_points

LEAST = (3, 2)


def times(factors, noise=0.05, seed=1):
    draw = random.Random(seed)
    return {n: factor * exp(draw.gauss(0, noise)) for n, factor in enumerate(factors)}


@given(
    factor=st.sampled_from([1.4, 2.0, 0.6]),
    before=st.integers(8, 20),
    since=st.integers(4, 20),
    unit=st.floats(1e-9, 1e9),
)
def test_that_a_step_is_found_with_its_size_in_any_unit(factor, before, since, unit):
    row = times([unit] * before + [unit * factor] * since, noise=0.02)
    (step,) = change_points({"a": row}, LEAST)
    assert (step.at, len(step.before), len(step.since)) == (before, before, since)
    assert step.low < step.shift < step.high
    assert step.shift == pytest.approx(log(factor), abs=0.06)


@given(st.lists(st.floats(0.01, 100), max_size=8))
def test_that_eight_rounds_are_too_few_whatever_they_took(found):
    assert change_points({"a": dict(enumerate(found))}, LEAST) == []
    assert not can_tell(8)
    assert can_tell(9)


def test_that_rounds_of_one_source_have_a_step_as_rarely_as_is_asked_for():
    called = sum(
        bool(change_points({"a": times([1.0] * 12, 0.2, seed)}, LEAST, 0.02)) for seed in range(300)
    )
    assert called <= 0.05 * 300


def test_that_one_odd_round_makes_no_step_of_one_that_is_hardly_off():
    usual = [1.0, 1.01, 0.99, 1.0, 1.02, 0.98, 1.01, 0.99, 1.0, 1.01]
    assert change_points({"a": dict(enumerate([*usual, 1.09, 2.0]))}, LEAST) == []
    assert change_points({"a": dict(enumerate([*usual, 1.9, 2.0]))}, LEAST) != []


def test_that_levels_that_keep_coming_back_are_no_step():
    assert change_points({"a": times([1.0, 1.0, 1.0, 2.0, 2.0, 2.0] * 5)}, LEAST) == []


def test_that_a_step_is_not_one_of_an_arm_that_does_not_have_it():
    still, moved = [1.0] * 24, [1.0] * 12 + [2.0] * 12
    arms = {
        name: times(row, seed=seed)
        for seed, (name, row) in enumerate({"a": moved, "b": moved, "c": moved, "d": still}.items())
    }
    (step,) = change_points(arms, LEAST)
    assert step.arms == ("a", "b", "c")


def test_that_a_second_step_is_found_beside_a_larger_one():
    steps = change_points({"a": times([1.0] * 12 + [1.5] * 12 + [4.0] * 12)}, LEAST)
    assert [step.at for step in steps] == [12, 24]
    assert [exp(step.shift) for step in steps] == pytest.approx([1.5, 2.7], rel=0.1)
