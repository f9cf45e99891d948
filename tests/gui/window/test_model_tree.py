"""The model tree as a person uses it, and what a model is made of."""

import itertools

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from window_fakes import make_inspection, make_mixture, make_model, opened

from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.gui.model.model_contents import size_bins, type_parts
from modelmon.gui.model.model_tree import ModelTree
from modelmon.gui.model.tensor_tree import (
    NAME,
    SHAPE,
    SHARE,
    TYPE,
    TensorTree,
    short_name,
)
from modelmon.gui.session.machine import Machine
from modelmon.gui.shell.side_panel import SidePanel


def rows(tree):
    """Names of the rows in sight, from the top."""
    names = []
    index = tree.view.model().index(0, NAME)
    while index.isValid():
        names.append(str(index.data()))
        index = tree.view.indexBelow(index)
    return names


@pytest.fixture
def tree(qtbot):
    made = ModelTree()
    qtbot.addWidget(made)
    made.resize(264, 600)
    made.set_model(make_mixture())
    made.show()
    qtbot.waitExposed(made)
    return made


def test_that_a_model_shows_its_first_shard_and_typing_leaves_what_matches(tree, qtbot):
    assert rows(tree) == [
        "00001-of-00002", "embeddings", *(f"blk.{at}" for at in range(6)), "00002-of-00002",
    ]  # fmt: skip
    assert not tree.found.isVisible()
    qtbot.keyClicks(tree.search, "experts.3")
    qtbot.waitUntil(tree.found.isVisible)
    assert tree.found.text() == "12 tensors found in 12 blocks"
    assert rows(tree)[:3] == ["00001-of-00002", "blk.0", "experts.3.up.weight"]
    assert "00002-of-00002" in rows(tree)


def test_that_return_goes_on_to_the_first_match_and_escape_ends_the_search(tree, qtbot):
    tree.search.setText("q6_k")
    tree.apply_filter()
    assert tree.found.text() == "1 tensor found"
    assert rows(tree)[-1] == "token_embd.weight"
    tree.search.setText("no such thing")
    tree.apply_filter()
    assert tree.found.text() == "Nothing matches."
    assert rows(tree) == []
    tree.search.clear()
    qtbot.keyClicks(tree.search, "blk.7.experts.2")
    with qtbot.waitSignal(tree.block_selected) as said:
        qtbot.keyClick(tree.search, Qt.Key.Key_Return)
    assert said.args == ["blk.7"]
    assert tree.view.currentIndex().data() == "experts.2.up.weight"
    assert tree.view.hasFocus()
    qtbot.keyClick(tree.search, Qt.Key.Key_Escape)
    assert tree.search.text() == ""
    assert len(rows(tree)) > 9


def test_that_a_block_that_the_search_leaves_out_leaves_none_marked(tree, qtbot):
    tree.search.setText("blk.1.")
    tree.apply_filter()
    tree.select_block("blk.1")
    assert tree.view.currentIndex().data() == "blk.1"
    tree.select_block("blk.9")
    assert not tree.view.selectionModel().hasSelection()
    tree.search.clear()
    tree.apply_filter()
    assert tree.view.currentIndex().data() == "blk.9"
    # Chosen elsewhere, it is shown and not sent back.
    with qtbot.assertNotEmitted(tree.block_selected):
        tree.select_block("blk.10")
    assert tree.view.currentIndex().data() == "blk.10"
    assert tree.view.viewport().rect().contains(tree.view.visualRect(tree.view.currentIndex()))


def test_that_a_click_and_the_arrow_keys_select_a_block(tree, qtbot):
    view = tree.view
    place = view.visualRect(view.model().index(2, NAME, view.model().index(0, NAME)))
    with qtbot.waitSignal(tree.block_selected) as said:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place.center())
    assert said.args == ["blk.1"]
    with qtbot.waitSignal(tree.block_selected) as said:
        qtbot.keyClick(view, Qt.Key.Key_Down)
    assert said.args == ["blk.2"]
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert "norm.weight" in rows(tree)


def test_that_names_and_rows_are_copied_whole(tree, qtbot):
    tree.search.setText("blk.3.experts.5")
    tree.apply_filter()
    tree.view.setCurrentIndex(tree.view.first_found())
    tree.view.setFocus()
    qtbot.keyClick(tree.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "blk.3.experts.5.up.weight"
    tree.view.copy_row.trigger()
    copied = QApplication.clipboard().text()
    assert copied == "blk.3.experts.5.up.weight\tQ4_K\t256 × 256\t36864"


def test_that_all_can_be_opened_and_closed(tree):
    tree.view.open_all.trigger()
    assert len(rows(tree)) == 2 + 13 + 1 + 12 * 9
    tree.view.close_all.trigger()
    assert len(rows(tree)) == 2 + 13


def test_that_the_large_view_has_all_columns(qtbot):
    for wide, columns in ((False, {SHARE}), (True, {TYPE, SHAPE, SHARE})):
        made = ModelTree(wide=wide)
        qtbot.addWidget(made)
        assert {at for at in (TYPE, SHAPE, SHARE) if not made.view.isColumnHidden(at)} == columns
        assert made.view.isHeaderHidden() != wide


@pytest.mark.parametrize(
    ("tensor", "block", "short"),
    [
        ("model.layers.1.mlp.up.weight", "layers.1", "mlp.up.weight"),
        ("conditioner.embedders.0.model.layers.3.w", "text_encoder.0.layers.3", "w"),
        ("vit.encoder.layers.11.w", "layers.1", "vit.encoder.layers.11.w"),
        ("output.weight", "output", "output.weight"),
        ("direction.1", "direction.1", "direction.1"),
    ],
)
def test_that_tensors_leave_out_the_layer_they_lie_in(tensor, block, short):
    assert short_name(tensor, block) == short


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


def test_that_a_block_is_found_again_in_each_shard_that_holds_a_part(qapp):
    tensors = tuple(Tensor(f"layers.0.w{at}", "F32", (1,), at, 0, 4) for at in range(2))
    shards = tuple(Shard(f"/m/model-0000{at + 1}-of-00002.safetensors", 4, 0) for at in range(2))
    split = Model("m", "/m", "safetensors", shards, tensors, (Block("layers.0", (0, 1), 8),), {})
    tree = TensorTree(qapp)
    tree.set_model(split)
    assert walk(tree) == ["00001-of-00002", "layers.0", "w0", "00002-of-00002", "layers.0", "w1"]
    assert tree.block_index("layers.0").parent().data() == "00001-of-00002"


@pytest.fixture
def panel(session, qtbot):
    machine = Machine(session)
    made = SidePanel(session, machine, QAction("Measure", session))
    qtbot.addWidget(made)
    yield made
    machine.shut_down()


def test_that_types_and_sizes_are_told_by_bytes():
    parts = type_parts(make_mixture(), 2)
    assert [part.name for part in parts] == ["Q4_K", "others"]
    assert sum(part.share for part in parts) == pytest.approx(1)
    bins = size_bins(make_mixture())
    assert [(found.low_bytes, found.tensors) for found in bins] == [
        (1000, 12), (10_000, 96), (100_000, 1),
    ]  # fmt: skip
    assert sum(found.nbytes for found in bins) == make_mixture().nbytes
    assert all(low.high_bytes == high.low_bytes for low, high in itertools.pairwise(bins))


def contents(panel, qtbot):
    panel.resize(264, 900)
    panel.show()
    qtbot.mouseClick(panel.open_contents, Qt.MouseButton.LeftButton)
    shown = panel.show_contents()
    assert shown.isVisible()
    return shown


def block(tree, row):
    items = tree.view.model()
    return items.index(row, NAME, items.index(0, NAME))


def test_that_contents_and_panel_select_each_other(panel, session, qtbot):
    shown = contents(panel, qtbot)
    for model in (make_model(layers=4), make_mixture()):
        session.set_inspection(make_inspection(model))
        with qtbot.waitSignal(panel.tree.block_selected) as said:
            shown.tree.view.setCurrentIndex(block(shown.tree, 2))
        name = block(shown.tree, 2).data()
        assert said.args == [name]
        assert panel.tree.view.currentIndex().data() == name
        panel.tree.select_block(block(panel.tree, 1).data())
        assert shown.tree.view.currentIndex().data() == block(panel.tree, 1).data()


def test_that_contents_follow_the_model_and_say_what_is_in_it(panel, session, qtbot):
    shown = contents(panel, qtbot)
    session.set_inspection(make_inspection(make_mixture()))
    assert shown.heading.text() == "3.76 MB, 109 tensors in 13 blocks"
    assert shown.types.accessibleName() == "Q4_K 94%, Q6_K 6%, F32 0.3%"
    sizes = shown.sizes.model()
    assert [sizes.index(1, at).data() for at in range(3)] == [
        "10 kB to 100 kB",
        "96 (88%)",
        "3.54 MB",
    ]
    assert block(shown.tree, 0).data() == "embeddings"
    assert panel._kinds.accessibleName().startswith("Q4_K")


def test_that_contents_stay_while_the_window_does_not_close(new_window, monkeypatch):
    opened(new_window)
    shown = new_window.side.show_contents()
    with monkeypatch.context() as asked:
        asked.setattr(new_window.close_guard, "may_close", lambda: False)
        new_window.close()
    assert shown.isVisible()
    new_window.close()
    assert not shown.isVisible()
