"""Samples as curves, and the axes they are drawn on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.worker.events import Sample
from modelmon.gui.plots.plot_row import time_range_s
from modelmon.gui.plots.scale import (
    Unit,
    data_unit,
    linear,
    logarithmic,
    range_end,
    tick_texts,
    ticks,
)
from modelmon.gui.plots.timeline import Timeline


def _samples(count, step_ns=50_000_000):
    return [
        Sample(index * step_ns, 0, index * 1000, psi_io_share=0.5) for index in range(1, count + 1)
    ]


def test_that_each_sample_is_taken_once_and_absent_figures_are_gaps():
    timeline, samples = Timeline(), _samples(3)
    timeline.take(samples)
    timeline.take(samples)
    samples += _samples(5)[3:]
    timeline.take(samples)
    np.testing.assert_allclose(timeline.seconds, [0.05, 0.1, 0.15, 0.2, 0.25])
    np.testing.assert_allclose(timeline.rate("delivered_bytes"), [20_000] * 5)
    timeline = Timeline()
    timeline.take([Sample(10**8, 0, 5, psi_io_share=0.5), Sample(2 * 10**8, 0, 9)])
    np.testing.assert_array_equal(timeline.mean("psi_io_share"), [0.5, np.nan])
    np.testing.assert_array_equal(timeline.most("psi_io_share"), [0.5, np.nan])


def test_that_a_long_run_is_drawn_in_stretches_that_lose_no_bytes_and_no_highest_value():
    for count in (180, 181, 5_000):
        timeline, samples = Timeline(), _samples(count)
        samples[100] = Sample(101 * 50_000_000, 0, 101_000, psi_io_share=0.97)
        timeline.take(samples)
        assert len(timeline.seconds) <= 180
        assert timeline.seconds[-1] == pytest.approx(count * 0.05)
        delivered = timeline.rate("delivered_bytes") * np.diff(timeline.seconds, prepend=0.0)
        assert delivered.sum() == pytest.approx(count * 1000)
        assert timeline.most("psi_io_share").max() == 0.97
    assert 0.5 < timeline.mean("psi_io_share").max() < 0.97


def test_that_a_sample_right_after_another_makes_no_spike():
    timeline = Timeline()
    timeline.take(
        [Sample(100_000_000, 0, 1_000), Sample(100_001_000, 0, 900_000), *_samples(4)[2:]]
    )
    assert len(timeline) == 3
    assert timeline.rate("delivered_bytes").max() == pytest.approx(40_000)
    samples, timeline = _samples(20), Timeline()
    end = Sample(samples[-1].t_ns + 18_000_000, 0, 20_000, psi_io_share=0.0)
    timeline.take([*samples, end])
    assert timeline.mean("psi_io_share").min() == 0.5
    assert timeline.rate("delivered_bytes").min() == pytest.approx(20_000)


def test_that_missing_samples_are_a_gap_that_loses_no_bytes():
    timeline = Timeline()
    samples = _samples(40)
    timeline.take(samples[:10] + samples[30:])
    seconds, rate = timeline.seconds, timeline.rate("delivered_bytes")
    gap = np.flatnonzero(np.isnan(rate))
    assert seconds[gap].tolist() == pytest.approx([1.025])
    assert np.isnan(timeline.mean("psi_io_share")[gap]).all()
    assert np.isnan(timeline.most("psi_io_share")[gap]).all()
    known = np.isfinite(rate)
    delivered = rate[known] * np.diff(seconds[known], prepend=0.0)
    assert delivered.sum() == pytest.approx(40 * 1000)


def test_that_samples_that_come_one_by_one_are_drawn_as_those_that_come_at_once():
    samples = _samples(1_234)
    samples[617] = Sample(618 * 50_000_000, 0, 618_000)
    slowly, at_once = Timeline(), Timeline()
    for count in range(1, len(samples) + 1):
        slowly.take(samples[:count])
    at_once.take(samples)
    for mine, other in (
        (slowly.seconds, at_once.seconds),
        (slowly.rate("delivered_bytes"), at_once.rate("delivered_bytes")),
        (slowly.mean("psi_io_share"), at_once.mean("psi_io_share")),
        (slowly.most("psi_io_share"), at_once.most("psi_io_share")),
    ):
        np.testing.assert_allclose(mine, other)


def test_that_samples_that_become_rarer_leave_no_gap():
    told, t_ns = [], 0
    while t_ns < 4 * 3_600 * 10**9:
        t_ns += max(50_000_000, t_ns // 6_000)
        told.append(Sample(t_ns, 0, t_ns // 50_000))
    timeline = Timeline()
    timeline.take(told)
    assert np.isfinite(timeline.rate("delivered_bytes")).all()


ONE = Unit("", 1.0)


@given(st.floats(1e-6, 1e15))
def test_that_an_axis_holds_all_and_wastes_little(most):
    scale = linear(ONE, most)
    assert scale.low == 0.0
    assert most <= scale.high * (1 + 1e-9)
    assert 4 <= len(scale.ticks()) - 1 <= 6
    assert scale.high <= 3.4 * most


@pytest.mark.parametrize(
    ("most", "high", "step"), [(3.41, 4, 1), (16.4, 20, 5), (548, 600, 100), (8.28, 10, 2)]
)
def test_that_ticks_are_round(most, high, step):
    scale = linear(ONE, most)
    assert (scale.high, scale.step) == (high, step)


@given(st.floats(1e-6, 1e9), st.floats(1.0, 1.0000001))
def test_that_ends_grow_in_steps(seconds, growth):
    end = range_end(seconds)
    assert seconds <= end * (1 + 1e-9) <= 1.34 * seconds * (1 + 1e-6)
    assert range_end(end) == end
    if seconds * growth <= end:
        assert range_end(seconds * growth) == end


@given(st.lists(st.floats(1e-3, 1e6), min_size=1), st.floats(1e-3, 1e6))
def test_that_a_growing_axis_holds_all_in_fewer_steps(lengths, ended):
    ends = [time_range_s([ended], [length]) for length in sorted(lengths)]
    assert ends == sorted(ends)
    assert all(end >= max(length, ended) for end, length in zip(ends, sorted(lengths), strict=True))
    assert time_range_s([ended], [ended / 2]) == time_range_s([ended])
    assert all(end <= 1.75 * max(1.02 * max(lengths), 1.02 * ended, 1.0) for end in ends)


@pytest.mark.parametrize(("seconds", "end"), [(8.28, 9), (5.23, 6), (0.52, 0.6), (0.0, 1)])
def test_that_time_ends_at_a_round_figure(seconds, end):
    assert range_end(seconds) == end


@given(st.floats(0, 1e4), st.floats(1e-2, 1e6), st.integers(2, 20))
def test_that_ticks_lie_in_range_and_are_few(low, span, most):
    values = ticks(low, low + span, most)
    assert len(values) <= most + 1
    assert all(low - span * 1e-3 <= value <= low + span * 1.001 for value in values)
    assert values == sorted(set(values))


def test_that_ticks_have_equal_decimals_and_a_logarithmic_axis_has_decades():
    assert tick_texts([0.0, 0.5, 1.0, 1.5]) == ["0", "0.5", "1.0", "1.5"]
    assert tick_texts([0.0, 500.0, 1000.0]) == ["0", "500", "1,000"]
    scale = logarithmic(data_unit(21.7e6), 21.7e6, 1.05e9)
    assert [text for _, text in scale.ticks()] == ["1", "10", "100", "1,000", "10,000"]
    placed = scale.place(np.array([0.0, 1e6, 1e9]))
    np.testing.assert_allclose(placed, [0.0, 0.0, 3.0])


@pytest.mark.parametrize(
    ("nbytes", "name"), [(0, "B"), (999, "B"), (1000, "kB"), (548e6, "MB"), (1e9, "GB")]
)
def test_that_the_unit_follows_the_size(nbytes, name):
    assert data_unit(nbytes).name == name
