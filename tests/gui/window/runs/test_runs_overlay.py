"""Runs are laid over A and B from the table: checked, named in the legend, taken away again."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from runs_past import settle
from window_fakes import LAYER_BYTES, LOAD_A, make_inspection, make_model

from modelmon.core.worker import events as ev
from modelmon.core.worker.result import summarise
from modelmon.gui.runs.run_lines import NAME, OVERLAY

SLOW = replace(LOAD_A, wall_s=8.0)
CHECKED, UNCHECKED = Qt.CheckState.Checked, Qt.CheckState.Unchecked


def keep(past, load, *, with_events=True):
    lines = b"".join(ev.encode(event) for event in load.events()) if with_events else b""
    return past.keep(summarise(load.record()), lines=lines)


@pytest.fixture
def panel(qtbot, window, past, inspection):
    """The tab with three runs, the last without its events."""
    for load, with_events in ((LOAD_A, True), (SLOW, True), (LOAD_A, False)):
        keep(past, load, with_events=with_events)
    window.session.set_inspection(inspection)
    window.workspace.tabs.setCurrentWidget(window.workspace.runs)
    settle(qtbot, window)
    return window.workspace.runs


def row_of(panel, run_id):
    return next(
        at for at, line in enumerate(panel.table.runs.shown) if line.row and line.row.id == run_id
    )


def click_check(qtbot, window, panel, run_id):
    """Click into the right part of a run's box, as it is drawn."""
    table = panel.table
    index = table.runs.index(row_of(panel, run_id), OVERLAY)
    place = table.visualRect(index)
    at = place.center()
    at.setX(place.left() + 24)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    settle(qtbot, window)


def state(panel, run_id):
    index = panel.table.runs.index(row_of(panel, run_id), OVERLAY)
    return index.data(Qt.ItemDataRole.CheckStateRole)


def test_that_a_checked_run_is_drawn_and_named_and_a_click_takes_it_away(qtbot, window, panel):
    work = window.workspace
    assert not work.overlays.isVisible()
    click_check(qtbot, window, panel, 2)
    assert state(panel, 2) == CHECKED.value or state(panel, 2) == CHECKED
    for plot in (work.plots.throughput, work.plots.io_wait, work.plots.rss):
        assert not plot.is_empty
        ((run, curve),) = plot.overlays.curves.items()
        assert run.name == "run 2, mmap of llama"
        assert curve.seconds[-1] == pytest.approx(8.0)
    assert work.plots.throughput.canvas.x_range[1] >= 8.0
    assert [chip.text() for chip in work.overlays.chips] == ["run 2, mmap of llama  ✕"]
    assert work.overlays.isVisible()
    (chip,) = work.overlays.chips
    qtbot.mouseClick(work.overlays.widgetForAction(chip), Qt.MouseButton.LeftButton)
    assert not work.overlays.isVisible()
    assert work.plots.throughput.is_empty
    assert state(panel, 2) in (UNCHECKED, UNCHECKED.value)


def test_that_several_are_put_in_and_out_by_key_and_cleared_at_once(qtbot, window, panel):
    overlaying = window.runs_tab_controller.overlaying
    panel.table.selectAll()
    window.activateWindow()
    panel.table.setFocus()
    qtbot.waitUntil(panel.table.hasFocus)
    qtbot.keyClick(panel.table, Qt.Key.Key_Space)
    settle(qtbot, window)
    # The third has no events.
    assert {run.name for run in overlaying.runs} == {"run 1, mmap of llama", "run 2, mmap of llama"}
    index = panel.table.runs.index(row_of(panel, 3), OVERLAY)
    assert index.data(Qt.ItemDataRole.CheckStateRole) is None
    assert "recording was deleted" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert len({run.style for run in overlaying.runs}) == 2
    qtbot.keyClick(panel.table, Qt.Key.Key_Space)
    assert overlaying.runs == ()
    qtbot.keyClick(panel.table, Qt.Key.Key_Space)
    settle(qtbot, window)
    qtbot.mouseClick(window.workspace.overlays.clear_overlay, Qt.MouseButton.LeftButton)
    assert overlaying.runs == ()


def test_that_the_overlay_says_whose_run_it_is_and_ends_when_another_model_is_opened(
    qtbot, window, panel, inspection
):
    panel.table.runs.setData(panel.table.runs.index(row_of(panel, 1), NAME), "before the update")
    settle(qtbot, window)
    click_check(qtbot, window, panel, 1)
    overlaying = window.runs_tab_controller.overlaying
    assert [run.name for run in overlaying.runs] == ["before the update of llama"]
    own = make_model("/data/llama", layers=LOAD_A.nbytes // LAYER_BYTES)
    window.session.set_inspection(make_inspection(own))
    (run,) = overlaying.runs
    assert run.name == "before the update"
    window.session.set_inspection(inspection)
    assert overlaying.runs == ()
    assert window.workspace.plots.throughput.is_empty


def test_that_many_runs_leave_their_chips_in_a_menu(qtbot, window, past, panel):
    for _ in range(20):
        keep(past, LOAD_A)
    window.runs_tab_controller.library.reload()
    settle(qtbot, window)
    panel.table.selectAll()
    window.runs_tab_controller.do("overlay")
    settle(qtbot, window)
    strip = window.workspace.overlays
    widgets = [strip.widgetForAction(chip) for chip in strip.chips]
    assert 0 < sum(widget.isVisible() for widget in widgets) < len(widgets) == 22
    assert strip.clear_overlay.geometry().right() <= strip.width()
    list(strip.chips)[-1].trigger()
    assert len(strip.chips) == 21
