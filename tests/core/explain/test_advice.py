"""What to change about a load: never against what was measured, and never a guess."""

import re
from dataclasses import replace

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.explain.loads import COLD, GB, MS, PROBED, WARM, S, changed
from tests.core.explain.test_terms import runs

from modelmon.core.comparison.runner import earlier_runs, keep
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.explain.advice import best_change
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.expected import likeliest, typical_limits
from modelmon.core.explain.prediction import WORTH_SHARE, LoadSize, predict
from modelmon.core.history.events import EventLines
from modelmon.core.load.config import PRESETS
from modelmon.core.probe.probe import Limits
from modelmon.core.units import MIB
from modelmon.core.worker.events import Job

FROM_OUTSIDE = re.compile("Close programs|Raise or remove|Check for an I/O limit|Set rank_share")
TYPES = ("flash", "hard-disk", "network", "object-store", "fuse")


def probed(storage_type):
    """As if a probe had measured what is common on such storage."""
    typical = typical_limits(storage_type, 2)
    best = max(rate.bytes_per_s for rate in typical.rates)
    return msgspec.structs.replace(typical, typical=False, device_bytes_per_s=best)


def load_of(name, rate, **figures):
    """A cold load of 3 GB by this preset, at so many bytes a second."""
    wall_ns = round(3 * GB * 1e9 / rate)
    return changed(COLD, strategy=name, config=PRESETS[name].config, wall_ns=wall_ns, **figures)


@pytest.mark.parametrize("name", ["parallel", "processes"])
def test_that_a_hard_disk_that_was_slower_with_readers_gets_one(name):
    found = bottleneck_of(load_of(name, 45e6), probed("hard-disk"))
    assert found.kind == "device-latency"
    assert "predicted" in found.remedy
    change = best_change(load_of(name, 45e6), probed("hard-disk"))
    assert change.config.readers == 1
    assert found.saves_share == change.saves_share > 0.5


@pytest.mark.parametrize("storage_type", TYPES)
def test_that_a_run_is_advised_what_would_be_compared_with_it_first(storage_type):
    limits, run = probed(storage_type), load_of("mmap", 1e6)
    size = LoadSize(run.asked_bytes, run.tensors)
    ways = [(name, each.config) for name, each in PRESETS.items() if each.config.order == "file"]
    name, _ = likeliest(ways, size, limits, "cold")
    assert best_change(run, limits).text.startswith(f"Use {name}: predicted ")


def test_that_nothing_is_faster_only_where_predictions_say_so():
    at_best = load_of("direct", 3e9)
    assert bottleneck_of(at_best, probed("flash")).remedy == (
        "Nothing here is faster; only a faster disk, a smaller file or a warm cache helps."
    )
    assert "doctor MODEL --probe" in bottleneck_of(at_best).remedy
    part = bottleneck_of(changed(at_best, portion=True), probed("flash")).remedy
    assert part.startswith("Load the whole model for advice, streamed if it doesn't fit in memory")
    assert bottleneck_of(WARM).remedy.startswith("Compare it with another strategy")
    typical = typical_limits("flash", 2)
    assert "predicted" not in bottleneck_of(load_of("mmap", 3e8), typical).remedy


@given(
    st.sampled_from(TYPES),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from(["usable", "owned", "streamed", "decoded"]),
    st.floats(1e7, 5e9),
)
def test_that_no_advice_is_denied_by_the_prediction(storage_type, name, deliver, rate):
    limits = probed(storage_type)
    run = load_of(name, rate)
    run = changed(run, config=replace(run.config, deliver=deliver), storage_kind="local-disk")
    size = LoadSize(run.asked_bytes, run.tensors)
    own = predict(run.config, size, limits, "cold")
    change = best_change(run, limits)
    if change is None:
        return
    found = predict(change.config, size, limits, "cold")
    assert change.saves_share >= WORTH_SHARE
    assert found.ns <= (1 - WORTH_SHARE) * own.ns * 1.0001
    assert found.ns <= change.ns * 1.0001


def test_that_what_was_measured_goes_before_predictions():
    slow = [load_of("mmap", 1e9 + step * 1e6) for step in range(5)]
    fast = [load_of("sequential", 1.5e9 + step * 1e6) for step in range(5)]
    found = bottleneck_of(slow[2], Limits(), (*slow, *fast))
    assert found.remedy == "Use sequential: 2.00 s instead of 2.99 s."
    assert found.saves_share == pytest.approx(1 / 3, abs=0.01)
    # Runs that do not lie apart show nothing, and deny what was predicted.
    mixed = [*fast, load_of("sequential", 0.9e9)]
    assert "sequential" not in bottleneck_of(slow[2], Limits(), (*slow, *mixed)).remedy
    beside = bottleneck_of(load_of("mmap", 5e7), probed("hard-disk"), (*slow, *mixed))
    assert "sequential" not in beside.remedy
    # Few that do are no reason to say that nothing is faster.
    once = bottleneck_of(slow[2], Limits(), (slow[2], fast[0])).remedy
    assert once == "Compare with sequential: 2.00 s, not 2.99 s, in few runs."
    at_best = load_of("direct", 3e9)
    faster = (load_of("sequential", 4e9), load_of("sequential", 4.1e9))
    assert "Compare with" in bottleneck_of(at_best, probed("flash"), faster).remedy
    both = bottleneck_of(load_of("parallel", 45e6), probed("hard-disk"), faster).remedy
    assert both.startswith("Use sequential: predicted")
    # Nor do runs from another start, or of another delivery.
    warm = [msgspec.structs.replace(run, cache_state="warm", device_bytes=0) for run in fast]
    assert "sequential" not in bottleneck_of(slow[2], Limits(), (*slow, *warm)).remedy


@pytest.mark.parametrize(
    ("start", "says"), [("cold", True), ("cold-here", True), ("mixed", False), ("unknown", False)]
)
def test_that_only_starts_of_one_kind_are_compared(start, says):
    slow, fast = (
        changed(load_of(name, rate), cache_state=start, device_bytes=None)
        for name, rate in (("mmap", 1e8), ("sequential", 1e9))
    )
    assert (best_change(slow, Limits(), [slow] * 3 + [fast] * 3) is not None) == says


def test_that_a_simpler_way_that_is_not_worth_it_does_not_hide_one_that_is():
    def runs_of(name, rate):
        return [load_of(name, rate + step * 1e5) for step in range(3)]

    slow = runs_of("mmap", 1e9)
    others = (*slow, *runs_of("direct", 1e9 / 0.94), *runs_of("sequential", 1e9 / 0.965))
    assert best_change(slow[1], Limits(), others).config == PRESETS["direct"].config


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"chunk_bytes": 8 * MIB}, "Use parallel (chunk 8 MiB): 2.00 s instead of 3.00 s."),
        ({"readers": 8}, "Use parallel (readers 8): 2.00 s instead of 3.00 s."),
        ({"ranks": 4, "deliver": "owned"}, "Use parallel (ranks 4): 2.00 s instead of 3.00 s."),
        ({"deliver": "owned"}, "Use parallel: 2.00 s instead of 3.00 s."),
    ],
)
def test_that_what_is_faster_is_named_with_all_that_it_sets(settings, said):
    config = replace(PRESETS["parallel"].config, **settings)
    slow = load_of("mmap", 1e9)
    slow = changed(slow, config=replace(slow.config, deliver=config.deliver))
    fast = changed(load_of("parallel", 1.5e9), config=config)
    assert bottleneck_of(slow, Limits(), [slow] * 3 + [fast] * 3).remedy == said


@given(runs(), st.sampled_from([Limits(), PROBED, *map(probed, TYPES)]))
def test_that_a_change_is_told_with_both_times_and_no_other_is(run, limits):
    found = bottleneck_of(run, limits)
    told = re.search(r"Use .+: .*instead of", found.remedy)
    has_change = best_change(run, limits) is not None and not run.is_program
    # What holds it back from outside comes first.
    comes_first = FROM_OUTSIDE.match(found.remedy) is not None
    assert has_change if told else comes_first or not has_change
    assert 0 <= found.saves_share <= 1


def test_that_a_warm_load_is_told_what_maps_faster():
    limits = msgspec.structs.replace(
        probed("flash"), mapped_bytes_per_s=2e9, populated_bytes_per_s=8e9
    )
    slow = changed(WARM, config=PRESETS["mmap"].config, memory_kind="mapped", wall_ns=1_500 * MS)
    assert re.match(r"Use (auto|populate): predicted", bottleneck_of(slow, limits).remedy)
    best = changed(slow, config=PRESETS["auto"].config, wall_ns=S // 5)
    assert "readers" not in bottleneck_of(best, limits).remedy


def test_that_runs_of_the_history_are_what_was_measured(sample, tmp_path, monkeypatch):
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path))
    inspection = inspect_model(sample)
    assert earlier_runs(inspection) == []
    for name, rate in (("mmap", 1e9), ("sequential", 1.5e9)):
        job = Job(path=str(sample), strategy=name, config=PRESETS[name].config)
        for step in range(3):
            keep(inspection, job, load_of(name, rate + step * 1e6), EventLines())
    keep(inspection, job, load_of("sequential", 9e9, counts=False), EventLines())
    earlier = earlier_runs(inspection)
    assert len(earlier) == 6
    found = bottleneck_of(load_of("mmap", 1e9), Limits(), earlier)
    assert found.remedy == "Use sequential: 2.00 s instead of 3.00 s."
    changed_file = msgspec.structs.replace(inspection, content="0" * 64)
    assert earlier_runs(changed_file) == []
