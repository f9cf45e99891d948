from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.load.extents import Extent, Slices, Strided
from modelmon.core.load.plan import Plan, ReaderPlan
from modelmon.core.model.tensors import Block, Model, Shard, Tensor
from modelmon.core.worker.block_timings import BlockMap, BlockTimer, shares_in_flight
from modelmon.core.worker.events import MOST_ARRIVALS, Chunks

INTERVALS = st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 200)), min_size=1, max_size=30)


@given(INTERVALS)
def test_that_shares_add_up_to_the_time_with_a_request_in_flight(intervals):
    starts = [start for start, _ in intervals]
    ends = [start + length for start, length in intervals]
    busy = len({t for s, e in zip(starts, ends, strict=True) for t in range(s, e)})
    assert sum(shares_in_flight(starts, ends)) == pytest.approx(busy)


def test_that_two_requests_in_flight_share_the_time():
    assert shares_in_flight([0, 0], [10, 10]) == [5, 5]
    assert shares_in_flight([0, 5], [10, 15]) == [7.5, 7.5]


def model():
    """Two blocks of 100 and 300 bytes, interleaved: a 0-50 and 200-250, b the rest."""
    places = ((0, 50), (50, 150), (200, 50), (250, 150))
    tensors = tuple(
        Tensor(f"t{i}", "U8", (size,), 0, offset, size) for i, (offset, size) in enumerate(places)
    )
    blocks = (Block("a", (0, 2), 100), Block("b", (1, 3), 300))
    return Model("m", "/m", "safetensors", (Shard("/m", 400, 0),), tensors, blocks, {})


def timer_of(extent, *parts):
    reader = ReaderPlan((extent,), Slices(parts) if parts else None)
    plan = Plan((reader,), (extent,), 400, 400)
    return BlockTimer(BlockMap(model()), plan)


def test_that_decoding_is_its_part_of_a_blocks_time():
    timer = timer_of(Extent(0, 0, 400))
    # Both at once: each has half of the time; the second decodes a quarter of its own, and waits
    # as long for that.
    columns = (0, 0), (0, 200), (200, 200), (0, 0), (100, 100)
    chunks = Chunks(0, *columns, decode_ns=(0, 25), wait_ns=(0, 25))
    timer.add(chunks, 2)
    for told in (timer.timings(), timer.final()):
        a, b = told.blocks
        assert (a.busy_ns, b.busy_ns) == (25, 75)
        assert a.decode_ns + b.decode_ns == pytest.approx(12.5, abs=1)
        assert b.decode_ns == pytest.approx(12.5 * 150 / 200, abs=1)
        assert (a.wait_ns, b.wait_ns) == (a.decode_ns, b.decode_ns)


def test_that_nothing_is_said_of_decoding_where_nothing_is_decoded():
    timer = timer_of(Extent(0, 0, 400))
    timer.add(Chunks(0, (0,), (0,), (400,), (0,), (100,)), 1)
    assert {block.decode_ns for block in timer.final().blocks} == {None}


def test_that_a_request_over_two_blocks_is_divided_by_bytes():
    timer = timer_of(Extent(0, 0, 400))
    timer.add(Chunks(0, (0, 0), (0, 200), (200, 200), (0, 100), (100, 300)), 1)
    a, b = timer.final().blocks
    assert (a.nbytes, b.nbytes) == (100, 300)
    assert a.busy_ns == 100 * 50 / 200 + 200 * 50 / 200
    assert a.busy_ns + b.busy_ns == 300
    assert a.ready_ns == b.ready_ns == 300


def test_that_a_block_is_not_ready_before_its_last_byte():
    timer = timer_of(Extent(0, 0, 400))
    timer.add(Chunks(0, (0,), (0,), (200,), (0,), (100,)), 1)
    a, b = timer.timings().blocks
    assert a.ready_ns is None
    assert b.ready_ns is None
    assert (a.nbytes, b.nbytes) == (50, 150)


@pytest.mark.parametrize(
    ("untold", "whole_share", "ready_ns"),
    [
        ((), 1.0, (None, None)),
        ((Extent(0, 0, 50),), 1.0, (100, None)),
        ((Extent(0, 0, 100),), 1.0, (100, 100)),
        ((), 0.8, (None, 100)),
    ],
)
def test_that_a_block_is_ready_beside_what_was_there_before_and_a_little_that_nobody_saw(
    untold, whole_share, ready_ns
):
    timer = timer_of(Extent(0, 0, 400))
    everything = (Extent(0, 0, 400),)
    assert {block.ready_ns for block in timer.final(everything).blocks} == {None}
    timer.add(Chunks(0, (0,), (100,), (300,), (0,), (100,)), 1)
    told = timer.final(untold, whole_share).blocks
    assert tuple(block.ready_ns for block in told) == ready_ns
    assert [block.nbytes for block in told] == [50, 250]


def test_that_a_portion_plans_only_the_blocks_it_holds():
    timer = timer_of(Extent(0, 250, 100))
    assert timer.planned == [("b", 100)]


def test_that_of_slices_the_wanted_bytes_count_and_share_the_time():
    timer = timer_of(Extent(0, 0, 210), Strided(0, 0, 10, 100, 3))
    assert timer.planned == [("a", 20), ("b", 10)]
    timer.add(Chunks(0, (0,), (0,), (210,), (0,), (300,)), 1)
    a, b = timer.final().blocks
    assert (a.nbytes, a.busy_ns, a.ready_ns) == (20, 200, 300)
    assert (b.nbytes, b.busy_ns, b.ready_ns) == (10, 100, 300)


def test_that_a_block_that_two_readers_share_arrives_in_pieces():
    shares = ((Extent(0, 0, 50), Extent(0, 50, 150)), (Extent(0, 200, 200),))
    plan = Plan(tuple(map(ReaderPlan, shares)), (Extent(0, 0, 400),), 400, 400)
    timer = BlockTimer(BlockMap(model()), plan)
    # a, then b in two requests; the other reader has a's second part much later.
    timer.add(Chunks(0, (0, 0, 0), (0, 50, 150), (50, 100, 50), (5, 20, 32), (20, 30, 40)), 2)
    timer.add(Chunks(1, (0, 0), (200, 250), (50, 150), (90, 100), (100, 130)), 2)
    a, b = timer.timings().blocks
    assert a.arrivals_ns == ((5, 20), (90, 100))
    assert b.arrivals_ns == ((20, 40), (100, 130))
    assert (a.requested_ns, a.ready_ns, a.arriving_ns) == (5, 100, 25)


def test_that_a_block_goes_on_arriving_from_one_report_to_the_next():
    timer = timer_of(Extent(0, 50, 150))
    timer.add(Chunks(0, (0,), (50,), (100,), (0,), (10,)), 1)
    timer.add(Chunks(0, (0,), (150,), (50,), (12,), (20,)), 1)
    (b,) = timer.timings().blocks
    assert b.arrivals_ns == ((0, 20),)


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.booleans(), st.integers(0, 9), st.integers(0, 50)),
        max_size=200,
    )
)
def test_that_stretches_are_few_and_cover_every_request(requests):
    timer = timer_of(Extent(0, 0, 400))
    made = {True: [], False: []}
    now = [0] * 4
    for reader, is_a, wait, length in requests:
        start = now[reader] + wait
        now[reader] = end = start + length
        made[is_a].append((start, end))
        timer.add(Chunks(reader, (0,), (0 if is_a else 50,), (1,), (start,), (end,)), 1)
    for timing, mine in zip(timer.timings().blocks, (made[True], made[False]), strict=True):
        stretches = timing.arrivals_ns
        assert len(stretches) <= MOST_ARRIVALS
        assert all(one[1] < later[0] for one, later in pairwise(stretches))
        for start, end in mine:
            assert any(first <= start <= end <= last for first, last in stretches)
        if mine:
            assert stretches[0][0] == min(start for start, _ in mine)
            assert stretches[-1][1] == max(end for _, end in mine)
