"""Curves that grow: only what is new is painted, and it looks as if all had been."""

from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QGraphicsView

from modelmon.core.worker.record import RunRecord
from modelmon.gui.plots.items import changed_stretch
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.throughput import ThroughputPlot


@pytest.mark.parametrize(
    ("before", "now", "changed"),
    [
        ([], [], None),
        ([], [1, 2], (-inf, 2)),
        ([1, nan, 3], [1, nan, 3], None),
        ([1, 2, 3], [1, 2, 3, 4], (3, 4)),
        ([1, 2, 3], [1, 2, nan], (2, 3)),
        ([1, 2, 3], [1, 2], (2, 3)),
        ([1, 2, 3], [9, 2, 3], (-inf, 3)),
        ([1, 2, 3], [], (-inf, 3)),
    ],
)
def test_that_the_stretch_that_changed_begins_where_both_are_still_the_same(before, now, changed):
    curves = [
        (np.arange(1.0, len(each) + 1), np.array(each, dtype=float)) for each in (before, now)
    ]
    assert changed_stretch(*curves) == changed


def _on_screen(plot):
    """The pixels that the screen shows of a plot; some may have been painted long ago."""
    QApplication.processEvents()
    shot = QGuiApplication.primaryScreen().grabWindow(plot.winId()).toImage()
    image = shot.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), dtype=np.uint32).copy()


def _differing_share(one, other):
    return float(np.mean(one != other))


@pytest.mark.parametrize("kind", [ThroughputPlot, RssPlot])
def test_that_a_run_painted_bit_by_bit_looks_as_one_painted_as_a_whole(
    kind, show, recordings, fast
):
    plot = show(kind())
    plot.set_time_range(12.0)
    plot.set_record("B", fast)
    record = RunRecord()
    plot.set_record("A", record)
    empty = _on_screen(plot)
    for number, event in enumerate(recordings.events(replace(recordings.SLOW, until_s=8.0))):
        record.feed(event)
        if number % 5 == 0:
            plot.refresh()
            QApplication.processEvents()
    plot.refresh()
    grown = _on_screen(plot)
    for view in plot.findChildren(QGraphicsView):
        view.viewport().update()
    assert _differing_share(grown, empty) > 0.01
    # Strokes are cut at the edges of what is painted, and rounded there.
    assert _differing_share(grown, _on_screen(plot)) < 0.001
