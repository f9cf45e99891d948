"""A disk that is held to a rate and counted by the kernel: does modelmon see the same?"""

import os
import re
import subprocess

import pytest
from tests.system.beds import throttle
from tests.system.commands import MODELMON

from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import LoadConfig
from modelmon.core.model.sample import write_sample
from modelmon.core.probe.probe import Limits
from modelmon.core.units import KIB, MIB
from modelmon.core.worker import client
from modelmon.core.worker.client import run_job, worker_command
from modelmon.core.worker.events import Job, Ready
from modelmon.core.worker.result import summarise

pytestmark = pytest.mark.skipif(bool(throttle.why_not()), reason=throttle.why_not())

RATE = 5_000_000
"""So little that a disk has it to give whatever others want of it."""


@pytest.mark.soak
@pytest.mark.parametrize("access", ["direct", "read", "mmap"])
def test_that_bytes_are_the_throttles_and_their_rate_is_what_holds_a_load_back(
    on_a_device, access, monkeypatch, tmp_path
):
    del on_a_device
    # 16 MiB take more than three seconds.
    model = write_sample(tmp_path / "model.safetensors", "safetensors", 16 * MIB, layers=4, seed=1)
    before = 0

    def count(event, _record):
        nonlocal before
        if isinstance(event, Ready):
            before = held.read_bytes()

    with throttle.throttled(model, RATE) as held:
        monkeypatch.setattr(
            client, "worker_command", lambda *given: held.command(*worker_command(*given))
        )
        config = LoadConfig(access=access, chunk_bytes=256 * KIB)
        run = summarise(run_job(Job(str(model), config, cache="cold"), count))
        passed_bytes = held.read_bytes() - before
    assert run.counts
    # Besides, the worker's own code may have come from there.
    assert run.load_bytes == pytest.approx(passed_bytes, rel=0.1)
    assert run.device_bytes == pytest.approx(passed_bytes, rel=0.1)
    # What came at once in the beginning, and the kernel's windows, which pass in one piece.
    assert run.bytes_per_s <= 1.2 * RATE
    found = bottleneck_of(run, Limits(device_bytes_per_s=RATE))
    assert found.kind == "device-bandwidth"
    assert "is held to 5 MB/s from" in found.clause
    assert held.folder.name in found.clause


@pytest.mark.soak
def test_that_a_limit_of_requests_holds_a_load_back_too(on_a_device, monkeypatch, tmp_path):
    del on_a_device
    model = write_sample(tmp_path / "model.safetensors", "safetensors", 8 * MIB, layers=4, seed=1)
    with throttle.throttled(model, None) as held:
        held.allow(reads_per_s=50)
        monkeypatch.setattr(
            client, "worker_command", lambda *given: held.command(*worker_command(*given))
        )
        config = LoadConfig(access="direct", chunk_bytes=64 * KIB)
        run = summarise(run_job(Job(str(model), config, cache="cold")))
    found = bottleneck_of(run)
    assert "is held to 50 reads per second from" in found.clause
    assert held.folder.name in found.clause


def test_that_a_limit_that_is_never_reached_is_recorded_and_not_blamed(on_a_device, monkeypatch):
    with throttle.throttled(on_a_device, 10**12) as held:
        monkeypatch.setattr(
            client, "worker_command", lambda *given: held.command(*worker_command(*given))
        )
        run = summarise(run_job(Job(str(on_a_device), LoadConfig(), cache="cold")))
    assert run.limits is not None
    assert [limit.amount for limit in run.limits if limit.device] == [10**12]
    assert "control group" not in bottleneck_of(run).clause


@pytest.mark.soak
def test_that_a_comparison_says_that_a_limit_came_in_its_middle(on_a_device, monkeypatch, tmp_path):
    del on_a_device
    model = write_sample(tmp_path / "model.safetensors", "safetensors", 4 * MIB, layers=4, seed=1)
    arms = [
        Entrant(label, label, LoadConfig(access="direct", chunk_bytes=size))
        for label, size in (("A", 256 * KIB), ("B", 512 * KIB))
    ]
    session = CompareSession(*arms, Conditions(str(model), "cold", max_pairs=8, early_stop=False))
    inspection = inspect_model(model)
    with throttle.throttled(model, 2 * RATE) as held:
        monkeypatch.setattr(
            client, "worker_command", lambda *given: held.command(*worker_command(*given))
        )
        runs = 0
        while (step := session.next_job()) is not None:
            runs += 1
            if runs == 8:
                held.allow(bytes_per_s=RATE // 2)
            session.add(run_job(step[1]))
    said = session.comparison(inspection).verdict.caveat
    # A run that was disturbed may follow the change and tell nothing.
    assert re.search(r"All loads from run \d+ on: \S+× as long", said)


def test_that_inspect_and_doctor_name_the_limit(on_a_device):
    with throttle.throttled(on_a_device, RATE) as held:
        for command in ("inspect", "doctor"):
            done = subprocess.run(
                held.command(*MODELMON, command, str(on_a_device)),
                capture_output=True,
                text=True,
                check=True,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "COLUMNS": "300"},
            )
            assert "5 MB/s from" in done.stdout
            assert held.folder.name in done.stdout
    assert "This program may read at most 5 MB/s from this disk" in done.stdout
