"""Libraries as strategies, in real loader processes; one of somebody else's package among them."""

from dataclasses import replace

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
