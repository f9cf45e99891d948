import itertools
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.load.extents import (
    Extent,
    coalesce,
    partition,
    request_count,
    split,
    total_bytes,
)
from modelmon.core.load.planner import MAX_GAP_BYTES, model_extents, plan_load, tensor_extents
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.units import KIB, MIB

CHUNKS = st.sampled_from([4 * KIB, 16 * KIB, 64 * KIB])


@st.composite
def models(draw):
    """Models with gaps, empty tensors, several shards and blocks in any order."""
    tensors, shards = [], []
    for shard in range(draw(st.integers(1, 3))):
        offset = draw(st.integers(0, 300))
        for size in draw(st.lists(st.integers(0, 200_000), min_size=1, max_size=12)):
            offset += draw(st.sampled_from([0, 0, 0, 8, 31, MAX_GAP_BYTES, MAX_GAP_BYTES + 1]))
            name = f"t{len(tensors)}"
            tensors.append(Tensor(name, "U8", (size,), shard, offset, size))
            offset += size
        shards.append(Shard(f"/{shard}", offset, 0))
    assume(any(tensor.nbytes for tensor in tensors))
    order = draw(st.permutations(range(len(tensors))))
    cut = draw(st.integers(0, len(tensors)))
    parts = [part for part in (tuple(order[:cut]), tuple(order[cut:])) if part]
    blocks = tuple(
        Block(f"b{i}", part, sum(tensors[t].nbytes for t in part)) for i, part in enumerate(parts)
    )
    return Model("m", "/m", "safetensors", tuple(shards), tuple(tensors), blocks, {})


@st.composite
def configs(draw):
    return LoadConfig(
        order=draw(st.sampled_from(["file", "model", "random"])),
        readers=draw(st.integers(1, 9)),
        chunk_bytes=draw(CHUNKS),
    )


def covered(extents):
    return coalesce(sorted(extent for extent in extents if extent.nbytes))


def all_extents(plan):
    return [extent for extents in plan.readers for extent in extents]


@given(models(), configs())
def test_that_each_wanted_byte_is_in_exactly_one_extent(model, config):
    plan = plan_load(model, config)
    assert total_bytes(all_extents(plan)) == plan.planned_bytes == plan.model_bytes
    assert covered(all_extents(plan)) == covered(list(plan.wanted))
    for tensor in model.tensors:
        if tensor.nbytes:
            place = Extent(tensor.shard, tensor.offset_bytes, tensor.nbytes)
            assert any(
                wanted.shard == place.shard
                and wanted.offset_bytes <= place.offset_bytes
                and place.end_bytes <= wanted.end_bytes
                for wanted in plan.wanted
            )


@given(models(), configs())
def test_that_nothing_lies_outside_the_files(model, config):
    for extent in all_extents(plan_load(model, config)):
        assert extent.nbytes > 0
        assert extent.offset_bytes >= 0
        assert extent.end_bytes <= model.shards[extent.shard].size_bytes


@given(models(), configs())
def test_that_offsets_ascend_within_each_reader_in_file_order(model, config):
    for extents in plan_load(model, replace(config, order="file")).readers:
        assert list(extents) == sorted(extents)


@given(models(), configs())
def test_that_each_reader_has_an_even_share_within_one_chunk(model, config):
    plan = plan_load(model, config)
    even = plan.planned_bytes / config.readers
    for extents in plan.readers:
        assert abs(total_bytes(extents) - even) <= config.chunk_bytes


@given(models(), configs(), st.integers(1, 400_000))
def test_that_a_portion_is_part_of_the_plan_and_as_large_as_asked_for_every_strategy(
    model, config, portion_bytes
):
    whole = plan_load(model, config)
    part = plan_load(model, config, portion_bytes)
    assert part.planned_bytes == min(portion_bytes, whole.planned_bytes)
    assert total_bytes(all_extents(part)) == part.planned_bytes
    other = LoadConfig(access="mmap", order="model", chunk_bytes=4 * MIB)
    assert plan_load(model, other, portion_bytes).wanted == part.wanted
    for extent in part.wanted:
        assert any(
            room.shard == extent.shard
            and room.offset_bytes <= extent.offset_bytes
            and extent.end_bytes <= room.end_bytes
            for room in whole.wanted
        )


@given(models())
def test_that_the_whole_covers_what_its_tensors_cover(model):
    assert model_extents(model) == covered(tensor_extents(model))


@given(models())
def test_that_tensor_extents_are_disjoint_and_swallow_only_small_gaps(model):
    extents = tensor_extents(model)
    for tensor, extent in zip(model.tensors, extents, strict=True):
        assert extent.nbytes >= tensor.nbytes
        assert extent.nbytes - tensor.nbytes <= MAX_GAP_BYTES
    kept = sorted(extent for extent in extents if extent.nbytes)
    for before, after in itertools.pairwise(kept):
        assert before.shard < after.shard or before.end_bytes <= after.offset_bytes


@given(st.integers(0, 10**7), st.integers(0, 10**6), CHUNKS)
def test_that_requests_cover_an_extent_and_are_cut_at_multiples_of_the_chunk(
    offset, nbytes, chunk_bytes
):
    extent = Extent(0, offset, nbytes)
    requests = list(split(extent, chunk_bytes))
    assert len(requests) == request_count(extent, chunk_bytes)
    assert total_bytes(requests) == nbytes
    assert all(request.nbytes <= chunk_bytes for request in requests)
    assert all(request.offset_bytes % chunk_bytes == 0 for request in requests[1:])
    assert coalesce(requests) == ([extent] if nbytes else [])


def test_that_model_order_asks_for_blocks_as_they_execute():
    tensors = tuple(Tensor(f"t{i}", "U8", (4096,), 0, 4096 * i, 4096) for i in range(4))
    blocks = (Block("first", (3,), 4096), Block("rest", (0, 1, 2), 3 * 4096))
    model = Model("m", "/m", "safetensors", (Shard("/m", 16384, 0),), tensors, blocks, {})
    plan = plan_load(model, PRESETS["mmap"].config)
    assert plan.readers == ((Extent(0, 12288, 4096), Extent(0, 0, 12288)),)


def test_that_more_readers_than_requests_leave_some_without_work():
    hands = partition([Extent(0, 0, 4096)], 4, 4096)
    assert sorted(map(len, hands)) == [0, 0, 0, 1]


def test_that_nothing_to_load_is_refused():
    tensors = (Tensor("empty", "U8", (0,), 0, 0, 0),)
    blocks = (Block("all", (0,), 0),)
    empty = Model("m", "/m", "safetensors", (Shard("/m", 8, 8),), tensors, blocks, {})
    with pytest.raises(ConfigError, match="nothing to load"):
        plan_load(empty, LoadConfig())


def test_that_a_portion_of_nothing_is_refused():
    tensors = (Tensor("t", "U8", (4096,), 0, 0, 4096),)
    model = Model(
        "m", "/m", "gguf", (Shard("/m", 4096, 0),), tensors, (Block("b", (0,), 4096),), {}
    )
    with pytest.raises(ConfigError, match="0 bytes"):
        plan_load(model, LoadConfig(), portion_bytes=0)


def test_that_a_portion_of_a_large_model_is_spread_over_all_of_it():
    size = 64 * 1024 * MIB
    tensors = (Tensor("t", "U8", (size,), 0, 0, size),)
    model = Model(
        "m", "/m", "gguf", (Shard("/m", size, 0),), tensors, (Block("b", (0,), size),), {}
    )
    wanted = plan_load(model, LoadConfig(), 32 * 1024 * MIB).wanted
    assert total_bytes(wanted) == 32 * 1024 * MIB
    assert len(wanted) == 64
    assert max(extent.end_bytes for extent in wanted) > 0.95 * size
    # What the kernel reads past the end of a piece must not outweigh it.
    assert len(plan_load(model, LoadConfig(), 1024 * MIB).wanted) == 4
    assert len(plan_load(model, LoadConfig(), 100 * MIB).wanted) == 1
