"""Maps of the page cache: counts that add up, of real files that are cached in part."""

import mmap
import os
import sys

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.page_cache import kept

from modelmon.core.machine import page_cache as module
from modelmon.core.machine.page_cache import (
    MOST_BUCKETS,
    FileResidency,
    ResidencyMap,
    bucket_bytes_for,
    bucket_lengths,
    evict_verified,
    file_residency,
    residency,
    residency_map,
)

PAGE = mmap.PAGESIZE
FILE_BYTES = 8 * 1024**2
_SIZES = st.lists(st.integers(0, 10**13), min_size=1, max_size=40)


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
        return sum(offset // PAGE <= page < -(-(offset + length) // PAGE) for page in there)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "page_counter", lambda _fd: (count, "cachestat"))
        found = residency_map([(3, size)])
    assert sum(found.files[0].cached_pages) == len(there)
    assert found.whole.share == pytest.approx(len(there) / -(-size // PAGE))
    assert found.is_sound


@pytest.mark.system
def test_that_an_evicted_half_is_seen_where_it_lies(big_file, big_fd):
    evict_verified([(big_fd, [(0, FILE_BYTES)])])
    with kept(big_file, (0, FILE_BYTES // 2)):
        found = residency_map([(big_fd, FILE_BYTES)])
    counts = found.files[0].cached_pages
    half = len(counts) // 2
    pages = found.bucket_bytes // PAGE
    assert len(counts) == MOST_BUCKETS
    assert counts == (pages,) * half + (0,) * half
    assert found.whole.share == 0.5
    assert found.whole.resident_bytes == FILE_BYTES // 2


@pytest.mark.system
def test_that_looking_brings_no_page_into_the_cache(big_fd):
    evict_verified([(big_fd, [(0, FILE_BYTES)])])
    before = residency(big_fd, [(0, FILE_BYTES)]).share
    for _ in range(3):
        assert residency_map([(big_fd, FILE_BYTES)]).whole.share == before


@pytest.mark.system
def test_that_mincore_draws_the_same_map(big_file, big_fd, monkeypatch):
    def refuse(fd, offset, length):
        raise OSError(38, "Function not implemented")

    evict_verified([(big_fd, [(0, FILE_BYTES)])])
    with kept(big_file, (0, FILE_BYTES // 4)):
        by_cachestat = residency_map([(big_fd, FILE_BYTES)])
        if by_cachestat.files[0].source != "cachestat":
            pytest.skip("this kernel has no cachestat")
        monkeypatch.setattr("modelmon.core.machine.cached_pages.cachestat_pages", refuse)
        by_mincore = residency_map([(big_fd, FILE_BYTES)])
    assert by_mincore.files[0].source == "mincore"
    assert by_mincore.files[0].cached_pages == by_cachestat.files[0].cached_pages


@pytest.mark.system
def test_that_a_file_that_was_cut_or_has_grown_is_told_within_its_old_size(big_file, big_fd):
    os.truncate(big_file, FILE_BYTES // 4)
    with kept(big_file):
        cut = residency_map([(big_fd, FILE_BYTES)])
    assert cut.whole.share == 0.25
    assert sum(cut.files[0].cached_pages[MOST_BUCKETS // 4 :]) == 0
    with big_file.open("ab") as file:
        file.write(bytes(FILE_BYTES))
    with kept(big_file):
        grown = residency_map([(big_fd, FILE_BYTES)])
    assert len(grown.files[0].cached_pages) == MOST_BUCKETS
    assert grown.whole.share == 1.0


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's page cache calls")
def test_that_what_cannot_be_known_is_said_for_the_file_and_not_counted_as_empty(
    big_fd, monkeypatch
):
    found = residency_map([(big_fd, FILE_BYTES), (None, FILE_BYTES)])
    assert found.files[0].is_known
    assert found.files[1] == FileResidency(FILE_BYTES, "unknown: the file is not open")
    assert found.whole.share is None
    monkeypatch.setattr(module, "page_counter", lambda _fd: (None, "unknown: not yours"))
    assert file_residency(big_fd, FILE_BYTES, PAGE).source == "unknown: not yours"
    assert residency_map([(big_fd, 0)]).whole.share is None


def test_that_a_map_that_does_not_fit_its_files_is_not_sound():
    whole = ResidencyMap(PAGE, PAGE, (FileResidency(3 * PAGE - 1, "cachestat", (1, 0, 1)),))
    assert whole.is_sound
    for change in ({"bucket_bytes": 0}, {"page_bytes": -1}, {"bucket_bytes": 2 * PAGE}):
        assert not msgspec.structs.replace(whole, **change).is_sound
