"""Emptying and filling the page cache of real files."""

import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.page_cache import left_alone

from modelmon.core.machine import page_cache
from modelmon.core.machine.page_cache import (
    COLD_SHARE,
    evict_verified,
    eviction_obstacle,
    fill,
    residency,
)

FILE_BYTES = 8 * 1024**2
WHOLE = [(0, FILE_BYTES)]

pytestmark = pytest.mark.system


def ignore(nbytes):
    del nbytes


def never():
    return False


def test_that_a_dirty_file_becomes_cold(big_fd):
    eviction = evict_verified([(big_fd, WHOLE)])
    assert eviction.obstacle == ""
    assert eviction.residency.share is not None
    assert eviction.residency.share < COLD_SHARE


def test_that_all_shards_become_cold_together(disk):
    fds = []
    for name in ("a", "b"):
        (disk / name).write_bytes(os.urandom(FILE_BYTES))
        fds.append(os.open(disk / name, os.O_RDONLY))
    eviction = evict_verified([(fd, WHOLE) for fd in fds])
    assert eviction.residency.share == 0.0
    assert eviction.residency.total_bytes == 2 * FILE_BYTES
    assert [residency(fd, WHOLE).resident_bytes for fd in fds] == [0, 0]
    for fd in fds:
        os.close(fd)


def test_that_a_cold_file_becomes_warm(big_file, big_fd):
    def filled():
        steps = []
        return steps, fill(big_fd, WHOLE, steps.append, never), residency(big_fd, WHOLE)

    steps, told, seen = left_alone(filled, big_file)
    assert told == seen
    assert seen.share == 1.0
    assert steps == sorted(set(steps))
    assert steps[-1] == FILE_BYTES


def test_that_only_the_wanted_parts_are_filled(big_file, big_fd):
    os.posix_fadvise(big_fd, 0, 0, os.POSIX_FADV_RANDOM)
    wanted = [(5 * mmap.PAGESIZE + 17, 3), (FILE_BYTES - 100, 100)]

    def filled():
        return fill(big_fd, wanted, ignore, never).share, residency(big_fd, WHOLE).resident_bytes

    assert left_alone(filled, big_file) == (1.0, 2 * mmap.PAGESIZE)


def test_that_filling_stops_when_asked(big_fd):
    evict_verified([(big_fd, WHOLE)])
    steps = []
    fill(big_fd, WHOLE, steps.append, lambda: len(steps) == 2)
    assert len(steps) == 2
    assert steps[-1] < FILE_BYTES


def test_that_pages_dropped_while_filling_are_read_again(big_file, big_fd):
    def drop_once(done):
        if done == FILE_BYTES // 2:
            page_cache.evict(big_fd)

    filled = left_alone(lambda: fill(big_fd, WHOLE, drop_once, never), big_file)
    assert filled.share == 1.0


def test_that_eviction_and_filling_need_the_descriptor_alone(big_file, big_fd):
    os.fsync(big_fd)
    big_file.unlink()
    assert evict_verified([(big_fd, WHOLE)]).residency.share == 0.0
    # The kernel may take some of it back at once.
    assert (fill(big_fd, WHOLE, ignore, never).share or 0.0) > 0.5


_HOLD_MAPPED = """
import mmap, sys
with open(sys.argv[1], "rb") as file:
    view = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
view[:]
print("mapped", flush=True)
sys.stdin.read()
"""


def test_that_pages_mapped_by_another_process_are_reported_and_not_called_cold(big_file, big_fd):
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD_MAPPED, str(big_file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        eviction = evict_verified([(big_fd, WHOLE)], attempts=2)
        child.communicate()
    assert eviction.residency.share is not None
    assert eviction.residency.share > 0.9
    assert "another process" in eviction.obstacle
    assert evict_verified([(big_fd, WHOLE)]).obstacle == ""


def test_that_a_file_in_memory_says_that_it_cannot_be_cold():
    shm = Path("/dev/shm")
    if not os.access(shm, os.W_OK):
        pytest.skip("no writable /dev/shm here")
    path = shm / f"modelmon-test-{os.getpid()}"
    path.write_bytes(bytes(mmap.PAGESIZE))
    try:
        with path.open("rb") as file:
            if not eviction_obstacle(file.fileno()):
                pytest.skip("/dev/shm is not a tmpfs here")
            eviction = evict_verified([(file.fileno(), [(0, mmap.PAGESIZE)])])
    finally:
        path.unlink()
    assert "memory" in eviction.obstacle
    assert eviction.residency.share == 1.0
