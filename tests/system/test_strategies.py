"""Every strategy, on every format, in real processes: the bytes, the start, the figures."""

import hashlib
import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from tests.system.runs import sparse_model, started_as_asked

from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.model.open import open_model
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job
from modelmon.core.worker.record import read_record
from modelmon.core.worker.result import summarise

LONG, SOAK = pytest.mark.long, pytest.mark.soak
SOME = pytest.mark.parametrize(
    "strategy",
    [pytest.param(name, marks=() if name in ("mmap", "direct") else SOAK) for name in PRESETS],
)


def load(path, strategy="mmap", cache="as-is", *, deliver=None, verify=False, portion_bytes=None):
    config = PRESETS[strategy].config
    if deliver == "owned":
        config = replace(config, deliver="owned")
    return run_job(Job(str(path), config, strategy, cache, verify, portion_bytes=portion_bytes))


def planned_sha256(path):
    """SHA-256 over all bytes between each shard's first and last tensor, from the file."""
    model = open_model(path)
    digest = hashlib.sha256()
    for number, shard in enumerate(model.shards):
        tensors = [tensor for tensor in model.tensors if tensor.shard == number]
        start = min(tensor.offset_bytes for tensor in tensors)
        end = max(tensor.offset_bytes + tensor.nbytes for tensor in tensors)
        digest.update(Path(shard.path).read_bytes()[start:end])
    return digest.hexdigest()


def assert_that_pieces_join(record):
    """No byte between the first and the last was asked for twice, or never."""
    pieces = sorted(zip(record.chunks.offset_bytes, record.chunks.nbytes, strict=True))
    for (offset, nbytes), (following, _) in itertools.pairwise(pieces):
        assert offset + nbytes == following


OFTEN = ("mmap", "parallel", "direct", "auto", "processes", "shared-fd")
FORMS = (("safetensors", "usable"), ("sharded", "owned"), ("gguf", "usable"))


# Each format with each delivery: core/load/test_matrix.py.
@pytest.mark.parametrize(
    ("strategy", "form", "deliver"),
    [
        # Some with one of them; all with all where there is time.
        pytest.param(
            strategy,
            *form,
            marks=() if which % len(FORMS) == number and strategy in OFTEN else LONG,
        )
        for which, strategy in enumerate(PRESETS)
        for number, form in enumerate(FORMS)
    ],
)
def test_that_every_strategy_delivers_the_files_bytes_once_and_blocks_add_up(
    samples, form, strategy, deliver, request
):
    if strategy == "direct":
        request.getfixturevalue("needs_direct")
    record = load(samples[form], strategy, deliver=deliver, verify=True)
    planned, finished = record.planned, record.finished
    assert planned is not None
    assert finished is not None, record.failed
    assert finished.checksum_matches is True
    assert finished.checksum == planned_sha256(samples[form])
    assert finished.delivered_bytes == sum(record.chunks.nbytes) == planned.planned_bytes
    assert len(record.chunks) == planned.requests
    if form != "sharded":
        assert_that_pieces_join(record)
    assert [block.name for block in record.blocks] == list(planned.block_names)
    assert [block.nbytes for block in record.blocks] == list(planned.block_bytes)
    assert all(block.ready_ns is not None for block in record.blocks)
    assert 0 < sum(block.busy_ns for block in record.blocks) <= finished.wall_ns * 1.01
    if PRESETS[strategy].config.reader_kind == "process":
        assert set(record.chunks.reader) == {0, 1, 2, 3}
    # Hashing is no part of the load.
    times = [taken.t_ns for taken in record.samples]
    assert times == sorted(times)
    assert times[-1] == finished.wall_ns


@SOME
def test_that_a_cold_start_is_verified_and_comes_from_the_device(on_a_device, strategy):
    config = PRESETS[strategy].config
    record = started_as_asked(Job(str(on_a_device), config, cache="cold"))
    result = summarise(record)
    assert result.counts, result.why_not
    assert (result.cache_state, result.cache_evidence) == ("cold", "verified")
    assert result.residency_before_share < 0.01
    assert result.device_bytes >= 0.98 * result.load_bytes
    before, *during, after = record.cache_maps
    assert (before.moment, before.t_ns) == ("before", 0)
    assert (after.moment, after.t_ns) == ("after", result.wall_ns)
    assert {each.moment for each in during} <= {"during"}
    for each in (before, after):
        sizes = tuple(file.size_bytes for file in each.map.files)
        assert sizes == record.planned.shard_bytes
    assert before.map.whole.share < 0.01
    if config.access == "direct":
        # Unless this filesystem refuses it.
        assert after.map.whole.share < 0.05 or result.warnings
    elif config.access != "auto":
        # The kernel may have taken some of it back.
        assert after.map.whole.share > 0.5


@SOME
def test_that_a_warm_start_is_verified_and_leaves_the_device_alone_unless_it_is_asked_directly(
    on_a_device, strategy
):
    result = summarise(
        started_as_asked(Job(str(on_a_device), PRESETS[strategy].config, cache="warm"))
    )
    assert result.counts, result.why_not
    assert (result.cache_state, result.cache_evidence) == ("warm", "verified")
    assert result.device_bytes is not None
    if PRESETS[strategy].config.access == "direct":
        assert result.device_bytes >= 0.99 * result.load_bytes
    else:
        # On a fresh machine the loader's own code comes from there.
        assert result.device_bytes < 0.1 * result.load_bytes


def test_that_mapped_memory_is_the_files_and_owned_memory_is_private(sample):
    mapped, owned = load(sample), load(sample, deliver="owned")
    for record, kind in ((mapped, "mapped"), (owned, "owned")):
        assert record.finished.memory_kind == kind
        last = record.samples[-1]
        if last.rss_anon_bytes is None or last.rss_file_bytes is None:
            pytest.skip("this platform does not split RSS")
    size = open_model(sample).nbytes
    last = mapped.samples[-1]
    # Mapped pages of tmpfs count as shared memory.
    assert (last.rss_file_bytes or 0) + (last.rss_shared_bytes or 0) > 0.95 * size
    assert (mapped.samples[-1].rss_anon_bytes or 0) < 0.5 * size + 20 * MIB
    assert (owned.samples[-1].rss_anon_bytes or 0) > 0.95 * size


def test_that_a_portion_loads_part_of_the_model_and_says_so(sample):
    config = LoadConfig(chunk_bytes=64 * 1024)
    record = run_job(Job(str(sample), config, portion_bytes=6 * MIB))
    result = summarise(record)
    assert result.extrapolated
    assert 4 * MIB < result.load_bytes < 8 * MIB
    assert result.model_wall_ns > 2 * result.wall_ns
    # So small a one is a single piece, from the first block on.
    assert len(record.blocks) == len(record.planned.block_names) > 0


def test_that_a_sparse_file_can_start_cold(tmp_path, on_a_device):
    del on_a_device
    path = sparse_model(tmp_path / "sparse.safetensors", 16 * MIB)
    with path.open("r+b") as file:
        file.seek(8 * MIB)
        file.write(b"x" * MIB)
    result = summarise(load(path, "sequential", "cold"))
    assert result.cache_state == "cold"
    assert result.counts, result.why_not


def test_that_a_recording_replays_to_the_same_result(sample, tmp_path):
    path = tmp_path / "run.jsonl"
    with path.open("wb") as file:
        live = run_job(Job(str(sample), PRESETS["parallel"].config, "parallel"), recording=file)
    replayed = read_record(path)
    assert summarise(replayed) == summarise(live)
    assert replayed.blocks == live.blocks
    assert replayed.chunks.start_ns == live.chunks.start_ns
    assert replayed.samples == live.samples
    assert replayed.cache_maps == live.cache_maps
