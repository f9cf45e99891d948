"""Wheel and pointer beside the area in which a plot is drawn."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.pointing import wheel

from modelmon.gui.plots.chart import Chart

BELOW, BESIDE = QPoint(250, 290), QPoint(20, 150)


@pytest.fixture
def canvas(show):
    made = show(Chart("x"), 500, 300)
    made.set_x_range(0.0, 100.0)
    made.set_y_axis(0.0, 100.0, [(0.0, "0"), (100.0, "100")])
    return made


def _drag(canvas, start, by):
    part, button = canvas._view.viewport(), Qt.MouseButton.LeftButton
    QTest.mousePress(part, button, pos=start)
    for step in range(1, 9):
        QTest.mouseMove(part, start + by * step / 8)
        QApplication.processEvents()
    QTest.mouseRelease(part, button, pos=start + by)


def test_that_the_axis_below_can_be_zoomed_and_moved(canvas):
    wheel(canvas._view.viewport(), BELOW, 120)
    low, high = canvas.x_range
    assert 0 < high - low < 100
    canvas.show_x(40.0, 60.0)
    _drag(canvas, BELOW, QPoint(-100, 0))
    low, high = canvas.x_range
    assert low > 40.0
    assert high - low == pytest.approx(20.0)


def test_that_the_axis_beside_can_neither_be_zoomed_nor_moved(canvas):
    wheel(canvas._view.viewport(), BESIDE, 120)
    _drag(canvas, BESIDE, QPoint(0, 60))
    assert canvas.x_range == (0.0, 100.0)
    assert not canvas.is_zoomed
