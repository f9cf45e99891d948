"""Storage that counts what it gives and costs what it says: does modelmon see the same?

What storage costs is far more than what a busy machine adds, so that the figures asserted here
hold beside other work; how close they come is measured by benchmarks/truth.py.
"""

import time
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import replace

import pytest
from tests.system.needs import needs_fuse

from modelmon.core.comparison.run_validity import faster_than_probed
from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.find_best.plan import SearchConditions
from modelmon.core.find_best.session import SearchSession
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.model.sample import write_sample
from modelmon.core.probe import disk
from modelmon.core.probe.client import run_probe
from modelmon.core.probe.probe import Limits
from modelmon.core.probe.process import take_probe
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Finished, Job, Ready
from modelmon.core.worker.result import summarise

pytestmark = needs_fuse

READAHEAD_BYTES = 128 * 1024
IN_ORDER = PRESETS["sequential"].config
OWN = LoadConfig(access="mmap", readers=4)
SHARED = replace(OWN, descriptor="shared")
# What storage costs. All come with the kernel's usual readahead, whose requests take 13 ms at
# the rates of the first two.
OBJECT_STORE = {"first_byte_s": 0.03, "bytes_per_s": 10e6}
HARD_DISK = {"first_byte_s": 0.03, "bytes_per_s": 10e6, "per": "device"}
FAR_SERVER = {"first_byte_s": 0.0, "request_s": 0.01, "bytes_per_s": 500e6}
LIMITS = Limits(device_bytes_per_s=10e6)
RACERS = ("mmap", "sequential", "parallel")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """8 MiB, which take about a second from the slower of the storage here."""
    path = tmp_path_factory.mktemp("truth") / "model.safetensors"
    return write_sample(path, "safetensors", 8 * MIB, layers=4, seed=1)


@pytest.fixture
def serve(tmp_path):
    @contextmanager
    def mounted(path, **cost):
        with served(path, tmp_path / "mounted", Cost(**cost)) as store:
            yield store

    return mounted


def load(store, config):
    """A cold load, what the server did for it, and the seconds between `ready` and its end."""
    seen_s = {}

    def watch(event, _record):
        seen_s[type(event)] = time.monotonic()
        if isinstance(event, Ready):
            # What was done to prepare is none of the load's.
            store.counts()

    run = summarise(run_job(Job(str(store.path), config, cache="cold"), watch))
    return run, store.counts(), seen_s[Finished] - seen_s[Ready]


@pytest.mark.parametrize(
    "config",
    [
        IN_ORDER,
        pytest.param(OWN, marks=pytest.mark.soak),
        replace(OWN, reader_kind="process"),
        pytest.param(SHARED, marks=pytest.mark.soak),
    ],
    ids=["sequential", "own", "own-processes", "shared"],
)
def test_that_bytes_and_time_are_the_servers(serve, model, config):
    with serve(model, **OBJECT_STORE) as store:
        run, counts, seen_s = load(store, config)
    assert run.counts
    assert run.cache_state == "cold-here"
    assert run.load_bytes == pytest.approx(counts.bytes, rel=0.03)
    # Nothing is delivered before it was there, and nothing is timed that was before or after.
    assert (counts.last_s - counts.first_s) * 0.999 <= run.wall_ns / 1e9 <= seen_s
    if config is IN_ORDER:
        assert bottleneck_of(run, LIMITS).kind == "device-bandwidth"


@pytest.mark.soak
def test_that_a_shared_descriptor_costs_a_first_byte_at_every_turn(serve, model):
    ways = {"in order": IN_ORDER, "own": OWN, "shared": SHARED}
    with serve(model, **OBJECT_STORE) as store:
        runs = {name: load(store, config) for name, config in ways.items()}
    seeks = {name: counts.seeks for name, (_, counts, _) in runs.items()}
    # One for each stream, one more where the header's page is read along with it, and where the
    # kernel read on in another place than it was asked for.
    assert seeks["in order"] <= 4
    assert seeks["own"] <= OWN.readers + 4
    assert seeks["shared"] >= runs["shared"][1].bytes / READAHEAD_BYTES / 4
    assert {name: bottleneck_of(run, LIMITS).kind for name, (run, *_) in runs.items()} == {
        "in order": "device-bandwidth",
        "own": "device-bandwidth",
        "shared": "device-latency",
    }


def test_that_a_map_is_asked_for_in_order_whatever_becomes_of_it(serve, model):
    usable = LoadConfig(access="mmap", chunk_bytes=MIB)
    with serve(model, first_byte_s=0.0, bytes_per_s=1e9, per="device") as store:
        _, plain, _ = load(store, usable)
        for deliver in ("decoded", "streamed", "owned"):
            _, counts, _ = load(store, replace(usable, deliver=deliver))
            assert counts.bytes == pytest.approx(plain.bytes, rel=0.03), deliver
            assert counts.requests <= plain.requests + 4, deliver
            assert counts.seeks <= 4, deliver


@pytest.mark.soak
def test_that_a_disk_that_seeks_gets_one_reader_and_a_slow_line_gets_many(serve, model):
    with serve(model, **HARD_DISK) as store:
        disk = recommended(store)
    with serve(model, **FAR_SERVER) as store:
        line = recommended(store)
    assert disk.config.readers == 1
    assert line.config.readers >= 4


def recommended(store):
    """What `modelmon best` recommends of three ways after about a dozen runs, each of which takes a
    second of its budget: no more of them fit into it on an idle machine. Variants are left out: two
    readers may take turns by chance, as one does.
    """
    racers = tuple(Entrant(name, name, PRESETS[name].config) for name in RACERS)
    conditions = SearchConditions(
        str(store.path), "cold", 14 * 10**9, 10**9, condition_memory=False
    )
    runs = 0
    session = SearchSession(racers, conditions, lambda _: "not here", clock_ns=lambda: runs * 10**9)
    while (step := session.next_job()) is not None:
        record = run_job(step[1])
        runs += 1
        session.add(record)
    return session.race(inspect_model(store.path)).recommendation


@pytest.mark.soak
def test_that_no_load_is_faster_than_its_storage(serve, model):
    with serve(model, **HARD_DISK) as store:
        in_order, *_ = load(store, IN_ORDER)
        scattered, *_ = load(store, PRESETS["parallel"].config)
    assert faster_than_probed(in_order, LIMITS) is None
    assert bottleneck_of(in_order, LIMITS).kind == "device-bandwidth"
    assert bottleneck_of(scattered, LIMITS).kind == "device-latency"


@pytest.mark.soak
def test_that_each_reader_of_a_probe_reads_one_stretch(serve, model, monkeypatch):
    seeks = defaultdict(list)
    timed = disk.DiskProbe._timed

    with serve(model, **FAR_SERVER) as store:

        def counted(probe, dealt, request_bytes, share, manner=None):
            store.counts()
            done = timed(probe, dealt, request_bytes, share, manner)
            seeks[share].append(store.counts().seeks)
            return done

        monkeypatch.setattr(disk.DiskProbe, "_timed", counted)
        take_probe([store.path], 2.0, lambda: False)
    assert seeks[disk._IN_ORDER_SHARE][0] <= 1
    # The second read begins anew.
    assert seeks[disk._REREAD_SHARE] <= [1]
    # A single one reads a second stretch by small requests.
    assert seeks[disk._STEP_SHARE] == [1, 1, 2, 4, 8]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("cost", "kind"),
    [
        ({**HARD_DISK, "first_byte_s": 0.005}, "hard-disk"),
        (FAR_SERVER, "network"),
        ({**OBJECT_STORE, "first_byte_s": 0.06}, "object-store"),
    ],
    ids=["hard-disk", "far-server", "object-store"],
)
def test_that_a_probe_knows_storage_by_what_it_costs(serve, model, cost, kind):
    with serve(model, **cost) as store:
        probe = run_probe(store.path, 2.0).probe
    best = probe.storage.best_reads
    assert probe.storage_class == kind
    # A short look counts the last request of each reader in part, which scatters.
    assert best.bytes_per_s <= cost["bytes_per_s"] * 1.5
