"""The main journey without a mouse: files are typed into dialogs, commands are keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.system.windows import idle

from modelmon.core.load.config_file import read_config
from modelmon.core.worker.record import read_record
from modelmon.gui.export.dialog import ExportDialog
from modelmon.gui.widgets.file_dialog import FileDialog

pytestmark = [pytest.mark.long, pytest.mark.qt_log_ignore("^This plugin does not support")]


def press(qtbot, window, keys):
    """Press a shortcut where the keyboard's focus is."""
    # No window manager is here to give it back when a dialog is closed.
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    QTest.keySequence(QApplication.focusWidget() or window, QKeySequence(keys))


def asked(qtbot, window, kind):
    """The dialog of this kind that has come up."""
    qtbot.waitUntil(lambda: any(one.isVisible() for one in window.findChildren(kind)))
    return next(one for one in window.findChildren(kind) if one.isVisible())


def answer(qtbot, window, path):
    """Type a path into the file dialog that has come up, and press Return."""
    dialog = asked(qtbot, window, FileDialog)
    assert isinstance(dialog, FileDialog)
    field = dialog.path
    qtbot.waitUntil(field.hasFocus)
    field.selectAll()
    qtbot.keyClicks(field, str(path))
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not any(one.isVisible() for one in window.findChildren(FileDialog)))


def test_that_a_model_is_opened_compared_and_exported_by_keys_alone(
    qtbot, window, own_copy, tmp_path
):
    session = window.session
    session.set_cache("as-is")
    session.set_repeats(1)
    press(qtbot, window, "Ctrl+O")
    answer(qtbot, window, own_copy)
    qtbot.waitUntil(lambda: session.inspection is not None)
    idle(qtbot, window)
    press(qtbot, window, "Ctrl+1")
    idle(qtbot, window)
    assert [run.label for run in session.runs] == ["A"]

    press(qtbot, window, "Ctrl+S")
    answer(qtbot, window, tmp_path / "first.jsonl")
    assert read_record(tmp_path / "first.jsonl").finished == session.runs[0].record.finished

    press(qtbot, window, "F5")
    qtbot.waitUntil(lambda: session.comparison is not None)
    idle(qtbot, window)
    press(qtbot, window, "Ctrl+E")
    dialog = asked(qtbot, window, ExportDialog)
    assert isinstance(dialog, ExportDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    dialog.path.setFocus()
    dialog.path.selectAll()
    qtbot.keyClicks(dialog.path, str(tmp_path / "typed.toml"))
    qtbot.keyClick(dialog.path, Qt.Key.Key_Return)
    assert read_config(tmp_path / "typed.toml").config in (session.config("A"), session.config("B"))

    press(qtbot, window, "Ctrl+R")
    answer(qtbot, window, tmp_path / "first.jsonl")
    idle(qtbot, window)
    press(qtbot, window, "F8")
    assert window.runs_tab_controller.playback.active
