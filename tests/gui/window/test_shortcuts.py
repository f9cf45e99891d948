from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication

from modelmon.gui.actions import ACTIONS
from modelmon.gui.history.run_actions import RUN_ACTIONS
from modelmon.gui.main_window import MainWindow
from modelmon.gui.panels.plot_row import PlotRow
from modelmon.gui.panels.shortcuts_dialog import PLOT_KEYS, ShortcutsDialog, shortcut_groups

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from modelmon.gui.session import Session
    from modelmon.gui.settings.settings import Settings


@pytest.fixture
def sheet(qtbot: QtBot) -> ShortcutsDialog:
    made = ShortcutsDialog(shortcut_groups())
    qtbot.addWidget(made)
    made.show()
    return made


def test_that_every_command_with_a_key_is_on_the_sheet(sheet: ShortcutsDialog) -> None:
    shown = {(row.keys, row.text) for row in sheet.shown()}
    for spec in [spec for spec in (*ACTIONS, *RUN_ACTIONS) if spec.shortcut]:
        for keys in QKeySequence.listFromString(spec.shortcut):
            text = keys.toString(QKeySequence.SequenceFormat.NativeText)
            assert any(
                text in keys.split(" · ") and does == spec.text.rstrip("…") for keys, does in shown
            ), spec.id


def test_that_a_search_by_word_or_key_leaves_what_matches(
    qtbot: QtBot, sheet: ShortcutsDialog
) -> None:
    qtbot.keyClicks(sheet.search, "compare a")
    assert [row.text for row in sheet.shown()] == ["Compare A/B"]
    sheet.search.clear()
    qtbot.keyClicks(sheet.search, "F9")
    assert [row.text for row in sheet.shown()] == ["Side panel"]
    qtbot.keyClicks(sheet.search, "no such")
    assert sheet.shown() == []


def test_that_a_plot_knows_every_key_that_the_sheet_names(qtbot: QtBot, session: Session) -> None:
    row = PlotRow(session)
    qtbot.addWidget(row)
    plot = row.throughput
    for keys, _ in PLOT_KEYS:
        pressed = QKeySequence(keys)[0]
        if pressed.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape):
            continue  # these go on to the window, see test_main_window.py
        text = keys if len(keys) == 1 else ""
        event = QKeyEvent(QEvent.Type.KeyPress, pressed.key(), pressed.keyboardModifiers(), text)
        QApplication.sendEvent(plot.canvas, event)
        assert event.isAccepted(), keys


@pytest.mark.parametrize("key", ["?", "F1"])
def test_that_the_sheet_opens_by_its_keys(qtbot: QtBot, settings: Settings, key: str) -> None:
    window = MainWindow.built(settings)
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    if key == "?":
        qtbot.keyClicks(window, key)
    else:
        qtbot.keyClick(window, Qt.Key.Key_F1)
    qtbot.waitUntil(lambda: window.findChild(ShortcutsDialog) is not None)
    window.close()
