"""Ranks: processes that load at once, each the whole model or its slices."""

import pytest

from modelmon.core.load.config import LoadConfig
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job
from modelmon.core.worker.result import summarise

RANKS = 3
LONG = pytest.mark.long


def loaded(path, config, subset=WHOLE):
    """The record of a load whose checksums are right."""
    record = run_job(Job(str(path), config, cache="cold", verify=True, subset=subset))
    assert record.finished is not None, record.failed
    assert record.finished.checksum_matches is True
    warnings = summarise(record).warnings
    assert [each.kind for each in warnings if not each.counts] == ["verified"]
    return record


@pytest.mark.parametrize(
    ("config", "copies"),
    [
        (LoadConfig(access="direct", ranks=RANKS, chunk_bytes=MIB), RANKS),
        pytest.param(LoadConfig(ranks=RANKS), 1, marks=LONG),
        (LoadConfig(ranks=RANKS, warmup="read"), 1),
    ],
)
def test_that_direct_ranks_fetch_the_model_each_and_others_share_the_cache(
    on_a_device, config, copies
):
    result = summarise(loaded(on_a_device, config))
    assert result.load_bytes == RANKS * result.file_bytes
    # The kernel may take some of it back between two ranks.
    assert result.amplification == pytest.approx(copies, abs=0.2)
    assert bool(result.warmup_ns) == (config.warmup == "read")


def test_that_the_slices_of_all_ranks_are_the_model_and_little_more(on_a_device):
    config = LoadConfig(
        ranks=RANKS, rank_share="slice", readers=2, deliver="streamed", chunk_bytes=64 * 1024
    )
    record = loaded(on_a_device, config)
    result, done = summarise(record), record.finished
    assert result.memory_kind == "streamed"
    # Norms and the like are whole on each rank.
    assert result.file_bytes < result.load_bytes < 1.3 * result.file_bytes
    assert result.file_bytes <= result.model_bytes
    assert not result.extrapolated
    # A block is ready when every rank has it.
    assert [block.nbytes for block in record.blocks] == list(record.planned.block_bytes)
    assert sum(block.nbytes for block in record.blocks) == done.delivered_bytes
    assert max(block.ready_ns for block in record.blocks) <= done.wall_ns
    assert sum(block.busy_ns for block in record.blocks) <= 1.01 * done.wall_ns


@pytest.mark.parametrize(
    "access",
    [pytest.param("mmap", marks=LONG), "direct", pytest.param("auto", marks=LONG)],
)
def test_that_one_ranks_slices_alone_fetch_no_more_than_their_spans(on_a_device, access):
    subset, config = Subset(rank=1, ranks=RANKS), LoadConfig(access=access)
    result = summarise(run_job(Job(str(on_a_device), config, cache="cold", subset=subset)))
    assert result.counts, result.why_not
    assert result.subset == "rank 1/3"
    assert result.load_bytes == result.file_bytes < result.read_bytes < result.model_bytes
    assert 0.25 < result.load_bytes / result.model_bytes < 0.5
    assert result.fetched_share == pytest.approx(1, rel=0.05)
    assert result.amplification == pytest.approx(result.read_bytes / result.file_bytes, rel=0.05)
    assert not result.extrapolated
    assert loaded(on_a_device, config, subset)


def test_that_decoded_ranks_say_what_decoding_cost(samples):
    config = LoadConfig(ranks=2, deliver="decoded", chunk_bytes=MIB)
    done = run_job(Job(str(samples["gguf"]), config, verify=True)).finished
    assert done.checksum_matches is True
    assert (done.decode_ns or 0) > 0
    assert done.memory_kind == "streamed"
