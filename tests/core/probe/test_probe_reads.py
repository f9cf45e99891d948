"""Rates and waits from the requests' own times."""

import os

import pytest

from modelmon.core.load.extents import Extent
from modelmon.core.probe.reads import (
    ReadShare,
    Request,
    latency_of,
    rate_of,
    read_together,
)

MIB = 1024**2
MS = 1_000_000


def steady(start_ns, count, each_ns):
    return [
        Request(start_ns + n * each_ns, start_ns + (n + 1) * each_ns, MIB) for n in range(count)
    ]


def test_that_rate_and_wait_agree_by_littles_law():
    found = rate_of([steady(0, 50, 4 * MS) for _ in range(4)], MIB)
    assert found is not None
    assert found.bytes_per_s == pytest.approx(4 * MIB / 0.004)
    assert found.bytes_per_s * found.mean_wait_ns / 1e9 == pytest.approx(4 * MIB)


def test_that_readers_left_alone_do_not_count():
    # The second reader goes on alone at ten times the rate.
    alone = [*steady(0, 10, 10 * MS), *steady(100 * MS, 100, MS)]
    together = rate_of([steady(0, 10, 10 * MS), alone], MIB)
    assert together is not None
    assert together.bytes_per_s == pytest.approx(2 * MIB / 0.010)
    assert together.read_bytes == 120 * MIB


def test_that_a_request_under_way_counts_in_part():
    found = rate_of([steady(0, 10, 10 * MS), [Request(0, 200 * MS, 10 * MIB)]], MIB)
    assert found is not None
    assert found.bytes_per_s == pytest.approx(15 * MIB / 0.100)


def test_that_too_little_gives_no_rate():
    assert rate_of([], MIB) is None
    assert rate_of([steady(0, 3, MS)], MIB) is None
    assert rate_of([steady(0, 50, MS), []], MIB) is None
    # A single slow request tells more than many quick ones, but for one of next to nothing.
    assert rate_of([[Request(0, 100 * MS, 64 * 1024)]], MIB) is not None
    assert rate_of([[Request(0, 100 * MS, 4097)]], MIB) is None


def test_that_percentiles_are_samples_and_rare_ones_need_many():
    few = latency_of([Request(0, n, 4096) for n in range(1, 100)], 4096)
    assert few is not None
    assert (few.p50_ns, few.p99_ns, few.samples) == (50, None, 99)
    many = latency_of([Request(0, n, 4096) for n in range(1, 201)], 4096)
    assert many is not None
    assert (many.p50_ns, many.p99_ns) == (100, 198)
    assert latency_of([], 4096) is None


def test_that_readers_read_their_spans_up_to_the_files_end(tmp_path):
    file = tmp_path / "weights"
    file.write_bytes(os.urandom(3 * MIB + 5))
    descriptor = os.open(file, os.O_RDONLY)
    try:
        hands = [
            ReadShare({0: descriptor}, [Extent(0, 0, 2 * MIB)], 4096),
            ReadShare({0: descriptor}, [Extent(0, 2 * MIB, MIB + 5)], 4096),
        ]
        done = read_together(hands, MIB // 2, 60 * 1000 * MS, lambda: False)
        assert [sum(r.nbytes for r in requests) for requests in done] == [2 * MIB, MIB + 5]
        assert read_together(hands, MIB, 60 * 1000 * MS, lambda: True) == [[], []]
    finally:
        os.close(descriptor)


def test_that_each_reader_reads_however_late_it_gets_a_processor(tmp_path):
    file = tmp_path / "weights"
    file.write_bytes(bytes(2 * MIB))
    with file.open("rb") as opened:
        hands = [ReadShare({0: opened.fileno()}, [Extent(0, at, MIB)], 4096) for at in (0, MIB)]
        done = read_together(hands, 4096, 0, lambda: False)
    assert [len(requests) for requests in done] == [1, 1]


def test_that_a_read_that_fails_ends_all_readers(tmp_path):
    file = tmp_path / "weights"
    file.write_bytes(bytes(MIB))
    descriptor = os.open(file, os.O_WRONLY)
    try:
        hands = [ReadShare({0: descriptor}, [Extent(0, 0, MIB)], 4096)] * 3
        with pytest.raises(OSError, match="Bad file descriptor"):
            read_together(hands, 4096, 60 * 1000 * MS, lambda: False)
    finally:
        os.close(descriptor)
