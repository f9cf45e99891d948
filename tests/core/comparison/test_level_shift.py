"""A step that all arms have in common is found, told, and kept out of what pairs are compared."""

import random
from math import exp

import pytest
from msgspec.structs import replace
from tests.core.comparison.comparing import MS, play, run_all, session

from modelmon.core.comparison.decision import paired_runs
from modelmon.core.comparison.spread import level_shift


def runs(pairs, step_at, factor, b_share=1.0):
    """Both arms of a comparison whose storage slows down by `factor` before run `step_at`."""
    draw = random.Random(1)
    comparing = session(pairs=pairs, early_stop=False)

    def ms(label, number):
        usual = 1000 * exp(draw.gauss(0, 0.03)) * (b_share if label == "B" else 1)
        return usual * (factor if number + 1 >= step_at else 1)

    run_all(comparing, ms)
    return comparing.results("A"), comparing.results("B")


@pytest.mark.parametrize("step_at", [5, 7, 11])
@pytest.mark.parametrize(("factor", "told"), [(2.5, "2.5× as long"), (0.4, "2.5× as fast")])
def test_that_a_step_is_found_where_it_is(step_at, factor, told):
    shift = level_shift(runs(8, step_at, factor))
    assert shift.run == step_at
    assert shift.factor == pytest.approx(factor, rel=0.1)
    assert step_at != 7 or shift.text.endswith(f"All loads from run 7 on: {told}.")


def test_that_a_step_is_where_it_is_although_the_clock_was_set_back():
    early, late = [], []
    for results in runs(8, 7, 2.5):
        set_back = [replace(run, started_unix_s=run.started_unix_s - 3600) for run in results[4:]]
        early.append([*results[:4], *set_back])
        late.append([run for run in early[-1] if run.pair >= 4])
    shift = level_shift(early)
    assert (shift.run, shift.factor) == (7, pytest.approx(2.5, rel=0.1))
    assert not any(map(shift.is_before, [run for results in late for run in results]))


@pytest.mark.parametrize(
    ("step_at", "factor", "b_share"),
    [pytest.param(99, 1.0, 0.3, id="the arms differ"), pytest.param(22, 9.0, 1.0, id="one run")],
)
def test_that_what_differs_otherwise_is_no_step(step_at, factor, b_share):
    assert level_shift(runs(11, step_at, factor, b_share)) is None


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
