from itertools import accumulate, pairwise

from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.model.sharded import shard_names
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.gui.blocks.block_places import BlockPlaces

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


def test_that_steps_stay_within_the_files():
    places = BlockPlaces(_model([(0, 2, 10), (0, 1, 10), (1, 0, 10)]))
    assert places.next_to("", 1) == "b.1"
    assert places.next_to("b.1", 1) == "b.2"
    assert places.next_to("b.2", 1) == places.next_to("b.0", 1) == "b.0"
    assert places.next_to("b.1", -1) == "b.1"
    assert BlockPlaces(_model([(0, 0, 0)])).next_to("", 1) == ""


def test_that_shards_are_named_by_their_count():
    paths = ["/m/model-00001-of-00002.safetensors", "/m/model-00002-of-00002.safetensors"]
    assert shard_names(paths) == ("00001-of-00002", "00002-of-00002")
    assert shard_names(paths[:1]) == ("model-00001-of-00002.safetensors",)
    assert shard_names(["/m/unet.bin", "/m/vae.bin"]) == ("unet.bin", "vae.bin")
