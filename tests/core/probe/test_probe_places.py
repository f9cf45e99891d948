"""What a probe reads: within the files, spread out, and nothing twice where that is possible."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.probe.places import Places, Span, joined, partition

MIB = 1024**2
sizes = st.lists(st.integers(0, 300 * MIB), min_size=1, max_size=4).filter(any)


@given(sizes, st.integers(0, 2**64))
def test_that_one_round_hands_out_every_byte_once(sizes_bytes: list[int], seed: int) -> None:
    places = Places(sizes_bytes, 4096, seed)
    taken = places.take(sum(sizes_bytes))
    assert not places.repeated
    assert sum(span.nbytes for span in taken) == sum(sizes_bytes)
    end = dict.fromkeys(range(len(sizes_bytes)), 0)
    for file, offset, nbytes in sorted(taken):
        assert offset == end[file]
        end[file] = offset + nbytes
    assert list(end.values()) == sizes_bytes
    places.take(1)
    assert places.repeated


@given(sizes, st.integers(0, 2**64), st.integers(1, 5000))
def test_that_blocks_lie_in_the_files_and_differ(
    sizes_bytes: list[int], seed: int, most: int
) -> None:
    blocks = Places(sizes_bytes, 4096, seed).blocks(most)
    assert len(set(blocks)) == len(blocks)
    assert len(blocks) == min(most, sum(-(-size // 4096) for size in sizes_bytes))
    for file, offset, nbytes in blocks:
        assert offset % 4096 == 0
        assert 0 < nbytes <= 4096
        assert offset + nbytes <= sizes_bytes[file]


def test_that_consecutive_runs_are_far_apart() -> None:
    places = Places([16 * 1024 * MIB], 4096, seed=1)
    offsets = [span.offset_bytes for span in places.take(8 * places.run_bytes)]
    gaps = [abs(after - before) for before, after in pairwise(offsets)]
    assert min(gaps) > 1024 * MIB


def test_that_eight_readers_find_places_in_a_small_file() -> None:
    spans = Places([24 * MIB], 4096, seed=1).take(24 * MIB, at_least=8)
    hands = partition(spans, 8)
    assert all(hands)
    assert sorted(span for hand in hands for span in hand) == sorted(spans)


def test_that_refused_runs_are_not_handed_out() -> None:
    places = Places([256 * MIB], 4096, seed=1)
    taken = places.take(256 * MIB, accept=lambda span: span.offset_bytes < 128 * MIB)
    assert sum(span.nbytes for span in taken) < 256 * MIB
    assert all(span.offset_bytes < 128 * MIB for span in taken)


def test_that_a_file_of_one_byte_is_one_block() -> None:
    places = Places([1], 4096, seed=1)
    assert places.blocks(100) == [Span(0, 0, 1)]
    assert places.take(100, at_least=2) == [Span(0, 0, 1)]


@given(sizes, st.integers(0, 2**64), st.integers(1, 300 * MIB))
def test_that_joined_runs_are_the_same_bytes_in_fewer_and_longer_pieces(
    sizes_bytes: list[int], seed: int, nbytes: int
) -> None:
    taken = Places(sizes_bytes, 4096, seed).take(nbytes)
    pieces = joined(taken)
    assert sum(piece.nbytes for piece in pieces) == sum(span.nbytes for span in taken)
    for before, after in pairwise(pieces):
        assert (before.file, before.offset_bytes + before.nbytes) < (after.file, after.offset_bytes)


def test_that_a_small_file_is_read_front_to_back() -> None:
    assert joined(Places([24 * MIB], 4096, seed=1).take(24 * MIB)) == [Span(0, 0, 24 * MIB)]
