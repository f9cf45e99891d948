"""The limits that a probe sets."""

from __future__ import annotations

from typing import Any

from modelmon.core.probe.limits import best_text, best_times
from modelmon.core.probe.probe import CopyRate, MemoryFigures, Reads, StorageFigures

GB = 10**9


def reads(bytes_per_s: float, readers: int = 1) -> Reads:
    return Reads(readers, 2**20, 100, 100 * 2**20, bytes_per_s, readers * 2**20 / bytes_per_s * 1e9)


def copy(bytes_per_s: float, threads: int = 1, *, fresh: bool = True) -> CopyRate:
    return CopyRate(threads, fresh, 2**27, 5, bytes_per_s, bytes_per_s * 0.8)


def storage(**figures: Any) -> StorageFigures:
    return StorageFigures("direct", **figures)


MEMORY = MemoryFigures((copy(5e9), copy(10e9, 2), copy(40e9, fresh=False)))


def test_that_the_storage_limits_a_cold_load() -> None:
    found = best_times(10 * GB, storage(sequential=reads(1e9), readers=(reads(2e9, 4),)), MEMORY)
    assert found.cold_ns == 5 * GB
    assert found.warm_owned_ns == 1 * GB
    assert found.warm_owned_one_reader_ns == 2 * GB
    assert found.warm_mapped_ns is None


def test_that_filling_memory_limits_a_cold_load_from_fast_storage() -> None:
    found = best_times(10 * GB, storage(sequential=reads(20e9)), MEMORY)
    assert found.cold_ns == found.warm_owned_ns == 1 * GB
    assert found.cold_one_reader_ns == 2 * GB


def test_that_one_reader_has_limits_of_its_own() -> None:
    found = best_times(10 * GB, storage(readers=(reads(1e9), reads(4e9, 4))), MEMORY)
    assert found.cold_ns == 2.5 * GB
    assert found.cold_one_reader_ns == 10 * GB


def test_that_reading_ahead_through_the_cache_counts_where_it_is_faster() -> None:
    found = best_times(10 * GB, storage(sequential=reads(1e9), buffered=reads(2e9)), MEMORY)
    assert found.cold_ns == 5 * GB


def test_that_what_was_not_measured_has_no_limit() -> None:
    found = best_times(10 * GB, StorageFigures("none"), MemoryFigures())
    assert found.cold_ns is None
    assert found.warm_owned_ns is None
    assert best_text(found) == ""


def test_that_a_file_in_memory_has_no_cold_start() -> None:
    found = best_times(10 * GB, StorageFigures("memory", sequential=reads(9e9)), MEMORY)
    assert found.cold_ns is None
    assert best_text(found) == "about 1.00 s warm"


def test_that_the_limits_are_told_in_one_line() -> None:
    figures = storage(sequential=reads(2e9), mapped_bytes_per_s=100e9)
    text = best_text(best_times(10 * GB, figures, MEMORY))
    assert text == "about 5.00 s cold, 1.00 s warm, 100 ms warm and mapped"
