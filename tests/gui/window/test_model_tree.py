"""The model tree as a person uses it: find, open, select, copy."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from window_fakes import make_mixture

from modelmon.gui.model.model_tree import ModelTree
from modelmon.gui.model.tensor_tree import NAME, SHAPE, SHARE, TYPE, short_name


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


def test_that_a_model_shows_the_blocks_of_its_first_shard(tree):
    assert rows(tree) == [
        "00001-of-00002", "embeddings", *(f"blk.{at}" for at in range(6)), "00002-of-00002",
    ]  # fmt: skip
    assert not tree.found.isVisible()


def test_that_typing_leaves_what_matches_and_counts_it(tree, qtbot):
    qtbot.keyClicks(tree.search, "experts.3")
    qtbot.waitUntil(tree.found.isVisible)
    assert tree.found.text() == "12 tensors found in 12 blocks"
    assert rows(tree)[:3] == ["00001-of-00002", "blk.0", "experts.3.up.weight"]
    assert "00002-of-00002" in rows(tree)


def test_that_a_type_is_found_and_nothing_says_so(tree, qtbot):
    tree.search.setText("q6_k")
    tree.apply_filter()
    assert tree.found.text() == "1 tensor found"
    assert rows(tree)[-1] == "token_embd.weight"
    tree.search.setText("no such thing")
    tree.apply_filter()
    assert tree.found.text() == "Nothing matches."
    assert rows(tree) == []
    qtbot.keyClick(tree.search, Qt.Key.Key_Escape)
    assert tree.search.text() == ""
    assert len(rows(tree)) == 9


def test_that_return_goes_on_to_the_first_match_and_selects_its_block(tree, qtbot):
    tree.search.setFocus()
    qtbot.keyClicks(tree.search, "blk.7.experts.2")
    with qtbot.waitSignal(tree.block_selected) as said:
        qtbot.keyClick(tree.search, Qt.Key.Key_Return)
    assert said.args == ["blk.7"]
    assert tree.view.currentIndex().data() == "experts.2.up.weight"
    assert tree.view.hasFocus()


def test_that_a_selected_block_stays_selected_after_the_search(tree):
    tree.select_block("blk.9")
    tree.search.setText("blk.1.")
    tree.apply_filter()
    tree.search.clear()
    tree.apply_filter()
    assert tree.view.currentIndex().data() == "blk.9"


def test_that_a_block_that_the_search_leaves_out_leaves_none_marked(tree):
    tree.search.setText("blk.1.")
    tree.apply_filter()
    tree.select_block("blk.1")
    assert tree.view.currentIndex().data() == "blk.1"
    tree.select_block("blk.9")
    assert not tree.view.selectionModel().hasSelection()
    tree.search.clear()
    tree.apply_filter()
    assert tree.view.currentIndex().data() == "blk.9"


def test_that_another_model_is_shown_from_its_first_row(tree):
    tree.resize(264, 160)
    tree.select_block("blk.11")
    bar = tree.view.verticalScrollBar()
    assert bar.value() > 0
    tree.set_model(make_mixture())
    assert bar.value() == 0


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


def test_that_a_block_chosen_elsewhere_is_shown_and_not_sent_back(tree, qtbot):
    with qtbot.assertNotEmitted(tree.block_selected):
        tree.select_block("blk.10")
    assert tree.view.currentIndex().data() == "blk.10"
    assert tree.view.viewport().rect().contains(tree.view.visualRect(tree.view.currentIndex()))


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
