from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from msgspec import structs

from modelmon.core.messages import Message
from modelmon.core.worker.curves import range_figures
from modelmon.core.worker.events import Chunks, Failed, Sample
from modelmon.core.worker.record import RunRecord, record_of
from modelmon.core.worker.run_warnings import warned
from modelmon.gui.plots.throughput import ThroughputPlot, end_text


@pytest.fixture
def plot(show):
    return show(ThroughputPlot())


def test_that_a_finished_run_is_drawn_from_its_requests_and_the_limit_where_it_lies(plot, slow):
    plot.set_record("A", slow)
    assert not plot.is_empty
    x, y = plot.traces["A", "delivered"].line.at_x, plot.traces["A", "delivered"].line.at_y
    assert plot.unit == "GB/s"
    area_bytes = np.trapezoid(y * 1e9, x)
    assert area_bytes == pytest.approx(slow.delivered_bytes, rel=1e-6)
    assert x[-1] == pytest.approx(slow.t_ns / 1e9)
    plot.set_limit(3.41e9, "Disk limit 3.41 GB/s")
    assert plot.limit.value() == pytest.approx(3.41)
    assert plot.scale.high >= 3.41
    assert plot.limit.text == "Disk limit 3.41 GB/s"
    plot.set_limit(900e9, "Disk limit 900 GB/s")
    assert plot.limit.value() == plot.scale.high
    assert plot.limit.text.endswith("↑")
    # With room for it above the curve.
    assert not plot.traces["A", "delivered"].line.crosses(plot.limit.words)
    plot.set_limit(3.41e9, "Disk limit 3.41 GB/s")
    plot.entries["limit"].click()
    assert plot.scale.high < 3.41
    plot.set_limit(None)
    assert not plot.limit.isVisible()


def test_that_a_running_load_is_drawn_from_its_samples(plot, recordings):
    events = list(recordings.events(replace(recordings.FAST, until_s=3.0)))
    record = RunRecord()
    plot.set_record("B", record)
    assert plot.is_empty
    for event in events:
        record.feed(event)
        plot.refresh()
    x, y = plot.traces["B", "delivered"].line.at_x, plot.traces["B", "delivered"].line.at_y
    samples = [event for event in events if isinstance(event, Sample)]
    assert len(x) == len(samples)
    delivered = (y * 1e9 * np.diff(x, prepend=0.0)).sum()
    assert delivered == pytest.approx(samples[-1].delivered_bytes)
    assert plot.ends["B"].text.startswith("B, 2.")


def test_that_what_a_killed_worker_had_delivered_is_drawn_where_its_last_requests_never_came(
    plot, recordings
):
    record = RunRecord()
    fake = replace(recordings.SLOW, until_s=3.0)
    told = list(recordings.events(replace(fake, until_s=2.0)))
    requests = [event for event in told if isinstance(event, Chunks)]
    for event in recordings.events(fake):
        record.feed(requests.pop(0) if isinstance(event, Chunks) else event)
    record.feed(Failed("worker-died", "The worker was ended by SIGKILL."))
    plot.set_record("A", record)
    x, y = plot.traces["A", "delivered"].line.at_x, plot.traces["A", "delivered"].line.at_y
    delivered = (y * 1e9 * np.diff(x, prepend=0.0)).sum()
    assert delivered == pytest.approx(record.delivered_bytes)
    whole = range_figures(record, 0, record.t_ns)
    assert whole.loaded_bytes == record.delivered_bytes


def test_that_a_load_that_ended_before_its_first_sample_awaits_none(plot):
    record = RunRecord()
    plot.set_record("A", record)
    assert plot.empty_label.text() == "No samples yet."
    record.feed(Failed("cancelled", "Stopped."))
    plot.refresh()
    assert plot.empty_label.text().startswith("Run A or B")


def test_that_rates_far_apart_are_drawn_on_a_logarithmic_axis_that_says_so(plot, recordings):
    crawling = replace(recordings.SLOW, model_bytes=500_000_000, rate_bytes_per_s=21.7e6)
    quick = replace(crawling, rate_bytes_per_s=1e9)
    plot.set_record("A", recordings.record(crawling))
    plot.set_record("B", recordings.record(quick))
    assert plot.unit.startswith("MB/s (log)")
    y = plot.traces["B", "delivered"].line.at_y
    assert np.median(y) == pytest.approx(3.0, abs=0.1)
    assert plot.ends["A"].text == "A done 23.0 s, 21.7 MB/s"
    for series in ("delivered", "device"):
        plot.entries[series].click()
        assert plot.scale.logarithmic
        assert plot.canvas.y_range[0] < plot.canvas.y_range[1]
    assert not any(trace.visible for trace in plot.traces.values())
    for series in ("delivered", "device"):
        plot.entries[series].click()
    plot.set_record("B", None)
    assert plot.unit.startswith("MB/s")


def test_that_device_bytes_come_from_totals_or_else_from_the_device(plot, recordings):
    known = recordings.record(recordings.SLOW)
    plot.set_record("A", known)
    device = plot.traces["A", "device"]
    total = (device.curve.values * np.diff(device.curve.seconds, prepend=0.0)).sum()
    assert total == pytest.approx(known.samples[-1].device_bytes)
    uncounted = replace(recordings.FAST, device_share=None)
    plot.set_record("B", recordings.record(uncounted))
    assert np.nanmedian(plot.traces["B", "device"].curve.values) == pytest.approx(3.07e9, rel=0.1)
    plot.set_record("B", recordings.record(replace(uncounted, has_device=False)))
    assert np.isnan(plot.traces["B", "device"].curve.values).all()


def test_that_ends_say_what_became_of_each_run(plot, slow, recordings):
    plot.set_record("A", slow)
    stopped = replace(recordings.FAST, until_s=2.0, failure=Failed("cancelled", "Stopped."))
    plot.set_record("B", recordings.record(stopped))
    assert plot.ends["A"].text == "A done 8.28 s"
    assert plot.ends["A"].value() == pytest.approx(8.278, abs=0.001)
    assert plot.ends["B"].text == "B stopped 1.95 s"
    part = recordings.record(recordings.SLOW)
    job = structs.replace(part.hello.job, portion_bytes=4 * 10**9)
    part.hello = structs.replace(part.hello, job=job)
    part.planned = structs.replace(part.planned, file_bytes=part.planned.model_bytes // 4)
    plot.set_record("A", part)
    assert plot.ends["A"].text == "A done 8.28 s for 25% of the model"


def test_that_the_end_of_a_program_says_whether_it_was_ready(theme_manager, recordings):
    record = recordings.record(recordings.SLOW)
    theme_manager.show_alone("llama-server")
    try:
        assert end_text("A", record) == "ready 8.28 s"
        record.feed(warned("cut-off", Message("It was still loading.")))
        assert end_text("A", record) == "not ready, 8.28 s"
    finally:
        theme_manager.show_alone("")


def test_that_an_end_that_the_timeline_names_has_no_ground_for_words(plot, slow):
    plot.set_record("A", slow)
    assert plot.ends["A"].label.isVisible()
    plot.set_stacked(stacked=True)
    assert plot.ends["A"].isVisible()
    assert not plot.ends["A"].label.isVisible()


def test_that_arms_differ_by_more_than_colour(plot, slow, fast):
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    for series in ("delivered", "device"):
        marks = {label: plot.traces[label, series].line.marks for label in ("A", "B")}
        assert marks["A"].isEmpty()
        x, y = (marks["B"][3].x(), marks["B"][3].y())
        assert plot.traces["B", series].curve.at(x) == pytest.approx(y * 1e9)


def test_that_few_samples_are_drawn_as_points_and_counted_and_none_leaves_the_curve(
    plot, recordings
):
    record = recordings.record(replace(recordings.SLOW, model_bytes=500_000_000))
    plot.set_record("A", record)
    assert len(record.samples) == 5
    assert plot.unit == "GB/s; few samples: A 5"
    plot.set_visible_arms({"B"})
    assert plot.unit == "GB/s"
    plot.set_visible_arms({"A"})
    fake = replace(recordings.SLOW, model_bytes=40_000_000, chunk_bytes=1_000_000)
    events = (each for each in recordings.events(fake) if not isinstance(each, Sample))
    plot.set_record("A", record_of(events))
    assert not plot.is_empty
    assert plot.traces["A", "delivered"].most > 1e9
    assert plot.unit.endswith("few samples: A 0")


def test_that_the_zoom_lasts_as_long_as_there_is_what_it_shows(plot, slow, fast, recordings):
    plot.set_record("A", slow)
    plot.canvas.show_x(2.0, 3.0)
    plot.set_record("B", fast)
    plot.set_record("A", None)
    assert plot.canvas.x_range == (2.0, 3.0)
    begun = replace(recordings.FAST, until_s=0.4)
    plot.set_record("B", recordings.record(begun))
    plot.set_record("B", fast)
    assert plot.canvas.x_range == (0.0, 6.0)


def test_that_the_word_of_an_end_keeps_off_the_curves(plot, recordings):
    def height():
        """Along its line from the foot, as a share."""
        low, high = plot.canvas.y_range
        return (plot.ends["A"].label.pos().x() - low) / (high - low)

    crawling = replace(recordings.SLOW, model_bytes=500_000_000, rate_bytes_per_s=0.14e9)
    plot.set_record("A", recordings.record(crawling))
    assert height() == pytest.approx(0.0, abs=0.01)
    # Its curve lies at the foot beside one nearly nine times as fast, which ends earlier.
    plot.set_record("B", recordings.record(replace(crawling, rate_bytes_per_s=1.2e9)))
    assert height() == pytest.approx(1.0, abs=0.01)
    plot.set_limit(1.45e9, "Disk limit")
    assert not plot.limit.words.intersects(plot.ends["A"].words)


@pytest.mark.parametrize("height_px", [118, 256])
def test_that_words_of_ends_next_to_each_other_and_of_the_limit_are_apart(
    plot, recordings, height_px
):
    plot.resize(386, height_px)
    for label, rate in (("A", 2.6e9), ("B", 1.74e9)):
        fake = replace(recordings.FAST, model_bytes=2_150_000_000, rate_bytes_per_s=rate)
        plot.set_record(label, recordings.record(fake))
    plot.set_limit(4.29e9, "Disk limit 4.29 GB/s")
    words = [each.words for each in (*plot.ends.values(), plot.limit)]
    assert not any(one.intersects(other) for one, other in combinations(words, 2))


@pytest.mark.parametrize("height_px", [120, 300])
def test_that_the_word_of_the_limit_keeps_off_the_curve_of_a_very_short_load(
    plot, recordings, height_px
):
    plot.resize(400, height_px)
    short = replace(recordings.FAST, model_bytes=160_000_000, rate_bytes_per_s=4.7e9)
    plot.set_record("A", recordings.record(short))
    plot.set_limit(4.9e9, "Disk limit 4.90 GB/s")
    assert plot.limit.words.width() > plot.canvas.view.width() / 4
    curve = plot.traces["A", "delivered"].line
    assert not curve.crosses(plot.limit.words)


def test_that_a_name_with_braces_is_written_as_it_is(show, slow, theme_manager):
    plot = show(ThroughputPlot())
    plot.set_record("A", slow)
    for text in ("{}", "{value} failed", "{"):
        plot.limit.show_at(1.0, text, theme_manager.theme.text)
        assert plot.limit.text == plot.limit.label.toPlainText() == text
