"""Which part of a file is cached, and emptying that, of real files and for other users."""

import mmap
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.page_cache import kept

from modelmon.core.machine import cached_pages, page_cache
from modelmon.core.machine.block_devices import BlockLayer
from modelmon.core.machine.page_cache import (
    COLD_SHARE,
    MOST_BUCKETS,
    FileResidency,
    Residency,
    ResidencyMap,
    bucket_bytes_for,
    bucket_lengths,
    combined,
    evict_verified,
    eviction_obstacle,
    file_residency,
    page_ranges,
    residency,
    residency_map,
)
from modelmon.core.machine.storage import MountLayer, StorageStack
from modelmon.core.messages import from_wire

FILE_BYTES = 8 * 1024**2
WHOLE = [(0, FILE_BYTES)]
PAGE = mmap.PAGESIZE

_RANGES = st.lists(st.tuples(st.integers(0, 50 * PAGE), st.integers(0, 9 * PAGE)), max_size=20)
_SIZES = st.lists(st.integers(0, 10**13), min_size=1, max_size=40)


def pages_of(ranges):
    """The pages that non-empty ranges touch, each time that they do."""
    return [
        page
        for offset, length in ranges
        for page in range(offset // PAGE, -(-(offset + length) // PAGE) if length else 0)
    ]


@given(ranges=_RANGES, size=st.integers(0, 40 * PAGE))
def test_that_page_ranges_hold_each_wanted_page_once(ranges, size):
    merged = page_ranges(ranges, size)
    assert pages_of(merged) == sorted({page for page in pages_of(ranges) if page * PAGE < size})
    assert all(offset + length <= size for offset, length in merged)


@pytest.mark.parametrize(
    ("parts", "whole"),
    [
        ([(1.0, 3000), (0.0, 1000)], Residency(0.75, "cachestat", 4000)),
        ([(1.0, 3000), (None, 1000)], Residency(None, "unknown: why", 4000)),
        ([(None, 0), (0.5, 8)], Residency(0.5, "cachestat", 8)),
    ],
)
def test_that_files_are_weighed_and_one_that_is_unknown_makes_all_unknown(parts, whole):
    files = [Residency(s, "unknown: why" if s is None else "cachestat", n) for s, n in parts]
    assert combined(files) == whole
    assert combined([]).share is None


@given(sizes=_SIZES)
def test_that_buckets_cover_each_byte_once_and_are_few(sizes):
    bucket_bytes = bucket_bytes_for(sizes)
    assert bucket_bytes % PAGE == 0
    cut = [bucket_lengths(size, bucket_bytes) for size in sizes]
    assert [sum(lengths) for lengths in cut] == sizes
    assert all(0 < length <= bucket_bytes for lengths in cut for length in lengths)
    assert sum(map(len, cut)) <= MOST_BUCKETS + len(sizes)


@given(size=st.integers(1, 600 * PAGE), cached=st.sets(st.integers(0, 599)))
def test_that_the_counts_add_up_to_the_cached_pages(size, cached):
    there = {page for page in cached if page * PAGE < size}

    def count(_fd, offset, length):
        return sum(page in there for page in pages_of([(offset, length)]))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_cache, "page_counter", lambda _fd: (count, "cachestat"))
        found = residency_map([(3, size)])
    assert sum(found.files[0].cached_pages) == len(there)
    assert found.whole.share == pytest.approx(len(there) / -(-size // PAGE))
    assert found.is_sound


def test_that_a_map_that_does_not_fit_its_files_is_not_sound():
    whole = ResidencyMap(PAGE, PAGE, (FileResidency(3 * PAGE - 1, "cachestat", (1, 0, 1)),))
    assert whole.is_sound
    for change in ({"bucket_bytes": 0}, {"page_bytes": -1}, {"bucket_bytes": 2 * PAGE}):
        assert not msgspec.structs.replace(whole, **change).is_sound


def test_that_what_is_cached_is_told_of_the_file_and_of_its_parts(big_file, big_fd):
    with kept(big_file):
        assert residency(big_fd, WHOLE).share == 1.0
        assert residency(big_fd, [(100, 10)]).resident_bytes == PAGE
    assert evict_verified([(big_fd, WHOLE)]) == ""
    half = FILE_BYTES // 2
    with kept(big_file, (0, half)):
        assert residency(big_fd, WHOLE).resident_bytes == half
        assert residency(big_fd, [(0, half)]).share == 1.0
        assert residency(big_fd, [(half, half)]).share == 0.0
        found = residency_map([(big_fd, FILE_BYTES)])
    pages = found.bucket_bytes // PAGE
    assert found.files[0].cached_pages == (pages,) * (MOST_BUCKETS // 2) + (0,) * (
        MOST_BUCKETS // 2
    )
    assert (found.whole.share, found.whole.resident_bytes) == (0.5, half)
    # Nothing of it brings a page into the cache, nor is a name needed.
    evict_verified([(big_fd, WHOLE)])
    big_file.unlink()
    for _ in range(3):
        assert residency_map([(big_fd, FILE_BYTES)]).whole.share == 0.0


def test_that_mincore_agrees_with_cachestat(big_file, big_fd, monkeypatch):
    if residency(big_fd, WHOLE).source != "cachestat":
        pytest.skip("this kernel has no cachestat")
    monkeypatch.setattr(cached_pages, "_MINCORE_WINDOW_BYTES", 16 * PAGE)
    evict_verified([(big_fd, WHOLE)])
    parts = ((0, FILE_BYTES), (15 * PAGE, 2 * PAGE), (99 * PAGE + 7, PAGE), (5, 1))
    with kept(big_file, *((page * PAGE, 1) for page in (0, 15, 16, 17, 100, 2047))):
        for count in (cached_pages.mincore_pages, cached_pages.cachestat_pages):
            assert [count(big_fd, offset, length) for offset, length in parts] == [6, 2, 1, 1]


@pytest.mark.parametrize("number", [38, 1])
def test_that_without_cachestat_ones_own_file_is_asked_by_mincore(
    big_file, big_fd, number, monkeypatch
):
    def refuse(fd, offset, length):
        raise OSError(number, os.strerror(number))

    with kept(big_file):
        before = residency_map([(big_fd, FILE_BYTES)]).files[0].cached_pages
        monkeypatch.setattr(cached_pages, "cachestat_pages", refuse)
        assert residency(big_fd, WHOLE) == Residency(1.0, "mincore", FILE_BYTES)
        assert residency_map([(big_fd, FILE_BYTES)]).files[0].cached_pages == before


def test_that_only_what_is_in_the_file_is_told(disk, big_file, big_fd):
    path = disk / "short"
    path.write_bytes(b"x" * 10)
    with path.open("rb") as file, kept(path):
        found = residency(file.fileno(), [(0, 10), (PAGE, 5)])
        assert (found.share, found.total_bytes) == (1.0, 10)
        assert residency(file.fileno(), [(PAGE, 5)]).share is None
    # What was cut off is not cached, and what it grew is left out.
    os.truncate(big_file, FILE_BYTES // 4)
    with kept(big_file):
        cut = residency_map([(big_fd, FILE_BYTES)])
    assert cut.whole.share == 0.25
    assert sum(cut.files[0].cached_pages[MOST_BUCKETS // 4 :]) == 0
    with big_file.open("ab") as file:
        file.write(bytes(FILE_BYTES))
    with kept(big_file):
        grown = residency_map([(big_fd, FILE_BYTES)])
    assert (len(grown.files[0].cached_pages), grown.whole.share) == (MOST_BUCKETS, 1.0)


def test_that_what_cannot_be_known_is_said_for_the_file_and_not_counted_as_empty(
    big_fd, monkeypatch
):
    found = residency_map([(big_fd, FILE_BYTES), (None, FILE_BYTES)])
    assert found.files[0].is_known
    assert found.files[1] == FileResidency(FILE_BYTES, "unknown: the file is not open")
    assert found.whole.share is None
    monkeypatch.setattr(page_cache, "page_counter", lambda _fd: (None, "unknown: not yours"))
    assert file_residency(big_fd, FILE_BYTES, PAGE).source == "unknown: not yours"
    assert residency_map([(big_fd, 0)]).whole.share is None


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
print(msgspec.json.encode([found, claimed], enc_hook=to_text).decode())
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become another user")
@pytest.mark.parametrize("kernel", ["this kernel", "old kernel"])
def test_that_another_users_file_is_unknown_and_not_fully_cached(big_fd, kernel):
    os.fchmod(big_fd, 0o644)
    evict_verified([(big_fd, WHOLE)])
    command = [sys.executable, "-c", _AS_SOMEONE_ELSE, str(big_fd), kernel]
    child = subprocess.run(command, pass_fds=[big_fd], capture_output=True, check=True)
    told = tuple[Residency, int]
    found, claimed = msgspec.json.decode(child.stdout, type=told, dec_hook=from_wire)
    assert found.share is None
    assert "another user" in found.source
    assert claimed * PAGE == FILE_BYTES  # what would have been believed: all of an evicted file


_ON_AN_OVERLAY = """
import msgspec, os, subprocess, sys
from modelmon.core.machine.page_cache import evict_verified, residency
from modelmon.core.messages import to_text
base = sys.argv[1]
options = f"lowerdir={base}/lower,upperdir={base}/upper,workdir={base}/work"
subprocess.run(["mount", "-t", "overlay", "overlay", "-o", options, f"{base}/seen"], check=True)
fd = os.open(f"{base}/seen/weights.bin", os.O_RDONLY)
os.pread(fd, 8 * 1024**2, 0)
whole = [(0, 8 * 1024**2)]
found = [residency(fd, whole), evict_verified([(fd, whole)]) or residency(fd, whole)]
print(msgspec.json.encode(found, enc_hook=to_text).decode())
"""


def test_that_a_cached_file_of_an_overlay_is_not_called_cold(big_file, disk):
    for name in ("lower", "upper", "work", "seen"):
        (disk / name).mkdir()
    lower = big_file.rename(disk / "lower" / big_file.name)
    with lower.open("rb") as file:
        os.fsync(file.fileno())  # an overlay does not write back the layers below it
    command = ["unshare", "--mount", sys.executable, "-c", _ON_AN_OVERLAY, str(disk)]
    child = subprocess.run(command, capture_output=True, check=False)
    if b"unshare failed" in child.stderr or b"mount:" in child.stderr:
        pytest.skip("this user cannot mount an overlay")
    assert child.returncode == 0, child.stderr.decode()
    told = tuple[Residency, Residency]
    warm, cold = msgspec.json.decode(child.stdout, type=told, dec_hook=from_wire)
    assert (warm.source, warm.total_bytes) == ("mincore", FILE_BYTES)
    # The kernel may have taken some of it back.
    assert (warm.share or 0.0) > 0.5
    assert cold.share == 0.0


def test_that_dirty_files_become_cold_together(disk, big_fd):
    (disk / "other").write_bytes(os.urandom(FILE_BYTES))
    with (disk / "other").open("rb") as other:
        files = [(big_fd, WHOLE), (other.fileno(), WHOLE)]
        assert evict_verified(files) == ""
        assert all(residency(*file).share < COLD_SHARE for file in files)


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
        child.stdout.readline()
        assert "another process" in evict_verified([(big_fd, WHOLE)], attempts=2)
        assert residency(big_fd, WHOLE).share > 0.9
        child.communicate()
    assert evict_verified([(big_fd, WHOLE)]) == ""


def test_that_a_file_in_memory_says_that_it_cannot_be_cold():
    path = Path(f"/dev/shm/modelmon-test-{os.getpid()}")
    if not os.access(path.parent, os.W_OK):
        pytest.skip("no writable /dev/shm here")
    path.write_bytes(bytes(PAGE))
    try:
        with path.open("rb") as file:
            if not eviction_obstacle(file.fileno()):
                pytest.skip("/dev/shm is not a tmpfs here")
            assert "memory" in evict_verified([(file.fileno(), [(0, PAGE)])])
            assert residency(file.fileno(), [(0, PAGE)]).share == 1.0
    finally:
        path.unlink()


def loop(*, direct=False):
    return BlockLayer("loop0", "loop", backing_file="/images/disk.img", direct_io=direct)


@pytest.mark.parametrize(
    ("device", "found"),
    [
        (loop(), ["/images/disk.img"]),
        (loop(direct=None), ["/images/disk.img"]),
        # Reads past the image's own cache.
        (loop(direct=True), []),
        (BlockLayer("dm-0", "luks", "vault", below=(loop(),)), ["/images/disk.img"]),
        (BlockLayer("sda", "disk"), []),
    ],
)
def test_that_an_image_below_any_device_is_cached_a_second_time(device, found):
    mount = MountLayer("/m", "ext4", f"/dev/{device.name}", "local-disk", devices=(device,))
    below = page_cache._read_by(StorageStack("/m/a", "/m/a", (mount,)))
    assert list(map(str, below)) == found


@pytest.mark.parametrize("source", ["localhost:{}", "me@127.0.0.1:{}", "localhost:src"])
def test_that_what_this_machine_serves_to_itself_is_too(tmp_path, monkeypatch, source):
    monkeypatch.setenv("HOME", str(tmp_path))
    file = tmp_path / "src/sub/a.gguf"
    file.parent.mkdir(parents=True)
    file.write_bytes(b"GGUF")
    mount = MountLayer("/m", "nfs4", source.format(tmp_path / "src"), "network")
    elsewhere = MountLayer("/m", "nfs4", f"server:{tmp_path}/src", "network")
    read_by = page_cache._read_by
    assert list(read_by(StorageStack("/m", "/m/sub/a.gguf", (mount,)))) == [file]
    assert not list(read_by(StorageStack("/m", "/m/sub/a.gguf", (elsewhere,))))
    assert not list(read_by(StorageStack("/m", "/m/sub/b.gguf", (mount,))))
