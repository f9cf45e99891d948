"""A disk that is held to a rate and counted by the kernel: does modelmon see the same?"""

from __future__ import annotations

from itertools import accumulate
from statistics import linear_regression
from typing import TYPE_CHECKING

import pytest
from tests.system.beds import throttle
from tests.system.beds.figures import tell

from modelmon.core.experiment.bottleneck.bottleneck import bottleneck_of
from modelmon.core.experiment.probe import client as probe_client
from modelmon.core.experiment.probe.client import probe_command, run_probe
from modelmon.core.experiment.probe.limits import limits_of
from modelmon.core.experiment.summary import summarise
from modelmon.core.load.config import LoadConfig
from modelmon.core.model.sample import write_sample
from modelmon.core.units import KIB, MIB
from modelmon.core.worker import client
from modelmon.core.worker.client import run_job, worker_command
from modelmon.core.worker.events import Job, Ready

if TYPE_CHECKING:
    from pathlib import Path

    from modelmon.core.load.config import Access
    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord

pytestmark = [
    pytest.mark.system,
    pytest.mark.alone,
    pytest.mark.skipif(bool(throttle.why_not()), reason=throttle.why_not()),
]

RATE = 20_000_000


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """64 MB, which take more than three seconds at this rate."""
    path = tmp_path_factory.mktemp("truth") / "model.safetensors"
    return write_sample(path, "safetensors", 64 * MIB, layers=8, seed=1)


@pytest.mark.parametrize("access", ["direct", "read", "mmap"])
def test_that_bytes_and_rate_are_the_throttles(
    on_a_device: Path, model: Path, access: Access, monkeypatch: pytest.MonkeyPatch
) -> None:
    del on_a_device
    before = 0

    def count(event: AnyEvent, _record: RunRecord) -> None:
        nonlocal before
        if isinstance(event, Ready):
            before = held.read_bytes()

    with throttle.throttled(model, RATE) as held:
        monkeypatch.setattr(client, "worker_command", lambda: held.command(*worker_command()))
        record = run_job(
            Job(str(model), LoadConfig(access=access, chunk_bytes=256 * KIB), cache="cold"), count
        )
        passed_bytes = held.read_bytes() - before
    run = summarise(record)
    rate = steady_bytes_per_s(record) if access == "direct" else run.bytes_per_s
    tell(
        f"throttle, {access}",
        delivered=run.load_bytes,
        device_bytes=run.device_bytes,
        passed=passed_bytes,
        whole_mb_per_s=run.bytes_per_s / 1e6,
        rate_mb_per_s=rate / 1e6,
        limit_mb_per_s=RATE / 1e6,
        ratio=rate / RATE,
    )
    assert run.counts
    assert run.device_bytes == pytest.approx(passed_bytes, rel=0.03)
    assert run.load_bytes == pytest.approx(passed_bytes, rel=0.03)
    # Through the cache the kernel asks in windows of its readahead, which pass in one piece.
    assert rate == pytest.approx(RATE, rel=0.03 if access == "direct" else 0.07)


def steady_bytes_per_s(record: RunRecord) -> float:
    """The slope of the delivered bytes over time, by the requests' own times, after the first
    fifth: of direct reads the kernel lets more pass in the beginning (dd gets 2 % more as well).
    """
    requests = sorted(zip(record.chunks.end_ns, record.chunks.nbytes, strict=True))
    delivered = list(accumulate(nbytes for _, nbytes in requests))
    first = len(requests) // 5
    times_s = [end_ns / 1e9 for end_ns, _ in requests[first:]]
    return linear_regression(times_s, delivered[first:]).slope


def test_that_a_throttled_load_is_held_back_by_bandwidth(
    on_a_device: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del on_a_device
    with throttle.throttled(model, RATE) as held:
        monkeypatch.setattr(client, "worker_command", lambda: held.command(*worker_command()))
        monkeypatch.setattr(
            probe_client,
            "probe_command",
            lambda path, seconds: held.command(*probe_command(path, seconds)),
        )
        probe = run_probe(model, 2.0).probe
        if probe.storage.met_others:
            pytest.skip("others used the disk while it was probed: such a probe sets no limit")
        limits = limits_of(probe)
        run = summarise(run_job(Job(str(model), LoadConfig(), cache="cold")))
    found = bottleneck_of(run, limits)
    tell("throttle, held back", by=found.clause, probed=f"{limits.device_bytes_per_s:,.4g} B/s")
    assert found.kind == "device-bandwidth"
