"""How much free memory is touched before a load, by figures that are given."""

from dataclasses import replace

import pytest

from modelmon.core.load.config import PRESETS
from modelmon.core.load.planner import plan_load
from modelmon.core.machine.memory import Memory
from modelmon.core.model.open import open_model
from modelmon.core.worker import preparation
from modelmon.core.worker.preparation import memory_need


@pytest.fixture
def plan(sample):
    return plan_load(open_model(sample), PRESETS["sequential"].config)


@pytest.fixture
def memory(monkeypatch, plan):
    """A virtual machine on which the model takes over half of what is free; all is available."""
    free = round(plan.planned_bytes * 1.5)
    available = Memory(100 * free, 10 * free)
    monkeypatch.setattr(preparation, "is_virtual_machine", lambda: True)
    monkeypatch.setattr(preparation, "free_bytes", lambda: free)
    monkeypatch.setattr(preparation, "read_memory", lambda: available)
    return free


@pytest.mark.parametrize("preset", ["sequential", "mmap", "direct", "auto"])
@pytest.mark.parametrize("cache", ["warm", "as-is"])
@pytest.mark.parametrize("cached_share", [None, 0.0, 0.5, 1.0])
def test_that_nothing_cached_is_dropped_for_a_start_that_keeps_it(
    plan, memory, preset, cache, cached_share
):
    missing = round(plan.read_bytes * (1 - (cached_share or 0.0)))
    need = memory_need(PRESETS[preset].config, cache, plan, cached_share)
    # What is missing is cached for a warm start while the rest is held.
    room = round(0.8 * memory) - (missing if cache == "warm" else 0)
    assert sum(need) <= max(0, room)


@pytest.mark.usefixtures("memory")
def test_that_a_load_has_what_it_will_take_and_no_more(plan):
    model = plan.planned_bytes
    for preset, cache, cached_share, touched in (
        ("sequential", "cold", 0.0, 2 * model),  # the page cache, and a copy
        ("mmap", "cold", 0.0, model),
        ("auto", "cold", 0.0, model),  # past the cache
        ("direct", "cold", 0.0, model),
        ("auto", "warm", 1.0, model),
        ("mmap", "warm", 1.0, 0),
        ("mmap", "as-is", 0.75, plan.read_bytes - round(0.75 * plan.read_bytes)),
    ):
        config = PRESETS[preset].config
        assert memory_need(config, cache, plan, cached_share).load_bytes == touched, preset


@pytest.mark.usefixtures("memory")
def test_that_what_is_mapped_from_the_cache_needs_no_memory(plan):
    usable = PRESETS["auto"].config
    owned = replace(usable, deliver="owned")
    missing = plan.read_bytes - round(0.75 * plan.read_bytes)
    for config, cache, cached_share, touched in (
        (usable, "cold", 0.0, plan.planned_bytes),
        (usable, "warm", 1.0, 0),
        (usable, "as-is", 0.75, missing),
        (owned, "warm", 1.0, plan.planned_bytes),
    ):
        assert memory_need(config, cache, plan, cached_share, can_map=True).load_bytes == touched


@pytest.mark.usefixtures("memory")
def test_that_a_cold_start_needs_no_more_than_was_dropped_for_it(plan):
    copied, mapped = PRESETS["sequential"].config, PRESETS["mmap"].config
    assert memory_need(mapped, "cold", plan, 1.0).load_bytes == 0
    assert memory_need(PRESETS["direct"].config, "cold", plan, 1.0).load_bytes == 0
    assert memory_need(mapped, "cold", plan, 0.5).load_bytes == plan.read_bytes
    needed = plan.read_bytes + plan.planned_bytes
    assert memory_need(copied, "cold", plan, 1.0).load_bytes == needed


def test_that_strategies_leave_each_other_the_same_memory(plan, memory, monkeypatch):
    monkeypatch.setattr(preparation, "free_bytes", lambda: 10 * memory)
    for cache, most in (("cold", plan.read_bytes + plan.planned_bytes), ("warm", plan.read_bytes)):
        for preset in ("sequential", "mmap", "auto", "direct"):
            need = memory_need(PRESETS[preset].config, cache, plan, 0.0)
            assert sum(need) == most, (preset, cache)


@pytest.mark.usefixtures("memory")
def test_that_a_machine_of_its_own_needs_none(plan, monkeypatch):
    monkeypatch.setattr(preparation, "is_virtual_machine", lambda: False)
    assert memory_need(PRESETS["sequential"].config, "cold", plan, 0.0) == (0, 0)
