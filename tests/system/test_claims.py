"""What the stories and documents claim of slow storage, with exact counters and loose ratios."""

import subprocess
import sys
from dataclasses import replace

import pytest
from msgspec import structs
from tests.core.export.outcomes import comparison_of, situation
from tests.page_cache import drop
from tests.system.commands import MODELMON
from tests.system.needs import needs_fuse

from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.explain.expected import first_pair
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.model.sample import write_sample
from modelmon.core.probe.client import run_probe
from modelmon.core.programs.registry import advice
from modelmon.core.simulate.cost import COSTS, Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, Ready
from modelmon.core.worker.result import summarise

pytestmark = [pytest.mark.long, needs_fuse]

STORE = Cost(kind="object-store", first_byte_s=0.01, bytes_per_s=500e6)
LINE = Cost(kind="nfs", first_byte_s=0.0, request_s=0.03, bytes_per_s=1e9)
IN_ORDER = LoadConfig(access="mmap")
READ = PRESETS["sequential"].config
FOUR = PRESETS["parallel"].config
FORKED = """
import os, sys
path, step = sys.argv[1], 128 << 10
file = os.open(path, os.O_RDONLY)
part = os.fstat(file).st_size // 4
for number in range(4):
    if not os.fork():
        for at in range(number * part, (number + 1) * part, step):
            os.pread(file, step, at)
        os._exit(0)
for _ in range(4):
    os.wait()
"""
UNMAPPED = """
import sys
with open(sys.argv[1], "rb") as file:
    file.read()
"""
"""What diffusers does with disable_mmap=True."""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("claims") / "model.safetensors"
    return write_sample(path, "safetensors", 32 * MIB, layers=8, seed=1)


def record_of(store, config):
    """A cold load, and what the server did from its start on."""

    def began(event, _record):
        if isinstance(event, Ready):
            store.counts()

    job = Job(str(store.path), config, cache="cold", condition_memory=False)
    return run_job(job, began), store.counts()


def load(store, config):
    """The result of one that counts, and the same."""
    record, counts = record_of(store, config)
    run = summarise(record)
    assert run.counts, run.why_not
    return run, counts


def test_that_a_shuffled_map_pays_for_each_jump(model, tmp_path):
    with served(model, tmp_path / "m", STORE) as store:
        in_order = [load(store, IN_ORDER) for _ in range(3)]
        shuffled, many = load(store, replace(IN_ORDER, order="random", chunk_bytes=256 * 1024))
    assert max(few.seeks for _, few in in_order) <= 4
    assert many.seeks >= 5 * 4
    assert shuffled.wall_ns >= 5 * min(run.wall_ns for run, _ in in_order)


def test_that_streams_make_a_hard_disk_seek_and_fill_a_network(model, tmp_path):
    with served(model, tmp_path / "disk", COSTS["hdd"]) as store:
        alone, few = load(store, READ)
        streams, many = load(store, FOUR)
        probe = run_probe(store.path, 2.0).probe
        best = first_pair(structs.replace(inspect_model(store.path), probe=probe), cache="cold").b
    assert few.seeks <= 4
    assert many.seeks >= 30 * few.seeks
    assert streams.wall_ns >= 3 * alone.wall_ns
    assert PRESETS[best].config.readers == 1
    with served(model, tmp_path / "line", LINE) as store:
        alone, few = load(store, READ)
        several = [load(store, FOUR) for _ in range(3)]
    assert all(many.requests == pytest.approx(few.requests, rel=0.1) for _, many in several)
    # Of what else the machine does four readers meet more.
    assert 3 * min(streams.wall_ns for streams, _ in several) <= alone.wall_ns


def test_that_launch_and_export_cure_workers_on_one_descriptor(model, tmp_path):
    forked, unmapped = ((sys.executable, "-c", code) for code in (FORKED, UNMAPPED))
    launched = (*MODELMON, "launch", tmp_path / "m" / model.name, "--warm-first", "--", *forked)
    with served(model, tmp_path / "m", STORE) as store:
        jumps = []
        for command in (forked, launched, unmapped):
            drop(store.path)
            store.counts()
            subprocess.run([*command, store.path], check=True)
            jumps.append(store.counts().seeks)
    shared, *cured = jumps
    assert shared >= 10 * max(cured)
    found = situation(comparison_of("sequential", str(model)))
    (exported,) = advice(found, ["diffusers"])
    assert "disable_mmap=True" in exported.forms[0].text
