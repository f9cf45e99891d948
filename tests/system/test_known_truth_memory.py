"""Too little memory: what loads all the same, what is refused, and what the kernel kills."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.system.beds import memory_limit
from tests.system.beds.figures import tell

from modelmon.core.experiment.bottleneck.bottleneck import bottleneck_of
from modelmon.core.experiment.summary import summarise
from modelmon.core.load.presets import PRESETS
from modelmon.core.machine.oom import oom_kills
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.core.worker import client
from modelmon.core.worker.client import run_job, worker_command
from modelmon.core.worker.events import Job, Planned

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.system.beds.memory_limit import MemoryLimit

    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord

pytestmark = [
    pytest.mark.system,
    pytest.mark.alone,
    pytest.mark.skipif(bool(memory_limit.why_not()), reason=memory_limit.why_not()),
]

LIMIT_BYTES = 112 * MIB


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Larger than the memory that there is for it."""
    path = tmp_path_factory.mktemp("truth") / "model.safetensors"
    return write_sample(path, "safetensors", 192 * MIB, layers=8, seed=1)


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryLimit]:
    """What the workers of a test may have."""
    with memory_limit.limited(LIMIT_BYTES) as little:
        monkeypatch.setattr(client, "worker_command", lambda: little.command(*worker_command()))
        yield little


def pressure(record: RunRecord) -> str:
    return "; ".join(w.evidence for w in record.warnings if w.kind == "memory-pressure")


@pytest.mark.usefixtures("limit")
def test_that_a_mapped_model_larger_than_the_memory_is_said_not_to_stay(
    on_a_device: Path, model: Path
) -> None:
    del on_a_device
    job = Job(str(model), PRESETS["mmap"].config, cache="cold", condition_memory=False)
    record = run_job(job)
    run = summarise(record)
    left = run.residency_after_share
    tell("memory limit, mmap", left_cached=left, amplification=run.amplification)
    assert left is not None
    assert left * run.file_bytes < LIMIT_BYTES
    assert "still cached at the end" in pressure(record)


@pytest.mark.usefixtures("limit")
def test_that_bytes_read_again_for_want_of_memory_are_named(on_a_device: Path, model: Path) -> None:
    """The warm-up reads all of it, and what it read is gone when it is mapped."""
    del on_a_device
    config = PRESETS["warm-then-map"].config
    record = run_job(Job(str(model), config, cache="cold", condition_memory=False))
    run = summarise(record)
    found = bottleneck_of(run)
    tell("memory limit, warm-then-map", amplification=run.amplification, held_back=found.clause)
    assert run.amplification is not None
    assert run.amplification > 1.5
    assert "read again" in pressure(record)
    assert found.kind == "memory"


@pytest.mark.usefixtures("limit")
def test_that_a_copy_larger_than_the_limit_is_refused_before_it_starts(model: Path) -> None:
    record = run_job(Job(str(model), PRESETS["sequential"].config))
    assert record.failed is not None
    assert record.failed.kind == "does-not-fit"
    assert "the cgroup's limit leaves" in record.failed.message
    assert record.planned is None


@pytest.mark.parametrize("name", ["sequential", "parallel"])
def test_that_a_loader_killed_for_want_of_memory_is_named_and_only_the_loader_dies(
    limit: MemoryLimit, model: Path, name: str
) -> None:
    """It fitted when it was planned; then others took the memory."""

    def take_away(event: AnyEvent, _record: RunRecord) -> None:
        if isinstance(event, Planned):
            limit.set(LIMIT_BYTES)

    limit.set(512 * MIB)
    job = Job(str(model), PRESETS[name].config, cache="cold", condition_memory=False)
    record = run_job(job, take_away)
    tell("memory limit, killed", says=record.failed.message if record.failed else None)
    assert oom_kills([limit.folder]) == 1
    assert record.failed is not None
    # The supervisor lived to say so.
    assert record.failed.kind == "loader-died"
    assert "killed by the kernel" in record.failed.message
    assert "ran out of memory" in record.failed.message
    assert "map the model" in record.failed.remedy
