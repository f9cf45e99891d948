from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.find_best.racing import SECOND, Racetrack, conditions

from modelmon.core.comparison.commands import command_arm
from modelmon.core.comparison.decision import complexity, simpler
from modelmon.core.doctor.inspection import Inspection, inspect_model
from modelmon.core.errors import ConfigError, DoesNotFitError
from modelmon.core.find_best.next_step import Search
from modelmon.core.find_best.plan import (
    admission,
    coarse_candidates,
    likeliest_first,
    plan_commands,
    plan_search,
    refinements,
)
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.machine.memory import Memory
from modelmon.core.messages import NOTHING
from modelmon.core.probe.probe import MemoryFigures, Probe, Reads, StorageFigures
from modelmon.core.units import KIB, MIB


def test_that_presets_stand_in_the_stated_order_of_simplicity():
    names = ("mmap", "sequential", "prefetch", "parallel", "processes", "direct", "auto")
    ordered = sorted(names, key=lambda name: complexity(PRESETS[name].config))
    assert ordered == list(names)
    library = LoadConfig(library="safetensors.get_tensor")
    assert all(simpler(PRESETS[name].config, library) for name in names)


configs = st.builds(
    LoadConfig,
    access=st.sampled_from(("mmap", "read", "direct", "auto")),
    readers=st.integers(1, 64),
    reader_kind=st.sampled_from(("thread", "process")),
    chunk_bytes=st.sampled_from((2**16, 2**20, 2**22)),
    warmup=st.sampled_from(("none", "read")),
    deliver=st.sampled_from(("usable", "owned")),
)


@given(one=configs, other=configs)
def test_that_of_two_at_most_one_is_simpler(one, other):
    assert not (simpler(one, other) and simpler(other, one))


def test_that_presets_race_and_the_rest_says_why_not(inspection):
    model = inspection.model
    chosen, excluded = coarse_candidates(model, "owned", (), admission(model, None))
    labels = {candidate.label for candidate in chosen}
    assert {"mmap", "parallel", "processes", "processes, with threads"} <= labels
    assert all(candidate.config.deliver == "owned" for candidate in chosen)
    assert "not tested by default" in {out.strategy: out.why for out in excluded}["shared-fd"]


@pytest.mark.parametrize(
    ("kind", "cache", "first"),
    [("local-disk", "cold", "auto"), ("network", "cold", "auto"), ("memory", "warm", "auto")],
)
def test_that_what_is_guessed_for_the_storage_races_first(inspection, kind, cache, first):
    storage = msgspec.structs.replace(inspection.storage, kind=kind)
    there = msgspec.structs.replace(inspection, storage=storage)
    chosen = coarse_candidates(there.model, "usable", (), lambda _: "")[0]
    ordered = likeliest_first(chosen, there, cache)
    assert ordered[0].label == first
    assert ordered[1:] == tuple(one for one in chosen if one.label != first)


def test_that_of_commands_the_first_is_what_a_person_has_and_each_is_given_once(inspection):
    arms = [command_arm(name, name, ["server", name], "exit") for name in ("one", "other")]
    found = plan_commands(inspection, arms, "warm", budget_ns=60 * SECOND)
    assert found.baseline == "one"
    with pytest.raises(ConfigError, match="Two commands are the same: one"):
        plan_commands(inspection, [*arms, arms[0]], "warm", budget_ns=60 * SECOND)


def test_that_libraries_race_by_name_or_all_together(samples):
    model = inspect_model(samples["gguf"]).model
    admit = admission(model, None)
    plain = coarse_candidates(model, "usable", (), admit)
    one = coarse_candidates(model, "usable", ("gguf.GGUFReader",), admit)
    assert len(one[0]) == len(plain[0]) + 1
    every = coarse_candidates(model, "usable", ("libraries",), admit)
    left_out = {out.strategy: out.why for out in every[1]}
    assert "safetensors" in left_out["safetensors.get_tensor"]
    with pytest.raises(ConfigError, match="teleport"):
        coarse_candidates(model, "usable", ("teleport",), admit)


def test_that_what_does_not_fit_is_left_out_with_the_figures(inspection):
    little = Memory(total_bytes=10**9, available_bytes=40 * 10**6)
    admit = admission(inspection.model, None, little)
    assert "needs" in admit(PRESETS["parallel"].config)
    assert not admit(PRESETS["mmap"].config)


def test_that_readers_are_tried_before_request_sizes():
    base = Entrant("parallel", "parallel", PRESETS["parallel"].config)
    seen = {base.config}
    first = refinements(base, seen.__contains__)
    assert [variant.label for variant in first] == ["parallel, readers 2", "parallel, readers 8"]
    seen |= {variant.config for variant in first}
    second = refinements(base, seen.__contains__)
    assert [variant.label for variant in second] == [
        "parallel, chunk 256 KiB",
        "parallel, chunk 4 MiB",
    ]
    seen |= {variant.config for variant in second}
    assert not refinements(base, seen.__contains__)


def test_that_no_variant_is_out_of_range():
    one = replace(PRESETS["parallel"].config, readers=1, chunk_bytes=128 * 1024)
    variants = refinements(Entrant("parallel", "parallel", one), lambda _config: False)
    assert [variant.config.readers for variant in variants] == [2]


def test_that_no_variant_leaves_readers_idle_or_asks_for_what_another_does(inspection):
    model = inspection.model
    admit = admission(model, None, of_variants=True)
    direct = PRESETS["direct"].config
    many = replace(direct, readers=64, chunk_bytes=128 * MIB)
    assert not admission(model, None)(many)
    assert admit(many)
    # One request holds the whole model, whatever the limit is.
    alone = replace(direct, readers=1, chunk_bytes=512 * MIB)
    assert "No request" in admit(alone)
    few = replace(direct, readers=2, chunk_bytes=256 * KIB)
    assert not admit(few)
    # Of so small a part there is one request.
    assert admission(model, 100_000, of_variants=True)(few)


def test_that_costs_are_foreseen_from_what_was_seen():
    runs = Racetrack(spread=0).go(2).runs
    first, second = (run.cost_ns for run in runs)
    shared = conditions()
    assert Search((), shared, str).cost_ns("mmap", "cold") == shared.first_cost_ns
    search = Search((), shared, str, runs)
    assert first < search.cost_ns(runs[0].label, "cold") < 1.3 * first
    # What takes much longer than the fastest can be ended.
    assert search.cost_ns("direct", "cold") == 1.5 * min(first, second)
    assert search.cost_ns("mmap", "warm") == shared.first_cost_ns


def test_that_what_is_done_between_runs_is_spent_until_the_race_is_over():
    track = Racetrack()
    track.go(3)
    left_ns = track.session.time_left_ns
    track.clock.now_ns += 7 * SECOND
    assert track.session.time_left_ns == left_ns - 7 * SECOND
    track.session.spend(3 * SECOND)
    left_ns = track.go().time_left_ns
    track.clock.now_ns += 7 * SECOND
    assert track.session.time_left_ns == left_ns > 0


def test_that_a_run_is_to_end_before_the_budget_does():
    track = Racetrack(conditions(60))
    assert track.session.next_job() is not None
    track.clock.now_ns += 60 * SECOND - 1
    assert track.session.time_left_ns > 0 > track.session.run_left_ns
    track.session.stop()
    assert track.session.ending == "budget"


def test_that_a_small_budget_is_raced_on_a_part_and_says_so(inspection):
    vast = Memory(total_bytes=10**12, available_bytes=10**12)
    tight = Inspection(inspection.model, inspection.storage, vast, 0.0, "cachestat")
    shared = plan_search(tight, "cold", portion_bytes=2**20).conditions
    assert shared.portion_bytes == 2**20
    assert shared.why_portion == "as requested"
    plan = plan_search(tight, "cold", portion_bytes=2**20, budget_ns=1)
    assert (plan.runs, plan.too_short) == (0, True)
    whole = plan_search(tight, "cold", budget_ns=600 * SECOND).conditions
    assert whole.portion_bytes is None
    assert whole.first_cost_ns > 0


def test_that_a_run_is_expected_to_take_what_a_probe_predicts(inspection):
    slow = Reads(8, 2 * MIB, 9, 18 * MIB, 10e6, 16 * MIB / 10e6 * 1e9)
    probe = Probe(
        schema=1,
        path=inspection.model.path,
        model_bytes=inspection.model.nbytes,
        machine_id="m",
        storage_id="s",
        probed_unix_s=0.0,
        duration_ns=1,
        storage=StorageFigures("direct", readers=(slow,)),
        memory=MemoryFigures(),
        storage_class="network",
        class_evidence=NOTHING,
    )
    found = plan_search(msgspec.structs.replace(inspection, probe=probe), "cold")
    assert found.rate_bytes_per_s < 10e6
    assert found.conditions.first_cost_ns > inspection.model.nbytes / 10e6 * SECOND


def larger_than_memory(inspection, kind="local-disk"):
    little = Memory(total_bytes=10**12, available_bytes=inspection.model.nbytes // 2)
    storage = msgspec.structs.replace(inspection.storage, kind=kind)
    return msgspec.structs.replace(inspection, memory=little, storage=storage)


def test_that_a_model_that_cannot_stay_in_memory_is_streamed_and_that_is_recommended(inspection):
    plan = plan_search(larger_than_memory(inspection), "cold")
    shared = plan.conditions
    assert {arm.config.deliver for arm in plan.arms} == {"streamed"}
    assert "mmap" in {arm.label for arm in plan.arms}
    assert "doesn't fit in" in shared.why_streamed
    assert shared.other_cache is None
    track = Racetrack(msgspec.structs.replace(conditions(), why_streamed=shared.why_streamed))
    track.go()
    assert {job.cache for _, job in track.jobs} == {"cold"}
    told = track.session.race(inspection).recommendation
    assert told.sentence.startswith(f"Use {told.label}, streamed: fastest cold start")
    assert told.reasons[0].startswith(f"Stream the model with {told.label} instead of loading it")


def test_that_a_model_larger_than_free_memory_that_lies_in_memory_can_stay_there(inspection):
    plan = plan_search(larger_than_memory(inspection, "memory"), "warm")
    assert {arm.config.deliver for arm in plan.arms} == {"usable"}
    assert plan.conditions.why_streamed == ""


def test_that_a_race_that_nothing_can_count_in_is_refused_with_what_to_do(inspection):
    large = larger_than_memory(inspection)
    with pytest.raises(DoesNotFitError, match="no load ends with the whole model there") as usable:
        plan_search(large, "cold", deliver="usable")
    assert "streamed" in usable.value.remedy
    with pytest.raises(ConfigError, match="no warm start"):
        plan_search(large, "warm")
    part = plan_search(large, "cold", portion_bytes=2**20)
    assert {arm.config.deliver for arm in part.arms} == {"usable"}


def test_that_untouched_loads_do_not_race(inspection):
    with pytest.raises(ConfigError, match="can't be compared"):
        plan_search(inspection, "cold", deliver="untouched")
