from PySide6.QtCore import QModelIndex
from PySide6.QtTest import QAbstractItemModelTester
from window_fakes import make_model

from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.gui.model.tensor_tree import (
    BLOCK_ROLE,
    NAME,
    SHAPE,
    SHARE_ROLE,
    SIZE,
    TYPE,
    TensorTree,
)

FATAL = QAbstractItemModelTester.FailureReportingMode.Fatal


def walk(model, parent=None):
    """Names of all rows, depth first."""
    parent = parent or QModelIndex()
    names = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, NAME, parent)
        names += [index.data(), *walk(model, index)]
    return names


def test_that_the_tree_is_a_sound_item_model(qapp):
    tree = TensorTree(qapp)
    tree.set_model(make_model(layers=3))
    QAbstractItemModelTester(tree, FATAL, qapp)
    tree.set_filter("attn")
    tree.set_filter("nothing of the kind")
    tree.set_filter("")


def test_that_the_tree_shows_shards_blocks_and_tensors(qapp):
    tree = TensorTree(qapp)
    tree.set_model(make_model(layers=1))
    assert walk(tree) == ["model.safetensors", "layers.0", "attn.0.weight", "mlp.1.weight"]
    shard = tree.index(0, NAME)
    block = tree.index(0, SIZE, shard)
    assert block.data() == "1 GB"
    assert block.data(SHARE_ROLE) == 1
    assert tree.index(1, NAME, tree.index(0, NAME, shard)).data(BLOCK_ROLE) == "layers.0"


def test_that_a_block_is_found_again_in_each_shard_that_holds_a_part(qapp):
    tensors = tuple(Tensor(f"layers.0.w{at}", "F32", (1,), at, 0, 4) for at in range(2))
    shards = tuple(Shard(f"/m/model-0000{at + 1}-of-00002.safetensors", 4, 0) for at in range(2))
    split = Model("m", "/m", "safetensors", shards, tensors, (Block("layers.0", (0, 1), 8),), {})
    tree = TensorTree(qapp)
    tree.set_model(split)
    assert walk(tree) == ["00001-of-00002", "layers.0", "w0", "00002-of-00002", "layers.0", "w1"]
    assert tree.block_index("layers.0").parent().data() == "00001-of-00002"


def test_that_a_filter_leaves_what_matches_and_where_it_is(qapp):
    tree = TensorTree(qapp)
    tree.set_model(make_model(layers=12))
    tree.set_filter("layers.11.ATTN")
    assert walk(tree) == ["model.safetensors", "layers.11", "attn.0.weight"]


def test_that_a_very_large_model_is_shown_whole(qapp):
    tree = TensorTree(qapp)
    tree.set_model(make_model(layers=200, tensors_per_layer=100))
    shard = tree.index(0, NAME)
    assert tree.rowCount(shard) == 200
    last = tree.index(199, NAME, shard)
    assert tree.rowCount(last) == 100
    assert tree.index(99, NAME, last).data() == "mlp.99.weight"
    assert tree.parent(tree.index(99, NAME, last)) == last
    tree.set_filter("layers.199.mlp.99")
    assert walk(tree) == ["model.safetensors", "layers.199", "mlp.99.weight"]


def test_that_types_are_searched_and_sizes_stay_those_of_the_whole_block(qapp):
    tensors = (
        Tensor("blk.0.a", "Q4_K", (256, 2), 0, 0, 288),
        Tensor("blk.0.b", "F32", (), 0, 288, 4),
    )
    shard = Shard("/m/m.gguf", 292, 0)
    block = Block("blk.0", (0, 1), 292)
    tree = TensorTree(qapp)
    tree.set_model(Model("m", "/m/m.gguf", "gguf", (shard,), tensors, (block,), {}))
    tree.set_filter("f32")
    assert walk(tree) == ["m.gguf", "blk.0", "b"]
    assert (tree.tensor_count, tree.block_count) == (1, 1)
    found = tree.index(0, SIZE, tree.index(0, NAME))
    assert found.data() == "292 B"
    assert [found.siblingAtColumn(at).data() for at in (TYPE, SHAPE)] == ["F32", "1 tensor"]
    tensor = tree.index(0, NAME, tree.index(0, NAME, tree.index(0, NAME)))
    assert tensor.siblingAtColumn(SHAPE).data() == "scalar"
    assert tree.row_text(tensor) == "blk.0.b\tF32\tscalar\t4"
