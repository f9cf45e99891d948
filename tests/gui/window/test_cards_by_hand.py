"""The cards of A and B with mouse and keys alone: menus, presets, values that are impossible."""

import pytest
from menus import choose, popped_up
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QComboBox, QToolTip
from window_fakes import opened

from modelmon.gui.compare.setting_chips import AxisEditor
from modelmon.gui.compare.strategy_card import PresetDialog

pytestmark = pytest.mark.qt_log_ignore("^This plugin does not support")


@pytest.fixture
def window(window):
    """The window with a model and the first arms there are."""
    opened(window)
    for label, name in (("A", "mmap"), ("B", "parallel")):
        window.session.set_preset(label, name)
    return window


def test_that_an_arm_is_copied_swapped_and_reset_by_its_menu(qtbot, window):
    session, cards = window.session, window.workspace.cards
    choose(qtbot, cards["B"].menu_button, "Swap A and B")
    assert (session.strategy_name("A"), session.strategy_name("B")) == ("parallel", "mmap")
    choose(qtbot, cards["A"].menu_button, "Copy to B")
    assert (session.strategy_name("A"), session.strategy_name("B")) == ("parallel", "parallel")
    choose(qtbot, cards["A"].menu_button, "Reset A")
    assert session.strategy_name("A") == "mmap"


def test_that_settings_are_saved_as_a_preset_and_used_in_the_other_arm_by_keys(qtbot, window):
    session, cards = window.session, window.workspace.cards
    session.set_axis("A", "readers", "3")
    cards["A"].menu_button.setFocus()
    qtbot.keyClick(cards["A"].menu_button, Qt.Key.Key_Space)
    menu = popped_up(qtbot)
    while menu.activeAction() is None or not menu.activeAction().text().startswith("Save as"):
        qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.findChild(PresetDialog) is not None)
    dialog = window.findChild(PresetDialog)
    assert isinstance(dialog, PresetDialog)
    qtbot.keyClicks(dialog.name, "three")
    qtbot.keyClick(dialog.name, Qt.Key.Key_Return)
    assert session.strategy_name("A") == "three"
    box = cards["B"].preset
    box.setFocus()
    while box.currentText() != "three":
        before = box.currentIndex()
        qtbot.keyClick(box, Qt.Key.Key_Down)
        assert box.currentIndex() > before
    assert session.config("B") == session.config("A")


def test_that_keys_pass_over_an_impossible_value_and_its_tool_tip_says_why(qtbot, window):
    session, card = window.session, window.workspace.cards["A"]
    choose(qtbot, card.menu_button, "All settings…")
    editor = card.findChild(AxisEditor)
    assert editor is not None
    field = editor.fields["deliver"]
    assert isinstance(field, QComboBox)
    qtbot.keyClick(field, Qt.Key.Key_Home)
    reached = {field.currentText()}
    for _ in range(field.count()):
        qtbot.keyClick(field, Qt.Key.Key_Down)
        reached.add(field.currentText())
    every = {field.itemText(at) for at in range(field.count())}
    assert every - reached == {"untouched"}
    assert session.config("A").deliver == "decoded"

    qtbot.mouseClick(field, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(field.view().isVisible)
    index = field.model().index(field.findText("untouched"), 0)
    place, viewport = field.view().visualRect(index).center(), field.view().viewport()
    hover = QHelpEvent(QEvent.Type.ToolTip, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, hover)
    assert QToolTip.text().startswith("Only a library")
    QToolTip.hideText()
    field.hidePopup()
    editor.close()
