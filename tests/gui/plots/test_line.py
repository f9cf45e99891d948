import sys

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from shiboken6 import wrapInstance

from modelmon.gui.plots.canvas import Canvas
from modelmon.gui.plots.crosshair import Dots
from modelmon.gui.plots.items import Drawn
from modelmon.gui.plots.line import Line, as_lines
from modelmon.gui.plots.pens import main_pen
from modelmon.gui.widgets.theme import LIGHT


@pytest.fixture
def canvas(qtbot):
    made = Canvas("x")
    qtbot.addWidget(made)
    made.set_x_range(0.0, 100.0)
    made.set_y_axis(0.0, 100.0, [])
    return made


def _row(canvas, label, x, y, *, points=False):
    """Which pixels of the row at y = 50 a line has drawn, 10 to each unit of x."""
    line = Line(canvas, z=1)
    line.set_data(np.array(x), np.array(y))
    line.set_pen(main_pen(LIGHT, label), antialiased=False)
    line.marks_points = points
    canvas.lay_out()
    image = QImage(1000, 100, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.scale(10, 1)
    line.draw(painter)
    painter.end()
    return [(image.pixel(at, 50) & 0xFFFFFF) != 0 for at in range(1000)]


def test_that_a_solid_line_has_no_holes_but_where_a_value_is_missing(canvas):
    row = _row(canvas, "A", [0, 30, 40, 50, 90], [50, 50, np.nan, 50, 50])
    assert all(row[5:295])
    assert not any(row[305:495])
    assert all(row[505:895])


def test_that_a_line_that_leaves_for_very_far_is_drawn_without_dashes(canvas):
    row = _row(canvas, "B", [0, 99, 100], [50, 50, 2.0**53])
    assert all(row[5:985])


def test_that_dashes_keep_their_length_however_close_the_points_are(canvas):
    few = _row(canvas, "B", [0, 100], [50, 50])
    many = _row(canvas, "B", np.linspace(0, 100, 777).tolist(), [50.0] * 777)
    assert sum(few) == pytest.approx(1000 * 7 / 11, rel=0.05)
    assert sum(many) == pytest.approx(sum(few), rel=0.05)


def test_that_single_points_and_nothing_at_all_draw_no_strokes(canvas):
    assert not any(_row(canvas, "A", [10.0], [50.0]))
    assert not any(_row(canvas, "B", [], []))
    assert not any(_row(canvas, "B", [], [], points=True))
    assert not any(_row(canvas, "A", [10.0], [np.nan], points=True))


def test_that_a_point_is_as_wide_as_high_however_the_axes_are_scaled(canvas):
    line = Line(canvas, z=1)
    line.marks_points = True
    line.set_data(np.array([0.05]), np.array([50.0]))
    line.set_pen(main_pen(LIGHT, "A"), antialiased=False)
    mark = Dots(canvas, z=2)
    mark.show_points([("A", 0.05, 50.0)])
    for drawn, least_px, most_px in ((line, 3, 7), (mark, 7, 11)):
        width, height = _extent_px(drawn)
        assert least_px <= width <= most_px
        assert abs(width - height) <= 1


def _extent_px(drawn):
    """Width and height of a drawing, with 1000 pixels to each unit of x."""
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.scale(1000, 1)
    drawn.draw(painter)
    painter.end()
    marked = [(x, y) for x in range(100) for y in range(100) if (image.pixel(x, y) & 0xFFFFFF) != 0]
    across, up = (max(axis) - min(axis) for axis in zip(*marked, strict=True))
    return across, up


class _Broken(Drawn):
    def boundingRect(self):  # noqa: N802 (Qt's name)
        return QRectF(0.0, 0.0, 100.0, 100.0)

    def draw(self, painter):
        del painter
        raise ValueError("cannot be drawn")


def test_that_a_drawing_that_fails_is_told_and_leaves_the_program_running(canvas, monkeypatch):
    told = []
    monkeypatch.setattr(sys, "excepthook", lambda _kind, error, _trace: told.append(error))
    canvas.add(_Broken())
    canvas.resize(300, 200)
    assert not canvas.grab().isNull()
    assert "cannot be drawn" in str(told[0])


def test_that_a_line_is_not_stroked_where_there_is_no_room_yet(canvas):
    line = Line(canvas, z=1)
    line.set_data(np.array([0.0, 50.0, 100.0]), np.array([50.0, 50.0, 50.0]))
    line.set_pen(main_pen(LIGHT, "B"), antialiased=False)
    canvas.lay_out()
    image = QImage(10, 10, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.scale(10, 0)
    # A division by that scale would warn, and warnings are errors here.
    line.draw(painter)
    painter.end()


def test_that_strokes_are_lines_where_python_still_has_what_qt_freed(monkeypatch):
    strokes = np.array([[1.0, 2.0, 3.0, 4.0]])
    freed = {strokes.ctypes.data: QRectF(0, 0, 1, 1)}
    monkeypatch.setattr(
        "modelmon.gui.plots.line.wrapInstance",
        lambda address, kind: freed.get(address) or wrapInstance(address, kind),
    )
    kept, line = as_lines(strokes)
    assert (line.x1(), line.y2()) == (1.0, 4.0)
    assert kept is not strokes
