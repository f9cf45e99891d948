"""The Runs tab by mouse and keys: an import, names, an overlay, the slider of a replay."""

from dataclasses import replace

import pytest
from menus import take, type_file
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QStyle, QStyleOptionSlider
from runs_past import column, seen, settle
from window_fakes import LOAD_A

from modelmon.core.worker import events as ev
from modelmon.core.worker.result import summarise
from modelmon.gui.runs.run_lines import NAME, STAR

pytestmark = pytest.mark.qt_log_ignore("^This plugin does not support")

LOADS = [replace(LOAD_A, wall_s=wall_s) for wall_s in (2.0, 4.0, 8.0)]


def lines_of(load):
    return b"".join(ev.encode(event) for event in load.events())


@pytest.fixture
def panel(qtbot, window, past, inspection):
    """The tab with three runs, in the window that has the keyboard."""
    for load in LOADS:
        past.keep(summarise(load.record()), lines=lines_of(load))
    made = seen(qtbot, window, inspection)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return made


def open_menu(panel, row):
    """Press the right button on a run."""
    table = panel.table
    place = table.visualRect(table.runs.index(row, NAME)).center()
    reason = QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, place, table.viewport().mapToGlobal(place))
    QApplication.postEvent(table.viewport(), event)


def test_that_a_recording_is_imported_by_menu_and_dialog_and_selected(
    qtbot, window, panel, tmp_path
):
    path = tmp_path / "elsewhere.jsonl"
    path.write_bytes(lines_of(replace(LOAD_A, wall_s=3.0)))
    panel.filter.model.setCurrentText("All models")
    settle(qtbot, window)
    open_menu(panel, 0)
    take(qtbot, "Import recording…")
    with qtbot.waitSignal(window.runs_tab_controller.library.imported):
        type_file(qtbot, window, str(path))
    settle(qtbot, window)
    assert [line.elsewhere for line in panel.selected] == ["Imported"]


def test_that_a_run_is_named_and_starred_by_keys(qtbot, window, past, panel):
    table = panel.table
    table.setFocus()
    table.setCurrentIndex(table.runs.index(1, 0))
    qtbot.keyClick(table, Qt.Key.Key_F2)
    qtbot.waitUntil(lambda: table.findChild(QLineEdit) is not None)
    field = table.findChild(QLineEdit)
    assert field is not None
    qtbot.keyClicks(field, "on battery")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    settle(qtbot, window)
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    settle(qtbot, window)
    assert column(panel, "Name")[1] == "on battery"
    star = table.visualRect(table.runs.index(0, STAR)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=star)
    settle(qtbot, window)
    assert column(panel, "★") == ["★", "★", "☆"]
    assert [(run.name, run.starred) for run in past.history.runs() if run.name] == [
        ("on battery", True)
    ]


def test_that_the_replay_stands_while_its_slider_is_dragged_and_then_goes_on(qtbot, window, panel):
    panel.table.setFocus()
    panel.table.setCurrentIndex(panel.table.runs.index(0, 0))
    qtbot.keyClick(panel.table, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    playback, slider = window.runs_tab_controller.playback, window.workspace.replay.slider
    qtbot.waitUntil(lambda: playback.active and playback.playing)
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    handle = slider.style().subControlRect(
        QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider
    )
    qtbot.mousePress(slider, Qt.MouseButton.LeftButton, pos=handle.center())
    assert not playback.playing
    middle = QPoint(slider.width() // 2, handle.center().y())
    qtbot.mouseMove(slider, middle)
    assert playback.position_s == pytest.approx(playback.end_s / 2, rel=0.1)
    qtbot.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=middle)
    assert playback.playing
    qtbot.keyClick(slider, Qt.Key.Key_Escape)
    assert not playback.active
