"""A disk that is held to a rate and counted by the kernel: does modelmon see the same?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.system.beds import throttle

from modelmon.core.experiment.bottleneck.bottleneck import bottleneck_of
from modelmon.core.load.config import LoadConfig
from modelmon.core.model.sample import write_sample
from modelmon.core.probe.limits import Limits
from modelmon.core.units import KIB, MIB
from modelmon.core.worker import client
from modelmon.core.worker.client import run_job, worker_command
from modelmon.core.worker.events import Job, Ready
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.load.config import Access
    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(bool(throttle.why_not()), reason=throttle.why_not()),
]

RATE = 10_000_000
"""So little that a disk has it to give whatever others want of it."""


@pytest.mark.parametrize("access", ["direct", "read", "mmap"])
def test_that_bytes_are_the_throttles_and_their_rate_is_what_holds_a_load_back(
    on_a_device: Path, access: Access, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    del on_a_device
    # 16 MiB take more than a second and a half.
    model = write_sample(tmp_path / "model.safetensors", "safetensors", 16 * MIB, layers=4, seed=1)
    before = 0

    def count(event: AnyEvent, _record: RunRecord) -> None:
        nonlocal before
        if isinstance(event, Ready):
            before = held.read_bytes()

    with throttle.throttled(model, RATE) as held:
        monkeypatch.setattr(client, "worker_command", lambda: held.command(*worker_command()))
        config = LoadConfig(access=access, chunk_bytes=256 * KIB)
        run = summarise(run_job(Job(str(model), config, cache="cold"), count))
        passed_bytes = held.read_bytes() - before
    assert run.counts
    # Besides, the worker's own code may have come from there.
    assert run.load_bytes == pytest.approx(passed_bytes, rel=0.1)
    assert run.device_bytes == pytest.approx(passed_bytes, rel=0.1)
    # What came at once in the beginning, and the kernel's windows, which pass in one piece.
    assert run.bytes_per_s <= 1.2 * RATE
    assert bottleneck_of(run, Limits(device_bytes_per_s=RATE)).kind == "device-bandwidth"
