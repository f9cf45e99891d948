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


OWNED = replace(PRESETS["auto"].config, deliver="owned")


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("config", "cache", "cached_share", "can_map", "models"),
    [
        ("sequential", "cold", 0.0, False, 2),  # the page cache, and a copy
        ("mmap", "cold", 0.0, False, 1),
        ("auto", "cold", 0.0, False, 1),  # past the cache
        ("direct", "cold", 0.0, False, 1),
        ("auto", "warm", 1.0, False, 1),
        ("mmap", "warm", 1.0, False, 0),
        ("mmap", "as-is", 0.75, False, 0.25),
        # What is mapped from the cache needs none.
        ("auto", "cold", 0.0, True, 1),
        ("auto", "warm", 1.0, True, 0),
        ("auto", "as-is", 0.75, True, 0.25),
        (OWNED, "warm", 1.0, True, 1),
        # What was dropped for a cold start needs no touching where it is enough.
        ("mmap", "cold", 1.0, False, 0),
        ("direct", "cold", 1.0, False, 0),
        ("mmap", "cold", 0.5, False, 1),
        ("sequential", "cold", 1.0, False, 2),
    ],
)
def test_that_a_load_has_what_it_will_take_and_no_more(
    plan, config, cache, cached_share, can_map, models
):
    config = PRESETS[config].config if isinstance(config, str) else config
    need = memory_need(config, cache, plan, cached_share, can_map=can_map)
    assert need.load_bytes == pytest.approx(models * plan.read_bytes, rel=1e-4)


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
