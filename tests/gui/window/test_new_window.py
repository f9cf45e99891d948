"""A further window: in a process of its own, and not on top of the first."""

import sys

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QWidget

from modelmon.gui.shell.command_controller import place_beside, start_window, take_place

SCREEN = QRect(0, 24, 1920, 1056)
_TELL = "import os, sys; open(sys.argv[1], 'w').write(os.environ['MODELMON_WINDOW_PLACE'])"


@pytest.mark.parametrize(
    "here",
    [
        QRect(100, 100, 1280, 800),
        QRect(640, 280, 1280, 800),
        QRect(0, 24, 1280, 800),
        QRect(0, 24, 1900, 1040),
        SCREEN,
    ],
    ids=["in the middle", "at the end", "at the corner", "nearly full", "full"],
)
def test_that_a_new_window_leaves_the_first_in_sight_and_is_on_the_screen(here):
    place = place_beside(here, SCREEN)
    assert SCREEN.contains(place)
    apart = place.topLeft() - here.topLeft()
    assert min(abs(apart.x()), abs(apart.y())) >= 30 or place.topLeft() == SCREEN.topLeft()
    assert place.topLeft() != here.topLeft()


def test_that_the_new_process_learns_its_place_and_takes_it(qtbot, tmp_path, monkeypatch):
    first, second = QWidget(), QWidget()
    for window in (first, second):
        qtbot.addWidget(window)
    first.resize(400, 300)
    first.move(20, 10)
    first.show()
    told = tmp_path / "place"
    assert start_window(first, (sys.executable, "-c", _TELL, str(told)))
    qtbot.waitUntil(lambda: told.exists() and bool(told.read_text()))
    monkeypatch.setenv("MODELMON_WINDOW_PLACE", told.read_text())
    take_place(second)
    assert second.pos() - first.pos() == QPoint(30, 30)
    assert second.size() == QSize(400, 300)


def test_that_the_first_window_stays_where_it_was_left(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(11, 12, 300, 200)
    take_place(window)
    assert window.geometry() == QRect(11, 12, 300, 200)
