from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication
from shiboken6 import delete
from window_fakes import make_inspection

from modelmon.core.history.file import HistoryError
from modelmon.core.units import size_units
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.session import Activity
from modelmon.gui.session.settings import Preferences, Settings
from modelmon.gui.shell import main_window
from modelmon.gui.shell.settings_dialog import HistoryRow

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


def test_that_a_choice_is_in_force_at_once(qtbot, window, dialog, theme_manager):
    click(qtbot, dialog, "mode", "dark")
    click(qtbot, dialog, "cache", "warm")
    dialog.repeats.setValue(7)
    dialog.sample_hz.activated.emit(dialog.sample_hz.findData(5.0))
    assert theme_manager.mode == "dark"
    assert window.actions_by_id["theme_dark"].isChecked()
    session = window.session
    assert (session.cache, session.repeats, session.sample_hz) == ("warm", 7, 5.0)
    assert (window.toolbar.cache.value, window.toolbar.repeats.value()) == ("warm", 7)


def test_that_another_language_is_a_click_away_with_the_same_model(
    qtbot, window, dialog, monkeypatch
):
    started = []
    monkeypatch.setattr(main_window, "start_again", started.append)
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


def test_that_sizes_change_everywhere_and_for_other_processes(qtbot, window, dialog):
    assert "2 GB" in window.toolbar.chip.toolTip()
    tree = window.side.tree
    tree.select_block("layers.1")
    click(qtbot, dialog, "units", "binary")
    assert tree.view.currentIndex().data() == "layers.1"
    assert window.side.model.facts["Size"] == "1.86 GiB in 1 file"
    assert "1.86 GiB" in window.toolbar.chip.toolTip()
    assert size_units() == "binary"


def test_that_cancel_puts_everything_back(qtbot, window, dialog, theme_manager, tmp_path):
    before = Preferences.stored(window.settings)
    mode = theme_manager.mode
    click(qtbot, dialog, "mode", "dark")
    click(qtbot, dialog, "units", "binary")
    dialog.repeats.setValue(3)
    dialog.notify.click()
    dialog.model_folders.add_folder(str(tmp_path))
    assert Preferences.stored(window.settings) != before
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert Preferences.stored(window.settings) == before
    assert (size_units(), window.session.repeats) == ("decimal", before.repeats)
    theme_manager.set_mode(mode)


def test_that_what_was_agreed_to_survives_a_restart(qtbot, window, dialog, tmp_path):
    dialog.language.activated.emit(dialog.language.findData("zh_CN"))
    with qtbot.waitSignal(window.preferences.model_folders_changed):
        dialog.model_folders.add_folder(str(tmp_path))
    dialog.accept()
    again = Settings(Path(window.settings.place))
    assert (again.language, again.model_folders) == ("zh_CN", (str(tmp_path),))


def test_that_defaults_keep_the_folders(dialog, tmp_path):
    dialog.model_folders.add_folder(str(tmp_path))
    dialog.repeats.setValue(2)
    dialog.defaults.click()
    assert dialog.repeats.value() == Preferences.usual().repeats
    assert dialog.model_folders.folders == (str(tmp_path),)


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


def test_that_a_folder_is_listed_once_and_can_be_taken_away(dialog, tmp_path):
    folders = dialog.model_folders
    assert not folders.remove.isEnabled()
    folders.add_folder(str(tmp_path))
    folders.add_folder(f"{tmp_path}/")
    assert folders.folders == (str(tmp_path),)
    folders.list.setCurrentRow(0)
    folders.remove.click()
    assert dialog.preferences.model_folders == ()


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


def test_that_plots_in_tabs_take_other_units_at_once(qtbot, window, recordings):
    access_map = window.workspace.access_map
    window.workspace.tabs.setCurrentWidget(access_map)
    window.session.show_record("A", recordings.record(recordings.SLOW))
    assert access_map.maps["A"].canvas.axes.title("left") == "offset, GB"
    click(qtbot, window.preferences.ask(), "units", "binary")
    assert access_map.maps["A"].canvas.axes.title("left") == "offset, GiB"


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
