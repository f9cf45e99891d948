"""Words and upright lines in a plot, as they are seen on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF
from PySide6.QtGui import QColor, QPaintEvent, QRegion

from modelmon.gui.look.theme import LIGHT
from modelmon.gui.plots.canvas import Canvas
from modelmon.gui.plots.pens import pen
from modelmon.gui.plots.upright import Upright
from modelmon.gui.plots.word import Word

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

INK, GROUND = QColor(0, 0, 255), QColor(255, 0, 0)


@pytest.fixture
def canvas(show: Callable[..., Any]) -> Canvas:
    made: Canvas = show(Canvas("x"), 500, 300)
    made.set_x_range(0.0, 100.0)
    made.set_y_axis(0.0, 100.0, [])
    return made


@pytest.fixture
def word(canvas: Canvas) -> Word:
    # Thin letters would have no pixel of their very colour.
    made = Word(canvas, z=1, weight=700)
    made.say("done 5.23 s")
    made.set_colours(INK, GROUND)
    made.show()
    return made


def seen(canvas: Canvas, colour: QColor) -> QRect:
    """Where the screen shows a colour; empty where it does not."""
    image = canvas.grab().toImage()
    found = QRegion()
    for y in range(image.height()):
        for x in range(image.width()):
            if image.pixelColor(x, y) == colour:
                found += QRect(x, y, 1, 1)
    return found.boundingRect()


@pytest.mark.parametrize("x", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("y", [0.0, 0.5, 1.0])
def test_that_words_lie_at_their_point_as_they_are_anchored(
    canvas: Canvas, word: Word, x: float, y: float
) -> None:
    word.place(40.0, 60.0, (x, y))
    place, point = seen(canvas, GROUND), canvas.to_px(40.0, 60.0)
    assert place.width() == pytest.approx(word.width_px, abs=1)
    assert place.left() == pytest.approx(point.x() - x * place.width(), abs=2)
    assert place.top() == pytest.approx(point.y() - y * place.height(), abs=2)
    letters = seen(canvas, INK)
    assert letters.width() > 0.8 * place.width()
    assert place.contains(letters)


def test_that_words_are_as_large_whatever_the_axes_show(canvas: Canvas, word: Word) -> None:
    word.place(41.0, 60.0, (0.0, 1.0))
    size = seen(canvas, GROUND).size()
    for change in (
        lambda: canvas.show_x(40.0, 45.0),
        lambda: canvas.set_y_axis(0.0, 5000.0, []),
        lambda: canvas.resize(700, 400),
        canvas.reset_view,
    ):
        change()
        now = seen(canvas, GROUND)
        assert now.width() == pytest.approx(size.width(), abs=1)
        assert now.height() == pytest.approx(size.height(), abs=1)
        assert now.left() == pytest.approx(canvas.to_px(41.0, 60.0).x(), abs=2)
        # What Qt paints anew when they move or go.
        first, last = word.rect().topLeft(), word.rect().bottomRight()
        bounds = QRectF(canvas.to_px(first.x(), last.y()), canvas.to_px(last.x(), first.y()))
        assert bounds.adjusted(-1, -1, 1, 1).contains(QRectF(now))
        assert bounds.width() <= now.width() + 2
    canvas.show_x(80.0, 100.0)
    assert seen(canvas, GROUND).isEmpty()


def test_that_longer_words_have_more_ground_and_hidden_ones_none(
    canvas: Canvas, word: Word
) -> None:
    word.place(20.0, 50.0, (0.0, 0.0))
    before = seen(canvas, GROUND)
    word.say("done 5.23 s, 3.07 GB/s")
    assert seen(canvas, GROUND).width() > 1.5 * before.width()
    word.hide()
    assert seen(canvas, GROUND).isEmpty()


class Painted(QObject):
    """What of a widget was painted."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.region = QRegion()
        self._viewport = canvas._view.viewport()
        self._viewport.installEventFilter(self)

    def eventFilter(self, _: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        if isinstance(event, QPaintEvent):
            self.region += event.region()
        return False

    def area_px(self) -> int:
        return sum(rect.width() * rect.height() for rect in self.region)


def test_that_a_line_that_moves_has_its_old_and_new_place_painted_and_no_more(
    canvas: Canvas, qtbot: QtBot
) -> None:
    line = Upright(canvas, z=1)
    line.set_pen(pen(LIGHT.text, 1))
    canvas.lay_out()
    line.move_to(10.0)
    line.show()
    canvas.grab()
    qtbot.wait(1)
    painted = Painted(canvas)
    line.move_to(12.0)
    line.move_to(14.0)
    qtbot.waitUntil(lambda: not painted.region.isEmpty())
    origin = canvas._view.pos()
    for x in (10.0, 14.0):
        for y in (1.0, 50.0, 99.0):
            at = canvas.to_px(x, y).toPoint() - origin
            assert all(painted.region.contains(at + QPoint(beside, 0)) for beside in (-1, 0, 1))
    assert painted.area_px() < 0.15 * canvas.width() * canvas.height()
    assert line.at == 14.0
