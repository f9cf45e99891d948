"""The language that is chosen in the settings is the next window's."""

import pytest
from PySide6.QtCore import Qt
from window_fakes import ended

from modelmon.gui.language import install
from modelmon.gui.session.settings import Settings
from modelmon.gui.shell.main_window import MainWindow


def test_that_a_language_chosen_by_keys_is_the_next_windows(qapp, qtbot, new_window, tmp_path):
    dialog = new_window.preferences.ask()
    box = dialog.language
    at = box.findText("简体中文")
    assert at >= 0
    box.setFocus()
    for _ in range(at - box.currentIndex()):
        qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    assert new_window.menuBar().actions()[0].text() == "&File"
    new_window.close()

    settings = Settings(tmp_path / "window.ini")
    if install(qapp, settings.language) is None:
        pytest.skip("Chinese is not compiled: make translations")
    again = MainWindow.built(settings)
    assert again.menuBar().actions()[0].text() == "文件(&F)"
    assert again.toolbar.buttons["stop"].text().strip() == "停止"
    ended(again)
