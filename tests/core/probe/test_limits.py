"""The limits that a probe sets."""

from modelmon.core.probe.probe import CopyRate, MemoryFigures, Reads, StorageFigures, best_times

GB = 10**9


def reads(bytes_per_s, readers=1):
    return Reads(readers, 2**20, 100, 100 * 2**20, bytes_per_s, readers * 2**20 / bytes_per_s * 1e9)


def copy(bytes_per_s, threads=1, *, fresh=True):
    return CopyRate(threads, fresh, 2**27, 5, bytes_per_s, bytes_per_s * 0.8)


def storage(**figures):
    return StorageFigures("direct", **figures)


MEMORY = MemoryFigures((copy(5e9), copy(10e9, 2), copy(40e9, fresh=False)))


def test_that_the_storage_limits_a_cold_load():
    found = best_times(10 * GB, storage(sequential=reads(1e9), readers=(reads(2e9, 4),)), MEMORY)
    assert found.cold_ns == 5 * GB
    assert found.warm_owned_ns == 1 * GB
    assert found.warm_mapped_ns is None


def test_that_filling_memory_limits_a_cold_load_from_fast_storage():
    found = best_times(10 * GB, storage(sequential=reads(20e9)), MEMORY)
    assert found.cold_ns == found.warm_owned_ns == 1 * GB


def test_that_reading_ahead_through_the_cache_counts_where_it_is_faster():
    found = best_times(10 * GB, storage(sequential=reads(1e9), buffered=reads(2e9)), MEMORY)
    assert found.cold_ns == 5 * GB


def test_that_what_was_not_measured_has_no_limit():
    found = best_times(10 * GB, StorageFigures("none"), MemoryFigures())
    assert found.cold_ns is None
    assert found.warm_owned_ns is None


def test_that_a_file_in_memory_has_no_cold_start():
    found = best_times(10 * GB, StorageFigures("memory", sequential=reads(9e9)), MEMORY)
    assert found.cold_ns is None
    assert found.warm_owned_ns == GB
