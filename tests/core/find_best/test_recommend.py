"""What Find best recommends: in words, with figures, and never surer than it is."""

import json
import re
import tomllib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.find_best.racing import MS, TIMES_MS, Racetrack, conditions, finished

from modelmon.core.cli.output import print_items
from modelmon.core.errors import ConfigError
from modelmon.core.export.outcomes import outcome_of
from modelmon.core.export.result_items import search_items
from modelmon.core.export.saved import read_result
from modelmon.core.find_best import contenders
from modelmon.core.find_best.recommend import advice_outside, lead_of, told_chance
from modelmon.core.load.config import PRESETS
from modelmon.core.load.config_file import read_config
from modelmon.core.messages import to_text
from modelmon.core.programs.modelmon import modelmon_toml
from modelmon.core.units import duration_text
from modelmon.core.worker.run_warnings import warned


def raced(inspection, times_ms, objective="cold", seed=3):
    shared = conditions(objective=objective, seed=seed)
    track = Racetrack(shared, seed=seed, times_ms=times_ms, admit=lambda _: "no")
    return track.go().race(inspection)


def test_that_a_recommendation_says_why_with_figures(inspection):
    found = raced(inspection, TIMES_MS).recommendation
    assert found.label == "parallel"
    expected = duration_text(found.expected_ns)
    assert found.sentence == f"Use parallel: fastest cold start, {expected}"
    assert re.match(rf"2\.\d× as fast as mmap: {expected} instead of [89]\d\d ms", found.reasons[0])
    assert found.baseline == "mmap"
    assert found.confidence == "high"
    assert found.expected_low_ns <= found.expected_ns <= found.expected_high_ns
    assert "The next start takes" in found.contradictions[0]


@pytest.mark.parametrize(("before_share", "is_told"), [(0.93, True), (0.3, False), (None, False)])
def test_that_a_wait_that_no_load_setting_changes_is_told(inspection, before_share, *, is_told):
    track = Racetrack(seed=3)
    track.before_share = before_share
    told = " ".join(track.go().race(inspection).recommendation.reasons)
    sentence = "93% of the wait before reading: load settings hardly change that."
    assert (sentence in told) == is_told


def test_that_slow_spells_mislead_nobody(inspection):
    """Strategies that are 6% apart, where every other five runs take 1.6 times as long."""
    times_ms = {"mmap": 450, "direct": 424, "parallel": 400}
    track = Racetrack(conditions(seed=3), seed=3, times_ms=times_ms, admit=lambda _: "no")
    track.slow_runs = [run for run in range(1000) if run // 5 % 2]
    race = track.go().race(inspection)
    assert race.recommendation.label == "parallel"
    assert race.ending == "decided"


def test_that_what_is_just_as_fast_is_no_reason_to_change(inspection):
    race = raced(inspection, {"mmap": 400, "parallel": 398}, seed=2)
    found = race.recommendation
    assert found.label == found.baseline == "mmap"
    assert found.sentence.startswith("Keep mmap: ")
    assert found.runner_up == "parallel"
    assert race.standing("mmap").bottleneck.remedy in found.reasons


def test_that_what_saves_little_is_no_reason_to_change(inspection):
    times_ms = {"mmap": 400, "parallel": 388}
    track = Racetrack(spread=0.01, times_ms=times_ms, admit=lambda _: "no")
    found = track.go(60).race(inspection).recommendation
    assert found.sentence == "Keep mmap: parallel saves only 3%"
    assert re.match(r"parallel likely takes [\d.]+% to \d% less time\.", found.reasons[0])


@pytest.mark.parametrize(
    ("times_ms", "runs", "sentence"),
    [
        ({"mmap": 400, "parallel": 520}, 4, "Keep mmap: fastest so far, "),
        ({"mmap": 400, "parallel": 520}, 99, "Keep mmap: nothing here is faster"),
        ({"mmap": 900, "sequential": 402, "parallel": 400}, 99, "Use sequential: as fast as any, "),
    ],
)
def test_that_a_headline_claims_no_more_than_the_ranking_shows(
    inspection, times_ms, runs, sentence
):
    track = Racetrack(spread=0.002, times_ms=times_ms, admit=lambda _: "no")
    found = track.go(runs).race(inspection).recommendation
    assert found.sentence.startswith(sentence)


def test_that_a_large_gain_that_is_not_sure_enough_is_not_called_small(inspection, monkeypatch):
    """A program's setting has to be clearer than the range that is shown."""
    monkeypatch.setattr(contenders, "preferred", lambda *_: "mmap")
    track = Racetrack(spread=0.01, times_ms={"mmap": 400, "parallel": 300}, admit=lambda _: "no")
    found = track.go(10).race(inspection).recommendation
    assert found.sentence == "No clear winner yet: keep mmap"
    assert re.match(r"parallel likely takes \d+% to \d+% less time\.", found.reasons[0])
    assert re.fullmatch(r"\d pairs could still show that by chance\.", found.reasons[1])


def test_that_what_is_not_settled_changes_nothing_and_says_what_would_settle_it(inspection):
    track = Racetrack(
        seed=3, spread=0.3, times_ms={"mmap": 400, "parallel": 390}, admit=lambda _: "no"
    )
    race = track.go(8).race(inspection)
    found = race.recommendation
    assert found.sentence == "No clear winner yet: keep mmap"
    assert (race.standings[0].kept, lead_of(race.standings, race.ending)) == (True, "kept")
    assert re.match(r"parallel takes between \d+% less and \d+% more time\.", found.reasons[0])
    assert found.reasons[-1] == "Still close: parallel. Continue the search for 1 min."
    assert race.more_ns == 60 * 10**9
    assert (found.confidence, found.confidence_reason, found.chance) == (
        "low",
        "no strategy is clearly faster yet",
        None,
    )


def test_that_what_less_memory_costs_in_time_is_told(inspection):
    shared = msgspec.structs.replace(conditions(objective="memory"), baseline="parallel")
    times_ms = {"mmap": 480, "parallel": 400}
    found = Racetrack(shared, times_ms=times_ms, admit=lambda _: "no").go().race(inspection)
    assert found.recommendation.label == "mmap"
    assert re.match(r"parallel likely takes 1\d% to \d+% less", found.recommendation.reasons[0])


def test_that_without_known_memory_nothing_is_called_the_least(inspection, monkeypatch):
    monkeypatch.setattr(contenders, "held_bytes", lambda _: None)
    track = Racetrack(conditions(objective="memory"), admit=lambda _: "no")
    found = track.go().race(inspection).recommendation
    assert found.sentence.startswith("Use parallel: fastest cold start")
    assert "memory" not in found.confidence_reason
    assert "Memory couldn't be measured" in " ".join(found.contradictions)


def test_that_one_run_each_is_too_early(inspection):
    track = Racetrack(seed=3, times_ms=TIMES_MS, admit=lambda _: "no")
    found = track.go(5).race(inspection).recommendation
    assert found.sentence == f"Too early to tell: {found.label} leads so far"
    assert found.confidence == "low"


def test_that_a_winner_that_leaves_nothing_cached_says_so(inspection):
    found = raced(inspection, {"mmap": 700, "parallel": 650, "direct": 400}).recommendation
    assert found.label == "direct"
    assert "leaves 0% of the file in the page cache" in " ".join(found.contradictions)
    assert "If you load the model again soon" in found.runner_up_wins


def test_that_a_restart_names_what_a_first_start_takes(inspection):
    race = raced(inspection, TIMES_MS, "warm")
    assert race.cache == "warm"
    assert "a cold start takes" in race.recommendation.contradictions[0]
    assert not [a for a in race.recommendation.advice if a.kind == "fill-cache"]


def test_that_measured_advice_has_its_figures_and_rules_their_source(inspection):
    advice = {a.kind: a for a in raced(inspection, TIMES_MS).recommendation.advice}
    cached = advice["fill-cache"]
    assert cached.source == "2 warm starts with parallel"
    # The same figure as in the headline.
    best = raced(inspection, TIMES_MS).standings[0]
    assert cached.expected.endswith(f"instead of {duration_text(best.expected_ns or 0)}.")
    (once,) = advice_outside(inspection, msgspec.structs.replace(best, other_runs=1), "cold")
    assert once.source == "1 warm start with parallel"
    assert cached.command == f"modelmon warm {inspection.model.path}"
    elsewhere = msgspec.structs.replace(inspection, server="ssh://gpu1")
    (there,) = advice_outside(elsewhere, best, "cold")
    assert there.command == f"modelmon warm ssh://gpu1{inspection.model.path}"


def test_that_the_recommendation_is_exported_and_read_back(inspection, tmp_path):
    text = modelmon_toml(outcome_of(raced(inspection, TIMES_MS)))
    target = tmp_path / "modelmon.toml"
    target.write_text(text)
    stored = read_config(target)
    assert stored.config == PRESETS["parallel"].config
    assert stored.model_name == "tiny"
    evidence = tomllib.loads(text)["evidence"]
    assert evidence["sentence"]
    assert (evidence["cache"], evidence["runs"] > 0) == ("cold", True)


def test_that_worker_processes_are_exported_as_what_one_process_can_do(inspection):
    race = raced(inspection, {"mmap": 900, "parallel": 700, "processes": 300})
    assert race.recommendation.label == "processes"
    assert race.recommendation.exported == "parallel"
    evidence = tomllib.loads(modelmon_toml(outcome_of(race)))["evidence"]
    assert evidence["sentence"].startswith("Stored: parallel (")
    assert evidence["sentence"].endswith("since load_model can't load like processes.")
    assert evidence["median_s"] == pytest.approx(0.7, rel=0.1)
    assert evidence["reason"].startswith(f"{race.recommendation.sentence}.")
    alone = raced(inspection, {"processes": 300})
    with pytest.raises(ConfigError, match="in one process"):
        modelmon_toml(outcome_of(alone))


def test_that_a_race_among_others_on_the_disk_is_not_sure(inspection):
    track = Racetrack(conditions(seed=3), seed=3, times_ms=TIMES_MS, admit=lambda _: "no")
    others = warned("other-reader", "Another program used the same disk.", "1 GB")
    while (step := track.session.next_job()) is not None:
        record = track.record(*step)
        record.warnings.append(others)
        track.session.add(record)
    found = track.session.race(inspection).recommendation
    assert "runs were disturbed" in found.contradictions[0]


@pytest.mark.parametrize(
    ("times_ms", "kind"),
    [
        # Its own rate is no limit; that two strategies end at the same one tells of the storage.
        ({"mmap": 900, "parallel": 400}, "storage"),
        ({"mmap": 900, "parallel": 400, "sequential": 404}, "device-bandwidth"),
    ],
)
def test_that_without_a_probe_only_another_strategy_shows_what_storage_can_do(
    inspection, times_ms, kind
):
    race = raced(inspection, times_ms)
    assert race.standing("parallel").bottleneck.kind == kind


def test_that_a_race_that_an_older_version_saved_is_still_read(inspection, tmp_path):
    race = raced(inspection, TIMES_MS)
    saved = json.loads(msgspec.json.encode(race, enc_hook=to_text))
    saved["gain_share"] = 0.1
    saved["standings"][0] |= {"mad_ns": 1e6, "other_expected_ns": 4e7, "peak_rss_bytes": 10**9}
    more = {"extra_ns": 10**11, "gain_share": 0.1, "chance_of_other": 0.2}
    saved["recommendation"] |= {"more_time": [more]}
    del saved["recommendation"]["baseline"]
    path = tmp_path / "race.json"
    path.write_text(json.dumps(saved))
    found = read_result(path)
    assert found.standings == race.standings
    assert found.recommendation.sentence == race.recommendation.sentence


TWO = {"mmap": 900, "parallel": 400}


def stopped(inspection, runs, spread=0.02):
    shared = conditions(seed=3)
    track = Racetrack(shared, seed=3, times_ms=TWO, admit=lambda _: "no", spread=spread)
    track.go(runs).stop()
    return track.session.race(inspection)


@pytest.fixture
def told(capsys):
    def tell(race):
        print_items(*search_items(race))
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
def test_that_a_stopped_race_has_no_best_one(
    inspection, told, monkeypatch, runs, spread, lead, word
):
    monkeypatch.setenv("COLUMNS", "200")
    race = stopped(inspection, runs, spread)
    assert lead_of(race.standings, race.ending) == lead
    row = next(line for line in told(race).splitlines() if line.split()[:1] == ["1"])
    assert row.rstrip().endswith(word)


def test_that_what_never_ran_leaves_the_rest_unsure(inspection):
    one, two, four = (stopped(inspection, runs).recommendation for runs in (1, 2, 4))
    assert (one.confidence, one.chance) == (two.confidence, two.chance) == ("low", None)
    assert one.confidence_reason == "1 of 2 strategies weren't tested"
    assert two.confidence_reason == f"{two.label} has only one run that counts"
    assert four.confidence == "high"
    assert four.confidence_reason == "98% likely within 3% of the best"
    assert four.sentence == "Use parallel: 2.2× as fast as mmap"


def test_that_a_step_is_told_by_the_number_among_all_runs(inspection):
    times_ms = TWO | {"direct": 500}
    track = Racetrack(conditions(seed=3), seed=3, times_ms=times_ms, admit=lambda _: "no")
    track.instead["direct"] = lambda job: finished(job, 500 * MS, 1e9, counts=False)
    track.slow_runs = range(6, 99)
    found = track.go().race(inspection).recommendation
    assert "All loads from run 7 on: 60% longer." in " ".join(found.contradictions)


def test_that_the_headline_and_the_first_row_are_as_early(inspection):
    """Also where others ran twice and the only run of a third one doesn't count."""
    times_ms = TWO | {"direct": 500}
    early = []
    for runs in range(1, 13):
        track = Racetrack(conditions(seed=3), seed=3, times_ms=times_ms, admit=lambda _: "no")
        track.instead["direct"] = lambda job: finished(job, 500 * MS, 1e9, counts=False)
        track.go(runs).stop()
        if track.session.conclusive:
            race = track.session.race(inspection)
            is_early = race.recommendation.sentence.startswith("Too early to tell")
            assert is_early == (lead_of(race.standings, race.ending) == "too-few")
            early.append(is_early)
    assert early == sorted(early, reverse=True)
    assert {*early} == {True, False}


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
