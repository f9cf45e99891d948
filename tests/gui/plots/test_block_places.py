from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.model.sharded import shard_names
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.gui.blocks.block_places import BlockPlaces, short_names

HEADER = 64


def _model(sizes):
    """Tensors of (shard, block, bytes), laid one after the other behind each shard's header."""
    ends = [HEADER, HEADER]
    tensors = []
    for number, (shard, block, nbytes) in enumerate(sorted(sizes)):
        name = f"b.{block}.t{number}"
        tensors.append(Tensor(name, "U8", (nbytes,), shard, ends[shard], nbytes))
        ends[shard] += nbytes
    members = {}
    for number, tensor in enumerate(tensors):
        members.setdefault(int(tensor.name.split(".")[1]), []).append(number)
    blocks = tuple(
        Block(f"b.{block}", tuple(own), sum(tensors[at].nbytes for at in own))
        for block, own in sorted(members.items())
    )
    shards = tuple(Shard(f"/m/m-0000{at + 1}-of-00002.gguf", ends[at], HEADER) for at in (0, 1))
    return Model("m", "/m", "gguf", shards, tuple(tensors), blocks, {})


_SIZES = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 5), st.integers(0, 40)), min_size=1, max_size=30
)


@given(_SIZES)
def test_that_each_byte_of_a_tensor_is_its_blocks(sizes):
    model = _model(sizes)
    places = BlockPlaces(model)
    shards = [0, *accumulate(shard.size_bytes for shard in model.shards)]
    for block in model.blocks:
        for at in block.tensors:
            tensor = model.tensors[at]
            start = shards[tensor.shard] + tensor.offset_bytes
            for offset in range(start, start + tensor.nbytes):
                assert places.at(offset) == block.name
            if tensor.nbytes:
                assert tensor.name in places.tensors_between(start, start + 1)
    assert places.at(0) == places.at(shards[-1]) == places.at(shards[1] + 1) == ""


@given(_SIZES)
def test_that_pieces_are_in_order_and_hold_all_bytes(sizes):
    model = _model(sizes)
    places = BlockPlaces(model)
    assert all(left.end_bytes <= right.start_bytes for left, right in pairwise(places.pieces))
    for block in model.blocks:
        own = sum(piece.end_bytes - piece.start_bytes for piece in places.of(block.name))
        assert own >= block.nbytes
    total = sum(piece.end_bytes - piece.start_bytes for piece in places.pieces)
    assert total == model.nbytes


def test_that_steps_stay_within_the_files_which_are_named_by_their_count():
    places = BlockPlaces(_model([(0, 2, 10), (0, 1, 10), (1, 0, 10)]))
    assert places.next_to("", 1) == "b.1"
    assert places.next_to("b.1", 1) == "b.2"
    assert places.next_to("b.2", 1) == places.next_to("b.0", 1) == "b.0"
    assert places.next_to("b.1", -1) == "b.1"
    assert BlockPlaces(_model([(0, 0, 0)])).next_to("", 1) == ""
    paths = ["/m/model-00001-of-00002.safetensors", "/m/model-00002-of-00002.safetensors"]
    assert shard_names(paths) == ("00001-of-00002", "00002-of-00002")
    assert shard_names(paths[:1]) == ("model-00001-of-00002.safetensors",)
    assert shard_names(["/m/unet.bin", "/m/vae.bin"]) == ("unet.bin", "vae.bin")


WORDS = st.sampled_from(["text_encoder", "t", "transformer", "layers", "lay", "0", "1", "out", "7"])
NAMES = st.lists(
    st.lists(WORDS, min_size=1, max_size=4).map(".".join), min_size=1, max_size=30, unique=True
)


@given(names=NAMES)
def test_that_no_two_blocks_have_the_same_short_name(names):
    assert len(set(short_names(names))) == len(names)


@given(names=NAMES)
def test_that_a_block_that_comes_twice_has_one_short_name(names):
    short = short_names(names)
    assert short_names([*names, *names]) == [*short, *short]


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (
            ["text_encoder.layers.0", "transformer_blocks.0", "single_transformer_blocks.0"],
            ["tel0", "tb0", "stb0"],
        ),
        (
            ["text_encoder.0.layers.3", "text_encoder.1.resblocks.3", "input_blocks.3"],
            ["te0l3", "te1r3", "ib3"],
        ),
        (["t.layers.0", "t.lay.0", "t.l.0"], ["t.layers.0", "t.lay.0", "t.l.0"]),
        (["visual.embeddings", "visual.output", "output"], ["vis.emb", "vis.out", "out"]),
        (["embeddings", "layers.0", "layers.11", "output"], ["emb", "0", "11", "out"]),
    ],
)
def test_that_names_are_as_short_as_tells_them_apart(names, short):
    assert short_names(names) == short
