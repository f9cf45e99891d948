"""Results of runs that never took place, for what is done with results."""

import msgspec
import pytest

from modelmon.core.doctor.inspection import inspect_model
from modelmon.core.history.history import History
from modelmon.core.history.origin import Origin
from modelmon.core.history.rows import Entrant
from modelmon.core.load.config import PRESETS
from modelmon.core.machine.origin import MachineOrigin, StorageOrigin
from modelmon.core.model.fingerprint import ModelFingerprint
from modelmon.core.worker.result import RunResult

MS = 10**6
HERE = Origin(
    machine=MachineOrigin("m1", "Ryzen", 8, 16 * 2**30),
    storage=StorageOrigin("s1", "/dev/nvme0n1p2", "nvme0n1p2", "Fast Disk", "ext4", "local-disk"),
    model=ModelFingerprint("tiny", "safetensors", 1000, 3, "d" * 64),
    path="/models/tiny.safetensors",
    kernel="Linux 6.1",
    readahead_bytes=131072,
)
LOADED = RunResult(
    strategy="mmap",
    config=PRESETS["mmap"].config,
    wall_ns=500 * MS,
    warmup_ns=0,
    load_bytes=10**9,
    model_bytes=10**9,
    memory_kind="mapped",
    cache_asked="cold",
    cache_state="cold",
    cache_evidence="verified",
    counts=True,
    started_unix_s=1_700_000_000.0,
)


@pytest.fixture(scope="module")
def inspection(sample):
    """The sample, looked at before any run."""
    return inspect_model(sample)


@pytest.fixture
def history(tmp_path):
    return History(tmp_path / "data")


@pytest.fixture(scope="session")
def origin():
    return HERE


@pytest.fixture(scope="session")
def loaded():
    """A result in which anything may be said otherwise."""

    def make(strategy="mmap", **changes):
        config = PRESETS[strategy].config
        return msgspec.structs.replace(LOADED, strategy=strategy, config=config, **changes)

    return make


@pytest.fixture
def keep(history):
    """Enter results as one finished experiment; returns the numbers of the runs."""

    def enter(results, origin=HERE, lines=b"", label="A", **conditions):
        arm = Entrant(label, results[0].strategy, results[0].config)
        experiment_id = history.begin("single", origin, [arm], {"cache": "cold"} | conditions)
        ids = [history.add_run(experiment_id, origin, label, each, lines) for each in results]
        history.end(experiment_id, "done")
        return ids

    return enter
