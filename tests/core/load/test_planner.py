"""Plans: every wanted byte once, even shares; ranks, portions, libraries, units to decode."""

import itertools
from collections import defaultdict
from dataclasses import replace
from math import prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.load.extents import (
    Extent,
    coalesce,
    distinct,
    partition,
    request_count,
    split,
    total_bytes,
    within,
)
from modelmon.core.load.plan import STORED, TensorValues
from modelmon.core.load.planner import (
    MAX_GAP_BYTES,
    Portion,
    Unit,
    model_extents,
    place_of_run,
    plan_load,
    tensor_extents,
    units_of,
    wanted_by_tensor,
)
from modelmon.core.load.rules import nearest_possible
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME
from modelmon.core.model.open import open_model
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.units import GIB, KIB, MIB

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
    return [extent for reader in plan.readers for extent in reader.extents]


def lies_in(extent, wanted):
    return any(room.contains(extent) for room in wanted)


@given(models(), configs())
def test_that_a_plan_asks_for_each_wanted_byte_once_in_order_and_evenly(model, config):
    plan = plan_load(model, config)
    assert total_bytes(all_extents(plan)) == plan.planned_bytes == plan.model_bytes
    assert covered(all_extents(plan)) == covered(list(plan.wanted))
    for tensor in model.tensors:
        place = Extent(tensor.shard, tensor.offset_bytes, tensor.nbytes)
        assert not tensor.nbytes or lies_in(place, plan.wanted)
    for extent in all_extents(plan):
        assert extent.nbytes > 0
        assert 0 <= extent.offset_bytes < extent.end_bytes <= model.shards[extent.shard].size_bytes
    even = plan.planned_bytes / config.readers
    for reader in plan.readers:
        assert abs(total_bytes(reader.extents) - even) <= config.chunk_bytes
        assert config.order != "file" or reader.extents == sorted(reader.extents)


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
    assert all(lies_in(extent, whole.wanted) for extent in part.wanted)


@given(models())
def test_that_tensor_extents_are_disjoint_and_swallow_only_small_gaps(model):
    extents = tensor_extents(model)
    assert model_extents(model) == covered(extents)
    for tensor, extent in zip(model.tensors, extents, strict=True):
        assert tensor.nbytes <= extent.nbytes <= tensor.nbytes + MAX_GAP_BYTES
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
    assert all_extents(plan) == [Extent(0, 12288, 4096), Extent(0, 0, 12288)]


def test_that_more_readers_than_requests_leave_some_without_work():
    hands = partition([Extent(0, 0, 4096)], 4, 4096)
    assert sorted(map(len, hands)) == [0, 0, 0, 1]


def one_tensor(nbytes):
    tensors = (Tensor("t", "U8", (nbytes,), 0, 8, nbytes),)
    shards = (Shard("/m", nbytes + 8, 8),)
    return Model("m", "/m", "safetensors", shards, tensors, (Block("b", (0,), nbytes),), {})


def test_that_nothing_to_load_is_refused():
    with pytest.raises(ConfigError, match="nothing to load"):
        plan_load(one_tensor(0), LoadConfig())
    with pytest.raises(ConfigError, match="0 bytes"):
        plan_load(one_tensor(4096), LoadConfig(), portion_bytes=0)


def test_that_a_portion_of_a_large_model_is_spread_over_all_of_it():
    model = one_tensor(64 * GIB)
    wanted = plan_load(model, LoadConfig(), 32 * GIB).wanted
    assert (total_bytes(wanted), len(wanted)) == (32 * GIB, 64)
    assert max(extent.end_bytes for extent in wanted) > 0.95 * 64 * GIB
    # What the kernel reads past the end of a piece must not outweigh it.
    assert len(plan_load(model, LoadConfig(), GIB).wanted) == 4
    assert len(plan_load(model, LoadConfig(), 100 * MIB).wanted) == 1


RANK_CONFIGS = st.builds(
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
def opened(small):
    """Opened once; hypothesis draws their names."""
    MODELS.update({form: open_model(path) for form, path in small.items()})


def planned(form, config, subset):
    return plan_load(MODELS[form], config, subset=subset)


def ranks_of(plan):
    """The readers of each rank."""
    each = len(plan.readers) // (plan.readers[-1].rank + 1)
    return [list(plan.readers[at : at + each]) for at in range(0, len(plan.readers), each)]


def wanted_of(slices, extents):
    """What a rank wants of extents: of slices run by run."""
    if slices is None:
        return extents
    runs = [
        Extent(part.shard, part.offset_bytes + run * part.stride_bytes, part.run_bytes)
        for part in slices.parts
        for run in range(part.runs)
    ]
    return within(runs, sorted(extents))


@given(FORMS, RANK_CONFIGS, SUBSETS)
def test_that_each_rank_asks_for_each_byte_of_its_share_once(form, config, subset):
    plan = planned(form, config, subset)
    ranks = ranks_of(plan)
    assert len(ranks) == config.ranks
    asked = []
    covered = []
    for rank, readers in enumerate(ranks):
        extents = [extent for reader in readers for extent in reader.extents]
        assert {reader.rank for reader in readers} == {rank}
        assert total_bytes(distinct(extents)) == total_bytes(extents), "asked for twice"
        wanted = list(plan.wanted)
        if config.rank_share == "slice":
            share = replace(subset, rank=rank, ranks=config.ranks)
            by_tensor = wanted_by_tensor(MODELS[form], share)
            wanted = distinct(part for parts in by_tensor.values() for part in parts)
        delivered = wanted_of(readers[0].slices, extents)
        assert distinct(delivered) == distinct(wanted)
        asked += extents
        covered += delivered
    assert distinct(asked) == list(plan.wanted)
    assert plan.read_bytes == total_bytes(plan.wanted)
    assert plan.planned_bytes == total_bytes(covered)
    assert plan.file_bytes == total_bytes(distinct(covered)) <= plan.model_bytes
    sizes = []
    for reader, count in zip(plan.readers, plan.request_counts, strict=True):
        extents = reader.extents
        requests = [part for extent in extents for part in split(extent, plan.chunk_bytes)]
        assert len(requests) == count
        sizes += [request.nbytes for request in requests]
        assert config.order != "file" or list(extents) == sorted(extents)
    assert max(sizes) <= plan.request_bytes <= config.chunk_bytes
    for readers in ranks:
        sizes = [total_bytes(reader.extents) for reader in readers]
        even = sum(sizes) / config.readers
        assert all(abs(size - even) <= config.chunk_bytes for size in sizes)


@given(FORMS, SUBSETS, st.sampled_from(["file", "model", "random"]), st.integers(1, 3))
def test_that_a_library_is_asked_for_whole_tensors_in_order(form, subset, order, ranks):
    config = LoadConfig(library="gguf.GGUFReader", order=order, ranks=ranks)
    plan = planned(form, config, subset)
    model = MODELS[form]
    chosen = wanted_by_tensor(model, subset)
    tensors = {each.name: each for each in map(model.tensors.__getitem__, chosen) if each.nbytes}
    names = plan.readers[0].names
    assert sorted(names) == sorted(tensors)
    places = [Extent(t.shard, t.offset_bytes, t.nbytes) for t in map(tensors.get, names)]
    assert [reader[:4] for reader in plan.readers] == [(places, None, (), names)] * ranks
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
        units = [unit for reader in plan.readers for unit in reader.parts]
        parts = [part for unit in units for part in unit]
        values.append(distinct(Extent(p.tensor, p.first_element, p.elements) for p in parts))
        assert total_bytes(values[-1]) == sum(part.elements for part in parts) > 0
    assert values[0] == values[1] == values[2]


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (LoadConfig(ranks=2, rank_share="slice"), "split again for several ranks"),
        (LoadConfig(library="gguf.GGUFReader"), "whole tensors"),
    ],
)
def test_that_one_ranks_part_is_not_divided_again(config, words):
    with pytest.raises(ConfigError, match=words):
        planned("gguf", config, Subset(rank=0, ranks=2))


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


def bytes_of(extents):
    """Every byte as shard and offset, in the extents' order."""
    return [
        (extent.shard, extent.offset_bytes + at)
        for extent in extents
        for at in range(extent.nbytes)
    ]


SPACED = st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=6)
"""Gaps and sizes."""


@st.composite
def disjoint(draw):
    """Extents in file order that do not touch."""
    extents = []
    for shard in range(3):
        offset = 0
        for gap, size in draw(SPACED):
            extents.append(Extent(shard, offset + gap, size))
            offset += gap + size
    return extents


@given(st.data(), disjoint())
def test_that_what_lies_within_keeps_the_order_in_which_it_is_asked(data, wanted):
    asked = data.draw(st.permutations(data.draw(disjoint())))
    kept = set(bytes_of(wanted))
    assert bytes_of(within(asked, wanted)) == [at for at in bytes_of(asked) if at in kept]


@given(st.data(), disjoint().filter(bool))
def test_that_a_portion_is_wanted_bytes_each_once_and_exactly_as_many(data, wanted):
    portion = Portion(data.draw(st.integers(1, total_bytes(wanted))), data.draw(st.floats(0, 1)))
    taken = bytes_of(portion.spread(wanted))
    assert len(taken) == len(set(taken)) == portion.nbytes
    assert set(taken) <= set(bytes_of(wanted))


def test_that_a_few_runs_read_what_none_before_them_has():
    whole = [Extent(0, 0, 1000)]
    seen = set()
    for number in range(5):
        taken = set(bytes_of(Portion(100, place_of_run(number)).spread(whole)))
        assert not taken & seen
        seen |= taken


class Looked(Extent):
    """An extent that counts how often its end is asked for."""

    looks = 0

    @property
    def end_bytes(self):
        """As an extent's."""
        Looked.looks += 1
        return self.offset_bytes + self.nbytes


def test_that_each_of_many_slices_is_compared_with_its_neighbours_alone():
    slices = 500
    wanted = [Looked(0, 8192 * number, 4096) for number in range(slices)]
    asked = [Extent(0, 8192 * number + 1024, 4096) for number in reversed(range(slices))]
    Looked.looks = 0
    assert total_bytes(within(asked, wanted)) == slices * 3072
    assert Looked.looks <= 4 * slices


# Values stored together, and the bytes they take.
PACKING = {"U8": (1, 1), "F8_E4M3": (1, 1), "BF16": (1, 2), "F32": (1, 4), "F64": (1, 8)} | {
    name: GGML_TYPES_BY_NAME[name][1:] for name in ("Q4_0", "Q8_0", "Q4_K", "Q6_K")
}
UNIT_CHUNKS = st.sampled_from([1, 20, 100, 210, KIB, 5_000, 64 * KIB])
GAP = 4096


def packed_model(tensors):
    ends = defaultdict(int)
    for tensor in tensors:
        ends[tensor.shard] = max(ends[tensor.shard], tensor.offset_bytes + tensor.nbytes)
    shards = tuple(Shard(f"/{shard}", ends[shard], 0) for shard in range(max(ends) + 1))
    return Model("m", "/m", "gguf", shards, tuple(tensors), (), {})


def tensor_of(dtype, groups, shard, offset):
    values, nbytes = PACKING[dtype]
    return Tensor(f"{dtype}@{offset}", dtype, (groups * values,), shard, offset, groups * nbytes)


@st.composite
def packed_models(draw):
    """Models of several shards with gaps, empty tensors, and tensors over shared bytes."""
    tensors = []
    for shard in range(draw(st.integers(1, 3))):
        offset = draw(st.integers(0, 300))
        for groups in draw(st.lists(st.integers(0, 400), min_size=1, max_size=10)):
            dtype = draw(st.sampled_from(sorted(PACKING)))
            offset += draw(st.sampled_from([0, 0, 0, 8, 31, GAP, GAP + 1]))
            tensor = tensor_of(dtype, groups, shard, offset)
            tensors.append(tensor)
            if draw(st.booleans()):
                shared = draw(st.sampled_from(["U8", "Q8_0", dtype]))
                inner = draw(st.integers(0, tensor.nbytes))
                most = (tensor.nbytes - inner) // PACKING[shared][1]
                tensors.append(tensor_of(shared, draw(st.integers(0, most)), shard, offset + inner))
            offset += tensor.nbytes
    return packed_model(tensors)


def units(model, chunk_bytes):
    return units_of(model, range(len(model.tensors)), chunk_bytes)


def parts_by_tensor(found):
    parts = defaultdict(list)
    for unit in found:
        for part in unit.parts:
            parts[part.tensor].append((unit.extent, part))
    return parts


@given(packed_models(), UNIT_CHUNKS)
def test_that_each_value_is_in_exactly_one_part_where_its_bytes_are(model, chunk_bytes):
    parts = parts_by_tensor(units(model, chunk_bytes))
    for index, tensor in enumerate(model.tensors):
        values, block_bytes = PACKING[tensor.dtype]
        element, offset = 0, tensor.offset_bytes
        for extent, part in sorted(parts[index], key=lambda pair: pair[1].first_element):
            assert part.dtype == (STORED if tensor.dtype == "U8" else tensor.dtype)
            assert part.first_element == element
            assert extent.shard == tensor.shard
            assert extent.offset_bytes + part.start_bytes == offset
            assert part.elements * block_bytes == part.nbytes * values
            assert part.elements % values == 0
            element += part.elements
            offset += part.nbytes
        assert element == prod(tensor.shape)
        assert offset == tensor.offset_bytes + tensor.nbytes


@given(packed_models(), UNIT_CHUNKS)
def test_that_units_are_in_order_and_read_no_more_than_small_gaps_and_single_blocks(
    model, chunk_bytes
):
    found = units(model, chunk_bytes)
    extents = [unit.extent for unit in found]
    assert len(set(extents)) == len(extents)
    assert [extent[:2] for extent in extents] == sorted(extent[:2] for extent in extents)
    for unit in found:
        end = 0
        for part in sorted(unit.parts, key=lambda part: (part.start_bytes, part.nbytes)):
            assert part.nbytes > 0
            assert part.start_bytes <= (end + GAP if end else 0)
            end = max(end, part.start_bytes + part.nbytes)
        assert end == unit.extent.nbytes
        largest = max(PACKING.get(part.dtype, (1, 1))[1] for part in unit.parts)
        assert end <= max(chunk_bytes, largest)


@given(packed_models(), UNIT_CHUNKS, st.data())
def test_that_only_the_chosen_tensors_are_decoded(model, chunk_bytes, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(model.tensors))), unique=True))
    found = parts_by_tensor(units_of(model, chosen, chunk_bytes))
    assert set(found) == {index for index in chosen if model.tensors[index].nbytes}


def test_that_small_neighbours_share_requests():
    model = packed_model([tensor_of("F32", 32, 0, 128 * number) for number in range(20_000)])
    found = units(model, 64 * KIB)
    assert len(found) == 40  # 2,560,000 bytes in requests of 65,536
    assert sum(len(unit.parts) for unit in found) == 20_000


def test_that_a_large_tensor_is_cut_between_quantisation_blocks():
    model = packed_model([tensor_of("Q6_K", 10, 0, 32)])
    assert [unit.extent for unit in units(model, 1000)] == [
        Extent(0, 32, 840),
        Extent(0, 872, 840),
        Extent(0, 1712, 420),
    ]


def test_that_a_tensor_packed_below_a_byte_stays_whole():
    model = packed_model([Tensor("t", "F6_E2M3", (400,), 0, 0, 300)])
    assert units(model, 100) == [
        Unit(Extent(0, 0, 300), (TensorValues("F6_E2M3", 0, 300, 0, 0, 400),)),
    ]
