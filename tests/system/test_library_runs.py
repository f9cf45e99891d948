"""Libraries as strategies, in real loader processes."""

from dataclasses import replace

import numpy as np
import pytest
import safetensors.numpy
from ml_dtypes import bfloat16

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.libraries import registry
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.model.open import open_model
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job
from modelmon.core.worker.result import summarise

pytestmark = pytest.mark.system
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
    assert record.planned is not None
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
    assert record.failed is not None
    assert record.failed.kind == "config"
    assert "reads its files whole" in record.failed.message


def test_that_the_wrong_format_is_refused_before_anything_starts(sample):
    record = load(sample, GGUF)
    assert record.failed is not None
    assert record.failed.kind == "config"
    assert "gguf files, not safetensors" in record.failed.message


def test_that_a_library_that_is_not_installed_is_refused_with_its_command(arrays):
    model = open_model(arrays)
    missing = [found for found in registry.available(model) if "not installed" in found.obstacle]
    if not missing:
        pytest.skip("every library is installed")
    record = load(arrays, LoadConfig(library=missing[0].name))
    assert record.failed is not None
    assert record.failed.kind == "config"
    assert "pip install" in record.failed.message
