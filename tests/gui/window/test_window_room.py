"""How the plots, the tabs and the side panel share their room, and what is left out where there is
little.
"""

import itertools

import pytest
from legibility import findings, settled
from msgspec import structs
from PySide6.QtWidgets import QApplication
from window_fakes import make_inspection, make_model, opened
from window_states import States

from modelmon.gui.plots.traces import OverlaidRun
from modelmon.gui.session.notices import Activity, ProgressView


@pytest.fixture
def plots(window, recordings):
    window.session.set_inspection(make_inspection())
    window.session.show_record("A", recordings.record(recordings.SLOW))
    window.session.show_record("B", recordings.record(recordings.FAST))
    return window.workspace.plots


def test_that_six_plots_stay_legible_and_scroll_where_they_have_no_room(window, plots):
    sizes = ((1100, 700), (1440, 900))
    for size, count in itertools.product(sizes, (3, 6)):
        window.resize(*size)
        plots.show_plots(tuple(plots.by_key)[:count])
        QApplication.processEvents()
        QApplication.processEvents()
        header = plots.throughput.header
        assert header.title.isVisible(), size
        assert header.more.geometry().right() <= header.width(), size
        if count == 3:
            continue
        work = window.workspace
        assert (window.width(), window.height()) == size
        assert all(plot.canvas.size_px[1] >= 40 for plot in plots.plots), size
        assert plots.width() <= work.plot_area.viewport().width()
        reached = work.plot_area.verticalScrollBar().maximum() + work.plot_area.viewport().height()
        assert reached == plots.height(), size
        assert work.tabs.height() >= 140, size


def test_that_only_the_user_moves_what_divides_plots_and_tabs(window, plots, recordings):
    """What is clicked in tabs stays as a run is overlaid and as others are opened."""
    work = window.workspace
    run = OverlaidRun("run 1", recordings.record(recordings.FAST), 0)
    for size in ((1280, 800), (1100, 700)):
        window.resize(*size)
        plots.show_plots(tuple(plots.by_key)[:3])
        settled(window)
        places = set()

        def look(places=places):
            settled(window)
            places.add(work.tabs.mapTo(window, work.tabs.rect().topLeft()).toTuple())

        for at in range(work.tabs.count()):
            if work.tabs.isTabVisible(at):
                work.tabs.setCurrentIndex(at)
                look()
        plots.show_plots(("throughput", "rss"))
        for overlaid in ([run], []):
            work.show_overlays(overlaid)
            look()
            assert work.overlays.isVisible() == bool(overlaid)
        assert len(places) == 1, size
        (before,) = places
        work.body.moveSplitter(work.body.sizes()[0] - 40, 1)
        look()
        assert len(places) == 2
        assert work.tabs.mapTo(window, work.tabs.rect().topLeft()).toTuple()[1] < before[1]
        work._divisions.clear()


def test_that_rows_axes_and_commands_are_whole_in_the_least_window(window, recordings):
    States(window, recordings).compared()
    settled(window)
    window.resize(1100, 700)
    settled(window)
    work = window.workspace
    assert work.waterfall.bar.pageStep() >= 5
    below = work.plots.throughput.canvas.axes.sides["bottom"].mapRectToScene(
        work.plots.throughput.canvas.axes.sides["bottom"].boundingRect()
    )
    assert work.plot_area.verticalScrollBar().maximum() == 0
    assert below.bottom() <= work.plots.throughput.canvas.height() + 1
    tabs = work.tabs.tabBar()
    assert tabs.width() >= tabs.sizeHint().width()
    # Tabs that few have a use for take nothing from it.
    assert all(entry.isVisible() for entry in work.waterfall.entries.values())
    buttons = window.toolbar.buttons
    assert all(buttons[name].isVisible() for name in ("watch", "export"))
    window.session.begin(Activity.RUNNING, lambda: ProgressView("Run"))
    settled(window)
    assert buttons["stop"].isVisible()
    window.session.end()


def test_that_the_bar_says_as_much_as_leaves_room_for_each_command(window):
    said = {}
    model = structs.replace(make_model(), name="a-model-with-a-long-name-00001")
    window.session.set_inspection(make_inspection(model))
    for width in (1100, 1280, 1440, 1920):
        window.resize(width, 700)
        settled(window)
        bar = window.toolbar
        shown = [bar.buttons[name] for name in bar.buttons if name != "stop"]
        assert all(button.isVisible() for button in shown), width
        said[width] = bar.chip.text(), bar.buttons["best"].toolButtonStyle()
    assert len(said[1440][0]) < len(said[1920][0])
    assert said[1100][1] != said[1440][1] == said[1920][1]


def test_that_a_ranking_has_the_room_in_a_low_window(window, recordings):
    States(window, recordings).raced()
    table = window.workspace.best.table
    window.resize(1100, 700)
    settled(window)
    view = table.viewport().rect()
    seen = [view.contains(table.visualRect(table.model().index(row, 0))) for row in range(9)]
    assert sum(seen) >= 5
    assert findings(window) == {}


def test_that_a_window_too_small_for_all_of_it_scrolls(qtbot, window):
    opened(window)
    window.resize(900, 500)
    settled(window)
    area = window.centralWidget()
    assert area.verticalScrollBar().maximum() > 0
    assert area.horizontalScrollBar().maximum() > 0
    window.activateWindow()
    log = window.workspace.log
    window.workspace.tabs.setCurrentWidget(log)
    log.setFocus()
    qtbot.waitUntil(lambda: area.verticalScrollBar().value() > 0)
    window.resize(1100, 700)
    settled(window)
    assert (area.verticalScrollBar().maximum(), area.horizontalScrollBar().maximum()) == (0, 0)
