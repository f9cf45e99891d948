"""The figures behind a plot, as a table to copy and to save."""

import csv
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from modelmon.gui.plots.cpu import CpuPlot, FaultsPlot
from modelmon.gui.plots.device import DevicePlot
from modelmon.gui.plots.io_wait import IoWaitPlot
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.saving import save
from modelmon.gui.plots.throughput import ThroughputPlot

TIME_PLOTS = (ThroughputPlot, IoWaitPlot, RssPlot, CpuPlot, FaultsPlot, DevicePlot)


@pytest.mark.parametrize("kind", TIME_PLOTS, ids=lambda plot: plot.__name__)
def test_that_a_table_holds_every_sample_as_it_was_recorded(kind, show, slow, fast, tmp_path):
    plot = show(kind())
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    path = tmp_path / "plot.csv"
    save(plot, path)
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    samples = [("A", sample) for sample in slow.samples] + [("B", s) for s in fast.samples]
    assert len(rows) == len(samples)
    for row, (run, sample) in zip(rows, samples, strict=True):
        assert (row.pop("run"), int(row.pop("t_ns"))) == (run, sample.t_ns)
        for name, text in row.items():
            of_device = name.startswith("device_") and name != "device_bytes"
            source = sample.device if of_device else sample
            value = getattr(source, name.removeprefix("device_") if of_device else name)
            assert (float(text) if text else None) == value, name


def test_that_the_copy_key_puts_the_shown_arms_on_the_clipboard(show, slow, fast, qtbot):
    plot = show(RssPlot())
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    plot.set_visible_arms({"B"})
    with qtbot.waitSignal(plot.notice) as notice:
        qtbot.keyClick(plot.canvas, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().splitlines()
    assert lines[0] == "run,t_ns,rss_anon_bytes,rss_file_bytes,rss_shared_bytes"
    assert len(lines) == len(fast.samples) + 1
    assert {line[0] for line in lines[1:]} == {"B"}
    assert notice.args == [f"Copied {len(fast.samples)} rows as CSV."]


def test_that_a_figure_that_is_not_known_is_an_empty_cell(show, recordings):
    plot = show(IoWaitPlot())
    plot.set_record("A", recordings.record(replace(recordings.SLOW, psi_io_share=None)))
    first = plot.csv_text().splitlines()[1].split(",")
    assert first[2] == ""
    assert float(first[3]) > 0


def test_that_a_table_that_cannot_be_written_is_reported(show, slow, qtbot, tmp_path):
    plot = show(RssPlot())
    plot.set_record("A", slow)
    with qtbot.waitSignal(plot.failed) as failed:
        save(plot, tmp_path / "absent" / "plot.csv")
    assert "Couldn't write" in failed.args[0].message
