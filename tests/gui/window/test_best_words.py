"""What the window says of a race that has few runs, and of one that is over."""

import msgspec
import pytest
from best_fakes import PLAN, planned
from tests.core.find_best.racing import SIZE, Racetrack, conditions

from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.load.config import PRESETS
from modelmon.core.probe.probe import Limits
from modelmon.gui.best.best_words import gain_text, plan_lines, search_progress
from modelmon.gui.best.ranking import rank
from modelmon.gui.session.measured import RaceState

TWO = {"mmap": 900, "parallel": 400}
SEQUENTIAL = PRESETS["sequential"].config


@pytest.fixture(scope="module")
def inspection(sample):
    return inspect_model(sample)


def stopped(inspection, runs, times_ms=None):
    shared = conditions(seed=3)
    track = Racetrack(shared, seed=3, times_ms=times_ms or TWO, admit=lambda _: "no")
    track.go(runs).stop()
    return track.session.race(inspection)


@pytest.mark.parametrize(
    ("runs", "states"),
    [
        (1, {"For now: too few runs", "ended before its turn"}),
        (2, {"For now: too few runs", "About 2.24× as long"}),
        (4, {"Recommended", "2.19× as long"}),
    ],
)
def test_that_few_runs_have_no_best_way(inspection, runs, states):
    race = stopped(inspection, runs)
    ranking = rank(race.standings, "cold", ending=race.ending)
    assert {row.compared or row.why for row in ranking.every_row} == states


def test_that_few_runs_show_no_difference_and_a_race_under_way_recommends_nothing(inspection):
    race = stopped(inspection, 4, {"mmap": 405, "parallel": 400})
    assert [row.compared for row in rank(race.standings, "cold", ending=race.ending).rows] == [
        "Recommended",
        "No clear difference",
    ]
    race = stopped(inspection, 12)
    assert rank(race.standings, "cold", ending="running").rows[0].compared == "Best so far"
    # Nothing that went on beats it, whatever it dropped out for.
    out = msgspec.structs.replace(race.standings[0], state="dropped", why="it seemed slow")
    first = rank((out, *race.standings[1:]), "cold", ending="stopped").rows[0]
    assert (first.label, first.compared) == (out.label, "Recommended")


@pytest.mark.parametrize(
    ("runs", "times_ms", "said"),
    [
        (6, {"sequential": 400, "mmap": 600, "parallel": 900}, "A already uses this."),
        (6, {"sequential": 900, "mmap": 800, "parallel": 400}, "sequential (A): 2."),
    ],
)
def test_that_the_gain_over_a_is_as_sure_as_the_runs(inspection, runs, times_ms, said):
    race = stopped(inspection, runs, times_ms)
    gain = gain_text(race, SEQUENTIAL, "sequential")
    assert gain.startswith(said)


def test_that_after_the_rounds_nobody_still_races():
    track = Racetrack(conditions(seed=3), seed=3, times_ms=TWO, admit=lambda _: "no")
    session = track.session
    assert search_progress(session, "mmap", None).headline == "Find best, round 1, run 1 of 2"
    while session.ending == "running":
        step = session.next_job()
        assert step is not None
        session.add(track.record(*step))
        session.next_job()
    view = search_progress(session, "parallel", None)
    assert view.headline == "Find best, warm starts, run 1 of 4"
    assert view.time_left == "4 min 50 s left"


def test_that_the_plan_says_where_its_times_are_from_and_whether_they_suffice():
    assert "at 2 GB/s by a quick measurement" in plan_lines(PLAN)[1]
    lines = plan_lines(planned(budget_ns=3 * PLAN.conditions.first_cost_ns))
    assert "Too few to rank them" in " ".join(lines)
    assert "Too few to rank them" not in " ".join(plan_lines(PLAN))


def test_that_the_disk_limit_is_no_slower_than_a_run_of_the_race(inspection):
    # Half as fast as the disk: a load of SIZE in 800 ms.
    probed = Limits(device_bytes_per_s=SIZE / 0.8)
    track = Racetrack(conditions(seed=3), seed=3, times_ms=TWO, admit=lambda _: "no", limits=probed)
    races = RaceState()
    races.begin(track.session)
    assert races.limits == probed
    track.go(4).stop()
    races.conclude(track.session.race(inspection))
    fastest_ns = min(run.result.wall_ns for run in track.session.runs)
    assert races.limits.device_bytes_per_s == pytest.approx(SIZE * 1e9 / fastest_ns)
