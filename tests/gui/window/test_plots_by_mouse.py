"""What a plot's menu and buttons do, clicked in the window."""

import pytest
from menus import choose, take, type_file
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication
from window_fakes import opened

pytestmark = pytest.mark.qt_log_ignore("^This plugin does not support")

PLOTS = ["throughput", "io_wait", "rss"]


@pytest.fixture
def plots(window, recordings):
    window.resize(1920, 1080)
    opened(window)
    window.session.show_record("A", recordings.record(recordings.SLOW))
    window.session.show_record("B", recordings.record(recordings.FAST))
    QApplication.processEvents()
    return window.workspace.plots


def seen(plots):
    return [key for key, plot in plots.by_key.items() if plot.isVisible()]


def test_that_a_plot_is_saved_as_what_its_name_or_kind_says(qtbot, plots, tmp_path):
    for typed, kind, written in (
        ("typed", "", "typed.png"),
        ("typed.svg", "", "typed.svg"),
        ("typed", "SVG (*.svg)", "typed.svg"),
        ("typed", "CSV (*.csv)", "typed.csv"),
    ):
        choose(qtbot, plots.rss.header.more, "Save plot…")
        type_file(qtbot, plots.rss, str(tmp_path / typed), kind)
        path = tmp_path / written
        assert [each.name for each in tmp_path.iterdir() if "typed" in each.name] == [written]
        if path.suffix == ".png":
            assert QImage(str(path)).width() == 2 * plots.rss.width()
        else:
            text, is_svg = path.read_text(), path.suffix == ".svg"
            assert ("<svg" in text) if is_svg else text.startswith("run,t_ns,rss_anon")
        path.unlink()


def test_that_figures_are_copied_from_the_menu_of_the_right_button(qtbot, window, plots):
    plot = plots.throughput
    place = plot.rect().center()
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.postEvent(plot, QContextMenuEvent(reason, place, plot.mapToGlobal(place)))
    take(qtbot, "Copy as CSV")
    assert QGuiApplication.clipboard().text().startswith("run,t_ns,")
    assert "as CSV" in window.statusBar().currentMessage()


def test_that_a_plot_is_maximised_and_hidden_by_clicks_and_comes_back(qtbot, window, plots):
    qtbot.mouseClick(plots.rss.header.maximise, Qt.MouseButton.LeftButton)
    assert seen(plots) == ["rss"]
    assert not window.workspace.tabs.isVisible()
    choose(qtbot, plots.rss.header.more, "Restore")
    assert seen(plots) == PLOTS
    assert window.workspace.tabs.isVisible()
    choose(qtbot, plots.io_wait.header.more, "Hide plot")
    assert seen(plots) == ["throughput", "rss"]
    bar = window.menuBar()
    (view,) = [action for action in bar.actions() if action.text() == "&View"]
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.actionGeometry(view).center())
    shown_plots = plots.controls.menu
    take(qtbot, shown_plots.title())
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is shown_plots)
    take(qtbot, "I/O wait")
    assert seen(plots) == PLOTS


def test_that_a_legend_entry_hides_its_curve_by_a_click_and_shows_it_again(qtbot, plots):
    plot = plots.throughput
    entry = plot.entries["delivered"]
    for hidden in (True, False):
        qtbot.mouseClick(entry, Qt.MouseButton.LeftButton, pos=QPoint(5, entry.height() // 2))
        assert entry.isChecked() != hidden
        assert all(plot.traces[arm, "delivered"].visible != hidden for arm in ("A", "B"))
