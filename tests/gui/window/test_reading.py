"""How far the reading of files is, as the window tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from modelmon.gui.opening.transfer import Reading, StoppedError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def paths(tmp_path: Path) -> tuple[Path, ...]:
    """Files of 600, 300 and 100 bytes."""
    made = tuple(tmp_path / name for name in "abc")
    for path, nbytes in zip(made, (600, 300, 100), strict=True):
        path.write_bytes(bytes(nbytes))
    return made


def test_that_nothing_is_claimed_before_anything_is_read(paths: tuple[Path, ...]) -> None:
    reading = Reading()
    look = reading.view("Reading a", "Reading the run's recording.")
    reading.expect(paths)
    assert look().share is None
    assert look().detail == "Reading the run's recording."
    reading.seen(150)
    assert look().share == pytest.approx(0.15)


def test_that_a_file_that_is_refused_counts_as_done(paths: tuple[Path, ...]) -> None:
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


def test_that_it_ends_with_the_next_line_once_it_is_stopped(paths: tuple[Path, ...]) -> None:
    reading = Reading()
    reading.expect(paths)
    reading.seen(10)
    reading.stop()
    with pytest.raises(StoppedError):
        reading.seen(20)
