"""What a window brings back, and windows beside each other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from legibility import settled
from msgspec import structs
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from shiboken6 import delete
from window_fakes import built, make_inspection, make_model

from modelmon.core.history.file import HistoryError
from modelmon.core.load.config import preset
from modelmon.core.units import size_units
from modelmon.gui.session.notices import Notice, ProgressView
from modelmon.gui.session.session import Activity
from modelmon.gui.session.settings import Preferences, Settings
from modelmon.gui.shell import main_window
from modelmon.gui.shell.settings_dialog import HistoryRow


@pytest.fixture
def start(alone, tmp_path, monkeypatch):
    """Starts windows that share one file of settings, as the program's do."""
    del alone
    monkeypatch.setenv("MODELMON_DATA_DIR", str(tmp_path / "data"))
    made = []

    def begin():
        window = built(Settings(tmp_path / "window.ini"))
        made.append(window)
        window.show()
        QApplication.processEvents()
        return window

    yield begin
    for window in made:
        window.close()
        window.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def drag(qtbot, handle, upwards_px):
    """Move the handle between two panels."""
    here = handle.rect().center()
    qtbot.mousePress(handle, Qt.MouseButton.LeftButton, pos=here)
    there = here - QPoint(0, upwards_px)
    move = QMouseEvent(
        *(QEvent.Type.MouseMove, QPointF(there), QPointF(handle.mapToGlobal(there))),
        *(Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier),
    )
    QApplication.sendEvent(handle, move)
    qtbot.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=there)


def test_that_a_window_comes_back_as_it_was_left(qtbot, start, tmp_path):
    first = start()
    first.session.set_inspection(make_inspection())
    first.resize(790, 720)
    first.workspace.tabs.setCurrentWidget(first.workspace.log)
    first.actions_by_id["side_panel"].trigger()
    qtbot.waitUntil(lambda: first.size() == QSize(790, 720))
    settled(first)
    drag(qtbot, first.workspace.body.handle(1), 20)
    settled(first)
    heights = first.workspace.body.sizes()
    assert not first.workspace.division.isEmpty()
    first.close()

    second = start()
    second.session.set_inspection(make_inspection())
    settled(second)
    assert second.size() == QSize(790, 720)
    assert second.workspace.tabs.currentWidget() is second.workspace.log
    assert second.side.isHidden()
    assert second.workspace.body.sizes() == heights
    # Not in an empty ranking.
    second.workspace.tabs.setCurrentWidget(second.workspace.best)
    second.close()
    assert Settings(tmp_path / "window.ini").tab != "best"


def test_that_settings_that_cannot_be_written_are_said_until_they_can_be(qtbot, tmp_path, window):
    place = tmp_path / "no folder"
    place.write_text("a file")
    window.settings._store = QSettings(str(place / "window.ini"), QSettings.Format.IniFormat)
    window.session.set_repeats(7)
    qtbot.waitUntil(lambda: "aren't saved" in window.session.unsaved.get("settings", ""))
    place.unlink()
    window.session.set_repeats(8)
    qtbot.waitUntil(lambda: not window.session.unsaved["settings"])
    assert Settings(place / "window.ini").repeats == 8


def test_that_windows_share_presets_and_know_nothing_of_each_others_model(start):
    first, second = start(), start()
    first.session.set_inspection(make_inspection(make_model("/data/one")))
    second.session.set_inspection(make_inspection(make_model("/data/two")))
    first.session.set_preset("A", "direct")
    first.session.own_presets.save("calm", preset("sequential").config)
    second.session.own_presets.save("bold", preset("direct").config)
    assert set(second.session.own_presets.configs) == {"calm", "bold"}
    first.session.own_presets.remove("calm")
    assert set(first.session.own_presets.configs) == {"bold"}
    first.close()
    assert second.isVisible()
    assert second.session.inspection.model.path == "/data/two"
    assert second.session.strategy_name("A") != "direct"
    assert set(Settings(second.settings.place).own_presets) == {"bold"}


def test_that_settings_show_what_is_in_force_in_their_own_window(start):
    first, second = start(), start()
    first.session.set_cache("warm")
    first.session.set_repeats(9)
    dialog = second.preferences.ask()
    here = second.session
    for _ in range(2):
        assert (dialog.preferences.cache, dialog.preferences.repeats) == ("cold", here.repeats)
        assert here.cache == "cold"
        dialog.notify.click()
    dialog.reject()


def test_that_a_name_is_written_with_every_character_of_it(window):
    model = structs.replace(make_model("/data/R&D"), name="R&D")
    window.settings.add_recent(model.path, model, 1.0)
    window.session.set_inspection(make_inspection(model))
    menu = window.toolbar.chip.menu()
    menu.aboutToShow.emit()
    # Written once, it would underline the letter behind it.
    assert "R&&D" in window.toolbar.chip.text()
    assert "R&&D" in [action.text() for action in menu.actions()]


if TYPE_CHECKING:
    from modelmon.gui.background.history_access import HistoryAccess


@pytest.fixture
def window(folder, window, monkeypatch):
    del folder
    monkeypatch.setenv("MODELMON_UNITS", "decimal")
    window.session.set_inspection(make_inspection())
    return window


@pytest.fixture
def dialog(window):
    return window.preferences.ask()


def click(qtbot, dialog, field, value):
    qtbot.mouseClick(getattr(dialog, field).button(value), Qt.MouseButton.LeftButton)


def test_that_choices_are_in_force_at_once_and_cancel_puts_all_back(
    qtbot, window, dialog, theme_manager, tmp_path, recordings
):
    before, tree, session = dialog.preferences, window.side.tree, window.session
    access_map = window.workspace.access_map
    window.workspace.tabs.setCurrentWidget(access_map)
    session.show_record("A", recordings.record(recordings.SLOW))
    tree.select_block("layers.1")
    session.say(Notice("2 pairs are done."))
    click(qtbot, dialog, "mode", "dark")
    assert session.notice is not None
    click(qtbot, dialog, "cache", "warm")
    assert session.notice is None
    click(qtbot, dialog, "units", "binary")
    dialog.repeats.setValue(7)
    dialog.sample_hz.activated.emit(dialog.sample_hz.findData(5.0))
    dialog.notify.click()
    dialog.model_folders.add_folder(str(tmp_path))
    assert theme_manager.mode == "dark"
    assert window.actions_by_id["theme_dark"].isChecked()
    assert (session.cache, session.repeats, session.sample_hz) == ("warm", 7, 5.0)
    assert (window.toolbar.cache.value, window.toolbar.repeats.value()) == ("warm", 7)
    # Sizes change everywhere, and for other processes.
    assert tree.view.currentIndex().data() == "layers.1"
    assert window.side.model.facts["Size"] == "1.86 GiB in 1 file"
    assert "1.86 GiB" in window.toolbar.chip.toolTip()
    assert access_map.unit == "offset, GiB"
    assert window.workspace.plots.rss.unit == "GiB"
    assert size_units() == "binary"
    assert Preferences.stored(window.settings) != before
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert Preferences.stored(window.settings) == before
    assert (size_units(), session.repeats) == ("decimal", before.repeats)
    assert access_map.unit == "offset, GB"


def test_that_another_language_is_a_click_away_with_the_same_model(
    qtbot, window, dialog, monkeypatch
):
    started = []
    monkeypatch.setattr(main_window, "start_window", lambda words, **_: started.append(words[-1]))
    monkeypatch.setattr(window, "close", lambda: True)
    assert dialog.restart.isHidden()
    chinese = dialog.language.findData("zh_CN")
    dialog.language.activated.emit(chinese)
    assert not dialog.restart.isHidden()
    dialog.language.activated.emit(dialog.language.findData("system"))
    assert dialog.restart.isHidden()
    dialog.language.activated.emit(chinese)
    qtbot.mouseClick(dialog.restart, Qt.MouseButton.LeftButton)
    assert started == [window.session.inspection.reference]
    assert window.settings.language == "zh_CN"
    # A sample is gone with its window.
    monkeypatch.setattr(window.sample, "path", window.session.inspection.model.path)
    qtbot.mouseClick(dialog.restart, Qt.MouseButton.LeftButton)
    assert started[-1] != window.session.inspection.reference


def test_that_what_was_agreed_to_survives_a_restart_and_defaults_keep_the_folders(
    qtbot, window, dialog, tmp_path
):
    dialog.language.activated.emit(dialog.language.findData("zh_CN"))
    folders = dialog.model_folders
    assert not folders.remove.isEnabled()
    with qtbot.waitSignal(window.preferences.model_folders_changed):
        folders.add_folder(str(tmp_path))
    # It is listed once.
    folders.add_folder(f"{tmp_path}/")
    dialog.accept()
    again = Settings(Path(window.settings.place))
    assert (again.language, again.model_folders) == ("zh_CN", (str(tmp_path),))
    dialog = window.preferences.ask()
    dialog.repeats.setValue(2)
    dialog.defaults.click()
    assert dialog.repeats.value() == Preferences.usual().repeats
    assert dialog.model_folders.folders == (str(tmp_path),)
    dialog.model_folders.list.setCurrentRow(0)
    dialog.model_folders.remove.click()
    assert dialog.preferences.model_folders == ()


def test_that_a_run_under_way_keeps_its_conditions(window, dialog):
    window.session.begin(Activity.RUNNING, lambda: ProgressView("At work"))
    assert not dialog.repeats.isEnabled()
    assert "current task" in dialog.repeats.toolTip()
    here = window.session.repeats
    dialog.defaults.click()
    assert window.session.repeats == here
    window.session.end()
    assert dialog.repeats.isEnabled()
    dialog.reject()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    # Closed, it follows nothing any more: an error in a slot fails the test.
    window.session.begin(Activity.RUNNING, lambda: ProgressView("Running A"))
    window.session.end()


def test_that_the_history_tells_its_place_and_size_once_there_is_one(
    qtbot, window, dialog, tmp_path
):
    qtbot.waitUntil(lambda: bool(dialog.history.amount.text()))
    assert "Nothing saved yet" in dialog.history.amount.text()
    assert not dialog.history.open.isEnabled()
    data = tmp_path / "data"
    (data / "runs").mkdir(parents=True)
    (data / "runs" / "1.gz").write_bytes(bytes(3000))
    dialog = window.preferences.ask()
    qtbot.waitUntil(dialog.history.open.isEnabled)
    assert dialog.history.place.whole == str(data)
    assert dialog.history.amount.text().startswith("3 kB")


class Silent:
    """A history that has not answered yet."""

    def ask(self, _, then, failed):
        self.then, self.failed = then, failed


def test_that_settings_that_are_closed_need_no_answer_of_the_history(qapp):
    del qapp
    history = Silent()
    row = HistoryRow(cast("HistoryAccess", history))
    delete(row)
    history.then((Path("/data"), 10**6))
    history.failed(HistoryError("It is locked."))
