"""Plans of ranks, slices, units to decode and libraries: the promises of every plan."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.extents import (
    Extent,
    distinct,
    partition_whole,
    split,
    total_bytes,
    within,
)
from modelmon.core.load.planner import plan_load, wanted_by_tensor
from modelmon.core.load.rules import nearest_possible
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.model.open import open_model
from modelmon.core.units import KIB, MIB

CONFIGS = st.builds(
    LoadConfig,
    order=st.sampled_from(["file", "model", "random"]),
    readers=st.integers(1, 5),
    ranks=st.integers(1, 4),
    rank_share=st.sampled_from(["whole", "slice"]),
    chunk_bytes=st.sampled_from([4 * KIB, 64 * KIB, MIB]),
    deliver=st.sampled_from(["usable", "streamed", "decoded"]),
).map(nearest_possible)
SUBSETS = st.sampled_from([WHOLE, Subset(tensors=("*q*",)), Subset(blocks=("*.2",))])
FORMS = st.sampled_from(["safetensors", "sharded", "gguf"])


MODELS = {}


@pytest.fixture(autouse=True, scope="module")
def models(small):
    """Opened once; hypothesis draws their names."""
    MODELS.update({form: open_model(path) for form, path in small.items()})


def planned(form, config, subset):
    return plan_load(MODELS[form], config, subset=subset)


def ranks_of(plan):
    """The readers of each rank."""
    each = plan.readers_per_rank
    return [list(plan.readers[at : at + each]) for at in range(0, len(plan.readers), each)]


def wanted_of(plan, reader, extents):
    """What a reader's rank wants of extents: of slices run by run."""
    slices = plan.slices_of(reader)
    if slices is None:
        return extents
    runs = [
        Extent(part.shard, part.offset_bytes + run * part.stride_bytes, part.run_bytes)
        for part in slices.parts
        for run in range(part.runs)
    ]
    return within(runs, sorted(extents))


@given(FORMS, CONFIGS, SUBSETS)
def test_that_each_rank_asks_for_each_byte_of_its_share_once(form, config, subset):
    plan = planned(form, config, subset)
    ranks = ranks_of(plan)
    assert len(ranks) == config.ranks
    asked = []
    covered = []
    for rank, readers in enumerate(ranks):
        extents = [extent for reader in readers for extent in reader]
        assert total_bytes(distinct(extents)) == total_bytes(extents), "asked for twice"
        wanted = list(plan.wanted)
        if config.rank_share == "slice":
            share = replace(subset, rank=rank, ranks=config.ranks)
            by_tensor = wanted_by_tensor(MODELS[form], share)
            wanted = distinct(part for parts in by_tensor.values() for part in parts)
        delivered = wanted_of(plan, rank * plan.readers_per_rank, extents)
        assert distinct(delivered) == distinct(wanted)
        asked += extents
        covered += delivered
    assert distinct(asked) == list(plan.wanted)
    assert plan.read_bytes == total_bytes(plan.wanted)
    assert plan.planned_bytes == total_bytes(covered)
    assert plan.file_bytes == total_bytes(distinct(covered)) <= plan.model_bytes


@given(FORMS, CONFIGS, SUBSETS)
def test_that_requests_are_as_many_and_as_large_as_the_plan_says(form, config, subset):
    plan = planned(form, config, subset)
    sizes = []
    for extents, count in zip(plan.readers, plan.request_counts, strict=True):
        requests = [part for extent in extents for part in split(extent, plan.chunk_bytes)]
        assert len(requests) == count
        sizes += [request.nbytes for request in requests]
    assert max(sizes) <= plan.request_bytes <= config.chunk_bytes
    if config.order == "file":
        assert all(list(reader) == sorted(reader) for reader in plan.readers)


@given(FORMS, CONFIGS, SUBSETS)
def test_that_the_readers_of_a_rank_have_even_shares(form, config, subset):
    for readers in ranks_of(planned(form, config, subset)):
        even = sum(map(total_bytes, readers)) / config.readers
        assert all(abs(total_bytes(reader) - even) <= config.chunk_bytes for reader in readers)


@given(FORMS, SUBSETS, st.sampled_from(["file", "model", "random"]), st.integers(1, 3))
def test_that_a_library_is_asked_for_whole_tensors_in_order(form, subset, order, ranks):
    config = LoadConfig(library="gguf.GGUFReader", order=order, ranks=ranks)
    plan = planned(form, config, subset)
    model = MODELS[form]
    chosen = wanted_by_tensor(model, subset)
    assert sorted(plan.tensors) == sorted(index for index in chosen if model.tensors[index].nbytes)
    places = [
        Extent(tensor.shard, tensor.offset_bytes, tensor.nbytes)
        for tensor in map(model.tensors.__getitem__, plan.tensors)
    ]
    assert list(plan.readers) == [tuple(places)] * ranks
    assert plan.request_counts == (len(places),) * ranks
    assert plan.request_bytes == max(place.nbytes for place in places)
    if order == "file":
        assert places == sorted(places)


@given(FORMS, SUBSETS, st.integers(1, 4 * MIB))
def test_that_a_portion_decodes_the_same_values_whatever_the_chunk(form, subset, portion_bytes):
    values = []
    for chunk_bytes in (4 * KIB, 64 * KIB, MIB):
        config = LoadConfig(deliver="decoded", chunk_bytes=chunk_bytes)
        plan = plan_load(MODELS[form], config, portion_bytes, subset)
        parts = [part for parts in itertools.chain(*plan.parts) for part in parts]
        values.append(distinct(Extent(p.tensor, p.first_element, p.elements) for p in parts))
        assert total_bytes(values[-1]) == sum(part.elements for part in parts) > 0
    assert values[0] == values[1] == values[2]


def test_that_one_ranks_part_is_not_sliced_again():
    config = LoadConfig(ranks=2, rank_share="slice")
    with pytest.raises(ConfigError, match="cannot be sliced for several ranks again"):
        plan_load(MODELS["gguf"], config, subset=Subset(rank=0, ranks=2))


def test_that_a_library_has_no_parts_of_tensors():
    config = LoadConfig(library="gguf.GGUFReader")
    with pytest.raises(ConfigError, match="whole tensors"):
        planned("gguf", config, Subset(rank=0, ranks=2))


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=40), st.integers(1, 9))
def test_that_whole_extents_are_dealt_in_runs_that_are_even_within_the_largest(sizes, readers):
    starts = itertools.accumulate(sizes, initial=0)
    extents = [Extent(0, start, size) for start, size in zip(starts, sizes, strict=False)]
    hands = partition_whole(extents, readers)
    assert [extent for hand in hands for extent in hand] == extents
    even = sum(sizes) / readers
    assert all(abs(total_bytes(hand) - even) <= max(sizes) for hand in hands)


@given(
    st.lists(
        st.builds(Extent, st.integers(0, 1), st.integers(0, 300), st.integers(0, 90)), max_size=12
    )
)
def test_that_distinct_bytes_are_each_once_and_in_file_order(extents):
    found = distinct(extents)
    expected = {(e.shard, at) for e in extents for at in range(e.offset_bytes, e.end_bytes)}
    assert {(e.shard, at) for e in found for at in range(e.offset_bytes, e.end_bytes)} == expected
    assert total_bytes(found) == len(expected)
    for before, after in itertools.pairwise(found):
        assert (before.shard, before.end_bytes) < (after.shard, after.offset_bytes)
