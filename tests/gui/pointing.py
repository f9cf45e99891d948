"""What a mouse does at a place of a chart, in axis units."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication


def place_of(canvas, x, y):
    """The part of the chart that hears of it, and where in it."""
    at = canvas.to_px(x, y).toPoint()
    viewport = canvas.childAt(at)
    assert viewport is not None
    return viewport, viewport.mapFrom(canvas, at)


def move(canvas, x, y):
    viewport, place = place_of(canvas, x, y)
    QTest.mouseMove(viewport, place)


def click(canvas, x, y):
    viewport, place = place_of(canvas, x, y)
    QTest.mouseMove(viewport, place)
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=place)


def wheel(viewport, place, turned, keys=Qt.KeyboardModifier.NoModifier):
    at = QPointF(place)
    event = QWheelEvent(
        *(at, QPointF(viewport.mapToGlobal(at)), QPoint(), QPoint(0, turned)),
        *(Qt.MouseButton.NoButton, keys, Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(viewport, event)
