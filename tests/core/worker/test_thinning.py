"""Long runs: few samples stay, and what they say is what the many said."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from modelmon.core.worker.events import DeviceActivity, Sample
from modelmon.core.worker.record import MOST_SAMPLES, RECENT_SAMPLES, Thinning, joined

HOUR = 72_000


def thinned(samples):
    kept = []
    thinning = Thinning(kept)
    for sample in samples:
        thinning.add(sample)
    return kept


def samples(count):
    return [
        Sample(number * 50_000_000, 0, number * 1000, psi_io_share=0.5, rss_anon_bytes=number)
        for number in range(1, count + 1)
    ]


def test_that_a_run_of_five_minutes_keeps_each_sample_as_it_came():
    whole = samples(MOST_SAMPLES)
    assert thinned(whole) == whole


def test_that_what_was_looked_at_after_the_end_is_part_of_the_closing_sample():
    first, *late = samples(3)
    closing = Sample(late[0].t_ns - 1, 0, 3000, rss_anon_bytes=1)
    assert thinned([first, *late, closing]) == [
        first,
        Sample(closing.t_ns, 0, 3000, psi_io_share=0.5, rss_anon_bytes=3),
    ]


@pytest.fixture(scope="module")
def hour():
    return samples(HOUR)


def test_that_an_hour_takes_no_more_samples_than_minutes_and_ends_as_it_came(hour):
    kept = thinned(hour)
    assert MOST_SAMPLES / 2 <= len(kept) <= MOST_SAMPLES + 2 * RECENT_SAMPLES
    assert kept[-RECENT_SAMPLES:] == hour[-RECENT_SAMPLES:]


def test_that_an_hour_is_covered_in_even_steps_that_lose_no_bytes(hour):
    kept = thinned(hour)
    times = [sample.t_ns for sample in kept]
    steps = {after - before for before, after in pairwise(times)}
    assert steps == {50_000_000, 16 * 50_000_000}
    assert all(sample.delivered_bytes * 50_000 == sample.t_ns for sample in kept)
    assert all(sample.psi_io_share == pytest.approx(0.5) for sample in kept)


def test_that_peaks_of_memory_and_the_lowest_memory_left_survive(hour):
    peak = structs.replace(hour[6178], rss_anon_bytes=10**12, available_bytes=7, late_ns=99)
    kept = thinned([*hour[:6178], peak, *hour[6179:]])
    (found,) = (sample for sample in kept if sample.rss_anon_bytes == 10**12)
    assert (found.available_bytes, found.late_ns) == (7, 99)


def test_that_the_record_need_not_know_every_figure_to_join_its_samples():
    first = Sample(1, 0, 10, available_bytes=5, waiting_share=0.2)
    device = DeviceActivity(100.0, 1e6, queue_depth=3.0)
    one = joined([first, Sample(2, 0, 20, device=device)])
    assert one == Sample(2, 0, 20, device=device, available_bytes=5, waiting_share=0.2)


def test_that_figures_of_the_device_are_means_of_what_was_seen():
    looks = [DeviceActivity(100.0, 1e6, busy_share=0.2), DeviceActivity(300.0, 3e6)]
    one = joined([Sample(at, 0, at, device=look) for at, look in enumerate(looks)])
    assert one.device == DeviceActivity(200.0, 2e6, busy_share=0.2)


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=20))
def test_that_joining_in_steps_is_the_same_as_joining_at_once(peaks):
    each = [Sample(at, at % 3, at, rss_file_bytes=peak) for at, peak in enumerate(peaks)]
    middle = len(each) // 2
    parts = [part for part in (each[:middle], each[middle:]) if part]
    assert joined([joined(part) for part in parts]) == joined(each)
