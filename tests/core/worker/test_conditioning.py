"""How much free memory is touched before a load, by figures that are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from modelmon.core.load.planner import plan_load
from modelmon.core.load.presets import PRESETS
from modelmon.core.machine.memory import Memory
from modelmon.core.model.open import open_model
from modelmon.core.worker import conditioning
from modelmon.core.worker.conditioning import conditioned_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.load.plan import Plan
    from modelmon.core.worker.events import Cache


@pytest.fixture
def plan(sample: Path) -> Plan:
    return plan_load(open_model(sample), PRESETS["sequential"].config)


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch, plan: Plan) -> int:
    """A virtual machine on which the model takes over half of what is free; all is available."""
    free = round(plan.planned_bytes * 1.5)
    available = Memory(100 * free, 10 * free)
    monkeypatch.setattr(conditioning, "is_virtual_machine", lambda: True)
    monkeypatch.setattr(conditioning, "free_bytes", lambda: free)
    monkeypatch.setattr(conditioning, "read_memory", lambda: available)
    return free


@pytest.mark.parametrize("preset", ["sequential", "mmap", "direct"])
@pytest.mark.parametrize("cache", ["warm", "as-is"])
@pytest.mark.parametrize("cached_share", [None, 0.0, 0.5, 1.0])
def test_that_nothing_cached_is_dropped_for_a_start_that_keeps_it(
    plan: Plan, memory: int, preset: str, cache: Cache, cached_share: float | None
) -> None:
    touched = conditioned_bytes(PRESETS[preset].config, cache, plan, cached_share)
    assert touched <= round(0.8 * memory)


def test_that_a_cold_start_has_all_that_it_and_its_load_will_take(plan: Plan, memory: int) -> None:
    config = PRESETS["sequential"].config
    assert conditioned_bytes(config, "cold", plan, 0.0) == plan.read_bytes + plan.planned_bytes
    assert conditioned_bytes(config, "cold", plan, 0.0) > memory


@pytest.mark.usefixtures("memory")
def test_that_what_is_cached_already_is_not_prepared_for_again(plan: Plan) -> None:
    config = PRESETS["mmap"].config
    assert conditioned_bytes(config, "warm", plan, 1.0) == 0
    assert conditioned_bytes(config, "warm", plan, 0.75) == 3 * (
        plan.read_bytes - round(0.75 * plan.read_bytes)
    )


@pytest.mark.usefixtures("memory")
def test_that_nothing_is_touched_where_what_was_dropped_for_a_cold_start_is_enough(
    plan: Plan,
) -> None:
    copied, mapped = PRESETS["sequential"].config, PRESETS["mmap"].config
    assert conditioned_bytes(mapped, "cold", plan, 1.0) == 0
    assert conditioned_bytes(PRESETS["direct"].config, "cold", plan, 1.0) == 0
    assert conditioned_bytes(mapped, "cold", plan, 0.5) == plan.read_bytes
    assert conditioned_bytes(copied, "cold", plan, 1.0) == plan.read_bytes + plan.planned_bytes


@pytest.mark.usefixtures("memory")
def test_that_a_machine_of_its_own_needs_none(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conditioning, "is_virtual_machine", lambda: False)
    assert conditioned_bytes(PRESETS["sequential"].config, "cold", plan, 0.0) == 0
