"""Values under the pointer, keys and wheel on a plot, and the names of its series."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from tests.gui.pointing import move, wheel

from modelmon.core.units import rate_text, size_text
from modelmon.gui.plots.chart import Chart, time_ticks
from modelmon.gui.plots.header import LegendEntry
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.throughput import ThroughputPlot
from modelmon.gui.plots.time_range import TimeRange
from modelmon.gui.widgets.theme import font, manager


@pytest.fixture
def plot(show, slow, fast):
    made = show(ThroughputPlot())
    made.set_record("A", slow)
    made.set_record("B", fast)
    return made


def _hover(plot, seconds):
    plot.canvas.hovered.emit(seconds, 1.0)


def test_that_the_box_gives_exact_values_and_their_difference(qtbot, plot):
    _hover(plot, 2.0)
    rows = {row.label: row.texts for row in plot.inspector.readout.rows}
    a, b = (plot.traces[label, "delivered"].curve.at(2.0) for label in ("A", "B"))
    assert rows["A"][0] == rate_text(a)
    assert rows["B"][0] == rate_text(b)
    assert rows["B − A"][0] == f"+{rate_text(b - a)}"
    assert plot.inspector.readout.isVisible()
    assert plot.inspector.readout.text().startswith("2.00 s")
    _hover(plot, 0.0123)
    assert plot.inspector.readout.text().startswith("12.3 ms")
    _hover(plot, 7.0)
    rows = {row.label: row.texts for row in plot.inspector.readout.rows}
    assert rows["B"] == rows["B − A"] == ("–", "–")
    assert rows["A"][0].endswith("/s")
    with qtbot.waitSignal(plot.crosshair_moved) as moved:
        move(plot.canvas, 3.01, 1.0)
    assert moved.args[0] == pytest.approx(3.0, abs=0.1)


@pytest.mark.parametrize(("end_s", "last"), [(0.04, "40 ms"), (4.0, "4 s"), (3600.0, "60 min")])
def test_that_a_time_axis_has_the_unit_of_its_length(end_s, last):
    assert time_ticks(0.0, end_s, 300.0)[-1] == (pytest.approx(end_s), last)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [((0.0123, 0.0156), "12.3–15.6 ms"), ((0.3, 0.5), "300–500 ms"), ((0.3, 1.5), "0.3–1.5 s")],
)
def test_that_a_range_of_a_short_load_is_in_milliseconds(seconds, text):
    selected = TimeRange()
    selected.select(*seconds)
    assert selected.short_text == text


def test_that_linked_plots_say_their_values_where_they_cover_no_curve(show, plot, slow, fast):
    other = show(RssPlot(), 288)
    other.set_record("A", slow)
    other.set_record("B", fast)
    plot.crosshair_moved.connect(other.show_crosshair)
    _hover(plot, 2.5)
    assert other.inspector.seconds == 2.5
    assert not other.inspector.readout.isVisible()
    said = {label: value.text() for label, value in other.header.values.items()}
    a, b = (other.value(label, "total", 2.5) for label in ("A", "B"))
    assert said["B"] == f"B {size_text(b)}"
    assert f"A {size_text(a)}".startswith(said["A"])
    plot.canvas.left.emit()
    assert other.inspector.seconds is None
    assert not any(value.text() for value in other.header.values.values())


def test_that_keys_move_the_crosshair_zoom_and_reset(qtbot, plot):
    _hover(plot, 2.0)
    qtbot.keyClick(plot.canvas, Qt.Key.Key_Right)
    assert plot.inspector.seconds == pytest.approx(2.09)
    qtbot.keyClick(plot.canvas, Qt.Key.Key_Left)
    assert plot.inspector.seconds == pytest.approx(2.0)
    qtbot.keyClick(plot.canvas, Qt.Key.Key_Escape)
    assert plot.inspector.seconds is None
    assert not plot.inspector.readout.isVisible()
    with qtbot.waitSignal(plot.view_changed) as changed:
        qtbot.keyClick(plot.canvas, Qt.Key.Key_Plus)
    assert tuple(changed.args) == plot.canvas.x_range == (2.25, 6.75)
    plot.canvas.end_at(12.0)
    assert plot.canvas.x_range == (2.25, 6.75)
    plot.header.reset.click()
    assert plot.canvas.x_range == (0.0, 12.0)


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


def test_that_the_axis_beside_can_neither_be_zoomed_nor_moved(canvas):
    wheel(canvas._view.viewport(), BESIDE, 120)
    _drag(canvas, BESIDE, QPoint(0, 60))
    assert canvas.x_range == (0.0, 100.0)
    assert not canvas.is_zoomed


def test_that_the_axis_below_can_be_zoomed_and_moved(canvas):
    wheel(canvas._view.viewport(), BELOW, 120)
    low, high = canvas.x_range
    assert 0 < high - low < 100
    canvas.show_x(40.0, 60.0)
    _drag(canvas, BELOW, QPoint(-100, 0))
    low, high = canvas.x_range
    assert low > 40.0
    assert high - low == pytest.approx(20.0)


TEXT_FROM_PX = 25


def painted(entry):
    """The colours of its words, large enough to have pixels without a trace of the mount."""
    entry.setFont(font(44))
    entry.resize(TEXT_FROM_PX + 60, 60)
    drawn = QPixmap(entry.size())
    drawn.fill(manager().theme.panel)
    entry.render(drawn)
    place = QRect(TEXT_FROM_PX, 0, entry.width() - TEXT_FROM_PX, entry.height())
    image = drawn.toImage().copy(place)
    return {
        image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())
    }


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_that_a_hidden_series_has_a_name_that_can_be_read(qtbot, theme_manager, mode):
    theme_manager.set_mode(mode)
    theme = theme_manager.theme
    entry = LegendEntry("device", "thin")
    qtbot.addWidget(entry)

    def words(colour):
        return colour.name() in painted(entry)

    assert words(theme.text_2)
    entry.setChecked(False)
    assert words(theme.text_2)
    entry.set_available(available=False, reason="Not known here.")
    assert not words(theme.text_2)
    assert words(theme.neutral_2)
