"""Processor time, page faults and the device."""

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from modelmon.core.worker.events import DeviceActivity
from modelmon.gui.plots.cpu import CpuPlot, FaultsPlot
from modelmon.gui.plots.device import DevicePlot
from modelmon.gui.plots.throughput import ThroughputPlot


def test_that_processor_time_is_drawn_as_shares_of_one_core(show, slow):
    plot = show(CpuPlot())
    plot.set_record("A", slow)
    assert plot.canvas.axes.title("left") == "% of one core"
    means = {key: np.mean(plot.traces["A", key].line.at_y) for key in ("total", "user", "system")}
    assert means == pytest.approx({"total": 40, "user": 10, "system": 30}, rel=0.01)
    assert plot.scale.high == pytest.approx(100)


def test_that_decoding_is_marked_only_where_there_was_some(show, slow, recordings):
    plot = show(CpuPlot())
    plot.set_record("A", slow)
    assert not plot.entries["decode"].isEnabled()
    assert plot.decode.text == ""
    plot.set_record("B", recordings.record(replace(recordings.FAST, decode_share=0.35)))
    assert plot.decode.text == "decode: B 35%"
    assert plot.decode.levels["B"].at_y[0] == pytest.approx(35)
    plot.entries["decode"].click()
    assert plot.decode.text == ""


def test_that_decoding_is_a_curve_where_samples_tell_it(show, slow, recordings):
    """Nothing is decoded in the first two seconds, then 70% of a core."""
    plot = show(CpuPlot())
    decoded = recordings.record(replace(recordings.FAST, decode_share=0.35))
    decoded.samples[:] = [
        structs.replace(
            each,
            cpu_user_ns=each.t_ns,
            decode_ns=max(0, each.t_ns - 2_000_000_000) * 7 // 10,
        )
        for each in decoded.samples
    ]
    plot.set_record("A", slow)
    plot.set_record("B", decoded)
    assert plot.entries["decode"].isEnabled()
    assert plot.value("B", "decode", 1.5) == 0
    assert plot.value("B", "decode", 4.0) == pytest.approx(0.7)
    assert plot.decode.text == ""
    names, rows = plot.values_at(4.0)
    values = {row.label: row.texts[names.index("decode")] for row in rows}
    assert values == {"A": "–", "B": "70%", "B − A": "–"}
    assert plot.csv_text().splitlines()[0].endswith(",decode_ns")
    plot.entries["decode"].click()
    assert not plot.traces["B", "decode"].visible
    plot.set_record("B", None)
    assert not plot.entries["decode"].isEnabled()
    assert "decode" not in plot.values_at(4.0)[0]


def test_that_hiding_minor_faults_gives_the_axis_to_major_ones(show, slow):
    plot = show(FaultsPlot())
    plot.set_record("A", slow)
    assert plot.canvas.axes.title("left") == "thousand/s"
    plot.entries["minor"].click()
    assert not plot.traces["A", "minor"].visible
    assert plot.canvas.axes.title("left") == "per s"
    most = plot.traces["A", "major"].most
    assert most <= plot.scale.high < 2 * most
    last = slow.samples[-1]
    rate = plot.traces["A", "major"].curve
    counted = (rate.values * np.diff(rate.seconds, prepend=0.0)).sum()
    assert counted == pytest.approx(last.major_faults)


def test_that_faults_that_nobody_counts_are_called_unknown_and_not_zero(show, recordings, slow):
    plot = show(FaultsPlot())
    uncounted = recordings.record(replace(recordings.FAST, counts_faults=False))
    plot.set_record("B", uncounted)
    assert plot.is_empty
    assert "only Linux counts them" in plot.empty_label.text()
    plot.set_record("A", slow)
    assert not plot.is_empty
    _, rows = plot.values_at(2.0)
    assert {row.label: row.texts[0] for row in rows}["B"] == "–"
    plot.set_record("A", None)
    plot.set_record("B", None)
    assert plot.empty_label.text() == "Run A or B to see page faults."


@pytest.mark.parametrize(
    ("index", "field", "title"),
    [
        (0, "reads_per_s", "per s"),
        (1, "mean_request_bytes", "KiB"),
        (2, "read_await_ns", "µs"),
        (3, "busy_share", "%"),
        (4, "queue_depth", ""),
    ],
)
def test_that_each_figure_of_the_device_is_drawn_in_its_unit(show, slow, index, field, title):
    plot = show(DevicePlot())
    plot.set_record("A", slow)
    plot.chooser.setCurrentIndex(index)
    assert plot.canvas.axes.title("left") == title
    values = [getattr(sample.device, field) for sample in slow.samples]
    known = [np.nan if value is None else value for value in values]
    np.testing.assert_allclose(plot.traces["A", "device"].curve.values, known)
    assert plot.scale.high * plot.scale.unit.size >= np.nanmax(known)


def test_that_a_model_without_a_device_says_so(show, recordings):
    record = recordings.record(replace(recordings.SLOW, has_device=False, device_share=None))
    device = show(DevicePlot())
    device.set_record("A", record)
    assert device.is_empty
    assert device.empty_label.text() == "This model's storage has no disk counters."
    throughput = show(ThroughputPlot())
    throughput.set_record("A", record)
    assert not throughput.is_empty
    assert not throughput.entries["device"].isEnabled()
    assert "aren't counted" in throughput.entries["device"].toolTip()


def test_that_what_others_did_before_the_run_is_marked(show, recordings):
    plot = show(DevicePlot())
    plot.set_idle(DeviceActivity(12.0, 1e6, busy_share=0.02))
    assert plot.empty_label.text().startswith("Idle: 12.0/s, 2% busy.")
    record = recordings.record(recordings.SLOW)
    plot.set_record("A", record)
    assert plot.idle.text == "idle 12.0/s"
    record.ready = structs.replace(
        record.ready, idle_device=DeviceActivity(300.0, 1e6, busy_share=0.3)
    )
    plot.chooser.setCurrentIndex(3)
    assert plot.idle.text == "idle 30%"
    assert plot.idle.y == pytest.approx(30)
    plot.entries["idle"].click()
    assert not plot.idle.visible


def test_that_samples_that_never_came_are_a_gap_in_the_curve(show, recordings):
    plot = show(CpuPlot())
    record = recordings.record(recordings.SLOW)
    del record.samples[40:80]
    plot.set_record("A", record)
    drawn = plot.traces["A", "total"].line.at_y
    assert np.isnan(drawn).sum() == 1
    assert np.isnan(plot.value("A", "total", 3.0))
    assert plot.value("A", "total", 1.0) == pytest.approx(0.4, rel=0.1)


def test_that_a_run_before_its_first_sample_is_not_asked_for(show, recordings):
    plot = show(CpuPlot())
    assert plot.empty_label.text() == "Run A or B to see CPU use."
    begun = recordings.record(replace(recordings.FAST, until_s=0.5))
    samples, begun.samples[:] = begun.samples[:], []
    plot.set_record("A", begun)
    assert plot.is_empty
    assert plot.empty_label.text() == "No samples yet."
    begun.samples.extend(samples)
    plot.refresh()
    assert not plot.is_empty
    plot.set_record("A", None)
    plot.set_record("B", None)
    assert plot.empty_label.text() == "Run A or B to see CPU use."
