"""Slices: what is gathered from spans, against arrays with a mark for each wanted byte."""

import gc
import itertools
import random
import weakref

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.load.api import load_model
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.extents import (
    MAX_ROW_GAP_BYTES,
    Extent,
    RankShare,
    Slices,
    Strided,
    split,
    total_bytes,
)
from modelmon.core.load.planner import plan_load
from modelmon.core.load.rules import needed_bytes
from modelmon.core.load.subset import Subset, TensorPiece, pieces_of
from modelmon.core.model.open import open_model
from modelmon.core.units import KIB, MIB

SHARDS, SIZE = 2, 6000
RANK = Subset(rank=1, ranks=3)
CONFIGS = st.builds(
    LoadConfig,
    order=st.sampled_from(["file", "model", "random"]),
    readers=st.integers(1, 5),
    chunk_bytes=st.sampled_from([4 * KIB, 64 * KIB, MIB]),
)


@st.composite
def slices(draw):
    parts = []
    for shard in range(SHARDS):
        end = draw(st.integers(0, 50))
        while end < SIZE // 2 and draw(st.booleans()):
            run = draw(st.integers(1, 40))
            stride = run + draw(st.integers(0, 90))
            runs = draw(st.integers(1, 20))
            parts.append(Strided(shard, end, run, stride, runs))
            end = parts[-1].end_bytes + draw(st.integers(0, 60))
    return Slices(draw(st.permutations(parts)))


def marked(wanted, size=SIZE):
    """By shard, whether each byte is wanted."""
    marks = [np.zeros(size, np.bool_) for _ in range(SHARDS)]
    for part in wanted.parts:
        for run in range(part.runs):
            start = part.offset_bytes + run * part.stride_bytes
            marks[part.shard][start : start + part.run_bytes] = True
    return marks


EXTENTS = st.builds(
    Extent, st.integers(0, SHARDS - 1), st.integers(0, SIZE // 2), st.integers(1, SIZE // 2)
)


@given(slices(), EXTENTS)
def test_that_wanted_bytes_are_counted_and_gathered(wanted, extent):
    marks = marked(wanted)
    shard, start, _ = extent
    inside = marks[shard][start : extent.end_bytes]
    assert wanted.nbytes(extent) == inside.sum()
    assert wanted.before(shard, start) == sum(m.sum() for m in marks[:shard]) + (
        marks[shard][:start].sum()
    )
    data = np.frombuffer(random.Random(start).randbytes(extent.nbytes), np.uint8)
    expected = data[inside].tobytes()
    assert bytes(wanted.gathered(extent, memoryview(data))) == expected
    # In the same memory, as where nothing is kept.
    same = memoryview(bytearray(data))
    wanted.gather(extent, same, same)
    assert bytes(same[: len(expected)]) == expected


@given(slices())
def test_that_each_wanted_byte_has_the_place_it_is_counted_at(wanted):
    places = [
        (shard, offset)
        for shard, mark in enumerate(marked(wanted))
        for offset in np.flatnonzero(mark).tolist()
    ]
    assert len(places) == wanted.total_bytes
    for position, (shard, offset) in enumerate(places):
        assert wanted.before(shard, offset) == position
        assert wanted.place(position) == offset


def plan_of(path, config, portion_bytes=None):
    return plan_load(open_model(path), config, portion_bytes, RANK)


@given(config=CONFIGS, form=st.sampled_from(["safetensors", "sharded", "gguf"]))
def test_that_every_request_begins_and_ends_with_wanted_bytes_but_for_small_gaps(
    small, config, form
):
    plan = plan_of(small[form], config)
    wanted = plan.slices[0]
    for extent in itertools.chain(*plan.readers):
        for request in split(extent, config.chunk_bytes):
            assert wanted.nbytes(request) > 0
    part = RankShare(pieces_of(open_model(small[form]), RANK), config.chunk_bytes)
    for before, after in itertools.pairwise(part.spans):
        if before.shard == after.shard:
            gap = after.offset_bytes - before.end_bytes
            assert gap >= min(MAX_ROW_GAP_BYTES, config.chunk_bytes - 1)
    assert plan.planned_bytes == plan.file_bytes == wanted.total_bytes < plan.read_bytes


@given(
    config=CONFIGS, form=st.sampled_from(["sharded", "gguf"]), portion_bytes=st.integers(1, 2**21)
)
def test_that_a_portion_of_slices_holds_as_many_wanted_bytes_as_asked(
    small, config, form, portion_bytes
):
    whole = plan_of(small[form], config)
    part = plan_of(small[form], config, portion_bytes)
    assert part.planned_bytes == min(portion_bytes, whole.planned_bytes)
    extents = sorted(itertools.chain(*part.readers))
    assert all(
        a.shard < b.shard or a.end_bytes <= b.offset_bytes for a, b in itertools.pairwise(extents)
    )
    if config.order != "model":
        other = plan_of(small[form], LoadConfig(chunk_bytes=config.chunk_bytes), portion_bytes)
        assert other.wanted == part.wanted


@pytest.mark.parametrize(("gap", "spans"), [(MAX_ROW_GAP_BYTES, 1), (MAX_ROW_GAP_BYTES + 1, 3)])
def test_that_rows_share_a_span_unless_they_lie_far_apart(gap, spans):
    rows = Strided(0, 0, run_bytes=100, stride_bytes=100 + gap, runs=3)
    piece = TensorPiece(0, (3, 100), 1, rows)
    part = RankShare([piece], 4 * MIB)
    assert len(part.spans) == spans
    assert total_bytes(part.spans) == 300 + (2 * gap if spans == 1 else 0)


def test_that_memory_for_the_detours_is_in_the_plan(small):
    config = LoadConfig(readers=3, chunk_bytes=64 * KIB)
    plan = plan_of(small["safetensors"], config)
    alone = needed_bytes(config, plan._replace(slices=()))
    kept = plan.read_bytes - plan.planned_bytes
    assert needed_bytes(config, plan) == alone - kept + 3 * plan.request_bytes


def test_that_a_mapped_slice_is_joined_once_while_it_is_held(small):
    loaded = load_model(small["safetensors"], "mmap", rank=(1, 3))
    name = next(name for name in loaded if name.endswith("o_proj.weight"))
    array = loaded[name]
    assert loaded[name] is array
    assert not array.flags.writeable
    gone = weakref.ref(array)
    del array
    gc.collect()
    assert gone() is None, "kept although nobody holds it"
