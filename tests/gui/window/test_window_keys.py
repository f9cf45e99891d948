"""Keys in the window: the arms, the parts that F6 reaches, and what Escape brings back."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QPushButton
from shiboken6 import isValid
from window_fakes import LOAD_A
from window_states import States

from modelmon.core.worker.result import summarise
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import TimePlot
from modelmon.gui.session.notices import Notice


@pytest.fixture
def window(open_window):
    return open_window


def test_that_keys_switch_the_arms_in_plots_alone(window, qtbot):
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
    # Letters typed into a field stay there.
    field = window.side.tree.search
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    qtbot.keyClicks(field, "abB")
    assert field.text() == "abB"
    # Tab leaves a plot.
    assert plots.throughput.canvas.accessibleName() == "Throughput"
    for key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        plots.throughput.canvas.setFocus()
        qtbot.keyClick(plots.throughput.canvas, key)
        assert not plots.throughput.canvas.hasFocus()
        assert plots.toggle.value == "both"


def test_that_what_f6_passed_outlives_a_button_that_goes(window):
    window.activateWindow()
    bar = window.menuBar()
    button = QPushButton("Yes", window.workspace.slot)
    button.show()
    for _ in range(8):
        window.focus_next_panel()
    button.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(button)
    assert isValid(bar)
    window.workspace.plots.throughput.toggle_maximised()
    assert not window.workspace.cards["A"].isVisible()


def test_that_return_on_a_run_shows_it(window, qtbot):
    records = [LOAD_A.record(), LOAD_A.record()]
    for record in records:
        window.session.add_run("A", record, None, summarise(record))
        window.session.show_record("A", record)
    window.workspace.tabs.setCurrentWidget(window.workspace.runs)
    table = window.workspace.runs.table
    table.setCurrentIndex(table.runs.index(1, 0))
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert window.session.record("A") is table.selected[0].run.record
    assert window.session.notice.headline == "Plots of A: a recorded run of llama, mmap."


def test_that_escape_brings_the_cards_and_tabs_back(qtbot, window):
    window.session.show_record("A", LOAD_A.record())
    work = window.workspace
    for alone in (False, True):
        window.menuBar().setFocus()
        if alone:
            work.plots.controls.alone.trigger()
        else:
            work.plots.rss.header.maximise.click()
        assert not work.tabs.isVisible()
        assert not work.cards["A"].isVisible()
        assert work.plots.throughput.isVisible() is alone
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
        for part in (work.plots.throughput, work.tabs, work.cards["A"]):
            assert part.isVisible()
    # A plot keeps all the room whatever is said meanwhile.
    work.tabs.setCurrentWidget(work.access_map)
    work.access_map.toggle_maximised()
    window.session.say(Notice("Something has ended."))
    assert work.access_map.isVisible()
    for part in (work.plot_area, work.slot, work.cards["A"]):
        assert not part.isVisible()
    work.access_map.toggle_maximised()
    for part in (work.plot_area, work.slot, work.cards["A"]):
        assert part.isVisible()
    # The history is seen though plots had it.
    work.plots.controls.alone.trigger()
    window.actions_by_id["history"].trigger()
    assert work.runs.isVisible()


@pytest.mark.qt_log_ignore("^This plugin does not support")
def test_that_the_menus_and_the_start_page_are_reached_by_keys(qtbot, new_window):
    window = new_window
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    names = [action.text() for action in window.menuBar().actions()]
    letters = [name[name.index("&") + 1] for name in names]
    assert letters == [name.replace("&", "")[0] for name in names]
    assert len(set(letters)) == len(letters)
    seen = []
    for _ in range(3):
        qtbot.keyClick(window, Qt.Key.Key_F6)
        seen.append(QApplication.focusWidget())
    assert all(isinstance(each, QAbstractButton) for each in seen)
    assert len(set(seen)) == 2
    qtbot.keyClick(window, Qt.Key.Key_F10)
    first = window.menuBar().actions()[0].menu()
    assert isinstance(first, QMenu)
    qtbot.waitUntil(first.isVisible)
    qtbot.keyClick(first, Qt.Key.Key_Escape)
    assert not first.isVisible()


@pytest.fixture
def compared(window, recordings):
    """A and B have run, all six plots are shown, and a block is selected."""
    window.resize(1920, 1080)
    States(window, recordings).compared()
    window.workspace.plots.show_plots(tuple(window.workspace.plots.by_key))
    window.page_cache_controller.selection.select("layers.3")
    window.activateWindow()
    window.setFocus()
    return window


def arms_of(window):
    """The arms that each plot and table has anything of, tab after tab."""
    space, found = window.workspace, dict[str, set[str]]()
    for plot in space.plots.plots:
        assert isinstance(plot, TimePlot)
        name = type(plot).__name__
        found[name] = {label for (label, _), trace in plot.traces.items() if trace.visible}
        found[f"{name} as CSV"] = {line[0] for line in plot.csv_text().splitlines()[1:]}
    for at in range(space.tabs.count()):
        space.tabs.setCurrentIndex(at)
        space.refresh_plots()
        tab = space.tabs.widget(at)
        if tab is space.waterfall:
            found["waterfall"] = {x for x in ARMS if any(space.waterfall.rows.marks(x))}
        elif tab is space.blocks:
            found["bars"] = {x for x in ARMS if space.blocks.arm_bars[x].bars.isVisible()}
            found["block"] = {x for _, x in space.blocks.details.values}
        elif tab is space.access_map:
            found["map"] = {x for x in ARMS if space.access_map.maps[x].isVisible()}
        elif tab is space.page_cache:
            found["cache"] = {row.arm for row in space.page_cache.lines.rows if row.arm}
        elif tab is not space.cluster:  # its plots are of the ways of a cluster
            assert not tab.findChildren(PlotFrame)
    return found


def test_that_a_key_shows_one_arm_everywhere_and_another_both(qtbot, compared):
    both = arms_of(compared)
    assert len(both) == 2 * 6 + 5
    assert set(map(frozenset, both.values())) == {frozenset("AB")}
    plot = compared.workspace.plots.throughput.canvas
    compared.activateWindow()
    plot.setFocus()
    qtbot.waitUntil(plot.hasFocus)
    for key, arms in ((Qt.Key.Key_A, {"A"}), (Qt.Key.Key_B, {"B"})):
        plot.setFocus()
        qtbot.keyClick(plot, key)
        assert {name: found for name, found in arms_of(compared).items() if found != arms} == {}
        plot.setFocus()
        qtbot.keyClick(plot, Qt.Key.Key_B, Qt.KeyboardModifier.ShiftModifier)
        assert arms_of(compared) == both
