"""Too little memory: what loads all the same, what is refused, and what the kernel kills."""

import json
import subprocess
import sys

import pytest
from tests.page_cache import left_alone
from tests.system import ssh_server
from tests.system.beds import memory_limit
from tests.system.commands import MODELMON
from tests.system.needs import needs_fuse

from modelmon.core.errors import EXIT_LOAD_FAILED
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.load.config import PRESETS
from modelmon.core.machine.host import is_virtual_machine
from modelmon.core.model.sample import write_sample
from modelmon.core.remote import connection
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB, size_text
from modelmon.core.worker import client
from modelmon.core.worker.client import run_job, worker_command
from modelmon.core.worker.events import Job, Planned
from modelmon.core.worker.result import summarise

pytestmark = pytest.mark.skipif(bool(memory_limit.why_not()), reason=memory_limit.why_not())

LIMIT_BYTES = 112 * MIB


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Larger than the memory that there is for it."""
    path = tmp_path_factory.mktemp("truth") / "model.safetensors"
    return write_sample(path, "safetensors", 192 * MIB, layers=8, seed=1)


@pytest.fixture
def limit(monkeypatch):
    """What the workers of a test may have."""
    with memory_limit.limited(LIMIT_BYTES) as little:
        monkeypatch.setattr(
            client, "worker_command", lambda *given: little.command(*worker_command(*given))
        )
        yield little


def pressure(record):
    kinds = ("memory-pressure", "not-kept")
    return "; ".join(w.evidence for w in record.warnings if w.kind in kinds)


@pytest.mark.soak
@pytest.mark.usefixtures("limit")
def test_that_a_mapped_model_larger_than_the_memory_is_said_not_to_stay(on_a_device, model):
    del on_a_device
    job = Job(str(model), PRESETS["mmap"].config, cache="cold", condition_memory=False)
    record = run_job(job)
    run = summarise(record)
    left = run.residency_after_share
    assert left * run.file_bytes < LIMIT_BYTES
    assert "still cached at the end" in pressure(record)
    assert not run.counts
    assert "wasn't in memory at the end" in run.why_not


@pytest.mark.soak
@pytest.mark.usefixtures("limit")
def test_that_bytes_read_again_for_want_of_memory_are_named(on_a_device, model):
    """The warm-up reads all of it, and what it read is gone when it is mapped."""
    del on_a_device
    config = PRESETS["warm-then-map"].config
    record = run_job(Job(str(model), config, cache="cold", condition_memory=False))
    run = summarise(record)
    found = bottleneck_of(run)
    assert run.amplification > 1.5
    assert "read twice" in pressure(record)
    assert found.kind == "memory"
    assert found.clause.startswith("rereads")
    assert "warm" not in found.remedy.lower()
    assert run.memory.own_refaulted_bytes
    assert run.memory.own_limit_hits


THRASH = """
import os, sys
file = os.open(sys.argv[1], os.O_RDONLY)
while True:
    for offset in range(0, os.fstat(file).st_size, 1 << 20):
        os.pread(file, 1 << 20, offset)
    print("again", flush=True)
"""


def loaded_through_a_mount(sample, at, bytes_per_s):
    with served(sample, at, Cost(first_byte_s=0, bytes_per_s=bytes_per_s)) as store:
        job = Job(str(store.path), PRESETS["mmap"].config, cache="cold", condition_memory=False)
        return summarise(run_job(job))


@pytest.mark.soak
@needs_fuse
def test_that_memory_that_another_program_is_short_of_is_not_blamed_for_a_slow_mount(
    sample, model, tmp_path
):
    with (
        memory_limit.limited(LIMIT_BYTES // 2) as little,
        subprocess.Popen(
            little.command(sys.executable, "-c", THRASH, str(model)), stdout=subprocess.PIPE
        ) as other,
    ):
        # From its second round on it reads what the kernel has dropped.
        other.stdout.readline()
        try:
            # Beside others it reads slowly; the slower the mount, the more it reads meanwhile.
            for rate in (20e6, 5e6, 1e6):
                run = loaded_through_a_mount(sample, tmp_path / f"{rate:.0f}", rate)
                if (run.memory.refaulted_bytes or 0) > run.load_bytes:
                    break
        finally:
            other.kill()
    assert (run.memory.refaulted_bytes or 0) > run.load_bytes
    assert bottleneck_of(run).kind != "memory"


@pytest.mark.soak
@pytest.mark.skipif(is_virtual_machine() is False, reason="memory is touched below a hypervisor")
@pytest.mark.parametrize("name", ["sequential", "mmap"])
def test_that_a_warm_start_of_what_takes_over_half_of_the_memory_is_one(limit, model, name):
    limit.set(400 * MIB)
    job = Job(str(model), PRESETS[name].config, cache="warm")
    run = left_alone(lambda: summarise(run_job(job)), model, good=lambda run: run.counts)
    assert (run.cache_state, run.why_not) == ("warm", "")
    # A mapped load takes no memory of its own.
    assert bool(run.conditioned_bytes) == (name == "sequential")


@pytest.mark.usefixtures("limit")
def test_that_a_copy_larger_than_the_limit_is_refused_before_it_starts(model):
    record = run_job(Job(str(model), PRESETS["sequential"].config))
    assert record.failed.kind == "does-not-fit"
    assert "the cgroup's limit leaves" in record.failed.message
    assert record.planned is None


@pytest.mark.parametrize("name", ["sequential", pytest.param("parallel", marks=pytest.mark.soak)])
def test_that_a_loader_killed_for_want_of_memory_is_named_and_only_the_loader_dies(
    limit, model, name
):
    """It fitted when it was planned; then others took the memory."""

    def take_away(event, _record):
        if isinstance(event, Planned):
            limit.set(LIMIT_BYTES)

    limit.set(512 * MIB)
    job = Job(str(model), PRESETS[name].config, cache="cold", condition_memory=False)
    record = run_job(job, take_away)
    # The supervisor lived to say so.
    assert record.failed.kind == "loader-died"
    assert "killed by the kernel" in record.failed.message
    where = f"{size_text(LIMIT_BYTES)}: {limit.file.name} of /{limit.folder.name}"
    assert f"its cgroup ran out of memory ({where}). Free memory" in record.failed.message
    assert "the load needs" in record.failed.message
    assert "map the model" in record.failed.remedy


@pytest.mark.long
@pytest.mark.skipif(bool(ssh_server.why_not()), reason=f"no SSH server: {ssh_server.why_not()}")
def test_that_a_loader_killed_on_a_server_is_named_as_one_here_would_be(
    model, tmp_path, monkeypatch
):
    with memory_limit.limited(512 * MIB) as little, ssh_server.ssh_server(tmp_path) as server:

        def take_away(event, _record):
            if isinstance(event, Planned):
                little.set(LIMIT_BYTES)

        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        server.join(little)
        connection.reach(server.url)
        job = Job(str(model), PRESETS["sequential"].config, cache="cold", condition_memory=False)
        record = run_job(job, take_away, server=server.url)
        assert record.failed.kind == "loader-died"
        assert "killed by the kernel: its cgroup ran out of memory" in record.failed.message
        assert little.folder.name in record.failed.message
        little.set(512 * MIB)
        assert summarise(run_job(job, server=server.url)).load_bytes > LIMIT_BYTES


GREEDY = "import sys; f = open(sys.argv[1], 'rb'); taken = [f.read(1 << 20) for _ in range(999)]"


def test_that_a_program_killed_for_want_of_memory_is_named(limit, model):
    limit.set(2 * LIMIT_BYTES)
    watch = limit.command(*MODELMON, "watch", str(model), "--json", "--", sys.executable, "-c")
    done = subprocess.run([*watch, GREEDY, str(model)], capture_output=True, check=False)
    told = json.loads(done.stdout)["error"]
    assert done.returncode == EXIT_LOAD_FAILED
    assert "was killed by the kernel: its cgroup ran out of memory" in told["message"]
    assert "Free memory or raise the limit." in told["message"]


@pytest.mark.soak
def test_that_find_best_streams_what_cannot_stay_in_memory(
    limit, on_a_device, model, stopped_after
):
    del on_a_device
    # Room for the program itself, and not for the model beside it.
    limit.set(180 * MIB)
    printed, said = stopped_after(3, "best", model, "--json", within=limit.command)
    assert "Every strategy streams the model: the model doesn't fit in" in said
    race = json.loads(printed)
    told = race["recommendation"]
    assert told["config"]["deliver"] == "streamed"
    assert "streamed" in told["sentence"]
    assert told["reasons"][0].startswith("Stream the model with")
    assert all(run["result"]["memory_kind"] == "streamed" for run in race["runs"])


def test_that_usable_loads_of_what_cannot_stay_are_refused_where_they_are_asked_for(limit, model):
    limit.set(180 * MIB)
    best = limit.command(*MODELMON, "best", str(model), "--deliver", "usable")
    done = subprocess.run(best, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "no load ends with the whole model there" in done.stderr
    assert "Set delivery to streamed" in done.stderr
    assert "Traceback" not in done.stderr
