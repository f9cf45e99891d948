"""Memory, waiting, processor time, page faults and the device."""

from dataclasses import replace

import numpy as np
import pytest
from msgspec import structs

from modelmon.core.worker.events import DeviceActivity, Sample
from modelmon.core.worker.record import RunRecord
from modelmon.gui.plots.cpu import CpuPlot, FaultsPlot
from modelmon.gui.plots.device import DevicePlot
from modelmon.gui.plots.io_wait import IoWaitPlot
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.throughput import ThroughputPlot


def test_that_processor_time_is_drawn_as_shares_of_one_core(show, slow):
    plot = show(CpuPlot())
    plot.set_record("A", slow)
    assert plot.unit == "% of one core"
    means = {key: np.mean(plot.traces["A", key].line.at_y) for key in ("total", "user", "system")}
    assert means == pytest.approx({"total": 40, "user": 10, "system": 30}, rel=0.01)
    assert plot.scale.high == pytest.approx(100)


def test_that_decoding_is_marked_where_there_was_some_and_a_curve_where_samples_tell_it(
    show, slow, recordings
):
    plot = show(CpuPlot())
    plot.set_record("A", slow)
    assert not plot.entries["decode"].isEnabled()
    assert plot.decode.text == ""
    decoded = recordings.record(replace(recordings.FAST, decode_share=0.35))
    plot.set_record("B", decoded)
    assert plot.decode.text == "decode: B 35%"
    assert plot.decode.levels["B"].value() == pytest.approx(35)
    plot.entries["decode"].click()
    assert plot.decode.text == ""
    plot.entries["decode"].click()
    # Nothing is decoded in the first two seconds, then 70% of a core.
    told = recordings.record(replace(recordings.FAST, decode_share=0.35))
    told.samples[:] = [
        structs.replace(
            each, cpu_user_ns=each.t_ns, decode_ns=max(0, each.t_ns - 2_000_000_000) * 7 // 10
        )
        for each in told.samples
    ]
    plot.set_record("B", told)
    assert plot.value("B", "decode", 1.5) == 0
    assert plot.value("B", "decode", 4.0) == pytest.approx(0.7)
    assert plot.decode.text == ""
    names, rows = plot.values_at(4.0)
    values = {row.label: row.texts[names.index("decode")] for row in rows}
    assert values == {"A": "–", "B": "70%", "B − A": "–"}
    assert plot.csv_text().splitlines()[0].endswith(",decode_ns")
    plot.set_record("B", None)
    assert not plot.entries["decode"].isEnabled()
    assert "decode" not in plot.values_at(4.0)[0]


def test_that_hiding_minor_faults_gives_the_axis_to_major_ones(show, slow):
    plot = show(FaultsPlot())
    plot.set_record("A", slow)
    assert plot.unit == "thousand/s"
    plot.entries["minor"].click()
    assert not plot.traces["A", "minor"].visible
    assert plot.unit == "per s"
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
    assert plot.unit == title
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
    assert plot.idle.value() == pytest.approx(30)
    assert plot.difference_text(-0.05) == "−5 points"
    plot.set_visible_arms({"B"})
    assert plot.idle.text == "idle 2%"
    plot.entries["idle"].click()
    assert not plot.idle.isVisible()


@pytest.fixture
def plot(show):
    return show(RssPlot(), 288)


def _top(plot, label, kind):
    return plot.areas[label, kind].path().boundingRect().bottom()


def test_that_kinds_of_memory_are_stacked_below_a_limit_that_is_near(plot, slow, fast):
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    last = slow.samples[-1]
    assert last.rss_anon_bytes is not None
    assert last.rss_file_bytes is not None
    assert plot.unit == "GB"
    assert _top(plot, "A", "anon") == pytest.approx(last.rss_anon_bytes / 1e9)
    total = (last.rss_anon_bytes + last.rss_file_bytes) / 1e9
    assert _top(plot, "A", "file") == pytest.approx(total)
    assert plot.traces["A", "total"].line.at_y[-1] == pytest.approx(total)
    assert _top(plot, "B", "anon") > 15
    assert plot.model_size.text == "Model 16.1 GB"
    assert plot.model_size.value() == pytest.approx(16.06, abs=0.01)
    names, rows = plot.values_at(4.0)
    assert names == ["total", "private", "mapped"]
    assert rows[0].texts[1] == "35 MB"
    assert all(text.endswith(" GB") for text in (rows[0].texts[0], rows[0].texts[2]))
    plot.entries["file"].click()
    assert not plot.areas["A", "file"].isVisible()
    assert plot.areas["A", "anon"].isVisible()
    plot.set_record("A", slow)
    loaded = plot.model_size.value()
    assert loaded is not None
    size = plot.scale.unit.size
    plot.set_limit(int(1.5 * loaded * size), "cgroup limit 24 GB")
    assert plot.limit.text == "cgroup limit 24 GB"
    assert plot.limit.value() == pytest.approx(1.5 * loaded)
    assert plot.scale.high >= 1.5 * loaded
    plot.set_limit(int(100 * loaded * size), "RAM")
    assert not plot.limit.isVisible()
    assert plot.scale.high < 2 * loaded
    plot.set_limit(None)
    assert not plot.limit.isVisible()


def test_that_shared_memory_enters_the_legend_only_where_there_is_some(plot, recordings):
    record = RunRecord()
    for event in recordings.events(replace(recordings.FAST, until_s=1.0)):
        record.feed(event)
    plot.resize(700, plot.height())
    plot.set_record("A", record)
    assert plot.entries["shared"].isHidden()
    last = record.samples[-1]
    record.feed(Sample(last.t_ns + 50_000_000, 0, last.delivered_bytes, rss_shared_bytes=10**9))
    plot.refresh()
    assert not plot.entries["shared"].isHidden()


@pytest.fixture
def waits(show):
    return show(IoWaitPlot(), 296)


def test_that_shares_are_percent_and_the_loads_own_is_marked(waits, slow, fast, recordings):
    waits.set_record("A", slow)
    y = waits.traces["A", "psi"].line.at_y
    np.testing.assert_allclose(y, [(s.psi_io_share or 0) * 100 for s in slow.samples])
    assert waits.unit == "%"
    assert [text for _, text in waits.canvas.axes._y_ticks] == ["0", "25", "50", "75", "100"]
    waits.set_record("A", recordings.record(replace(recordings.SLOW, until_s=2.0)))
    assert waits.own.text == ""
    waits.set_record("A", slow)
    waits.set_record("B", fast)
    assert waits.own.text == "this load: A 60%, B 94%"
    assert waits.own.levels["A"].value() == pytest.approx(60)
    waits.time_range.select(1.0, 2.0)
    waits.show_range()
    assert waits.header.values["A"].toolTip() == "whole load: A 60%, B 94%"
    names, rows = waits.values_at(3.0)
    assert names == ["waiting"]
    assert rows[2].texts[0].startswith("+")
    assert rows[2].texts[0].endswith(" points")
    waits.set_visible_arms({"B"})
    assert waits.own.text == "this load: B 94%"
    assert not waits.own.levels["A"].isVisible()


def test_that_the_loads_own_wait_is_shown_and_the_systems_one_click_away(waits, recordings):
    waits.set_record("A", waiting(recordings.record(recordings.SLOW), [1.0, 0.0] * 1000))
    shown = {key for key in ("waiting", "psi", "iowait") if waits.traces["A", key].visible}
    assert shown == {"waiting"}
    y = waits.traces["A", "waiting"].line.at_y
    assert set(np.round(y[2:-2])) == {40, 60}
    toggles = {action.text(): action for action in waits.make_menu().actions()}
    toggles["Show pressure"].trigger()
    assert waits.traces["A", "psi"].visible
    assert "other programs count" in toggles["Show pressure"].toolTip()
    assert waits.entries["psi"].accessibleDescription() == toggles["Show pressure"].toolTip()


def waiting(record, shares):
    record.samples[:] = [
        structs.replace(sample, waiting_share=share)
        for sample, share in zip(record.samples, shares, strict=False)
    ]
    return record


def test_that_pressure_steps_in_where_waiting_threads_are_not_known_and_says_what_it_needs(
    waits, recordings
):
    waits.set_record("A", waiting(recordings.record(recordings.SLOW), [None] * 1000))  # type: ignore[list-item]
    assert waits.traces["A", "psi"].visible
    waits.show_crosshair(2.0)
    assert waits.header.values["A"].text() == "A 59%"
    waits.set_record("A", recordings.record(replace(recordings.SLOW, psi_io_share=None)))
    assert not waits.entries["psi"].isEnabled()
    assert (
        waits.entries["psi"]
        .toolTip()
        .endswith("I/O pressure is unknown here: it needs Linux 4.20 or later with PSI enabled.")
    )


def test_that_figures_the_platform_lacks_are_drawn_as_nothing(waits, recordings):
    """Painting a row of gaps would warn, and warnings are errors here."""
    record = recordings.record(recordings.SLOW)
    few = record.samples[:5]
    record.samples[:] = [
        structs.replace(sample, psi_io_share=None, iowait_share=None) for sample in few
    ]
    waits.set_record("A", record)
    assert len(waits.traces["A", "psi"].line.at_x) == 0
    assert not waits.grab().isNull()
