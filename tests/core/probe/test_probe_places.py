"""What a probe reads: within the files, in whole stretches, and nothing twice where possible."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.load.extents import Extent, total_bytes
from modelmon.core.probe.disk import RUN_BYTES, Places

MIB = 1024**2
sizes = st.lists(st.integers(0, 300 * MIB), min_size=1, max_size=4).filter(any)
seeds = st.integers(0, 2**64)


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
