"""Words in a plot, as they are seen on the screen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QBitmap, QColor, QRegion

from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.items import TextLabel

INK, GROUND = QColor(0, 0, 255), QColor(255, 0, 0)


@pytest.fixture
def canvas(show):
    made = show(Chart("x"), 500, 300)
    made.set_x_range(0.0, 100.0)
    made.set_y_axis(0.0, 100.0, [])
    return made


@pytest.fixture
def word(canvas):
    # Thin letters would have no pixel of their very colour.
    made = TextLabel(canvas, z=1, weight=700)
    made.setText("done 5.23 s")
    made.set_colours(INK, GROUND)
    made.show()
    return made


def seen(canvas, colour):
    """Where the screen shows a colour; empty where it does not."""
    image = canvas.grab().toImage()
    mask = image.createMaskFromColor(colour.rgb(), Qt.MaskMode.MaskOutColor)
    return QRegion(QBitmap.fromImage(mask)).boundingRect()


@pytest.mark.parametrize("x", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("y", [0.0, 0.5, 1.0])
def test_that_words_lie_at_their_point_as_they_are_anchored(canvas, word, x, y):
    word.place(40.0, 60.0, (x, y))
    place, point = seen(canvas, GROUND), canvas.to_px(40.0, 60.0)
    assert place.width() == pytest.approx(word.width_px, abs=1)
    assert place.left() == pytest.approx(point.x() - x * place.width(), abs=2)
    assert place.top() == pytest.approx(point.y() - y * place.height(), abs=2)
    letters = seen(canvas, INK)
    assert letters.width() > 0.8 * place.width()
    assert place.contains(letters)


def test_that_words_are_as_large_whatever_the_axes_show(canvas, word):
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
    canvas.show_x(80.0, 100.0)
    assert seen(canvas, GROUND).isEmpty()


def test_that_longer_words_have_more_ground_and_hidden_ones_none(canvas, word):
    word.place(20.0, 50.0, (0.0, 0.0))
    before = seen(canvas, GROUND)
    word.setText("done 5.23 s, 3.07 GB/s")
    assert seen(canvas, GROUND).width() > 1.5 * before.width()
    word.hide()
    assert seen(canvas, GROUND).isEmpty()
