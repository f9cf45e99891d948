"""A step that all arms have in common is found, told, and kept out of what pairs are compared."""

import random
from math import exp

import pytest
from tests.core.comparison.comparing import MS, arm, play, record

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.decision import paired_runs
from modelmon.core.comparison.level_shift import level_shift
from modelmon.core.machine.cgroup import CgroupLimit


def runs(pairs, step_at, factor, b_share=1.0):
    """Both arms of a comparison whose storage slows down by `factor` before run `step_at`."""
    draw = random.Random(1)
    conditions = Conditions("/m", "cold", max_pairs=pairs, early_stop=False)
    session = CompareSession(arm("A", "mmap"), arm("B", "parallel"), conditions)
    number = 0
    while (step := session.next_job()) is not None:
        number += 1
        wall_ns = 1000 * MS * exp(draw.gauss(0, 0.03)) * (b_share if step[0] == "B" else 1)
        slowed = round(wall_ns * (factor if number >= step_at else 1))
        session.add(record(step[1], slowed, started_unix_s=float(number)))
    return session.results("A"), session.results("B")


@pytest.mark.parametrize("step_at", [5, 8, 11])
@pytest.mark.parametrize("factor", [2.5, 0.4])
def test_that_a_step_is_found_where_it_is(step_at, factor):
    shift = level_shift(runs(8, step_at, factor))
    assert shift is not None
    assert shift.run == step_at
    assert shift.factor == pytest.approx(factor, rel=0.1)


def test_that_a_step_is_told_with_its_factor_and_run():
    slower, faster = level_shift(runs(8, 7, 2.5)), level_shift(runs(8, 7, 0.4))
    assert slower is not None
    assert faster is not None
    assert slower.text.endswith("All loads from run 7 on: 2.5× as long.")
    assert faster.text.endswith("All loads from run 7 on: 2.5× as fast.")


def test_that_a_difference_between_the_arms_is_no_step():
    assert level_shift(runs(11, 99, 1.0, b_share=0.3)) is None


def test_that_one_slow_run_is_no_step():
    assert level_shift(runs(11, 22, 9.0)) is None


@pytest.mark.parametrize(("step_at", "pairs"), [(7, 8), (8, 7)])
def test_that_only_a_pair_on_both_sides_of_the_step_is_left_out(step_at, pairs):
    kept = paired_runs(*runs(8, step_at, 2.5))
    assert len(kept) == pairs
    assert max(a.timed_ns / b.timed_ns for a, b in kept) < 1.3


def test_that_a_verdict_tells_of_the_step_and_is_not_shaken_by_it(inspection):
    before, after = [1260 * MS] * 3, [3150 * MS] * 8
    found = play({"A": before + after, "B": [round(t * 0.8) for t in before + after]}, inspection)
    assert found.verdict.winner == "B"
    assert "All loads from run 7 on: 2.5× as long" in found.verdict.caveat


@pytest.mark.parametrize(("allowed", "is_cause"), [(3e8, True), (2e9, False)])
def test_that_a_verdict_names_the_limit_that_came_with_the_step(inspection, allowed, *, is_cause):
    conditions = Conditions("/m", "cold", max_pairs=8, early_stop=False)
    session = CompareSession(arm("A", "mmap"), arm("B", "parallel"), conditions)
    number = 0
    while (step := session.next_job()) is not None:
        number += 1
        limit = CgroupLimit("read-rate", allowed, "io.max", "/box", "sda", counted=10**9)
        slowed = number >= 7
        session.add(
            record(
                step[1],
                (3300 if slowed else 1300) * MS + number,
                started_unix_s=float(number),
                limits=(limit,) if slowed else (),
            )
        )
    said = session.comparison(inspection).verdict.caveat
    assert "All loads from run 7 on: 2.5× as long" in said
    assert ("io.max of /box: no limit before, 300 MB/s from sda since" in said) == is_cause
