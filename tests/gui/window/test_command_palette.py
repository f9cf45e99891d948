"""Ctrl+K finds every command, says its keys or why it can't be used, and does it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from window_fakes import opened

from modelmon.gui.session.actions import ACTIONS
from modelmon.gui.shell.help_dialogs import CommandPalette

KEYS = Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier


def ask(qtbot, window, focused=None):
    window.activateWindow()
    at = focused or window
    at.setFocus()
    qtbot.waitUntil(lambda: QApplication.focusWidget() is at)
    qtbot.keyClick(at, *KEYS)
    return window.findChildren(CommandPalette)[-1]


@pytest.fixture
def palette(qtbot, window):
    return ask(qtbot, window)


def row(palette, text):
    at = palette.shown.index(text)
    items = (palette.table.item(at, column) for column in range(3))
    return tuple(item.text() for item in items if item is not None)


def test_that_every_command_is_there_with_its_keys_or_why_not(palette):
    assert set(palette.shown) == {spec.text for spec in ACTIONS if spec.id != "palette"}
    assert row(palette, "Open file…") == ("Open file…", "File", "Ctrl+O")
    assert row(palette, "Compare A/B") == ("Compare A/B", "Open a model first.", "F5")


def test_that_words_are_found_in_any_order_and_usable_commands_stand_first(qtbot, palette):
    qtbot.keyClicks(palette.search, "open")
    assert palette.shown[0] == "Open file…"
    assert palette.shown.index("Open recording…") < palette.shown.index("Compare A/B")
    palette.search.clear()
    qtbot.keyClicks(palette.search, "colors system")
    assert palette.shown == ["System colors"]
    palette.search.clear()
    qtbot.keyClicks(palette.search, "no such thing")
    assert palette.nothing.isVisible()
    assert palette.shown == []


def test_that_return_does_what_arrows_have_chosen_and_only_what_can_be_used(qtbot, window, palette):
    qtbot.keyClicks(palette.search, "run a")
    assert palette.shown[0] == "Run A"
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert palette.isVisible()
    palette.search.clear()
    qtbot.keyClicks(palette.search, "side panel")
    qtbot.keyClick(palette.search, Qt.Key.Key_Down)
    assert window.side.isVisible()
    qtbot.keyClick(palette.search, Qt.Key.Key_Up)
    qtbot.keyClick(palette.search, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert not window.side.isVisible()


def test_that_it_opens_from_a_field_and_from_the_runs_table_with_its_commands(qtbot, window):
    opened(window)
    palette = ask(qtbot, window, window.side.tree.search)
    assert "Star" not in palette.shown
    palette.reject()
    work = window.workspace
    work.tabs.setCurrentWidget(work.runs)
    palette = ask(qtbot, window, work.runs.table)
    assert row(palette, "Compare selected runs…") == (
        *("Compare selected runs…", "Select two or more runs."),
        "Ctrl+Shift+K",
    )
