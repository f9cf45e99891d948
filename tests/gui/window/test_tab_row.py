"""The tabs' row: what can be opened, and the open tab's legend at its end."""

import pytest
from legibility import settled
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from window_states import States

from modelmon.gui.widgets.theme import manager


@pytest.fixture(autouse=True)
def _compared(folder, window, recordings):
    del folder
    States(window, recordings).compared()


def seen(window):
    tabs = window.workspace.tabs
    return [tabs.tabText(at) for at in range(tabs.count()) if tabs.isTabVisible(at)]


def test_that_a_wide_window_shows_all_tabs(window):
    window.resize(1440, 900)
    settled(window)
    every = ["Waterfall", "Block times", "Access map", "Page cache", "Runs", "Find best"]
    every += ["Log"]
    assert seen(window) == every


def test_that_the_legend_of_the_open_tab_alone_is_in_its_row(window):
    work = window.workspace
    for page in (work.access_map, work.waterfall):
        work.tabs.setCurrentWidget(page)
        settled(window)
        header = page.header
        assert header.isVisible()
        top = header.mapTo(work.tabs, QPoint()).y()
        assert 0 <= top <= work.tabs.tabBar().geometry().bottom()
        assert not page.has_header
    assert not work.access_map.header.isVisible()
    assert all(entry.isVisible() for entry in work.waterfall.entries.values())


def test_that_every_tab_lies_on_the_same_ground(window):
    tabs = window.workspace.tabs
    for at in range(tabs.count()):
        tabs.setCurrentIndex(at)
        settled(window)
        page = tabs.currentWidget()
        corner = page.mapTo(window, QPoint(page.width() - 2, 1))
        ground = window.grab().toImage().pixelColor(corner)
        assert ground == manager().theme.panel, tabs.tabText(at)


def test_that_a_picture_has_the_legend_that_stands_elsewhere(window):
    plot = window.workspace.waterfall
    place = plot.header.geometry()
    action = next(each for each in plot.make_menu().actions() if each.text() == "Copy as picture")
    action.trigger()
    picture = QGuiApplication.clipboard().image()
    assert picture.height() == 2 * (plot.height() + plot.header.height())
    ground = picture.pixel(1, 1)
    rows = range(2 * plot.header.height())
    assert any(picture.pixel(x, y) != ground for y in rows for x in range(0, picture.width(), 3))
    assert plot.header.geometry() == place
    assert plot.header.more.isVisible()
