from copy import deepcopy

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.best.racing import (
    MS,
    SECOND,
    SIZE,
    TIMES_MS,
    Racetrack,
    best_of,
    candidates,
    conditions,
    cut_off,
    finished,
    true_ms,
)

from modelmon.core.best.field import Field, RaceArm
from modelmon.core.best.pick import pick
from modelmon.core.best.result import Race
from modelmon.core.errors import ConfigError
from modelmon.core.history.rows import stored_value
from modelmon.core.history.write import stored_text
from modelmon.core.probe.limits import Limits
from modelmon.core.worker import events as ev
from modelmon.core.worker.result import summarise

# Each takes a tenth of a second.
few_races = settings(max_examples=settings().max_examples // 3)


@pytest.mark.parametrize("seed", range(6))
def test_that_the_fastest_is_found_and_refined(seed):
    session = Racetrack(seed=seed).go()
    best = session.standings()[0]
    fastest_ms = min(true_ms(a.label, a.config) for a in session.standings())
    assert best.strategy == "parallel"
    assert best.config.readers in {8, 16}
    assert true_ms(best.label, best.config) <= fastest_ms * 1.03
    assert session.ending == "decided"


def test_that_bad_arms_drop_out_early_and_say_why():
    session = Racetrack().go()
    slow = session.standings()[-1]
    assert slow.label in {"prefetch", "mmap"}
    assert slow.state == "dropped"
    assert slow.runs <= 2
    assert slow.why.endswith("× as long")


def test_that_every_round_runs_each_arm_once_in_an_order_from_the_seed():
    track = Racetrack(seed=1)
    track.go(2 * len(TIMES_MS))
    labels = [label for label, _ in track.jobs]
    first, second = labels[: len(TIMES_MS)], labels[len(TIMES_MS) :]
    assert sorted(first) == sorted(second) == sorted(TIMES_MS)
    # All processes are looked at once a round.
    assert [job.looks_for_users for _, job in track.jobs] == ([True] + [False] * 5) * 2
    assert first != second
    again = Racetrack(seed=1)
    again.go(2 * len(TIMES_MS))
    assert [label for label, _ in again.jobs] == labels


def test_that_inside_the_noise_the_simpler_is_recommended():
    times = {"mmap": 400, "parallel": 400, "auto": 400}
    for seed in range(6):
        session = Racetrack(seed=seed, times_ms=times, spread=0.01, admit=lambda _: "no").go()
        assert session.ending == "decided"
        assert best_of(session) == "mmap"


def test_that_an_arm_that_is_three_times_slower_has_one_run():
    session = Racetrack(times_ms={"mmap": 1300, "parallel": 400, "direct": 410}).go()
    assert len(session.results("mmap")) == 1
    assert session.standings()[-1].label == "mmap"


def test_that_a_first_run_is_ended_at_three_times_the_fastest_and_tells_that():
    track = Racetrack(times_ms={"parallel": 400, "direct": 410, "mmap": 40_000}, spread=0)
    session = track.go()
    (job,) = [job for label, job in track.jobs if label == "mmap" and job.cache == "cold"]
    assert job.most_load_ns == 3 * 400 * MS
    slow = session.standings()[-1]
    assert (slow.label, slow.state, slow.runs) == ("mmap", "dropped", 0)
    assert slow.why == "at least 3× as long"
    assert session.ending == "decided"


def test_that_storage_that_slows_down_after_the_first_run_rules_nobody_out():
    track = Racetrack(times_ms={"parallel": 420, "auto": 250, "direct": 255, "mmap": 500})
    track.go(1)
    track.times_ms = {label: 8 * ms for label, ms in track.times_ms.items()}
    assert best_of(track.go()).partition(",")[0] in {"auto", "direct"}


def ended_beside_one(times_ms, ended_ms, kept_ms):
    """Of two arms one has runs of these times, the other one that was ended and one that counts."""
    field = Field([RaceArm(arm) for arm in candidates(("auto", "parallel"))])
    auto, parallel = field.arms

    def take(arm, round_number, record):
        field.take(arm, msgspec.structs.replace(summarise(record), pair=round_number))

    def job(arm):
        return ev.Job("/m", arm.config, arm.strategy, cache="cold")

    for number, wall_ms in enumerate(times_ms, 1):
        take(auto, number, finished(job(auto), wall_ms * MS, 1e9 + number))
    if ended_ms:
        take(parallel, 1, cut_off(job(parallel), ended_ms * MS, 1e9 + 1))
    take(parallel, 3, finished(job(parallel), kept_ms * MS, 1e9 + 3))
    return field, auto, parallel


@pytest.mark.parametrize("ended_ms", [0, 400])
def test_that_a_run_that_was_ended_weighs_beside_a_lucky_one(ended_ms):
    field, auto, parallel = ended_beside_one((119, 282, 164, 263), ended_ms, 150)
    assert pick(field, field.measured, "cold") is (auto if ended_ms else parallel)


def test_that_a_run_that_was_ended_sooner_than_others_took_says_nothing():
    field, auto, parallel = ended_beside_one((200, 204, 198), 120, 300)
    assert pick(field, field.measured, "cold") is auto
    assert field.posterior.time(parallel.label).middle_ns > 250 * MS


def test_that_a_run_that_was_ended_makes_no_pair_and_bounds_stay_a_guess():
    field, auto, parallel = ended_beside_one((200, 204, 198), 600, 300)
    found = field.relation(parallel, auto)
    assert (found.pairs, found.coverage_share) == (1, None)


def test_that_a_run_that_began_otherwise_than_asked_rules_nobody_out():
    track = Racetrack(times_ms={"parallel": 400, "mmap": 380}, spread=0)
    track.go(1)
    label, job = track.session.next_job() or ("", track.jobs[0][1])
    wrong = finished(job, 1300 * MS, 1e9, counts=False)
    wrong.warnings += [ev.warned("cache-not-cold", "Warm."), ev.warned("cut-off", "Ended.")]
    track.session.add(wrong)
    track.go()
    assert len(track.session.results(label)) > 1
    assert best_of(track.session) == "mmap"


def test_that_no_run_of_an_arm_that_has_one_is_ended_for_its_time():
    track = Racetrack()
    track.go()
    ran = set()
    for label, job in track.jobs:
        first_of_all = job.cache not in {cache for _, cache in ran}
        assert (job.most_load_ns is None) == (first_of_all or (label, job.cache) in ran)
        ran.add((label, job.cache))


@pytest.mark.parametrize("seed", range(3))
def test_that_runs_go_to_those_that_may_be_the_best(seed):
    times = {"mmap": 800, "sequential": 700, "prefetch": 650, "parallel": 400, "auto": 405}
    session = Racetrack(seed=seed, times_ms=times, spread=0.05, admit=lambda _: "no").go()
    runs = {arm.label: len(arm.times_ns) for arm in session.field.arms}
    assert max(runs["mmap"], runs["sequential"], runs["prefetch"]) <= 3
    assert min(runs["parallel"], runs["auto"]) >= 3


@few_races
@given(
    times=st.lists(st.floats(100, 1000), min_size=6, max_size=6),
    spread=st.sampled_from((0.0, 0.02, 0.1, 0.3)),
    seed=st.integers(0, 1000),
    runs=st.integers(1, 120),
)
def test_that_nothing_is_recommended_that_is_surely_slower_than_another(times, spread, seed, runs):
    track = Racetrack(spread=spread, seed=seed, times_ms=dict(zip(TIMES_MS, times, strict=True)))
    standings = track.go(runs).standings()
    known = [other.ratio_high for other in standings if other.runs > 1]
    assert all(high is None or high >= 0.99 for high in known)


@few_races
@given(
    budget_s=st.floats(3, 200),
    times=st.lists(st.floats(100, 5000), min_size=6, max_size=6),
    seed=st.integers(0, 1000),
)
def test_that_the_budget_is_kept(budget_s, times, seed):
    track = Racetrack(
        conditions(budget_s, seed=seed),
        spread=0.02,
        seed=seed,
        times_ms=dict(zip(TIMES_MS, times, strict=True)),
    )
    session = track.go()
    assert session.done
    last = session.runs[-1]
    assert track.clock.now_ns - last.cost_ns <= budget_s * SECOND
    # Only a way that was never run before can take longer than was foreseen.
    known = any(
        (run.label, run.result.cache_asked) == (last.label, last.result.cache_asked)
        for run in session.runs[:-1]
    )
    assert not known or track.clock.now_ns <= budget_s * SECOND


def test_that_a_run_that_would_not_end_in_time_is_not_begun():
    track = Racetrack(conditions(15, seed=2), spread=0.0, seed=2)
    session = track.go()
    assert session.ending == "budget"
    assert track.clock.now_ns <= 15 * SECOND


def test_that_a_race_can_be_stopped_at_any_point(inspection):
    track = Racetrack(seed=4)
    while not track.session.done:
        # At each while arms have their first runs, then at every fourth.
        track.go(len(track.jobs) + (1 if len(track.jobs) < 2 * len(TIMES_MS) else 4))
        session, runs = deepcopy(track.session), len(track.session.runs)
        session.stop()
        assert session.next_job() is None
        race = session.race(inspection)
        assert race.recommendation.label in TIMES_MS or "parallel" in race.recommendation.label
        assert len(race.runs) == runs
        if runs < len(TIMES_MS):
            assert race.recommendation.confidence == "low"
        assert stored_value(stored_text(race), Race) == race


@pytest.mark.parametrize("spread", [0.02, 0.15])
def test_that_a_resumed_race_ends_as_one_that_was_not_stopped(inspection, spread):
    shared = conditions(100, seed=5)
    whole = Racetrack(shared, seed=5, spread=spread)
    race = whole.go().race(inspection)
    for runs in range(0, len(race.runs), 40):
        stopped = Racetrack(shared, seed=5, spread=spread)
        stopped.go(runs)
        resumed = Racetrack(shared, seed=5, spread=spread)
        resumed.session.resume([run.result for run in stopped.session.runs])
        resumed.clock.now_ns = stopped.clock.now_ns
        again = resumed.go().race(inspection)
        assert [run.label for run in again.runs] == [run.label for run in race.runs]
        assert again.standings == race.standings
        assert again.recommendation == race.recommendation


def test_that_what_was_warned_of_a_run_is_not_warned_of_again_in_a_resumed_race():
    probed = Limits(device_bytes_per_s=SIZE)
    stopped = Racetrack(seed=5, limits=probed)
    stopped.go(9)
    told = [warning.kind for run in stopped.session.runs for warning in run.result.warnings]
    assert "faster-than-probed" in told
    resumed = Racetrack(seed=5, limits=probed)
    resumed.session.resume([run.result for run in stopped.session.runs])
    assert [run.result for run in resumed.session.runs] == [
        run.result for run in stopped.session.runs
    ]
    step = resumed.session.next_job()
    assert step is not None
    assert not step[1].allow_busy


def test_that_runs_of_another_race_are_refused():
    session = Racetrack(seed=5).go(3)
    warm = Racetrack(conditions(objective="warm", seed=5), seed=5).session
    with pytest.raises(ConfigError, match="Run modelmon best again"):
        warm.resume([run.result for run in session.runs])


@pytest.mark.parametrize("budget_s", [5, 30])
def test_that_all_that_was_measured_is_taken_in_whatever_would_be_decided_now(inspection, budget_s):
    """The time limit may be another now, and what runs cost is known less well afterwards."""
    track = Racetrack(conditions(seed=5), seed=5)
    track.go()
    resumed = Racetrack(conditions(budget_s, seed=5), seed=5)
    resumed.session.resume([run.result for run in track.session.runs])
    assert [(run.label, run.round) for run in resumed.session.runs] == [
        (run.label, run.round) for run in track.session.runs
    ]
    assert resumed.go().race(inspection).recommendation.label == best_of(track.session)


@pytest.mark.parametrize(("budget_s", "spread"), [(25, 0.3), (300, 0.02)])
def test_that_what_time_is_left_goes_to_the_other_start(budget_s, spread):
    times = TIMES_MS | {"direct": 200}
    track = Racetrack(conditions(budget_s, seed=8), seed=8, spread=spread, times_ms=times)
    session = track.go()
    after = [run for run in session.runs if run.result.cache_asked == "warm"]
    assert session.runs[-len(after) :] == after
    best = session.standings()[0]
    # It leaves nothing in the cache, so one that does is the next that is measured.
    assert (after[0].label, after[1].label) == (best.label, "parallel")
    if spread > 0.1:
        assert session.ending == "budget"
    else:
        assert session.ending == "decided"
        assert {run.label for run in after} >= set(times)


def test_that_a_race_whose_time_was_up_goes_on_with_more_of_it(inspection):
    first = Racetrack(conditions(25, seed=8), seed=8, spread=0.3)
    before = first.go().runs
    assert first.session.ending == "budget"
    warm = {run.label for run in before if run.result.cache_asked == "warm"}
    assert warm

    shared = conditions(60, seed=8)
    longer = Racetrack(shared, seed=8, spread=0.3)
    longer.session.resume([run.result for run in before])
    longer.session.go_on_racing()
    longer.clock.now_ns = first.clock.now_ns
    race = longer.go().race(inspection)
    added = race.runs[len(before) :]
    assert [run.result for run in race.runs[: len(before)]] == [run.result for run in before]
    assert added[0].result.cache_asked == "cold"
    # What was measured from the other start before still counts.
    counted = sum(run.result.cache_asked == "warm" for run in race.runs)
    assert counted > len([run for run in before if run.result.cache_asked == "warm"])
    assert sum(standing.other_runs for standing in race.standings) == counted
    keys = [(run.label, run.round) for run in race.runs]
    assert len(set(keys)) == len(keys)

    again = Racetrack(shared, seed=8)
    again.session.resume([run.result for run in race.runs])
    assert again.session.standings() == race.standings


def test_that_what_is_slow_cold_may_be_the_fastest_warm(inspection):
    track = Racetrack(times_ms={"parallel": 400, "direct": 410, "mmap": 1300}, admit=lambda _: "no")
    track.warm_ms = {"mmap": 5.0}
    race = track.go().race(inspection)
    assert race.recommendation.label != "mmap"
    told = " ".join(race.recommendation.contradictions)
    assert "Warm starts are faster with mmap: 4.98 ms instead of 40." in told
    mmap = race.standing("mmap")
    assert mmap.other_expected_ns is not None
    assert mmap.other_expected_ns < 10 * MS < (race.standings[0].other_low_ns or 0)


def test_that_a_race_of_an_older_version_is_taken_up(inspection):
    shared = conditions(100, seed=5)
    session = Racetrack(shared, seed=5).go()
    older = [
        msgspec.structs.replace(
            run.result, pair=0 if run.result.cache_asked == "warm" else run.round
        )
        for run in session.runs
    ]
    resumed = Racetrack(shared, seed=5).session
    resumed.resume(older)
    assert [run.round for run in resumed.runs] == [run.round for run in session.runs]
    assert resumed.standings() == session.standings()


def test_that_least_memory_wins_only_where_it_is_fast_enough():
    times = {"mmap": 480, "parallel": 400, "direct": 500}
    quick = Racetrack(conditions(objective="memory"), times_ms=times, admit=lambda _: "no").go()
    assert best_of(quick) == "mmap"
    assert (quick.standings()[0].held_bytes or 0) < 10**8
    slow = Racetrack(
        conditions(objective="memory"), times_ms=times | {"mmap": 600}, admit=lambda _: "no"
    ).go()
    assert best_of(slow) == "parallel"


def test_that_what_needs_least_memory_is_tested_beside_the_fastest():
    """Whether it takes at most 1.25 times as long is not told by its own runs alone."""
    times = {"mmap": 480, "parallel": 400, "direct": 900}
    shared = conditions(60, objective="memory")
    session = Racetrack(shared, spread=0.08, times_ms=times, admit=lambda _: "no").go()
    cold = [run for run in session.runs if run.result.cache_asked == "cold"]
    rounds = [
        {run.label for run in cold if run.round == number} for number in {run.round for run in cold}
    ]
    assert len(rounds) > 4
    assert all({"mmap", "parallel"} <= labels for labels in rounds[:-1])


PART = msgspec.structs.replace(
    conditions(400, seed=5), portion_bytes=SIZE // 10, why_portion="it takes long", confirm=True
)


@pytest.mark.parametrize("factor", [1.0, 1.6])
def test_that_what_a_part_decided_is_confirmed_by_loading_the_two_best_whole(inspection, factor):
    track = Racetrack(PART, seed=5, times_ms={name: 10 * ms for name, ms in TIMES_MS.items()})
    track.portion_factor = factor
    session = track.go()
    whole = [run for run in session.runs if not run.result.extrapolated]
    assert session.ending == "decided"
    assert len(whole) == 4
    assert len({run.label for run in whole}) == 2
    assert len({run.round for run in whole}) == 2
    race = session.race(inspection)
    found = race.recommendation
    true_ns = 10 * true_ms(found.label, found.config) * MS
    # By what whole loads took, also where a part takes more than its share.
    assert not found.extrapolated
    assert found.expected_ns == pytest.approx(true_ns, rel=0.05)
    assert race.standing("mmap").expected_ns == pytest.approx(9000 * MS, rel=0.1)
    named = found.contradictions[0].rstrip(".").partition("Then loaded whole: ")[2]
    assert set(named.split("; ")) == {run.label for run in whole}
    resumed = Racetrack(PART, seed=5, times_ms=track.times_ms)
    resumed.session.resume([run.result for run in session.runs])
    assert resumed.session.standings() == session.standings()


def test_that_the_two_best_are_loaded_whole_also_where_the_time_ends_before_it_is_decided():
    shared = msgspec.structs.replace(PART, budget_ns=60 * SECOND)
    alike = dict.fromkeys(TIMES_MS, 4000.0)
    session = Racetrack(shared, spread=0.1, times_ms=alike, admit=lambda _: "no").go()
    whole = [run for run in session.runs if not run.result.extrapolated]
    assert session.ending == "budget"
    assert len(whole) == 4
    assert len({run.label for run in session.runs}) == len(TIMES_MS)


@pytest.mark.parametrize("changed", [{"confirm": False}, {"budget_ns": 30 * SECOND}])
def test_that_nothing_is_loaded_whole_that_must_not_be_or_does_not_fit(changed):
    shared = msgspec.structs.replace(PART, **changed)
    times = {"mmap": 30_000, "parallel": 10_000, "direct": 11_000}
    track = Racetrack(shared, seed=5, times_ms=times, admit=lambda _: "no")
    assert all(run.result.extrapolated for run in track.go().runs)
