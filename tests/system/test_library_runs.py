"""Libraries as strategies, in real loader processes; one of somebody else's package among them."""

import os
import shutil
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy
from ml_dtypes import bfloat16
from tests.system.needs import needs_fuse, rarely

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.libraries import registry
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.model.open import open_model
from modelmon.core.simulate.cost import Cost
from modelmon.core.simulate.store import served
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job, Ready
from modelmon.core.worker.result import summarise

GGUF = LoadConfig(library="gguf.GGUFReader")
NUMPY = LoadConfig(library="safetensors.numpy.load_file")


@pytest.fixture(scope="module")
def arrays(tmp_path_factory):
    """A safetensors file of types that numpy has, and of those that ml_dtypes gives it."""
    draw = np.random.default_rng(1)
    path = tmp_path_factory.mktemp("arrays") / "arrays.safetensors"
    stored = {
        f"model.layers.{layer}.{name}.weight": draw.standard_normal((128, 256)).astype(dtype)
        for layer in range(3)
        for name, dtype in (("q", np.float32), ("k", np.float16), ("v", bfloat16))
    }
    safetensors.numpy.save_file(stored, path)
    return path


def load(path, config, subset=WHOLE):
    return run_job(Job(str(path), config, verify=True, subset=subset))


@pytest.mark.parametrize(
    ("config", "deliver"),
    [
        pytest.param(GGUF, "usable", id="gguf-usable"),
        pytest.param(GGUF, "owned", id="gguf-owned", marks=pytest.mark.long),
        pytest.param(NUMPY, "usable", id="numpy-usable", marks=pytest.mark.long),
        pytest.param(NUMPY, "owned", id="numpy-owned"),
    ],
)
def test_that_a_librarys_bytes_are_the_files_and_its_version_is_told(
    samples, arrays, config, deliver
):
    path = samples["gguf"] if config is GGUF else arrays
    record = load(path, replace(config, deliver=deliver))
    assert record.finished is not None, record.failed
    assert record.finished.checksum_matches is True
    result = summarise(record)
    assert [warning.kind for warning in result.warnings if not warning.counts] == ["verified"]
    assert result.library_version == registry.baseline(config.library).version()
    maps = config is GGUF and deliver == "usable"
    assert result.memory_kind == ("mapped" if maps else "owned")
    model = open_model(path)
    assert result.requests == sum(1 for tensor in model.tensors if tensor.nbytes)
    assert len(record.chunks) == result.requests
    assert all(block.ready_ns is not None for block in record.blocks)


def test_that_an_untouched_load_is_shown_with_its_reason_and_never_counts(samples):
    record = load(samples["gguf"], replace(GGUF, deliver="untouched"))
    result = summarise(record)
    assert not result.counts
    assert {each.kind: each.remedy for each in record.warnings}["nothing-touched"]
    assert "before its bytes were in memory" in result.why_not


def test_that_an_untouched_load_of_private_memory_is_not_called_empty(arrays):
    result = summarise(load(arrays, replace(NUMPY, deliver="untouched")))
    assert not result.counts
    assert "in memory when it returned" in result.why_not
    assert "before its bytes were in memory" not in result.why_not


def test_that_each_rank_runs_the_library_by_itself(samples):
    record = load(samples["gguf"], replace(GGUF, ranks=2, warmup="read"))
    assert record.finished is not None, record.failed
    assert record.finished.checksum_matches is True
    assert record.finished.delivered_bytes == 2 * record.planned.file_bytes
    assert record.finished.warmup_ns > 0
    assert set(record.chunks.reader) == {0, 1}


def test_that_a_library_that_maps_can_load_some_tensors(samples):
    record = load(samples["gguf"], GGUF, Subset(tensors=("*attn*",)))
    assert record.finished is not None, record.failed
    assert record.finished.checksum_matches is True
    result = summarise(record)
    assert result.load_bytes < result.model_bytes


def test_that_a_library_that_reads_whole_files_is_not_asked_for_a_part(arrays):
    record = load(arrays, NUMPY, Subset(tensors=("*q*",)))
    assert record.failed.kind == "config"
    assert "reads its files whole" in record.failed.message


ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tests" / "data" / "strategy_package"

LOAD = """
import hashlib, sys
from pathlib import Path
from modelmon.core.load.libraries.baseline import LibraryLoad, LibraryRequest, WantedTensor
from modelmon.core.load.libraries.registry import available, baseline
from modelmon.core.model.open import open_model

model = open_model(sys.argv[1])
assert "whole_file" not in sys.modules
(listed,) = [entry for entry in available(model) if entry.name == "whole-file"]
wanted = tuple(WantedTensor(t.name, t.shard, t.nbytes) for t in model.tensors)
paths = tuple(shard.path for shard in model.shards)
load = LibraryLoad(baseline("whole-file"), LibraryRequest(paths, wanted))
load.prepare()
load.run(lambda *_: None)
shards = [Path(path).read_bytes() for path in paths]
digest = hashlib.sha256()
for t in model.tensors:
    digest.update(shards[t.shard][t.offset_bytes : t.offset_bytes + t.nbytes])
sys.stdout.write(f"{listed.version} {listed.obstacle!r} {load.memory_kind}\\n")
sys.stdout.write(f"{load.checksum() == digest.hexdigest()}\\n")
"""


@pytest.fixture
def site(tmp_path):
    """A folder with what an installer makes of the package, without its build back end."""
    described = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    name, version = described["name"], described["version"]
    shutil.copy(PACKAGE / "whole_file.py", tmp_path)
    info = tmp_path / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = []
    for group, points in described["entry-points"].items():
        lines += [f"[{group}]", *(f"{point} = {value}" for point, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return tmp_path


def test_that_an_installed_package_adds_a_strategy_that_loads(site, samples):
    done = subprocess.run(
        [sys.executable, "-P", "-c", LOAD, samples["sharded"]],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1.2.3 '' owned\nTrue\n"


@needs_fuse
@pytest.mark.parametrize(("deliver", "least_share"), [("untouched", 0.0), rarely("usable", 0.99)])
def test_that_an_untouched_slice_is_a_handle(sample, tmp_path, deliver, least_share):
    config = LoadConfig(library="safetensors.get_slice", deliver=deliver)
    cost = Cost(first_byte_s=0.0, bytes_per_s=1e9, readahead_bytes=0)
    with served(sample, tmp_path / "m", cost) as store:
        job = Job(str(store.path), config, cache="cold")
        run = summarise(run_job(job, lambda event, _: isinstance(event, Ready) and store.counts()))
        share = store.counts().bytes / run.model_bytes
    assert least_share <= share
    assert (share < 0.5) == (deliver == "untouched")
    assert run.counts == (deliver == "usable")
