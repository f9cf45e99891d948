"""Races in which a way cannot run, no run counts, or nothing can run at all."""

import pytest
from tests.core.find_best.racing import (
    MS,
    OVERHEAD_NS,
    Clock,
    Racetrack,
    best_of,
    conditions,
    failed,
    finished,
)

from modelmon.core.comparison.commands import GivenCommand, command_arms
from modelmon.core.errors import BusyError, CancelledError, ConfigError, LoadFailedError
from modelmon.core.find_best.plan import Candidates
from modelmon.core.find_best.race import RaceSession
from modelmon.core.worker.result import RunFailedError


@pytest.mark.parametrize("kind", ["config", "does-not-fit", "loader-died", "io"])
def test_that_a_way_that_cannot_run_drops_out_with_its_reason(kind):
    track = Racetrack(seed=6)
    while (step := track.session.next_job()) is not None:
        label, job = step
        if label == "direct":
            assert track.session.add(failed(job, kind, "Refused here.")) is None  # type: ignore[arg-type]
        else:
            track.session.add(track.record(label, job))
    direct = next(one for one in track.session.standings() if one.label == "direct")
    assert (direct.state, direct.why, direct.runs) == ("failed", "Refused here.", 0)
    assert best_of(track.session).startswith("parallel")


def test_that_times_are_told_anew_where_one_fails_and_another_runs():
    track = Racetrack(seed=6)
    session = track.go(6)
    before = session.contenders().posterior.chances().keys()
    step = session.next_job()
    assert step is not None
    session.add(failed(step[1], "io", "It is gone."))
    following = session.next_job()
    assert following is not None
    session.add(track.record(*following))
    assert session.contenders().posterior.chances().keys() == before - {step[0]}


@pytest.mark.parametrize(
    ("kind", "error"),
    [("model", RunFailedError), ("busy", BusyError), ("cancelled", CancelledError)],
)
def test_that_what_no_other_way_would_avoid_is_raised(kind, error):
    session = Racetrack().session
    step = session.next_job()
    assert step is not None
    with pytest.raises(error):
        session.add(failed(step[1], kind, "No."))  # type: ignore[arg-type]
    assert session.next_job() == step
    session.go_on_busy()
    following = session.next_job()
    assert following is not None
    assert following[1].allow_busy


def test_that_a_model_lost_meanwhile_ends_the_race_with_the_best_so_far(inspection):
    session = Racetrack(seed=6).go(4)
    step = session.next_job()
    assert step is not None
    assert session.add(failed(step[1], "model", "/m is not there.")) is None
    assert session.next_job() is None
    race = session.race(inspection)
    assert (race.ending, race.why_stopped) == ("stopped", "/m is not there.")
    assert race.recommendation.label in {run.label for run in race.runs}


def test_that_runs_that_did_not_start_cold_are_kept_but_not_ranked(inspection):
    track = Racetrack(seed=7)
    while (step := track.session.next_job()) is not None:
        label, job = step
        if label == "parallel":
            track.clock.now_ns += OVERHEAD_NS
            warm = finished(job, 5 * MS, 1e9, counts=False, cache_state="warm")
            track.session.add(warm)
        else:
            track.session.add(track.record(label, job))
    parallel = next(one for one in track.session.standings() if one.label == "parallel")
    assert (parallel.runs, parallel.discarded, parallel.state) == (0, 2, "dropped")
    assert "no run of it counts" in parallel.why
    assert track.session.race(inspection).recommendation.label != "parallel"


def test_that_a_race_without_a_run_that_counts_says_so(inspection):
    track = Racetrack()
    while (step := track.session.next_job()) is not None:
        track.clock.now_ns += OVERHEAD_NS
        track.session.add(finished(step[1], 5 * MS, 1e9, counts=False))
    with pytest.raises(LoadFailedError, match="No run counts"):
        track.session.race(inspection)


def test_that_a_budget_too_small_for_a_run_says_how_much_is_needed(inspection):
    track = Racetrack(conditions(0.1))
    assert track.session.next_job() is None
    with pytest.raises(
        LoadFailedError, match=r"time limit of 100 ms; each takes about 2\.00 s"
    ) as told:
        track.session.race(inspection)
    # Two rounds of six strategies, and ten runs more.
    assert "takes about 44.0 s" in told.value.remedy


def test_that_a_race_with_nobody_is_refused():
    with pytest.raises(ConfigError, match="No strategy"):
        Racetrack(times_ms={})


def test_that_a_program_is_not_ruled_out_for_its_first_start_and_one_more():
    words = {name: GivenCommand(("serve", f"--{name}", "/m")) for name in ("slow", "fast", "plain")}
    arms = tuple(command_arms(words, ()).values())
    session = RaceSession(Candidates(arms), conditions(), lambda _config: "", clock_ns=Clock())
    first, counted = arms[0].label, []
    for _ in range(3 * len(arms)):
        step = session.next_job()
        assert step is not None
        label, job = step
        number = len(counted) if label == first else 2
        other_bytes = 300 * 10**6 if number == 0 else 0
        done = finished(job, 900 * MS, 1.0, counts=number != 1, other_device_bytes=other_bytes)
        result = session.add(done)
        assert result is not None
        if label == first:
            counted.append(result.counts)
    assert counted == [False, False, True]
