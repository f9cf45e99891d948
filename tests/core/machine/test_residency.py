"""Which part of a file is cached, on real files and as other users see them."""

import errno
import mmap
import os
import subprocess
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.page_cache import kept

from modelmon.core.machine import cached_pages
from modelmon.core.machine.page_cache import (
    Residency,
    combined,
    evict_verified,
    page_ranges,
    residency,
)
from modelmon.core.messages import from_wire

FILE_BYTES = 8 * 1024**2
WHOLE = [(0, FILE_BYTES)]
PAGE = mmap.PAGESIZE

_RANGES = st.lists(st.tuples(st.integers(0, 50 * PAGE), st.integers(0, 9 * PAGE)), max_size=20)


@given(ranges=_RANGES, size=st.integers(0, 40 * PAGE))
def test_that_page_ranges_hold_each_wanted_page_once(ranges, size):
    wanted = {
        page
        for offset, length in ranges
        for page in range(offset // PAGE, -(-(offset + length) // PAGE) if length else 0)
        if page * PAGE < size
    }
    merged = page_ranges(ranges, size)
    pages = [
        page
        for offset, length in merged
        for page in range(offset // PAGE, -(-(offset + length) // PAGE))
    ]
    assert pages == sorted(wanted)
    assert all(offset + length <= size for offset, length in merged)


def test_that_files_are_weighed_by_their_size():
    whole = combined([Residency(1.0, "cachestat", 3000), Residency(0.0, "cachestat", 1000)])
    assert whole == Residency(0.75, "cachestat", 4000)
    assert whole.resident_bytes == 3000


def test_that_one_unknown_file_makes_the_whole_unknown():
    parts = [Residency(1.0, "cachestat", 3000), Residency(None, "unknown: why", 1000)]
    assert combined(parts) == Residency(None, "unknown: why", 4000)
    assert combined([]).share is None


def test_that_an_empty_part_does_not_hide_the_others():
    parts = [
        Residency(None, "unknown: there are no bytes to look at"),
        Residency(0.5, "mincore", 8),
    ]
    assert combined(parts).share == 0.5


@pytest.mark.system
def test_that_what_is_cached_is_told_of_the_file_and_of_its_parts(big_file, big_fd):
    with kept(big_file):
        assert residency(big_fd, WHOLE).share == 1.0
        assert residency(big_fd, [(100, 10)]).resident_bytes == PAGE
    assert evict_verified([(big_fd, WHOLE)]).obstacle == ""
    with kept(big_file, (0, FILE_BYTES // 4)):
        assert residency(big_fd, WHOLE).share == 0.25
        assert residency(big_fd, [(0, FILE_BYTES // 4)]).share == 1.0
        assert residency(big_fd, [(FILE_BYTES // 2, FILE_BYTES // 2)]).share == 0.0
        assert residency(big_fd, WHOLE).resident_bytes == FILE_BYTES // 4


@pytest.mark.system
def test_that_mincore_agrees_with_cachestat(big_file, big_fd, monkeypatch):
    if residency(big_fd, WHOLE).source != "cachestat":
        pytest.skip("this kernel has no cachestat")
    monkeypatch.setattr(cached_pages, "_MINCORE_WINDOW_BYTES", 16 * PAGE)
    evict_verified([(big_fd, WHOLE)])
    parts = ((0, FILE_BYTES), (15 * PAGE, 2 * PAGE), (99 * PAGE + 7, PAGE), (5, 1))
    with kept(big_file, *((page * PAGE, 1) for page in (0, 15, 16, 17, 100, 2047))):
        for count in (cached_pages.mincore_pages, cached_pages.cachestat_pages):
            assert [count(big_fd, offset, length) for offset, length in parts] == [6, 2, 1, 1]


@pytest.mark.parametrize("number", ["ENOSYS", "EPERM"])
def test_that_without_cachestat_ones_own_file_is_asked_by_mincore(
    big_file, big_fd, number, monkeypatch
):
    def refuse(fd, offset, length):
        code = getattr(errno, number)
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr("modelmon.core.machine.cached_pages.cachestat_pages", refuse)
    with kept(big_file):
        assert residency(big_fd, WHOLE) == Residency(1.0, "mincore", FILE_BYTES)


@pytest.mark.system
def test_that_residency_needs_the_descriptor_alone(big_file, big_fd):
    with kept(big_file):
        big_file.unlink()
        assert cached_pages.page_counter(big_fd)[0] is not None
        assert residency(big_fd, WHOLE).share == 1.0


def test_that_ranges_beyond_the_end_are_ignored(disk):
    path = disk / "short"
    path.write_bytes(b"x" * 10)
    with path.open("rb") as file, kept(path):
        assert residency(file.fileno(), [(0, 10), (PAGE, 5)]) == Residency(
            1.0, residency(file.fileno(), [(0, 10)]).source, 10
        )
        assert residency(file.fileno(), [(PAGE, 5)]).share is None


# Everything is imported first, for another user may not be able to read the checkout.
_AS_SOMEONE_ELSE = """
import ctypes, msgspec, os, sys
from modelmon.core.machine import cached_pages, page_cache
from modelmon.core.messages import to_text
if sys.argv[2] == "old kernel":
    def refuse(fd, offset, length):
        raise OSError(38, "Function not implemented")
    cached_pages.cachestat_pages = refuse
fd = int(sys.argv[1])
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
ctypes.CDLL(None).prctl(4, 1)  # PR_SET_DUMPABLE: /proc/self is one's own again
found = page_cache.residency(fd, [(0, 8 * 1024**2)])
claimed = cached_pages.mincore_pages(fd, 0, 8 * 1024**2)
found = [found, cached_pages.page_counter(fd)[0] is not None, claimed]
print(msgspec.json.encode(found, enc_hook=to_text).decode())
"""


@pytest.mark.system
@pytest.mark.parametrize("kernel", ["this kernel", "old kernel"])
def test_that_another_users_file_is_unknown_and_not_fully_cached(big_fd, kernel):
    if os.geteuid() != 0:
        pytest.skip("needs root to become another user")
    os.fchmod(big_fd, 0o644)
    evict_verified([(big_fd, WHOLE)])
    child = subprocess.run(
        [sys.executable, "-c", _AS_SOMEONE_ELSE, str(big_fd), kernel],
        pass_fds=[big_fd],
        capture_output=True,
        check=False,
    )
    assert child.returncode == 0, child.stderr.decode()
    found, known, claimed = msgspec.json.decode(
        child.stdout, type=tuple[Residency, bool, int], dec_hook=from_wire
    )
    assert found.share is None
    assert "another user" in found.source
    assert not known
    assert claimed * PAGE == FILE_BYTES  # what would have been believed: all of an evicted file


_ON_AN_OVERLAY = """
import msgspec, os, subprocess, sys
from modelmon.core.machine.page_cache import evict_verified
from modelmon.core.machine.page_cache import residency
from modelmon.core.messages import to_text
base = sys.argv[1]
options = f"lowerdir={base}/lower,upperdir={base}/upper,workdir={base}/work"
subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, f"{base}/seen"], check=True)
fd = os.open(f"{base}/seen/weights.bin", os.O_RDONLY)
os.pread(fd, 8 * 1024**2, 0)
whole = [(0, 8 * 1024**2)]
found = [residency(fd, whole), evict_verified([(fd, whole)]).residency]
print(msgspec.json.encode(found, enc_hook=to_text).decode())
"""


@pytest.mark.system
def test_that_a_cached_file_of_an_overlay_is_not_called_cold(big_file, disk):
    for name in ("lower", "upper", "work", "seen"):
        (disk / name).mkdir()
    lower = big_file.rename(disk / "lower" / big_file.name)
    with lower.open("rb") as file:
        os.fsync(file.fileno())  # an overlay does not write back the layers below it
    child = subprocess.run(
        ["unshare", "--mount", sys.executable, "-c", _ON_AN_OVERLAY, str(disk)],
        capture_output=True,
        check=False,
    )
    if b"unshare failed" in child.stderr or b"mount:" in child.stderr:
        pytest.skip("this user cannot mount an overlay")
    assert child.returncode == 0, child.stderr.decode()
    warm, cold = msgspec.json.decode(
        child.stdout, type=tuple[Residency, Residency], dec_hook=from_wire
    )
    assert (warm.source, warm.total_bytes) == ("mincore", FILE_BYTES)
    # The kernel may have taken some of it back.
    assert (warm.share or 0.0) > 0.5
    assert cold.share == 0.0
