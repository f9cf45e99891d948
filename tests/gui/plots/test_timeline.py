import numpy as np
import pytest

from modelmon.core.worker.events import Sample
from modelmon.core.worker.record import Thinning
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


def test_that_a_run_whose_record_joins_its_samples_is_followed_without_a_gap(monkeypatch):
    monkeypatch.setattr("modelmon.core.worker.record.MOST_SAMPLES", 600)
    count = 1200
    kept = []
    thinning, timeline, late = Thinning(kept), Timeline(), Timeline()
    for sample in _samples(count):
        thinning.add(sample)
        timeline.take(kept)
    late.take(kept)
    assert len(timeline) == count > len(late)
    for each in (timeline, late):
        assert np.isfinite(each.rate("delivered_bytes")).all()
        np.testing.assert_allclose(each.rate("delivered_bytes"), 20_000)
        assert each.seconds[-1] == pytest.approx(count * 0.05)
