"""The plots in the window: which are shown, how they share the room, what links them."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from modelmon.core.worker.record import RunRecord
from modelmon.gui.session.session import LABELS


@pytest.fixture
def plots(window, recordings):
    return with_runs(window, recordings)


def with_runs(window, recordings):
    window.resize(1920, 1080)
    window.session.show_record("A", recordings.record(recordings.SLOW))
    window.session.show_record("B", recordings.record(recordings.FAST))
    window.workspace.refresh_layout()
    return window.workspace.plots


def _seen(plots):
    return [key for key, plot in plots.by_key.items() if plot.isVisible()]


def test_that_three_plots_are_shown_at_first_and_all_six_on_request(plots):
    assert _seen(plots) == ["throughput", "io_wait", "rss"]
    assert plots.row_count == 1
    menu = {action.text(): action for action in plots.controls.menu.actions()}
    menu["Show all plots"].trigger()
    assert _seen(plots) == list(plots.by_key)
    assert plots.row_count == 2
    assert all(not plot.is_empty and plot.height() >= 140 for plot in plots.plots)
    menu["Page faults"].trigger()
    assert "faults" not in _seen(plots)


def test_that_the_last_plot_stays_and_what_is_shown_is_remembered(plots, window):
    plots.throughput.hide_wanted.emit()
    plots.io_wait.hide_wanted.emit()
    assert _seen(plots) == ["rss"]
    offered = {action.text(): action for action in plots.rss.make_menu().actions()}
    assert "Hide plot" not in offered
    assert not next(a for a in plots.controls.menu.actions() if a.isChecked()).isEnabled()
    assert window.settings.plots == ("rss",)


def test_that_zoom_and_crosshair_reach_plots_that_are_shown_later(new_window, recordings, qtbot):
    plots = with_runs(new_window, recordings)
    qtbot.keyClick(plots.rss.canvas, Qt.Key.Key_Plus)
    view = plots.rss.canvas.x_range
    assert view[0] > 0
    plots.show_plots(tuple(plots.by_key))
    assert {plot.canvas.x_range for plot in plots.plots} == {view}
    plots.cpu.canvas.hovered.emit(3.0, 1.0)
    for plot in plots.plots:
        assert plot.inspector.seconds == 3.0
        assert plot is plots.cpu or plot.header.values["A"].text().startswith("A ")
    assert [row.label for row in plots.cpu.inspector.readout.rows] == ["A", "B", "B − A"]
    plots.cpu.reset_view()
    assert {plot.canvas.x_range for plot in plots.plots} == {(0.0, 9.0)}


def test_that_the_zoom_into_one_model_does_not_hide_the_runs_of_the_next(
    plots, window, recordings, qtbot
):
    qtbot.keyClick(plots.rss.canvas, Qt.Key.Key_Plus)
    for label in LABELS:
        window.session.show_record(label, None)
    window.session.show_record("A", recordings.record(recordings.SLOW))
    plots.show_plots(tuple(plots.by_key))
    assert {plot.canvas.x_range for plot in plots.plots} == {(0.0, 9.0)}


def test_that_the_end_of_a_load_is_followed_until_the_user_looks_elsewhere(
    plots, window, recordings, qtbot
):
    fake = replace(recordings.SLOW, model_bytes=60_000_000_000, until_s=25.0)
    record = RunRecord()
    window.session.show_record("B", None)
    window.session.show_record("A", record)
    followed = []
    qtbot.keyClick(plots.rss.canvas, Qt.Key.Key_F)
    assert plots.controls.follow.isChecked()
    for at, event in enumerate(recordings.events(fake)):
        record.feed(event)
        if at % 50 == 0:
            plots.refresh()
            followed.append(plots.rss.canvas.x_range[1])
    plots.refresh()
    end_s = record.t_ns / 1e9
    assert plots.rss.canvas.x_range == pytest.approx((end_s - 10, end_s))
    assert followed[-1] > followed[-2] > 10
    qtbot.keyClick(plots.rss.canvas, Qt.Key.Key_PageUp)
    assert not plots.controls.follow.isChecked()
    assert plots.io_wait.canvas.x_range[1] < end_s


def test_that_plots_can_have_the_room_of_all_else(window, plots):
    window.resize(1280, 800)
    plots.show_plots(tuple(plots.by_key))
    low = plots.device.height()
    plots.controls.alone.trigger()
    work = window.workspace
    assert not work.tabs.isVisible()
    assert not work.cards["A"].isVisible()
    assert _seen(plots) == list(plots.by_key)
    QApplication.processEvents()
    assert plots.device.height() > 2 * low
    plots.cpu.header.maximise.click()
    plots.cpu.header.maximise.click()
    assert not work.tabs.isVisible()
    work.refresh_layout()
    assert not work.cards["A"].isVisible()
    plots.controls.alone.trigger()
    assert work.tabs.isVisible()
    assert work.cards["A"].isVisible()
