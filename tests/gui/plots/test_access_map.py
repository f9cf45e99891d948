from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from modelmon.core.messages import Message
from modelmon.core.units import three_figures
from modelmon.core.worker.events import Chunks
from modelmon.core.worker.record import record_of
from modelmon.core.worker.run_warnings import warned
from modelmon.gui.blocks.access_map import AccessMap
from modelmon.gui.blocks.requests import reader_colours, requests_of
from modelmon.gui.widgets.theme import DARK, LIGHT, manager


@pytest.fixture
def plot(show):
    return show(AccessMap(), 1158, 330)


def _points(plot, label):
    """Those that are shown one by one, in the order of time."""
    line = plot.maps[label].points.line
    if not line.isVisible():
        return np.empty(0), np.empty(0)
    x, y = line.getOriginalDataset()
    order = [at for at in np.argsort(x) if np.isfinite(x[at]) and np.isfinite(y[at])]
    return x[order], y[order]


def test_that_every_request_is_a_point_at_its_place_in_the_model(plot, slow):
    plot.set_record("A", slow)
    x, y = _points(plot, "A")
    assert len(x) == len(slow.chunks)
    order = np.argsort(slow.chunks.start_ns)
    np.testing.assert_allclose(x, np.array(slow.chunks.start_ns)[order] / 1e9)
    assert slow.planned is not None
    # Four shards of the same size, laid end to end.
    shard = np.array(slow.chunks.shard)[order]
    offset = np.array(slow.chunks.offset_bytes)[order]
    np.testing.assert_allclose(y * 1e9, shard * slow.planned.shard_bytes[0] + offset)
    assert plot.unit == "offset, GB"


def test_that_lines_follow_readers_and_restarts_of_a_shared_descriptor_are_told(plot, recordings):
    small = replace(recordings.FAST, model_bytes=100 * recordings.MIB, chunk_bytes=recordings.MIB)
    own = requests_of(recordings.record(small))
    assert own.restarts == 0
    assert np.isnan(own.joined(slice(None), 1.0)[0]).sum() == 3
    record = recordings.record(replace(small, shared_descriptor=True, shards=1))
    requests = requests_of(record)
    x, _ = requests.joined(slice(None), 1.0)
    assert not np.isnan(x).any()
    assert (np.diff(x) >= 0).all()
    assert requests.restarts > 50
    plot.set_record("A", record)
    rate = three_figures(requests.restarts / (record.t_ns / 1e9))
    assert f"(inferred), {rate} seeks/s" in plot.maps["A"].detail.whole


def test_that_a_run_whose_requests_were_not_kept_says_so(plot, recordings):
    events = [each for each in recordings.events(recordings.SLOW) if not isinstance(each, Chunks)]
    events.insert(-1, warned("dropped-requests", Message("Too many requests.")))
    plot.set_record("A", record_of(events))
    assert plot.empty_label.text() == "Too many requests."


def test_that_arms_far_apart_in_time_have_own_axes_that_say_so(plot, slow, fast, recordings):
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    axes = {label: each.canvas for label, each in plot.maps.items()}
    assert axes["A"].x_range == axes["B"].x_range == (0.0, 9.0)
    quick = recordings.record(replace(recordings.FAST, rate_bytes_per_s=40e9))
    plot.set_record("B", quick)
    assert axes["A"].x_range == (0.0, 9.0)
    assert axes["B"].x_range == (0.0, 0.5)
    for each in axes.values():
        assert each.axes.title == "time since start, separate scales"


def test_that_very_many_requests_become_a_density_image(plot, recordings):
    many = recordings.record(replace(recordings.SLOW, chunk_bytes=160_000))
    assert len(many.chunks) > 100_000
    plot.set_record("A", many)
    shown = plot.maps["A"]
    density = shown.points.density
    assert density.visible
    assert not len(_points(plot, "A")[0])
    assert density.counts.sum() == len(many.chunks)
    assert shown.caption.text() == "Whole load, density"
    shown.canvas.show_x(1.0, 1.5)
    assert shown.caption.text() == "Whole load"
    x, _ = _points(plot, "A")
    assert 0.99 < x.min() <= x.max() < 1.51


def test_that_new_requests_appear_before_the_first_sample_too(plot, slow, recordings):
    chunks = recordings.ev.Chunks
    running = recordings.record(replace(recordings.FAST, until_s=2.0))
    plot.set_record("B", running)
    before = len(_points(plot, "B")[0])
    running.feed(chunks(0, (0,), (0,), (1000,), (2_000_000_000,), (2_001_000_000,)))
    plot.refresh()
    assert len(_points(plot, "B")[0]) == before + 1
    early = recordings.record(replace(recordings.FAST, until_s=0.01))
    early.feed(chunks(0, (0,), (0,), (1000,), (0,), (9_000_000,)))
    assert not early.samples
    plot.set_record("A", early)
    assert len(_points(plot, "A")[0]) == len(early.chunks) > 0


def test_that_hovering_a_point_names_its_request_once_it_has_come(plot, slow, recordings):
    plot.set_record("A", slow)
    shown, (x, y) = plot.maps["A"], _points(plot, "A")
    shown.canvas.hovered.emit(0.5, 15.0)
    assert shown.readout.isHidden()
    under_way = recordings.record(replace(recordings.SLOW, until_s=1.0))
    plot.set_record("A", under_way)
    shown.canvas.hovered.emit(float(x[-10]), float(y[-10]))
    assert shown.readout.isHidden()
    plot.set_record("A", slow)
    (row,) = shown.readout.rows
    assert [row.texts[at] for at in (0, 2, 4)] == ["1", "16 MiB", "–"]
    shown.canvas.left.emit()
    for record in (under_way, slow):
        plot.set_record("A", record)
    assert shown.readout.isHidden()


def test_that_each_reader_has_a_colour_and_the_legend_names_it(plot, fast, recordings):
    plot.set_record("B", fast)
    shown = plot.maps["B"]
    colours = [colour.name() for colour in reader_colours(manager().theme, "B")]
    drawn = Counter(
        colours.index(spot.brush().color().name()) for spot in shown.points.points.points()
    )
    assert drawn == Counter(fast.chunks.reader)
    assert "4" in shown.legend.text()
    assert all(colour in shown.legend.text() for colour in colours[:4])
    plot.set_record("B", recordings.record(replace(recordings.FAST, readers=12)))
    assert "and so on, 12 readers" in shown.legend.text()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_that_readers_have_shades_of_their_arm_and_no_other(qapp, theme):
    del qapp
    shades = {"A": reader_colours(theme, "A"), "B": reader_colours(theme, "B")}
    for label, each in shades.items():
        assert len({colour.name() for colour in each}) == 8
        arm = theme.arm("A" if label == "A" else "B")
        for colour in each:
            turn = abs(colour.hslHue() - arm.hslHue()) % 360
            assert min(turn, 360 - turn) <= 12, (label, colour.name())
            assert abs(colour.lightnessF() - theme.panel.lightnessF()) > 0.15
        for one, other in pairwise([*each, each[0]]):
            assert abs(one.lightnessF() - other.lightnessF()) > 0.06


def test_that_sizes_are_counted_for_the_shown_arms(plot, slow, fast, theme_manager):
    plot.set_record("A", slow)
    plot.set_record("B", fast)
    counts = plot.sizes.counts
    for label, record in (("A", slow), ("B", fast)):
        assert sum(counts[label].values()) == len(record.chunks)
        exponents = {nbytes.bit_length() - 1 for nbytes in record.chunks.nbytes}
        assert set(counts[label]) == exponents
    theme_manager.set_mode("dark")
    assert "16 MiB" in plot.sizes.toPlainText()
    plot.set_visible_arms({"B"})
    assert list(plot.sizes.counts) == ["B"]
    assert plot.sizes.isVisible()
    plot.sizes_button.click()
    assert not plot.sizes.isVisible()
