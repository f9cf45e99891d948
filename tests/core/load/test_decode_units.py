import itertools
from collections import defaultdict
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.load.extents import Extent
from modelmon.core.load.plan import STORED, TensorValues
from modelmon.core.load.planner import Unit, units_of
from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME
from modelmon.core.model.tensors import Model, Shard, Tensor
from modelmon.core.units import KIB

# Values stored together, and the bytes they take.
PACKING = {"U8": (1, 1), "F8_E4M3": (1, 1), "BF16": (1, 2), "F32": (1, 4), "F64": (1, 8)} | {
    name: GGML_TYPES_BY_NAME[name][1:] for name in ("Q4_0", "Q8_0", "Q4_K", "Q6_K")
}
CHUNKS = st.sampled_from([1, 20, 100, 210, KIB, 5_000, 64 * KIB])
GAP = 4096


def model_of(tensors):
    ends = defaultdict(int)
    for tensor in tensors:
        ends[tensor.shard] = max(ends[tensor.shard], tensor.offset_bytes + tensor.nbytes)
    shards = tuple(Shard(f"/{shard}", ends[shard], 0) for shard in range(max(ends) + 1))
    return Model("m", "/m", "gguf", shards, tuple(tensors), (), {})


def tensor_of(dtype, groups, shard, offset):
    values, nbytes = PACKING[dtype]
    return Tensor(f"{dtype}@{offset}", dtype, (groups * values,), shard, offset, groups * nbytes)


@st.composite
def models(draw):
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
    return model_of(tensors)


def units(model, chunk_bytes):
    return units_of(model, range(len(model.tensors)), chunk_bytes)


def parts_by_tensor(found):
    parts = defaultdict(list)
    for unit in found:
        for part in unit.parts:
            parts[part.tensor].append((unit.extent, part))
    return parts


@given(models(), CHUNKS)
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


@given(models(), CHUNKS)
def test_that_units_read_only_what_is_wanted_and_small_gaps(model, chunk_bytes):
    for unit in units(model, chunk_bytes):
        places = sorted((part.start_bytes, part.start_bytes + part.nbytes) for part in unit.parts)
        assert places[0][0] == 0
        end = 0
        for start, stop in places:
            assert stop > start
            assert start - end <= GAP
            end = max(end, stop)
        assert end == unit.extent.nbytes


@given(models(), CHUNKS)
def test_that_only_a_single_block_makes_a_unit_larger_than_the_chunk(model, chunk_bytes):
    for unit in units(model, chunk_bytes):
        largest = max(PACKING.get(part.dtype, (1, 1))[1] for part in unit.parts)
        assert unit.extent.nbytes <= max(chunk_bytes, largest)


@given(models(), CHUNKS)
def test_that_units_are_distinct_and_in_file_order(model, chunk_bytes):
    extents = [unit.extent for unit in units(model, chunk_bytes)]
    assert len(set(extents)) == len(extents)
    for before, after in itertools.pairwise(extents):
        assert before[:2] <= after[:2]


@given(models(), CHUNKS, st.data())
def test_that_only_the_chosen_tensors_are_decoded(model, chunk_bytes, data):
    chosen = data.draw(st.lists(st.sampled_from(range(len(model.tensors))), unique=True))
    found = parts_by_tensor(units_of(model, chosen, chunk_bytes))
    assert set(found) == {index for index in chosen if model.tensors[index].nbytes}


def test_that_small_neighbours_share_requests():
    model = model_of([tensor_of("F32", 32, 0, 128 * number) for number in range(20_000)])
    found = units(model, 64 * KIB)
    assert len(found) == 40  # 2,560,000 bytes in requests of 65,536
    assert sum(len(unit.parts) for unit in found) == 20_000


def test_that_a_large_tensor_is_cut_between_quantisation_blocks():
    model = model_of([tensor_of("Q6_K", 10, 0, 32)])
    assert [unit.extent for unit in units(model, 1000)] == [
        Extent(0, 32, 840),
        Extent(0, 872, 840),
        Extent(0, 1712, 420),
    ]


def test_that_a_tensor_packed_below_a_byte_stays_whole():
    model = model_of([Tensor("t", "F6_E2M3", (400,), 0, 0, 300)])
    assert units(model, 100) == [
        Unit(Extent(0, 0, 300), (TensorValues("F6_E2M3", 0, 300, 0, 0, 400),)),
    ]
