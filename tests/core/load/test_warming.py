"""Which files are warmed first, how much of them, and how many readers do it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.load import warming
from modelmon.core.load.extents import Extent, total_bytes
from modelmon.core.model.tensors import Block, Model, Shard, Tensor


def test_that_shards_come_in_the_order_in_which_the_model_needs_them():
    """The names of shards need not be in that order; what has no tensors comes last."""
    tensors = tuple(
        Tensor(f"t{number}", "F32", (1,), shard, 8, 4) for number, shard in enumerate((1, 2, 2))
    )
    blocks = tuple(Block(name, (index,), 4) for name, index in (("a", 2), ("b", 0), ("c", 1)))
    shards = tuple(Shard(f"/{number}", 16, 8) for number in range(3))
    model = Model("m", "/", "safetensors", shards, tensors, blocks, {})
    assert warming._execution_order(model) == [2, 1, 0]


@given(st.lists(st.integers(1, 100), max_size=6), st.integers(0, 700))
def test_that_what_fits_is_taken_from_the_beginning(sizes, most_bytes):
    whole = [Extent(shard, 0, size) for shard, size in enumerate(sizes)]
    taken = warming._first(whole, most_bytes)
    assert total_bytes(taken) == min(sum(sizes), most_bytes)
    assert [extent[:2] for extent in taken] == [extent[:2] for extent in whole[: len(taken)]]
    assert all(part == full for part, full in zip(taken[:-1], whole, strict=False))


@pytest.mark.parametrize(
    ("rates", "readers"),
    [
        ({1: 124.0, 2: 31.0}, 1),  # a hard disk
        ({1: 100.0, 2: 105.0}, 1),  # no difference to speak of
        ({1: 20.0, 2: 39.0, 4: 77.0, 8: 80.0}, 4),
        ({1: 20.0, 2: 40.0, 4: 80.0, 8: 160.0}, 8),
    ],
)
def test_that_readers_are_doubled_as_long_as_that_is_faster(monkeypatch, rates, readers):
    work = warming._Work([Extent(0, 0, 1)], lambda _: None)

    def rate(tried, _hopeless=0.0):
        work.readers = tried
        return rates[tried]

    monkeypatch.setattr(work, "_rate", rate)
    work.find_readers()
    assert work.readers == readers


def test_that_a_reader_that_is_one_too_many_hands_back_what_is_left_of_its_piece():
    first, second = Extent(0, 0, 10), Extent(0, 10, 10)
    work = warming._Work([second], lambda _: None)
    assert work.hand_back(1, first)
    assert not work.hand_back(0, first)
    assert list(work._left) == [first, second]
    work.give_up()
    # Nobody would take it any more.
    assert not work.hand_back(1, first)
