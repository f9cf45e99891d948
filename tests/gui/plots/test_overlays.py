"""Further runs beside A and B: drawn, told apart, valued, and taken away again."""

from dataclasses import replace

import numpy as np
import pytest

from modelmon.gui.plots.io_wait import IoWaitPlot
from modelmon.gui.plots.pens import overlay_pen
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.throughput import ThroughputPlot
from modelmon.gui.plots.traces import OverlaidRun
from modelmon.gui.widgets.theme import DARK, LIGHT


@pytest.fixture
def throughput(show):
    return show(ThroughputPlot())


def test_that_runs_are_drawn_without_a_or_b(throughput, slow):
    run = OverlaidRun("x1A", slow, 0)
    throughput.set_overlays([run])
    assert not throughput.is_empty
    line = throughput.overlays.lines[run]
    x, y = line.at_x, line.at_y
    assert np.trapezoid(y * 1e9, x) == pytest.approx(slow.delivered_bytes, rel=1e-6)
    throughput.entries["delivered"].click()
    assert not throughput.overlays.visible
    assert throughput.values_at(2.0)[1] == []
    throughput.set_overlays([])
    assert throughput.is_empty


def test_that_axes_hold_the_overlaid_runs_too(throughput, slow, fast, recordings):
    throughput.set_record("B", fast)
    before = throughput.canvas.x_range[1]
    throughput.set_overlays([OverlaidRun("x1A", slow, 0)])
    assert throughput.canvas.x_range[1] > before
    throughput.set_record("B", slow)
    top = throughput.scale.high
    throughput.set_overlays([OverlaidRun("x1B", fast, 0)])
    assert throughput.scale.high > top
    warm = recordings.record(replace(recordings.FAST, rate_bytes_per_s=40e9))
    throughput.set_overlays([OverlaidRun("warm", warm, 0)])
    assert throughput.scale.logarithmic


@pytest.mark.parametrize("kind", [ThroughputPlot, IoWaitPlot, RssPlot])
def test_that_the_crosshair_gives_their_values(show, kind, slow, fast):
    plot = show(kind())
    plot.set_record("A", slow)
    plot.set_overlays([OverlaidRun("x1B", fast, 1)])
    names, rows = plot.values_at(2.0)
    alone = show(kind())
    alone.set_record("B", fast)
    _, expected = alone.values_at(2.0)
    row = rows[-1]
    assert row.label == "x1B"
    assert len(row.texts) == len(names)
    assert row.texts[0] == expected[0].texts[0]
    assert row.texts[0] != "–"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_twelve_lines_differ_from_each_other_and_from_a_and_b(theme):
    def look(pen):
        return pen.color().name(), tuple(pen.dashPattern())

    looks = {look(overlay_pen(theme, style)) for style in range(12)}
    assert len(looks) == 12
    assert not {theme.a.name(), theme.b.name()} & {colour for colour, _ in looks}
