"""What a model is made of, in figures and in a window of its own."""

import itertools

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from window_fakes import make_inspection, make_mixture, make_model, opened

from modelmon.gui.model.model_contents import size_bins, type_parts
from modelmon.gui.model.tensor_tree import NAME
from modelmon.gui.session.machine import Machine
from modelmon.gui.shell.side_panel import SidePanel


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
