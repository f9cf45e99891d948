"""How far bytes have come, and how far the reading of files is, as the window tells it."""

import pytest

from modelmon.gui.session.notices import Reading, StoppedError, Transfer


def test_that_rate_and_rest_follow_what_was_done():
    now_s = 10.0
    transfer = Transfer(400_000_000, lambda: now_s)
    transfer.reached(1)
    assert transfer.time_left == ""
    now_s = 12.0
    transfer.reached(100_000_000)
    assert transfer.share == 0.25
    assert transfer.detail == "100 of 400 MB at 50 MB/s"
    assert transfer.time_left == "About 6 s left"


def test_that_more_than_all_is_all():
    transfer = Transfer(10, lambda: 0.0)
    transfer.reached(11)
    assert transfer.share == 1.0


@pytest.fixture
def paths(tmp_path):
    """Files of 600, 300 and 100 bytes."""
    made = tuple(tmp_path / name for name in "abc")
    for path, nbytes in zip(made, (600, 300, 100), strict=True):
        path.write_bytes(bytes(nbytes))
    return made


def test_that_nothing_is_claimed_before_anything_is_read(paths):
    reading = Reading()
    look = reading.view("Reading a", "Reading the run's recording.")
    reading.expect(paths)
    assert look().share is None
    assert look().detail == "Reading the run's recording."
    reading.seen(150)
    assert look().share == pytest.approx(0.15)


def test_that_a_file_that_is_refused_counts_as_done(paths):
    reading = Reading()
    look = reading.view("Reading", "")
    reading.expect(paths)
    reading.seen(10)
    reading.next_file()
    reading.seen(150)
    assert look().share == pytest.approx(0.75)
    reading.next_file()
    reading.seen(100)
    assert look().share == 1.0


def test_that_it_ends_with_the_next_line_once_it_is_stopped(paths):
    reading = Reading()
    reading.expect(paths)
    reading.seen(10)
    reading.stop()
    with pytest.raises(StoppedError):
        reading.seen(20)
