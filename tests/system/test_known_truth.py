"""Storage that counts what it gives and costs what it says: does modelmon see the same?"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.system.beds import fuse_store
from tests.system.beds.figures import tell

from modelmon.core.experiment.bottleneck.bottleneck import bottleneck_of
from modelmon.core.experiment.checks import faster_than_probed
from modelmon.core.experiment.compare import Arm, CompareSession, Conditions
from modelmon.core.experiment.preflight.preflight import look_at
from modelmon.core.experiment.probe.client import run_probe
from modelmon.core.experiment.probe.limits import limits_of
from modelmon.core.experiment.race.candidates import Candidate
from modelmon.core.experiment.race.plan import RaceConditions
from modelmon.core.experiment.race.race import RaceSession
from modelmon.core.experiment.summary import summarise
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.presets import PRESETS
from modelmon.core.model.sample import write_sample
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, Ready

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from tests.system.beds.fuse_store import Counts, Store

    from modelmon.core.experiment.bottleneck.kinds import Limits
    from modelmon.core.experiment.race.result import Recommendation
    from modelmon.core.experiment.result import Comparison, RunResult
    from modelmon.core.worker.events import AnyEvent, Cache
    from modelmon.core.worker.record import RunRecord

    Serve = Callable[..., AbstractContextManager[Store]]

pytestmark = [
    pytest.mark.system,
    pytest.mark.alone,
    pytest.mark.skipif(bool(fuse_store.why_not()), reason=fuse_store.why_not()),
]

READAHEAD_BYTES = 128 * 1024
OWN = LoadConfig(access="mmap", readers=4)
SHARED = replace(OWN, descriptor="shared")
# What storage costs. All come with the kernel's usual readahead.
OBJECT_STORE = {"first_byte_s": 0.01, "bytes_per_s": 50e6}
HARD_DISK = {"first_byte_s": 0.005, "bytes_per_s": 100e6, "per": "device"}
RACERS = ("mmap", "sequential", "parallel")
FAR_SERVER = {"first_byte_s": 0.0, "request_s": 0.002, "bytes_per_s": 500e6}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """64 MB, which take a second or more from the storage here."""
    path = tmp_path_factory.mktemp("truth") / "model.safetensors"
    return write_sample(path, "safetensors", 64 * MIB, layers=8, seed=1)


@pytest.fixture
def serve(tmp_path: Path) -> Serve:
    @contextmanager
    def served(path: Path, **cost: float) -> Iterator[Store]:
        with fuse_store.served(path, tmp_path / "mounted", **cost) as store:  # type: ignore[arg-type]
            yield store

    return served


def load(
    store: Store, config: LoadConfig, cache: Cache = "cold"
) -> tuple[RunRecord, RunResult, Counts]:
    """One load, and what the server did for it between `ready` and its end."""

    def forget_the_preparation(event: AnyEvent, _record: RunRecord) -> None:
        if isinstance(event, Ready):
            store.counts()

    record = run_job(Job(str(store.path), config, cache=cache), forget_the_preparation)
    return record, summarise(record), store.counts()


def probed(store: Store) -> Limits:
    """What a short probe says that the storage can do."""
    return limits_of(run_probe(store.path, 1.0).probe)


def compare(store: Store, a: LoadConfig, b: LoadConfig) -> Comparison:
    """Five pairs of cold runs, judged as `modelmon compare` judges them after a probe."""
    conditions = Conditions(str(store.path), "cold", max_pairs=5, condition_memory=False)
    session = CompareSession(Arm("A", "a", a), Arm("B", "b", b), conditions, probed(store))
    while (step := session.next_job()) is not None:
        session.add(run_job(step[1]))
    return session.comparison(look_at(store.path))


@pytest.mark.parametrize(
    "config",
    [PRESETS["sequential"].config, OWN, replace(OWN, reader_kind="process"), SHARED],
    ids=["sequential", "own", "own-processes", "shared"],
)
def test_that_bytes_and_rate_are_the_servers(
    serve: Serve, model: Path, config: LoadConfig, request: pytest.FixtureRequest
) -> None:
    with serve(model, **OBJECT_STORE) as store:
        _, run, counts = load(store, config)
    delivered = run.load_bytes / run.wall_ns * 1e9
    tell(
        f"object store, {request.node.callspec.id}",
        delivered=run.load_bytes,
        served=counts.bytes,
        delivered_mb_per_s=delivered / 1e6,
        served_mb_per_s=counts.bytes_per_s / 1e6,
        ratio=delivered / counts.bytes_per_s,
        first_bytes=counts.seeks,
    )
    assert run.counts
    assert run.cache_state == "cold-here"
    assert run.load_bytes == pytest.approx(counts.bytes, rel=0.03)
    assert delivered == pytest.approx(counts.bytes_per_s, rel=0.03)
    # Nothing is delivered before it was there.
    assert run.wall_ns / 1e9 >= (counts.last_s - counts.first_s) * 0.999


def test_that_a_shared_descriptor_costs_a_first_byte_at_every_turn(
    serve: Serve, model: Path
) -> None:
    ways = {"in order": PRESETS["sequential"].config, "own": OWN, "shared": SHARED}
    with serve(model, **OBJECT_STORE) as store:
        limits = probed(store)
        runs = {name: load(store, config)[1:] for name, config in ways.items()}
    found = {name: bottleneck_of(run, limits) for name, (run, _) in runs.items()}
    seeks = {name: counts.seeks for name, (_, counts) in runs.items()}
    tell("object store, first bytes", **seeks)
    tell("object store, held back", **{name: what.clause for name, what in found.items()})
    # One for each stream, and one more where the header's page is read along with it.
    assert seeks["in order"] <= 2
    assert seeks["own"] <= OWN.readers + 1
    assert seeks["shared"] >= runs["shared"][1].bytes / READAHEAD_BYTES / 4
    kinds = {name: what.kind for name, what in found.items()}
    assert kinds == {
        "in order": "device-bandwidth",
        "own": "device-bandwidth",
        "shared": "device-latency",
    }
    assert runs["shared"][0].wall_ns > 1.5 * runs["own"][0].wall_ns


def test_that_own_descriptors_are_called_faster_on_an_object_store(
    serve: Serve, tmp_path: Path
) -> None:
    small = write_sample(tmp_path / "s.safetensors", "safetensors", 8 * MIB, layers=4, seed=1)
    with serve(small, first_byte_s=0.01, bytes_per_s=200e6) as store:
        found = compare(store, SHARED, OWN)
    tell("object store, A shared, B own", says=found.verdict.sentence)
    assert found.verdict.winner == "B"
    assert found.arm_a.bottleneck is not None
    assert found.arm_a.bottleneck.kind == "device-latency"


def test_that_a_disk_that_seeks_gets_one_reader_and_a_slow_line_gets_many(
    serve: Serve, sample: Path
) -> None:
    with serve(sample, **HARD_DISK) as store:
        disk = recommended(store)
    with serve(sample, **FAR_SERVER) as store:
        line = recommended(store)
        if line.config.readers < 4:
            # On a busy machine ten seconds do not get beyond the noise.
            line = recommended(store, budget_s=30)
    tell("hard disk", recommended=disk.label, says=disk.sentence)
    tell("slow line", recommended=line.label, says=line.sentence)
    assert disk.config.readers == 1
    assert line.config.readers >= 4


def recommended(store: Store, budget_s: int = 10) -> Recommendation:
    """What `modelmon best` recommends of three ways and their variants, in that time."""
    racers = [Candidate(name, name, PRESETS[name].config) for name in RACERS]
    budget_ns = budget_s * 10**9
    conditions = RaceConditions(str(store.path), "cold", budget_ns, 10**9, condition_memory=False)
    session = RaceSession(racers, conditions)
    while (step := session.next_job()) is not None:
        session.add(run_job(step[1]))
    return session.race(look_at(store.path)).recommendation


def test_that_no_load_is_faster_than_what_was_probed(serve: Serve, model: Path) -> None:
    with serve(model, **HARD_DISK) as store:
        limits = probed(store)
        _, in_order, _ = load(store, PRESETS["sequential"].config)
        _, scattered, _ = load(store, PRESETS["parallel"].config)
    tell("hard disk, one reader", held_back=bottleneck_of(in_order, limits).clause)
    tell("hard disk, four readers", held_back=bottleneck_of(scattered, limits).clause)
    assert faster_than_probed(in_order, limits) is None
    assert bottleneck_of(in_order, limits).kind == "device-bandwidth"
    assert bottleneck_of(scattered, limits).kind == "device-latency"


@pytest.mark.parametrize(
    ("cost", "kind"),
    [
        (HARD_DISK, "hard-disk"),
        (FAR_SERVER, "network"),
        ({**OBJECT_STORE, "first_byte_s": 0.05}, "object-store"),
    ],
    ids=["hard-disk", "far-server", "object-store"],
)
def test_that_a_probe_knows_storage_by_what_it_costs(
    serve: Serve, model: Path, cost: dict[str, float], kind: str
) -> None:
    with serve(model, **cost) as store:
        probe = run_probe(store.path, 2.0).probe
    best = probe.storage.best_reads
    assert best is not None
    tell(kind, probed_as=probe.storage_class, evidence=probe.class_evidence)
    assert probe.storage_class == kind
    # A short look counts the last request of each reader in part, which scatters.
    assert best.bytes_per_s <= cost["bytes_per_s"] * 1.1
