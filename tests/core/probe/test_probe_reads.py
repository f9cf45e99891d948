"""What is read of the files, by threads that begin together, and the rates that follow."""

import os
import threading
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.extents import Extent, total_bytes
from modelmon.core.probe.disk import RUN_BYTES, Places
from modelmon.core.probe.reads import (
    ReadShare,
    Request,
    latency_of,
    rate_of,
    read_together,
    together,
)

MIB = 1024**2
MS = 1_000_000
sizes = st.lists(st.integers(0, 300 * MIB), min_size=1, max_size=4).filter(any)
seeds = st.integers(0, 2**64)


def steady(start_ns, count, each_ns):
    return [
        Request(start_ns + n * each_ns, start_ns + (n + 1) * each_ns, MIB) for n in range(count)
    ]


def test_that_rate_and_wait_agree_by_littles_law():
    found = rate_of([steady(0, 50, 4 * MS) for _ in range(4)], MIB)
    assert found.bytes_per_s == pytest.approx(4 * MIB / 0.004)
    assert found.bytes_per_s * found.mean_wait_ns / 1e9 == pytest.approx(4 * MIB)


def test_that_readers_left_alone_do_not_count():
    # The second reader goes on alone at ten times the rate.
    alone = [*steady(0, 10, 10 * MS), *steady(100 * MS, 100, MS)]
    together = rate_of([steady(0, 10, 10 * MS), alone], MIB)
    assert together.bytes_per_s == pytest.approx(2 * MIB / 0.010)
    assert together.read_bytes == 120 * MIB


def test_that_a_request_under_way_counts_in_part():
    found = rate_of([steady(0, 10, 10 * MS), [Request(0, 200 * MS, 10 * MIB)]], MIB)
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
    assert (few.p50_ns, few.p99_ns, few.samples) == (50, None, 99)
    many = latency_of([Request(0, n, 4096) for n in range(1, 201)], 4096)
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


COUNT = 4


def test_that_all_work_at_the_same_time_and_an_error_comes_out():
    all_there = threading.Barrier(COUNT)
    done = []

    def work(number):
        all_there.wait()
        done.append(number)
        if number == 2:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        together(COUNT, work)
    assert sorted(done) == [*range(COUNT)]


@pytest.mark.parametrize("problem", [RuntimeError, KeyboardInterrupt])
def test_that_none_waits_for_a_thread_that_cannot_start(monkeypatch, problem):
    started = []
    start = threading.Thread.start

    def start_two(thread):
        if len(started) == 2:
            raise problem
        start(thread)
        started.append(thread)

    monkeypatch.setattr(threading.Thread, "start", start_two)
    with pytest.raises(LoadFailedError if problem is RuntimeError else problem):
        together(COUNT, lambda _: pytest.fail("it has begun"))
    for thread in started:
        thread.join(60)
        assert not thread.is_alive()


@given(sizes, seeds)
def test_that_one_round_hands_out_every_byte_once(sizes_bytes, seed):
    places = Places(sizes_bytes, 4096, seed)
    taken = places.take(sum(sizes_bytes))
    assert not places.repeated
    assert taken == [Extent(file, 0, size) for file, size in enumerate(sizes_bytes) if size]
    places.take(1)
    assert places.repeated


@given(sizes, seeds, st.lists(st.integers(1, 100 * MIB), min_size=1, max_size=5))
def test_that_each_take_is_a_stretch_that_none_before_it_had(sizes_bytes, seed, wanted):
    places = Places(sizes_bytes, 4096, seed)
    every = []
    for nbytes in wanted:
        taken = places.take(nbytes)
        # Neighbours are one: a seek in between is where a file ends, or the round began.
        assert len(taken) <= len(sizes_bytes) + 1
        if not places.repeated:
            assert min(nbytes, sum(sizes_bytes)) <= total_bytes(taken) < nbytes + RUN_BYTES
            every += taken
    for before, after in pairwise(sorted(every)):
        assert (before.shard, before.end_bytes) <= (after.shard, after.offset_bytes)


@given(sizes, seeds, st.integers(1, 5000))
def test_that_blocks_lie_in_the_files_and_differ(sizes_bytes, seed, most):
    blocks = Places(sizes_bytes, 4096, seed).blocks(most)
    assert len(set(blocks)) == len(blocks)
    assert len(blocks) == min(most, sum(-(-size // 4096) for size in sizes_bytes))
    for file, offset, nbytes in blocks:
        assert offset % 4096 == 0
        assert 0 < nbytes <= 4096
        assert offset + nbytes <= sizes_bytes[file]


def test_that_refused_runs_are_not_handed_out_and_not_read_again():
    places = Places([256 * MIB], 4096, seed=1)
    assert places.take(256 * MIB, lambda _: False) == []
    taken = places.take(256 * MIB, lambda run: run.offset_bytes < 128 * MIB)
    assert taken == [Extent(0, 0, 128 * MIB)]
    assert not places.repeated


def test_that_a_file_of_one_byte_is_one_block():
    places = Places([1], 4096, seed=1)
    assert places.blocks(100) == [Extent(0, 0, 1)]
    assert places.take(100) == [Extent(0, 0, 1)]
