"""Warming, for others and for a load: which files first, by how many readers, and all of it."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.page_cache import left_alone

from modelmon.core.load import warming
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.load.engine import Engine
from modelmon.core.load.extents import Extent, total_bytes
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.plan import ProcessPlan, ReaderPlan
from modelmon.core.load.warmup import warm_up
from modelmon.core.machine.page_cache import residency
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.units import MIB
from modelmon.core.worker.client import run_job
from modelmon.core.worker.events import Job


def test_that_shards_come_in_the_order_in_which_the_model_needs_them():
    """The names of shards need not be in that order; what has no tensors comes last."""
    tensors = tuple(
        Tensor(f"t{number}", "F32", (1,), shard, 8, 4) for number, shard in enumerate((1, 2, 2))
    )
    blocks = tuple(Block(name, (index,), 4) for name, index in (("a", 2), ("b", 0), ("c", 1)))
    shards = tuple(Shard(f"/{number}", 16, 8) for number in range(3))
    model = Model("m", "/", "safetensors", shards, tensors, blocks, {})
    assert warming._execution_order(model) == [2, 1, 0]


@given(st.lists(st.integers(1, 100), max_size=6), st.integers(0, 700))
def test_that_what_fits_is_taken_from_the_beginning(sizes, most_bytes):
    whole = [Extent(shard, 0, size) for shard, size in enumerate(sizes)]
    taken = warming._first(whole, most_bytes)
    assert total_bytes(taken) == min(sum(sizes), most_bytes)
    assert [extent[:2] for extent in taken] == [extent[:2] for extent in whole[: len(taken)]]
    assert all(part == full for part, full in zip(taken[:-1], whole, strict=False))


@pytest.mark.parametrize(
    ("rates", "readers"),
    [
        ({1: 124.0, 2: 31.0}, 1),  # a hard disk
        ({1: 100.0, 2: 105.0}, 1),  # no difference to speak of
        ({1: 20.0, 2: 39.0, 4: 77.0, 8: 80.0}, 4),
        ({1: 20.0, 2: 40.0, 4: 80.0, 8: 160.0}, 8),
    ],
)
def test_that_readers_are_doubled_as_long_as_that_is_faster(monkeypatch, rates, readers):
    work = warming._Work([Extent(0, 0, 1)], lambda _: None)

    def rate(tried, _hopeless=0.0):
        work.readers = tried
        return rates[tried]

    monkeypatch.setattr(work, "_rate", rate)
    work.find_readers()
    assert work.readers == readers


def test_that_a_reader_that_is_one_too_many_hands_back_what_is_left_of_its_piece():
    first, second = Extent(0, 0, 10), Extent(0, 10, 10)
    work = warming._Work([second], lambda _: None)
    assert work.hand_back(1, first)
    assert not work.hand_back(0, first)
    assert list(work._left) == [first, second]
    work.give_up()
    # Nobody would take it any more.
    assert not work.hand_back(1, first)


def cached_share(path):
    with path.open("rb") as file:
        return residency(file.fileno(), [(0, path.stat().st_size)]).share


def test_that_all_is_cached_when_it_ends(on_a_device):
    size = on_a_device.stat().st_size

    def warmed_up():
        before, reported = cached_share(on_a_device), list[int]()
        files = OpenFiles([(str(on_a_device), size)], [0])
        account = warm_up(files, [Extent(0, 0, size)], MIB, reported.append)
        files.close()
        return before, cached_share(on_a_device), reported, account.wall_ns

    before, after, reported, wall_ns = left_alone(warmed_up, on_a_device)
    assert (before, after) == (0, 1)
    assert reported == sorted(reported)
    assert reported[-1] == size
    assert wall_ns > 0


def test_that_populate_caches_and_maps_all(on_a_device):
    size = on_a_device.stat().st_size
    reader = ReaderPlan([Extent(0, 0, size)])
    share = ProcessPlan(PRESETS["populate"].config, [(str(on_a_device), size)], [reader], MIB)

    def populated():
        before, engine = cached_share(on_a_device), Engine(share)
        engine.populate()
        after = cached_share(on_a_device)
        engine.close()
        return before, after

    assert left_alone(populated, on_a_device) == (0, 1)


@pytest.mark.parametrize("kind", ["read", "populate"])
def test_that_it_is_a_phase_of_its_own_with_its_bytes(on_a_device, kind):
    config = replace(PRESETS["mmap"].config, warmup=kind)
    was_warming = []
    job = Job(str(on_a_device), config, cache="cold")
    record = run_job(job, lambda _event, so_far: was_warming.append(so_far.is_warming))
    assert record.finished is not None, record.failed
    assert any(was_warming)
    assert not was_warming[-1]
    assert 0 < record.finished.warmup_ns < record.finished.wall_ns
    assert record.finished.warmup_ns <= min(record.chunks.start_ns)
    # The kernel may have taken some of it back.
    half = record.planned.file_bytes / 2
    assert half < (record.samples[-1].warmup_bytes or 0) <= record.planned.file_bytes
    assert (record.finished.residency_after_share or 0) > 0.5
    assert record.finished.counts


def test_that_one_rank_warms_up_for_all(on_a_device):
    config = LoadConfig(ranks=2, warmup="read")
    record = run_job(Job(str(on_a_device), config, cache="cold"))
    assert record.finished is not None, record.failed
    assert min(record.chunks.start_ns) >= record.finished.warmup_ns > 0
    assert record.finished.delivered_bytes == 2 * record.planned.file_bytes
    assert (record.finished.device_bytes or 0) < 1.5 * record.planned.file_bytes
