"""Subsets: what is wanted of a model, byte for byte; of slices, those bytes that numpy cuts out."""

import gc
import itertools
import random
import weakref
from itertools import pairwise
from math import prod

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.errors import ConfigError
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
from modelmon.core.load.subset import WHOLE, Subset, TensorPiece, chosen_subset, pieces_of
from modelmon.core.model.blocks import blocks_of
from modelmon.core.model.ggml_types import GGML_TYPES_BY_NAME
from modelmon.core.model.open import open_model
from modelmon.core.model.tensors import Model, Shard, Tensor
from modelmon.core.units import KIB, MIB

# Values that are stored together, and in how many bytes.
PACKED = {"F4": (2, 1), "F6_E2M3": (4, 3), "U8": (1, 1), "BF16": (1, 2), "F64": (1, 8)}
GGML = {name: GGML_TYPES_BY_NAME[name][1:] for name in ("F16", "Q4_0", "Q8_0", "Q4_K")}

# A name, how many dimensions it has, and in which of them how many parts are sliced.
SLICED = [
    ("blk.0.attn_q.bias", 1, 0, 1),
    ("blk.0.ffn_gate.weight", 2, 0, 1),
    ("blk.0.ffn_down.weight", 2, 1, 1),
    ("blk.0.ffn_gate_exps.weight", 3, 1, 1),
    ("blk.0.ffn_down_exps.weight", 3, 2, 1),
    ("layers.0.mlp.gate_up_proj.weight", 2, 0, 2),
    ("layers.0.self_attn.q_proj.qweight", 2, 1, 1),
]


def model_of(tensors, model_format="safetensors"):
    end = max((t.offset_bytes + t.nbytes for t in tensors), default=0)
    shards = tuple(Shard(f"/{n}", end, 0) for n in range(1 + max(t.shard for t in tensors)))
    return Model("m", "/m", model_format, shards, tuple(tensors), blocks_of(tensors), {})


def llama(layers=12):
    names = ["model.embed_tokens.weight", "lm_head.weight", "model.norm.weight"]
    for layer in range(layers):
        names += [f"model.layers.{layer}.self_attn.{x}_proj.weight" for x in "qkvo"]
    return model_of([Tensor(name, "U8", (4, 4), 0, 16 * n, 16) for n, name in enumerate(names)])


def names_of(model, subset):
    return [model.tensors[piece.tensor].name for piece in pieces_of(model, subset)]


def test_that_the_whole_model_is_every_tensor_in_order():
    model = llama()
    pieces = pieces_of(model, WHOLE)
    assert [list(piece.extents()) for piece in pieces] == [
        [Extent(t.shard, t.offset_bytes, t.nbytes)] for t in model.tensors
    ]
    assert [piece.tensor for piece in pieces] == list(range(len(model.tensors)))


def test_that_tensors_are_chosen_by_name_or_glob_with_case():
    model = llama()
    chosen = names_of(model, Subset(tensors=("lm_head.weight", "*.0.self_attn.[qk]_proj.*")))
    assert chosen == [
        "lm_head.weight",
        "model.layers.0.self_attn.q_proj.weight",
        "model.layers.0.self_attn.k_proj.weight",
    ]
    with pytest.raises(ConfigError):
        pieces_of(model, Subset(tensors=("LM_HEAD*",)))


def test_that_a_range_of_blocks_counts_by_number():
    model = llama()
    chosen = names_of(model, Subset(blocks=("layers.9-10",)))
    assert {name.split(".")[2] for name in chosen} == {"9", "10"}
    assert len(chosen) == 8
    assert names_of(model, Subset(blocks=("l*.9-10",))) == chosen


def test_that_tensors_and_blocks_add_up_and_nothing_is_twice():
    model = llama()
    chosen = names_of(model, Subset(tensors=("*q_proj*",), blocks=("layers.0", "output")))
    assert len(chosen) == len(set(chosen)) == 11 + 4 + 2


def test_that_a_name_with_brackets_names_itself():
    model = model_of([Tensor(name, "U8", (4,), 0, 0, 4) for name in ("a[0]", "a0")])
    assert names_of(model, Subset(tensors=("a[0]",))) == ["a[0]"]


@pytest.mark.parametrize(
    ("subset", "pattern", "nearest"),
    [
        (Subset(tensors=("lm_heads.weight",)), "lm_heads.weight", "lm_head.weight"),
        (Subset(tensors=("lm_head.weight", "zzz*")), "zzz*", "for example"),
        (Subset(blocks=("layer.3",)), "layer.3", "layers.3"),
        (Subset(blocks=("layers.12-40",)), "layers.12-40", "layers.1"),
    ],
)
def test_that_a_pattern_without_a_match_is_answered_with_the_nearest(subset, pattern, nearest):
    with pytest.raises(ConfigError) as caught:
        pieces_of(llama(), subset)
    assert repr(pattern) in caught.value.message
    assert nearest in caught.value.remedy


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"rank": 4, "ranks": 4}, "0 to 3"),
        ({"rank": -1}, "0 to 0"),
        ({"ranks": 0}, "from 1"),
        ({"ranks": 10_000}, "from 1"),
        ({"ranks": "4"}, "from 1"),
        ({"tensors": "lm_head*"}, "patterns of them"),
        ({"blocks": (1,)}, "patterns of them"),
        ({"blocks": ("",)}, "all names"),
    ],
)
def test_that_an_impossible_subset_is_refused_with_the_remedy(values, text):
    with pytest.raises(ConfigError) as caught:
        Subset(**values)
    assert text in caught.value.remedy


@pytest.mark.parametrize(
    "subset", [WHOLE, Subset(tensors=("a*",)), Subset(blocks=("b", "c"), rank=1, ranks=3)]
)
def test_that_a_subset_survives_storage(subset):
    assert msgspec.json.decode(msgspec.json.encode(subset), type=Subset) == subset
    assert subset.is_whole == (subset == WHOLE) == (subset.text == "")


@st.composite
def sliced_tensors(draw):
    """A model with one tensor, the dimension and parts it is sliced in, and its packed values."""
    gguf = draw(st.booleans())
    dtype = draw(st.sampled_from(sorted(GGML if gguf else PACKED)))
    values, packed_bytes = (GGML if gguf else PACKED)[dtype]
    name, dimensions, dimension, parts = draw(st.sampled_from(SLICED))
    shape = draw(st.lists(st.integers(0, 12), min_size=dimensions, max_size=dimensions))
    # GGML packs rows; the header's rule for the others is that all of it is whole bytes.
    shape[-1] *= values if gguf else draw(st.sampled_from([1, values]))
    if prod(shape) % values:
        shape[0] *= values
    nbytes = prod(shape) // values * packed_bytes
    tensor = Tensor(name, dtype, tuple(shape), 1, draw(st.integers(0, 99)), nbytes)
    return model_of([tensor], "gguf" if gguf else "safetensors"), dimension, parts, values


def gathered(data, piece):
    return b"".join(data[e.offset_bytes : e.end_bytes].tobytes() for e in piece.extents())


def numpy_slices(model, data, dimension, parts, values, ranks):
    """Each rank's bytes by numpy; None where the tensor cannot be divided among them.

    What is indexed are bits, so that values which share bytes can be told apart.
    """
    tensor = model.tensors[0]
    bits = np.unpackbits(data[tensor.offset_bytes :]).reshape(*tensor.shape[:-1], -1)
    # Along the last dimension of what is stored, a unit is a group of packed values.
    inner = prod(tensor.shape[dimension + 1 :])
    unit = next(n for n in range(1, values + 1) if n * inner % values == 0)
    size = tensor.shape[dimension]
    if size % (unit * parts) or size // (unit * parts) < ranks:
        return None
    slices = [[] for _ in range(ranks)]
    for part in np.split(bits, parts, axis=dimension):
        units = np.split(part, size // parts // unit, axis=dimension)
        for rank, numbers in enumerate(np.array_split(np.arange(len(units)), ranks)):
            slices[rank].append(np.concatenate([units[n] for n in numbers], axis=dimension))
    whole = [np.concatenate(part, axis=dimension) for part in slices]
    return [np.packbits(part).tobytes() for part in whole]


@given(sliced_tensors(), st.integers(2, 8), st.randoms(use_true_random=False))
def test_that_each_rank_gets_the_bytes_that_numpy_slices(case, ranks, random):
    model, dimension, parts, values = case
    tensor = model.tensors[0]
    data = np.frombuffer(random.randbytes(tensor.offset_bytes + tensor.nbytes), np.uint8)
    expected = numpy_slices(model, data, dimension, parts, values, ranks) if tensor.nbytes else None
    for rank in range(ranks):
        (piece,) = pieces_of(model, Subset(rank=rank, ranks=ranks))
        if expected is None:
            assert piece.shape == tensor.shape
            assert gathered(data, piece) == data[tensor.offset_bytes :].tobytes()
        else:
            assert gathered(data, piece) == expected[rank]
            assert piece.nbytes == len(expected[rank])
            assert piece.nbytes * prod(tensor.shape) == tensor.nbytes * prod(piece.shape)


@given(sliced_tensors(), st.integers(1, 8))
def test_that_the_runs_of_a_slice_do_not_touch(case, ranks):
    for rank in range(ranks):
        (piece,) = pieces_of(case[0], Subset(rank=rank, ranks=ranks))
        runs = list(piece.extents())
        assert all(a.end_bytes < b.offset_bytes for a, b in pairwise(runs))


def test_that_norms_are_whole_on_each_rank():
    model = llama(1)
    norm = pieces_of(model, Subset(rank=1, ranks=2))[2]
    assert list(norm.extents()) == [Extent(0, 32, 16)]


@pytest.mark.parametrize("names", [[], set(), iter([])], ids=["list", "set", "used up"])
def test_that_no_names_at_all_are_not_taken_for_the_whole_model(names):
    with pytest.raises(ConfigError, match="no names to choose"):
        chosen_subset(tensors=names)
    assert chosen_subset(tensors=()) == WHOLE


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
    for extent in itertools.chain(*(reader.extents for reader in plan.readers)):
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
    extents = sorted(itertools.chain(*(reader.extents for reader in part.readers)))
    assert all(
        a.shard < b.shard or a.end_bytes <= b.offset_bytes for a, b in itertools.pairwise(extents)
    )
    if config.order != "model":
        other = plan_of(small[form], LoadConfig(chunk_bytes=config.chunk_bytes), portion_bytes)
        assert other.wanted == part.wanted


@pytest.mark.parametrize(("gap", "spans"), [(MAX_ROW_GAP_BYTES, 1), (MAX_ROW_GAP_BYTES + 1, 3)])
def test_that_rows_share_a_span_unless_they_lie_far_apart(gap, spans):
    rows = Strided(0, 0, run_bytes=100, stride_bytes=100 + gap, runs=3)
    piece = TensorPiece(0, (3, 100), rows)
    part = RankShare([piece], 4 * MIB)
    assert len(part.spans) == spans
    assert total_bytes(part.spans) == 300 + (2 * gap if spans == 1 else 0)


def test_that_memory_for_the_detours_is_in_the_plan(small):
    config = LoadConfig(readers=3, chunk_bytes=64 * KIB)
    plan = plan_of(small["safetensors"], config)
    alone = needed_bytes(
        config, plan._replace(readers=[r._replace(slices=None) for r in plan.readers])
    )
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
