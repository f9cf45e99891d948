"""Keys in the window: the arms, the parts that F6 reaches, and what Escape brings back."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QPushButton
from shiboken6 import isValid
from window_fakes import LOAD_A, LOAD_B, opened

from modelmon.core.worker.result import summarise
from modelmon.gui.session.notices import Choice, Notice


def test_that_keys_switch_the_arms_in_plots_alone(window, qtbot):
    opened(window)
    plots = window.workspace.plots
    window.activateWindow()
    for plot in (plots.throughput, window.workspace.waterfall):
        plot.canvas.setFocus()
        qtbot.waitUntil(plot.canvas.hasFocus)
        qtbot.keyClick(plot.canvas, Qt.Key.Key_A)
        assert plots.toggle.value == "A"
        qtbot.keyClick(plot.canvas, Qt.Key.Key_B)
        assert plots.toggle.value == "B"
        qtbot.keyClick(plot.canvas, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
        assert plots.toggle.value == "both"
    for elsewhere in (window, window.workspace.cards["A"].preset, window.side.tree.view):
        elsewhere.setFocus()
        qtbot.waitUntil(elsewhere.hasFocus)
        qtbot.keyClick(elsewhere, Qt.Key.Key_B)
        assert plots.toggle.value == "both"


def test_that_letters_typed_into_a_field_stay_there(window, qtbot):
    opened(window)
    window.activateWindow()
    field = window.side.tree.search
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "abB")
    assert field.text() == "abB"
    assert window.workspace.plots.toggle.value == "both"


def test_that_tab_leaves_a_plot_and_shows_the_same_arms(window, qtbot):
    opened(window)
    for label, load in (("A", LOAD_A), ("B", LOAD_B)):
        window.session.show_record(label, load.record())
    plots = window.workspace.plots
    window.activateWindow()
    plots.throughput.canvas.setFocus()
    qtbot.waitUntil(plots.throughput.canvas.hasFocus)
    assert plots.throughput.canvas.accessibleName() == "Throughput"
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        plots.throughput.canvas.setFocus()
        qtbot.keyClick(plots.throughput.canvas, key)
        assert not plots.throughput.canvas.hasFocus()
        assert plots.toggle.value == "both"


def test_that_what_f6_passed_outlives_a_button_that_goes(window):
    opened(window)
    window.activateWindow()
    bar = window.menuBar()
    window.session.say(Notice("Ask.", choices=(Choice("Yes", lambda: None),)))
    button = next(
        each for each in window.workspace.slot.findChildren(QPushButton) if each.text() == "Yes"
    )
    for _ in range(8):
        window.focus_next_panel()
    window.session.say(Notice("Answered."))
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(button)
    assert isValid(bar)
    window.workspace.plots.throughput.toggle_maximised()
    assert not window.workspace.cards["A"].isVisible()


def test_that_return_on_a_run_shows_it(new_window, qtbot):
    opened(new_window)
    records = [LOAD_A.record(), LOAD_A.record()]
    for record in records:
        new_window.session.add_run("A", record, None, summarise(record))
        new_window.session.show_record("A", record)
    new_window.workspace.tabs.setCurrentWidget(new_window.workspace.runs)
    table = new_window.workspace.runs.table
    table.setCurrentIndex(table.runs.index(1, 0))
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert new_window.session.record("A") is table.selected[0].run.record
    assert new_window.session.notice.headline == "Plots of A: a recorded run of llama, mmap."


@pytest.mark.parametrize("alone", [False, True], ids=["one plot", "nothing but plots"])
def test_that_escape_brings_the_cards_and_tabs_back(qtbot, window, *, alone):
    opened(window)
    window.session.show_record("A", LOAD_A.record())
    work = window.workspace
    window.menuBar().setFocus()
    if alone:
        work.plots.controls.alone.trigger()
    else:
        work.plots.rss.header.maximise.click()
    assert not work.tabs.isVisible()
    assert not work.cards["A"].isVisible()
    assert work.plots.throughput.isVisible() is alone
    focused = window.focusWidget()
    assert focused is not None
    qtbot.keyClick(focused, Qt.Key.Key_Escape)
    assert not work.plots.rss.is_maximised
    assert work.plots.throughput.isVisible()
    assert work.tabs.isVisible()
    assert work.cards["A"].isVisible()


def test_that_a_plot_keeps_all_the_room_whatever_is_said_meanwhile(window):
    opened(window)
    work = window.workspace
    work.tabs.setCurrentWidget(work.access_map)
    work.access_map.toggle_maximised()
    window.session.say(Notice("Something has ended."))
    assert work.access_map.isVisible()
    for part in (work.plot_area, work.slot, work.cards["A"]):
        assert not part.isVisible()
    work.access_map.toggle_maximised()
    for part in (work.plot_area, work.slot, work.cards["A"]):
        assert part.isVisible()


def test_that_the_history_is_seen_though_plots_had_all_the_room(window):
    opened(window)
    window.workspace.plots.controls.alone.trigger()
    window.actions_by_id["history"].trigger()
    assert window.workspace.runs.isVisible()


@pytest.mark.qt_log_ignore("^This plugin does not support")
def test_that_the_menus_are_reached_by_keys(qtbot, new_window):
    window = new_window
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    names = [action.text() for action in window.menuBar().actions()]
    letters = [name[name.index("&") + 1] for name in names]
    assert letters == [name.replace("&", "")[0] for name in names]
    assert len(set(letters)) == len(letters)
    qtbot.keyClick(window, Qt.Key.Key_F10)
    first = window.menuBar().actions()[0].menu()
    assert isinstance(first, QMenu)
    qtbot.waitUntil(first.isVisible)
    qtbot.keyClick(first, Qt.Key.Key_Escape)
    assert not first.isVisible()


def test_that_f6_on_the_start_page_goes_to_what_can_be_pressed(qtbot, new_window):
    new_window.activateWindow()
    seen = []
    for _ in range(3):
        qtbot.keyClick(new_window, Qt.Key.Key_F6)
        seen.append(QApplication.focusWidget())
    assert all(isinstance(each, QAbstractButton) for each in seen)
    assert len(set(seen)) == 2
