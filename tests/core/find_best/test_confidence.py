"""A ranking of few runs is not called more than it is, and figures at odds are explained."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.find_best.racing import Racetrack, conditions

from modelmon.core.cli.best import show_race
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.find_best.recommend import lead_of, told_chance

TWO = {"mmap": 900, "parallel": 400}


@pytest.fixture(scope="module")
def inspection(sample):
    return inspect_model(sample)


def stopped(inspection, runs, spread=0.02):
    shared = conditions(seed=3)
    track = Racetrack(shared, seed=3, times_ms=TWO, admit=lambda _: "no", spread=spread)
    track.go(runs).stop()
    return track.session.race(inspection)


@pytest.fixture
def told(capsys):
    def tell(race):
        show_race(race)
        return capsys.readouterr().out

    return tell


@pytest.mark.parametrize(
    ("runs", "spread", "lead", "word"),
    [
        (1, 0.02, "too-few", "too early to tell"),
        (6, 0.2, "best-so-far", "best so far"),
        (8, 0.8, "kept", "keep"),
    ],
)
def test_that_a_stopped_race_has_no_best_one(inspection, told, runs, spread, lead, word):
    race = stopped(inspection, runs, spread)
    assert lead_of(race.standings, race.ending) == lead
    row = next(line for line in told(race).splitlines() if line.split()[:1] == ["1"])
    assert row.rstrip().endswith(word)


def test_that_what_never_ran_leaves_the_rest_unsure(inspection):
    one, four = stopped(inspection, 1).recommendation, stopped(inspection, 4).recommendation
    assert (one.confidence, one.chance) == ("low", None)
    assert one.confidence_reason == "1 of 2 strategies weren't tested"
    assert four.confidence == "high"
    assert four.confidence_reason == "98% likely within 3% of the best"
    assert four.sentence == "Use parallel: 2.2× as fast as mmap"


def test_that_a_decided_race_has_a_best_one(inspection, told):
    track = Racetrack(conditions(seed=3), seed=3, times_ms=TWO, admit=lambda _: "no")
    race = track.go().race(inspection)
    assert race.ending == "decided"
    assert lead_of(race.standings, race.ending) == "best"
    assert "best so far" not in told(race)


@given(st.floats(0, 1), st.floats(0, 1))
def test_that_a_surer_posterior_is_never_told_as_a_smaller_chance(one, other):
    less, more = sorted((one, other))
    assert 0 <= told_chance(less) <= told_chance(more) < 1
