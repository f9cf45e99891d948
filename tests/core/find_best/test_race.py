"""Find best with runs that never take place: which come next, and what they decide."""

from copy import deepcopy

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs
from tests.core.comparison.comparing import next_run
from tests.core.find_best.racing import (
    MS,
    SECOND,
    SIZE,
    TIMES_MS,
    Clock,
    Racetrack,
    best_of,
    candidates,
    conditions,
    cut_off,
    failed,
    finished,
    true_ms,
)

from modelmon.core.comparison.commands import (
    GivenCommand,
    command_arm,
    command_arms,
    command_for,
)
from modelmon.core.errors import BusyError, CancelledError, ConfigError, LoadFailedError
from modelmon.core.find_best.contenders import Contenders, standings_of
from modelmon.core.find_best.result import SearchResult, SearchRun
from modelmon.core.find_best.session import SearchSession
from modelmon.core.history.rows import stored_text, stored_value
from modelmon.core.probe.probe import Limits
from modelmon.core.redaction import recorded_command
from modelmon.core.worker import events as ev
from modelmon.core.worker.program_phases import Line
from modelmon.core.worker.result import RunFailedError, summarise
from modelmon.core.worker.run_warnings import warned

# Each takes a tenth of a second.
few_races = settings(max_examples=settings().max_examples // 3)


@pytest.mark.parametrize("seed", range(3))
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
    cold = [run.label for run in session.runs if run.result.cache_asked == "cold"]
    assert cold.count("mmap") == 1
    assert session.standings()[-1].label == "mmap"


def test_that_a_wrong_guess_leaves_the_others_the_time_that_is_left():
    """Eight readers of a hard disk: most of the time was gone, and nothing else was tested."""
    shared = msgspec.structs.replace(conditions(), budget_ns=60 * SECOND, baseline="mmap")
    times_ms = {"auto": 33_000, "mmap": 1500, "sequential": 1500, "parallel": 33_000}
    session = Racetrack(shared, times_ms=times_ms, spread=0).go()
    assert {run.label for run in session.runs} == {*times_ms}
    assert best_of(session) == "mmap"


@pytest.mark.parametrize(("baseline", "times"), [("parallel", 3), ("mmap", 9)])
def test_that_a_first_run_is_ended_far_beyond_the_fastest_and_tells_that(baseline, times):
    shared = msgspec.structs.replace(conditions(), baseline=baseline)
    times_ms = {"parallel": 400, "direct": 410, "mmap": 40_000}
    track = Racetrack(shared, times_ms=times_ms, spread=0)
    session = track.go()
    (job,) = [job for label, job in track.jobs if label == "mmap" and job.cache == "cold"]
    assert job.most_load_ns == times * 400 * MS
    slow = session.standings()[-1]
    assert (slow.label, slow.state, slow.runs) == ("mmap", "dropped", 0)
    assert slow.why == "at least 3× as long"
    assert session.ending == "decided"


def test_that_storage_that_slows_down_after_the_first_run_rules_nobody_out():
    track = Racetrack(times_ms={"parallel": 420, "auto": 250, "direct": 255, "mmap": 500})
    track.go(1)
    track.times_ms = {label: 8 * ms for label, ms in track.times_ms.items()}
    assert best_of(track.go()).partition(",")[0] in {"auto", "direct"}


def ended_beside_one(times_ms, ended_ms, kept_ms=0):
    """Of two arms one has runs of these times, the other one that was ended and one that counts;
    0 ms for none.
    """
    auto, parallel = candidates(("auto", "parallel"))

    def run(arm, number, of, wall_ms):
        job = ev.Job("/m", arm.config, arm.strategy, cache="cold")
        result = summarise(of(job, wall_ms * MS, 1e9 + number))
        return SearchRun(arm.label, number, 0, msgspec.structs.replace(result, pair=number))

    runs = [run(auto, number, finished, ms) for number, ms in enumerate(times_ms, 1)]
    if ended_ms:
        runs.append(run(parallel, 1, cut_off, ended_ms))
    if kept_ms:
        runs.append(run(parallel, 3, finished, kept_ms))
    return Contenders((auto, parallel), conditions(), runs, {}, "cold")


@pytest.mark.parametrize("ended_ms", [0, 400])
def test_that_a_run_that_was_ended_weighs_beside_a_lucky_one(ended_ms):
    found = ended_beside_one((119, 282, 164, 263), ended_ms, 150)
    assert found.chosen is found.called("auto" if ended_ms else "parallel")


@pytest.mark.parametrize(("times_ms", "is_out"), [((98, 100, 104), True), ((100, 140, 301), False)])
def test_that_one_slow_run_rules_out_only_where_runs_are_alike(times_ms, is_out):
    assert ended_beside_one(times_ms, 450).called("parallel").unfit is is_out


def test_that_a_run_that_was_ended_sooner_than_others_took_says_nothing():
    found = ended_beside_one((200, 204, 198), 120, 300)
    assert found.chosen is found.called("auto")
    assert found.posterior.time("parallel").middle_ns > 250 * MS


def test_that_a_run_that_was_ended_makes_no_pair_and_bounds_stay_a_guess():
    found = ended_beside_one((200, 204, 198), 600, 300)
    ratio = found.relation(found.called("parallel"), found.called("auto"))
    assert (ratio.pairs, ratio.coverage_share) == (1, None)


def test_that_a_run_that_began_otherwise_than_asked_rules_nobody_out():
    track = Racetrack(times_ms={"parallel": 400, "mmap": 380}, spread=0)
    track.go(1)
    label, job = next_run(track.session)
    wrong = finished(job, 1300 * MS, 1e9, counts=False)
    wrong.warnings += [warned("cache-not-cold", "Warm."), warned("cut-off", "Ended.")]
    track.session.add(wrong)
    track.go()
    assert [run.label for run in track.session.runs].count(label) > 2
    assert best_of(track.session) == "mmap"


def test_that_no_run_of_an_arm_that_has_one_is_ended_for_its_time():
    track = Racetrack()
    track.go()
    ran = set()
    for label, job in track.jobs:
        assert (job.most_load_ns is None) == (not ran or label in ran)
        ran.add(label)


@pytest.mark.parametrize("seed", range(3))
def test_that_runs_go_to_those_that_may_be_the_best(seed):
    times = {"mmap": 800, "sequential": 700, "prefetch": 650, "parallel": 400, "auto": 405}
    session = Racetrack(seed=seed, times_ms=times, spread=0.05, admit=lambda _: "no").go()
    runs = {each.label: len(each.kept) for each in session.contenders().all}
    assert max(runs["mmap"], runs["sequential"], runs["prefetch"]) <= 3
    assert min(runs["parallel"], runs["auto"]) >= 3


@pytest.mark.parametrize(("spread", "most"), [(0.02, 0), (0.8, 2)])
def test_that_few_runs_decide_little_whatever_they_say(spread, most):
    decided = 0
    for seed in range(8):
        times = {"mmap": 520, "parallel": 400}
        track = Racetrack(seed=seed, times_ms=times, admit=lambda _: "no", spread=spread)
        decided += track.go(9 if spread < 0.1 else 12).ending == "decided"
    assert decided <= most


@few_races
@given(
    times=st.lists(st.floats(100, 1000), min_size=6, max_size=6),
    spread=st.sampled_from((0.0, 0.02, 0.1, 0.3)),
    seed=st.integers(0, 1000),
    runs=st.integers(1, 120),
)
def test_that_nothing_is_recommended_that_is_surely_slower_than_another(times, spread, seed, runs):
    track = Racetrack(spread=spread, seed=seed, times_ms=dict(zip(TIMES_MS, times, strict=True)))
    session = track.go(runs)
    first, *others = session.standings()
    # What a person has is kept until enough runs say otherwise.
    if session.ending == "decided" or first.label != "mmap":
        known = [other.ratio_high for other in others if other.runs > 1]
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
    assert session.ending != "running"
    last = session.runs[-1]
    assert track.clock.now_ns - last.cost_ns <= budget_s * SECOND
    # Only a way that was never run before can take longer than was foreseen.
    known = any(
        (run.label, run.result.cache_asked) == (last.label, last.result.cache_asked)
        for run in session.runs[:-1]
    )
    assert not known or track.clock.now_ns <= budget_s * SECOND


def test_that_a_race_can_be_stopped_at_any_point(inspection):
    track = Racetrack(seed=4)
    while track.session.next_job() is not None:
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
        assert stored_value(stored_text(race), SearchResult) == race


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
    step = next_run(resumed.session)
    assert not step[1].allow_busy


def test_that_runs_of_another_race_are_refused():
    session = Racetrack(seed=5).go(3)
    warm = Racetrack(conditions(objective="warm", seed=5), seed=5).session
    with pytest.raises(ConfigError, match="Start Find best again"):
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


def test_that_the_winner_and_the_usual_strategy_run_from_the_other_start_once_it_is_decided():
    track = Racetrack(conditions(seed=8), seed=8, times_ms=TIMES_MS | {"direct": 200})
    session = track.go()
    after = [run for run in session.runs if run.result.cache_asked == "warm"]
    assert session.ending == "decided"
    assert session.runs[-len(after) :] == after
    best = session.standings()[0]
    assert sorted(run.label for run in after) == sorted(2 * [best.label, "mmap"])
    assert [each.label for each in session.standings() if each.other_runs] == [best.label, "mmap"]


def test_that_a_race_whose_time_was_up_goes_on_with_more_of_it(inspection):
    first = Racetrack(conditions(25, seed=8), seed=8, spread=0.3)
    before = first.go().runs
    assert first.session.ending == "budget"

    shared = conditions(60, seed=8)
    longer = Racetrack(shared, seed=8, spread=0.3)
    longer.session.resume([run.result for run in before])
    longer.clock.now_ns = first.clock.now_ns
    race = longer.go().race(inspection)
    added = race.runs[len(before) :]
    assert [run.result for run in race.runs[: len(before)]] == [run.result for run in before]
    assert added[0].result.cache_asked == "cold"
    keys = [(run.label, run.round) for run in race.runs]
    assert len(set(keys)) == len(keys)

    again = Racetrack(shared, seed=8)
    again.session.resume([run.result for run in race.runs])
    assert again.session.standings() == race.standings


def test_that_what_is_slow_cold_may_be_the_fastest_warm(inspection):
    track = Racetrack(times_ms={"parallel": 400, "direct": 410, "mmap": 900}, admit=lambda _: "no")
    track.warm_ms = {"mmap": 5.0}
    race = track.go().race(inspection)
    assert race.recommendation.label != "mmap"
    told = " ".join(race.recommendation.contradictions)
    assert "Warm starts are faster with mmap: 5.00 ms instead of" in told


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


@few_races
@given(
    times=st.lists(st.floats(100, 1000), min_size=6, max_size=6),
    spread=st.sampled_from((0.02, 0.1, 0.3)),
    seed=st.integers(0, 1000),
    runs=st.integers(1, 60),
)
def test_that_a_change_is_recommended_only_where_the_range_excludes_no_gain(
    times, spread, seed, runs
):
    track = Racetrack(spread=spread, seed=seed, times_ms=dict(zip(TIMES_MS, times, strict=True)))
    found = track.go(runs).contenders()
    chosen, now = found.chosen, found.called("mmap")
    assert chosen is not None
    if now.measured and chosen is not now:
        assert found.relation(now, chosen).low > 1
        assert found.relation(now, chosen).ratio >= 1.05


def test_that_least_memory_wins_only_where_it_is_fast_enough(inspection):
    times = {"mmap": 480, "parallel": 400, "direct": 500}
    quick = Racetrack(conditions(objective="memory"), times_ms=times, admit=lambda _: "no").go()
    assert best_of(quick) == "mmap"
    assert (quick.standings()[0].held_bytes or 0) < 10**8
    slow = Racetrack(
        conditions(objective="memory"), times_ms=times | {"mmap": 600}, admit=lambda _: "no"
    ).go()
    assert best_of(slow) == "parallel"
    said = slow.race(inspection).recommendation.sentence
    assert said.startswith("Use parallel: lowest memory within 25% of the fastest, 1.04 GB, ")


def test_that_what_needs_least_memory_is_tested_beside_the_fastest():
    """Whether it takes at most 1.25 times as long is not told by its own runs alone."""
    times = {"mmap": 480, "parallel": 400, "direct": 900}
    shared = conditions(60, objective="memory")
    session = Racetrack(shared, seed=1, spread=0.08, times_ms=times, admit=lambda _: "no").go()
    cold = [run for run in session.runs if run.result.cache_asked == "cold"]
    rounds = [
        {run.label for run in cold if run.round == number} for number in {run.round for run in cold}
    ]
    assert len(rounds) > 4
    assert all({"mmap", "parallel"} <= labels for labels in rounds[:-1])


def test_that_a_race_on_a_part_loads_parts_alone_and_says_so(inspection):
    shared = msgspec.structs.replace(
        conditions(400, seed=5), portion_bytes=SIZE // 10, why_portion="it takes long"
    )
    race = Racetrack(shared, seed=5).go().race(inspection)
    assert all(run.result.extrapolated for run in race.runs)
    assert race.recommendation.extrapolated
    assert "Measured on a part of the model: it takes long." in race.recommendation.contradictions


@pytest.mark.parametrize("kind", ["config", "does-not-fit", "loader-died", "io"])
def test_that_a_way_that_cannot_run_drops_out_with_its_reason(kind):
    track = Racetrack(seed=6)
    track.instead = {"direct": lambda job: failed(job, kind, "Refused here.")}
    direct = next(one for one in track.go().standings() if one.label == "direct")
    assert (direct.state, direct.why, direct.runs) == ("failed", "Refused here.", 0)
    assert best_of(track.session).startswith("parallel")


def test_that_times_are_told_anew_where_one_fails_and_another_runs():
    track = Racetrack(seed=6)
    session = track.go(6)
    before = session.contenders().posterior.chances().keys()
    step = next_run(session)
    session.add(failed(step[1], "io", "It is gone."))
    session.add(track.record(*next_run(session)))
    assert session.contenders().posterior.chances().keys() == before - {step[0]}


@pytest.mark.parametrize(
    ("kind", "error"),
    [("model", RunFailedError), ("busy", BusyError), ("cancelled", CancelledError)],
)
def test_that_what_no_other_way_would_avoid_is_raised(kind, error):
    session = Racetrack().session
    step = next_run(session)
    with pytest.raises(error):
        session.add(failed(step[1], kind, "No."))
    assert session.next_job() == step
    session.go_on_busy()
    assert next_run(session)[1].allow_busy


def test_that_a_model_lost_meanwhile_ends_the_race_with_the_best_so_far(inspection):
    session = Racetrack(seed=6).go(4)
    step = next_run(session)
    assert session.add(failed(step[1], "model", "/m is not there.")) is None
    assert session.next_job() is None
    race = session.race(inspection)
    assert (race.ending, race.why_stopped) == ("stopped", "/m is not there.")
    assert race.recommendation.label in {run.label for run in race.runs}


def test_that_runs_that_did_not_start_cold_are_kept_but_not_ranked(inspection):
    track = Racetrack(seed=7)
    track.instead = {
        "parallel": lambda job: finished(job, 5 * MS, 1e9, counts=False, cache_state="warm")
    }
    parallel = next(one for one in track.go().standings() if one.label == "parallel")
    assert (parallel.runs, parallel.discarded, parallel.state) == (0, 2, "dropped")
    assert "none of its runs counts" in parallel.why
    assert track.session.race(inspection).recommendation.label != "parallel"


@pytest.mark.parametrize(("parallel_ms", "state"), [(900, "dropped"), (100, "racing")])
def test_that_of_runs_most_of_which_do_not_count_no_more_is_said(parallel_ms, state):
    """And what is recommended all the same isn't ruled out."""
    counted = iter([True, True] + [False] * 4)

    def run(arm, number, ms, *, counts=True):
        job = ev.Job("/m", arm.config, arm.strategy, cache="cold")
        result = summarise(finished(job, ms * MS, 1e9 + number, counts=counts))
        return SearchRun(arm.label, number, 0, msgspec.structs.replace(result, pair=number))

    auto, parallel = candidates(("auto", "parallel"))
    runs = [run(auto, number, 400) for number in range(1, 7)]
    runs += [run(parallel, number, parallel_ms, counts=next(counted)) for number in range(1, 7)]
    now = Contenders((auto, parallel), conditions(), runs, {}, "cold")
    found = next(one for one in standings_of(now, Limits(), None) if one.label == "parallel")
    assert (found.runs, found.discarded, found.state) == (2, 4, state)
    assert str(found.why).startswith("most of its runs don't count: ") is (state == "dropped")


def test_that_a_race_without_a_run_that_counts_says_so(inspection):
    track = Racetrack()
    track.instead = dict.fromkeys(TIMES_MS, lambda job: finished(job, 5 * MS, 1e9, counts=False))
    with pytest.raises(LoadFailedError, match="No run counts"):
        track.go().race(inspection)


def test_that_a_budget_too_small_for_a_run_says_how_much_is_needed(inspection):
    track = Racetrack(conditions(0.1))
    assert track.session.next_job() is None
    with pytest.raises(
        LoadFailedError, match=r"No run finished within 100 ms: each takes about 2\.00 s"
    ) as told:
        track.session.race(inspection)
    # Two rounds of six strategies, and ten runs more.
    assert "takes about 44.0 s" in told.value.remedy


def test_that_a_race_with_nobody_is_refused():
    with pytest.raises(ConfigError, match="No strategy"):
        Racetrack(times_ms={})


@pytest.mark.parametrize("named", [False, True])
def test_that_settings_whose_phase_is_short_are_left_out_unless_they_were_named(named):
    labels = [f"llama.cpp {name}" for name in ("default", "dio", "no-warmup")]
    arms = [command_arm(label, label, ("serve", label)) for label in labels]
    shared = structs.replace(conditions(), baseline=labels[0], named=named)
    session = SearchSession(arms, shared, clock_ns=Clock())
    label, job = next_run(session)
    assert label == labels[0]
    record = finished(job, 1000 * MS, 1.0, first_byte_ns=100 * MS, last_byte_ns=200 * MS)
    for at_ms, line in ((0, "load_tensors: loading model tensors"), (300, "KV buffer size")):
        record.printed.add(Line(at_ms * MS, line))
    session.add(record)
    assert [each.strategy for each in session.excluded] == ([] if named else labels[2:])
    again = SearchSession(arms, shared, clock_ns=Clock())
    again.resume([run.result for run in session.runs])
    assert again.excluded == session.excluded
    raced = {next_run(session)[0]}
    session.add(finished(next_run(session)[1], 900 * MS, 2.0))
    raced.add(next_run(session)[0])
    assert (labels[2] in raced) == named


SETTINGS = {
    "default": (),
    "dio": ("--load-mode", "dio"),
    "no-warmup": ("--no-warmup",),
    "passive-threads": (),
    "no-repack": ("--no-repack",),
}


def setting_command(name):
    passive = ("env", "OMP_WAIT_POLICY=passive") if name == "passive-threads" else ()
    return (*passive, "llama-server", "-m", "/m", *SETTINGS[name], "--threads", "2")


@pytest.mark.parametrize(
    ("saved_ms", "together", "added"),
    [
        ({"dio": 200, "no-warmup": 250, "passive-threads": 150}, "no-warmup + dio", ("dio",)),
        ({"dio": 200, "passive-threads": 150}, "dio + passive-threads", ()),
        ({"no-warmup": 250, "passive-threads": 200}, "", ()),
    ],
)
def test_that_settings_that_save_time_run_together_at_the_end(saved_ms, together, added):
    commands = {f"llama.cpp {name}": setting_command(name) for name in SETTINGS}
    arms = [command_arm(label, label, words) for label, words in commands.items()]
    shared = structs.replace(conditions(), baseline=arms[0].label, named=True)
    session = SearchSession(arms, shared, lambda _config: "", clock_ns=Clock())
    raced = []
    while (step := session.next_job()) is not None:
        label, job = step
        raced.append(label)
        names = label.removeprefix("llama.cpp ").split(" + ")
        wall_ms = 900 - sum(saved_ms.get(name, 0) for name in names)
        session.add(finished(job, wall_ms * MS, 1.0))
    joined = f"llama.cpp {together}" if together else ""
    assert [label for label in dict.fromkeys(raced) if label not in commands] == [joined] * bool(
        joined
    )
    if together:
        assert session.standings()[0].label == joined
        words = command_for(joined, commands)
        assert words[-2:] == ("--threads", "2")
        assert {*added, *(("--no-warmup",) if "no-warmup" in together else ())} <= {*words}
        assert ("OMP_WAIT_POLICY=passive" in words) == ("passive" in together)
        again = SearchSession(arms, shared, lambda _config: "", clock_ns=Clock())
        again.resume([run.result for run in session.runs])
        assert again.arms == session.arms
        arm = next(arm for arm in session.arms.values() if arm.label == joined)
        assert arm.program.command == recorded_command(words)
        # One that an older version had decided stays so until it goes on.
        then = [run.result for run in session.runs if run.label in commands]
        for goes_on, ending in ((False, "decided"), (True, "stopped")):
            earlier = SearchSession(arms, shared, lambda _config: "", clock_ns=Clock())
            earlier.resume(then)
            assert not goes_on or earlier.next_job() is not None
            earlier.stop()
            assert (earlier.ending, joined in earlier.arms) == (
                ending,
                goes_on,
            )


def test_that_a_program_is_not_ruled_out_for_its_first_start_and_one_more():
    words = {name: GivenCommand(("serve", f"--{name}", "/m")) for name in ("slow", "fast", "plain")}
    arms = tuple(command_arms(words, ()).values())
    session = SearchSession(arms, conditions(), lambda _config: "", clock_ns=Clock())
    first, counted = arms[0].label, []
    for _ in range(3 * len(arms)):
        label, job = next_run(session)
        number = len(counted) if label == first else 2
        other_bytes = 300 * 10**6 if number == 0 else 0
        done = finished(job, 900 * MS, 1.0, counts=number != 1, other_device_bytes=other_bytes)
        result = session.add(done)
        if label == first:
            counted.append(result.counts)
    assert counted == [False, False, True]
