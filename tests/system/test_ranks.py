"""Ranks: processes that load at once, each the whole model or its slices."""

import pytest

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.subset import Subset
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job
from modelmon.core.worker.result import summarise

pytestmark = pytest.mark.system
RANKS = 3


def load(path, config, cache="cold"):
    record = run_job(Job(str(path), config, cache=cache, verify=True))
    assert record.finished is not None, record.failed
    assert record.finished.checksum_matches is True
    result = summarise(record)
    assert [warning.kind for warning in result.warnings if not warning.counts] == ["verified"]
    return result


def test_that_direct_ranks_fetch_the_model_each(on_a_device):
    result = load(on_a_device, LoadConfig(access="direct", ranks=RANKS, chunk_bytes=MIB))
    assert result.load_bytes == RANKS * result.file_bytes
    assert result.amplification == pytest.approx(RANKS, abs=0.2)


@pytest.mark.parametrize("warmup", [pytest.param("none", marks=pytest.mark.long), "read"])
def test_that_ranks_that_share_the_cache_fetch_the_model_once(on_a_device, warmup):
    result = load(on_a_device, LoadConfig(ranks=RANKS, warmup=warmup))
    assert result.load_bytes == RANKS * result.file_bytes
    # The kernel may take some of it back between two ranks.
    assert result.amplification == pytest.approx(1, abs=0.2)
    assert bool(result.warmup_ns) == (warmup == "read")


def test_that_the_slices_of_all_ranks_are_the_model_and_little_more(on_a_device):
    config = LoadConfig(ranks=RANKS, rank_share="slice", readers=2, deliver="streamed")
    result = load(on_a_device, config)
    assert result.memory_kind == "streamed"
    # Norms and the like are whole on each rank.
    assert result.file_bytes < result.load_bytes < 1.3 * result.file_bytes
    assert result.file_bytes <= result.model_bytes
    assert not result.extrapolated


def test_that_blocks_are_ready_when_every_rank_has_them(sample):
    config = LoadConfig(ranks=2, rank_share="slice", chunk_bytes=64 * 1024)
    record = run_job(Job(str(sample), config))
    assert record.finished is not None, record.failed
    assert [block.nbytes for block in record.blocks] == list(record.planned.block_bytes)
    assert sum(block.nbytes for block in record.blocks) == record.finished.delivered_bytes
    ends = [block.ready_ns for block in record.blocks]
    assert None not in ends
    assert max(end for end in ends if end is not None) <= record.finished.wall_ns
    assert sum(block.busy_ns for block in record.blocks) <= 1.01 * record.finished.wall_ns


@pytest.mark.parametrize(
    "access",
    [
        pytest.param("mmap", marks=pytest.mark.long),
        "direct",
        pytest.param("auto", marks=pytest.mark.long),
    ],
)
def test_that_a_rank_fetches_no_more_than_its_spans(on_a_device, access):
    subset = Subset(rank=1, ranks=RANKS)
    job = Job(str(on_a_device), LoadConfig(access=access), cache="cold", subset=subset)
    result = summarise(run_job(job))
    assert result.counts, result.why_not
    assert result.load_bytes == result.file_bytes < result.read_bytes < result.model_bytes
    assert result.fetched_share == pytest.approx(1, rel=0.05)
    assert result.amplification == pytest.approx(result.read_bytes / result.file_bytes, rel=0.05)


def test_that_one_ranks_slices_can_be_loaded_alone(sample):
    subset = Subset(rank=1, ranks=RANKS)
    record = run_job(Job(str(sample), LoadConfig(readers=2), verify=True, subset=subset))
    result = summarise(record)
    assert record.finished.checksum_matches is True
    assert result.subset == "rank 1/3"
    assert 0.25 < result.load_bytes / result.model_bytes < 0.5
    assert not result.extrapolated


def test_that_decoded_ranks_say_what_decoding_cost(samples):
    config = LoadConfig(ranks=2, deliver="decoded", chunk_bytes=MIB)
    record = run_job(Job(str(samples["gguf"]), config, verify=True))
    assert record.finished is not None, record.failed
    assert record.finished.checksum_matches is True
    assert (record.finished.decode_ns or 0) > 0
    assert record.finished.memory_kind == "streamed"
    # What readers wait for decoders is no storage's.
    assert (record.finished.io_wait_share or 0.0) < 0.5
