"""Texts in the chosen language, which is the next window's."""

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale, Qt
from window_fakes import ended

from modelmon.gui import language
from modelmon.gui.language import install, tr
from modelmon.gui.session.settings import Settings
from modelmon.gui.shell.main_window import MainWindow

SOURCE = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN"><context><name></name><message>
<source>Copy to {label}</source><translation>复制到 {label}</translation>
</message></context></TS>
"""


@pytest.fixture
def folder(tmp_path):
    """Where a compiled translation of one sentence lies."""
    source = tmp_path / "modelmon_zh_CN.ts"
    source.write_text(SOURCE, encoding="utf-8")
    tool = Path(sys.executable).with_name("pyside6-lrelease")
    subprocess.run([tool, source, "-qm", source.with_suffix(".qm")], check=True)
    return tmp_path


def test_that_text_is_shown_in_the_chosen_language_or_in_english(qapp, folder, tmp_path):
    translator = language.install(qapp, "zh_CN", folder)
    assert translator is not None
    assert tr("Copy to {label}", label="B") == "复制到 B"
    assert tr("Not translated yet") == "Not translated yet"
    qapp.removeTranslator(translator)
    assert tr("Copy to {label}", label="B") == "Copy to B"
    assert language.install(qapp, "en", folder) is None
    assert language.install(qapp, "zh_CN", tmp_path / "empty") is None


@pytest.mark.parametrize(
    ("wanted", "translated"),
    [
        (["zh-Hans-CN", "zh-CN", "zh"], True),
        (["de-DE", "zh-CN"], True),
        (["en-GB", "zh-CN"], False),
        (["zh-Hant-TW", "zh-TW"], False),
        (["fr-FR"], False),
    ],
)
def test_that_the_system_says_which_language(qapp, folder, monkeypatch, wanted, translated):
    monkeypatch.setattr(QLocale, "uiLanguages", lambda _: wanted)
    assert (language.install(qapp, "system", folder) is not None) == translated


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
