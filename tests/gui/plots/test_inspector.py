import pytest
from PySide6.QtCore import Qt
from tests.gui.pointing import move

from modelmon.core.units import rate_text, size_text
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.throughput import ThroughputPlot


@pytest.fixture
def plot(show, slow, fast):
    made = show(ThroughputPlot())
    made.set_record("A", slow)
    made.set_record("B", fast)
    return made


def _hover(plot, seconds):
    plot.canvas.hovered.emit(seconds, 1.0)


def test_that_the_box_gives_exact_values_and_their_difference(plot):
    _hover(plot, 2.0)
    rows = {row.label: row.texts for row in plot.inspector.readout.rows}
    a, b = (plot.traces[label, "delivered"].curve.at(2.0) for label in ("A", "B"))
    assert rows["A"][0] == rate_text(a)
    assert rows["B"][0] == rate_text(b)
    assert rows["B − A"][0] == f"+{rate_text(b - a)}"
    assert plot.inspector.readout.isVisible()
    _hover(plot, 7.0)
    rows = {row.label: row.texts for row in plot.inspector.readout.rows}
    assert rows["B"] == rows["B − A"] == ("–", "–")
    assert rows["A"][0].endswith("/s")


def test_that_hidden_arms_and_series_are_not_in_the_box(plot):
    plot.set_visible_arms({"B"})
    plot.entries["device"].click()
    _hover(plot, 2.0)
    assert [row.label for row in plot.inspector.readout.rows] == ["B"]
    assert len(plot.inspector.readout.rows[0].texts) == 1


def test_that_the_pointer_moves_the_crosshair(qtbot, plot):
    with qtbot.waitSignal(plot.crosshair_moved) as moved:
        move(plot.canvas, 3.01, 1.0)
    assert moved.args[0] == pytest.approx(3.0, abs=0.1)


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


def test_that_arrow_keys_move_the_crosshair_and_escape_ends_it(qtbot, plot):
    _hover(plot, 2.0)
    qtbot.keyClick(plot.canvas, Qt.Key.Key_Right)
    assert plot.inspector.seconds == pytest.approx(2.09)
    qtbot.keyClick(plot.canvas, Qt.Key.Key_Left)
    assert plot.inspector.seconds == pytest.approx(2.0)
    qtbot.keyClick(plot.canvas, Qt.Key.Key_Escape)
    assert plot.inspector.seconds is None
    assert not plot.inspector.readout.isVisible()


def test_that_keys_zoom_and_reset_the_time_axis(qtbot, plot):
    with qtbot.waitSignal(plot.view_changed) as changed:
        qtbot.keyClick(plot.canvas, Qt.Key.Key_Plus)
    assert tuple(changed.args) == plot.canvas.x_range == (2.25, 6.75)
    plot.canvas.end_at(12.0)
    assert plot.canvas.x_range == (2.25, 6.75)
    plot.header.reset.click()
    assert plot.canvas.x_range == (0.0, 12.0)
