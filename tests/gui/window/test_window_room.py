"""How the plots, the tabs and the side panel share their room, and what is left out where there is
little.
"""

import itertools

import pytest
from legibility import findings, settled
from msgspec import structs
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication
from window_fakes import make_inspection, opened
from window_states import States

from modelmon.gui.best.ranking_table import STRATEGY
from modelmon.gui.plots.traces import OverlaidRun
from modelmon.gui.session.notices import Activity, ProgressView
from modelmon.gui.widgets.theme import font


@pytest.fixture
def plots(window, recordings):
    window.session.set_inspection(make_inspection())
    window.session.show_record("A", recordings.record(recordings.SLOW))
    window.session.show_record("B", recordings.record(recordings.FAST))
    return window.workspace.plots


def test_that_six_plots_stay_legible_and_scroll_where_they_have_no_room(window, plots):
    sizes = ((1100, 700), (1280, 800), (1440, 900), (1920, 1080))
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


def test_that_what_is_clicked_in_the_tabs_stays_when_a_run_is_overlaid(window, plots, recordings):
    for size in ((1280, 800), (1920, 1080), (1100, 700)):
        window.resize(*size)
        settled(window)
        work = window.workspace
        before = work.tabs.mapTo(window, work.tabs.rect().topLeft())
        work.show_overlays([OverlaidRun("run 1", recordings.record(recordings.FAST), 0)])
        QApplication.processEvents()
        QApplication.processEvents()
        assert work.overlays.isVisible()
        assert work.tabs.mapTo(window, work.tabs.rect().topLeft()) == before
        assert plots.throughput.isVisible()
        work.show_overlays([])
        QApplication.processEvents()
        QApplication.processEvents()
        assert work.tabs.mapTo(window, work.tabs.rect().topLeft()) == before


def test_that_rows_axes_and_commands_are_whole_in_the_least_window(window, recordings):
    window.resize(1100, 700)
    States(window, recordings).compared()
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
    buttons = window.toolbar.buttons
    assert all(buttons[name].isVisible() for name in ("watch", "export"))
    window.session.begin(Activity.RUNNING, lambda: ProgressView("Run"))
    settled(window)
    assert buttons["stop"].isVisible()
    window.session.end()


def test_that_only_the_user_moves_what_divides_plots_and_tabs(window, plots):
    window.resize(1280, 800)
    QApplication.processEvents()
    work = window.workspace
    sizes = set()
    for at in range(work.tabs.count()):
        work.tabs.setCurrentIndex(at)
        QApplication.processEvents()
        sizes.add(tuple(work.body.sizes()))
    plots.show_plots(("throughput", "rss"))
    QApplication.processEvents()
    sizes.add(tuple(work.body.sizes()))
    assert len(sizes) == 1


def test_that_a_ranking_has_the_room_in_a_low_window(window, recordings):
    States(window, recordings).raced()
    table = window.workspace.best.table
    for size, least in (((1100, 700), 5),):
        window.resize(*size)
        settled(window)
        view = table.viewport().rect()
        seen = [view.contains(table.visualRect(table.model().index(row, 0))) for row in range(9)]
        assert sum(seen) >= least, size
        assert findings(window) == {}


def test_that_loads_too_short_for_samples_have_all_plots_too(window, recordings):
    States(window, recordings).compared()
    window.resize(1100, 700)
    for samples in (1000, 1, 0):
        for label, fake in (("A", recordings.SLOW), ("B", recordings.FAST)):
            record = recordings.record(fake)
            del record.samples[samples:]
            window.session.show_record(label, record)
        window.workspace.plots.throughput.set_limit(2e9, "Disk limit 2.00 GB/s")
        settled(window)
        assert all(plot.isVisible() for plot in window.workspace.plots.plots[:3])
    assert findings(window) == {}


def test_that_strategies_in_a_ranking_can_be_told_apart(window, recordings):
    States(window, recordings).raced()
    races = window.session.races
    race = races.race
    assert race is not None
    best = race.recommendation.label
    readers = iter((2, 8, 16, 32))
    standings = tuple(
        each
        if each.label == best or (count := next(readers, None)) is None
        else structs.replace(each, label=f"processes, readers {count}, with threads")
        for each in race.standings
    )
    window.session.conclude(structs.replace(race, standings=standings))
    table = window.workspace.best.table
    for size in ((1440, 900), (1100, 700)):
        window.resize(*size)
        settled(window)
        table.expandAll()
        labels = [row.label for row in table.ranking.every_row if row.figures]
        assert sum("with threads" in label for label in labels) > 1
        room_px = table.columnWidth(STRATEGY) - 16
        for label in labels:
            bold = QFontMetrics(font(12, 600))
            room = bold.boundingRect(0, 0, room_px, 999, Qt.TextFlag.TextWordWrap, label)
            assert room.width() <= room_px
            assert table.visualRect(table.index_of(label)).height() >= room.height()


def test_that_the_plots_of_a_program_have_a_little_more_width_than_its_phases(window, recordings):
    window.resize(1440, 900)
    states = States(window, recordings)
    states.raced()
    settled(window)
    states.watched()
    settled(window)
    plots_px, tabs_px = window.workspace.body.sizes()
    assert tabs_px < plots_px < 1.3 * tabs_px
    tabs = window.workspace.tabs
    tabs.setCurrentWidget(window.workspace.cluster)
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
