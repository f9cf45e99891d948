"""The tour points at five parts of the window, and is gone as soon as somebody leaves it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from shiboken6 import isValid

from modelmon.gui.shell.tour import STEPS, Tour


@pytest.fixture
def tour(window):
    window.actions_by_id["tour"].trigger()
    (made,) = window.findChildren(Tour)
    yield made
    if isValid(made):
        made.leave()


def test_that_it_stays_within_the_window_and_ends_after_five_steps(qtbot, window, tour):
    titles = []
    for _ in STEPS:
        titles.append(tour.title.text())
        assert window.rect().contains(tour.geometry())
        qtbot.mouseClick(tour.next_button, Qt.MouseButton.LeftButton)
    assert len(set(titles)) == len(STEPS) == 5
    assert tour.isHidden()


@pytest.mark.parametrize("leave", ["button", "escape"])
def test_that_it_can_be_left_at_once_and_keeps_nothing(qtbot, window, tour, leave):
    if leave == "button":
        qtbot.mouseClick(tour.leave_button, Qt.MouseButton.LeftButton)
    else:
        QTest.keyClick(tour.next_button, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(Tour))
