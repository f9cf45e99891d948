"""Whether somebody opens and reads a file."""

import subprocess
import sys
from pathlib import Path

import pytest

from modelmon.core.machine.file_users import FileReads

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="inotify")


def test_that_opening_and_reading_are_told_once_and_apart(tmp_path):
    watched, other = tmp_path / "watched", tmp_path / "other"
    for path in (watched, other):
        path.write_bytes(b"weights")
    reads = FileReads([watched])
    assert reads.is_known
    assert reads.look() == (False, False)
    other.read_bytes()
    assert reads.look() == (False, False)
    with watched.open("rb", buffering=0) as file:
        assert reads.look() == (True, False)
        file.read()
        assert reads.look() == (False, True)
    subprocess.run(["cat", watched], check=True, stdout=subprocess.DEVNULL)
    assert reads.look() == (True, True)
    assert reads.look() == (False, False)
    reads.close()


def test_that_more_events_than_the_kernel_keeps_are_taken_for_a_read(tmp_path):
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    paths = [tmp_path / "one", tmp_path / "two"]
    for path in paths:
        path.touch()
    reads = FileReads(paths)
    # The same event twice in a row is kept once.
    for number in range(most + 2):
        paths[number % 2].open("rb").close()
    assert reads.look() == (True, True)
    reads.close()


def test_that_what_cannot_be_watched_may_have_been_read(tmp_path):
    reads = FileReads([tmp_path / "gone"])
    assert not reads.is_known
    assert reads.look() == (True, True)
    reads.close()
