"""Curves over time, and figures of ranges of it: what a load did there, and nothing twice."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.endings import load_ended

from modelmon.core.load.config import LoadConfig
from modelmon.core.worker import events as ev
from modelmon.core.worker.curves import delivered_rate, range_figures
from modelmon.core.worker.events import Chunks
from modelmon.core.worker.record import ChunkTable, RunRecord, record_of

REQUESTS = st.lists(
    st.tuples(st.integers(0, 10**9), st.integers(1, 10**8), st.integers(1, 10**7)), max_size=40
)


@given(REQUESTS)
def test_that_the_area_under_the_curve_is_the_delivered_bytes(requests):
    table = ChunkTable()
    starts = tuple(start for start, _, _ in requests)
    ends = tuple(start + length for start, length, _ in requests)
    sizes = tuple(size for _, _, size in requests)
    zeros = (0,) * len(requests)
    table.extend(Chunks(0, zeros, zeros, sizes, starts, ends))
    wall_ns = max(ends, default=1)
    edges, rate = delivered_rate(table, wall_ns)
    assert len(edges) == len(rate) + 1
    assert (rate >= 0).all()
    assert float(np.sum(rate * np.diff(edges))) == pytest.approx(sum(sizes), rel=1e-6)


def test_that_a_stall_shows_as_a_gap_between_two_humps():
    table = ChunkTable()
    second = 10**9
    table.extend(Chunks(0, (0, 0), (0, 9), (1000, 1000), (0, 2 * second), (second, 3 * second)))
    edges, rate = delivered_rate(table, 3 * second, bins=3)
    assert rate == pytest.approx([1000, 0, 1000])
    assert edges == pytest.approx([0, 1, 2, 3])


WALL_NS = 1_000
REQUESTS = st.lists(
    st.tuples(st.integers(0, WALL_NS), st.integers(0, WALL_NS), st.integers(1, 10**7)), max_size=30
)
SHARES = st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=10)


def run(requests, pressures=None, wall_ns=WALL_NS, waits=None):
    """A run of requests (start, end, bytes), each of which reads a block, evenly sampled."""
    count = len(requests)
    starts, ends = (tuple(f(a, b) for a, b, _ in requests) for f in (min, max))
    sizes = tuple(nbytes for _, _, nbytes in requests)
    zeros, names = (0,) * count, tuple(f"layers.{each}" for each in range(count))
    shares = pressures or [0.5] * len(waits or [0.5])
    waits = waits or [None] * len(shares)
    return record_of(
        [
            ev.Hello(ev.PROTOCOL, ev.Job("/m", LoadConfig()), "0", 1e9, "Linux", 4),
            ev.Planned("m", 1, 1, 1, 1, ("/m",), (1,), names, sizes, None, "ext4"),
            ev.Ready(0.0, "cachestat", 100),
            ev.Started(),
            ev.Chunks(0, zeros, zeros, sizes, starts, ends),
            *(
                ev.Sample(
                    wall_ns * at // len(shares),
                    *(0, 0),
                    psi_io_share=share,
                    waiting_share=wait,
                    rss_anon_bytes=100 * at,
                )
                for at, (share, wait) in enumerate(zip(shares, waits, strict=True), start=1)
            ),
            ev.Blocks(
                tuple(ev.BlockTiming(n, 1, 1, 1, t) for n, t in zip(names, ends, strict=True))
            ),
            load_ended(wall_ns, sum(sizes)),
        ]
    )


@given(REQUESTS, SHARES, st.lists(st.integers(-10, WALL_NS + 10), max_size=8))
def test_that_ranges_that_divide_a_load_add_up_to_it(requests, pressures, cuts):
    record = run(requests, pressures)
    edges = sorted({-10, *cuts, WALL_NS + 10})
    parts = [range_figures(record, start, end) for start, end in pairwise(edges)]
    known = [part for part in parts if part is not None]
    whole = range_figures(record, 0, WALL_NS)
    assert whole.loaded_bytes == sum(nbytes for _, _, nbytes in requests)
    assert (whole.requests or 0) == len(requests) == (whole.blocks_ready or 0)
    assert sum(part.duration_ns for part in known) == WALL_NS
    assert sum(part.loaded_bytes for part in known) == whole.loaded_bytes
    assert sum(part.requests or 0 for part in known) == (whole.requests or 0)
    assert sum(part.blocks_ready or 0 for part in known) == (whole.blocks_ready or 0)
    assert sum(part.memory_growth_bytes or 0 for part in known) == whole.memory_growth_bytes


@pytest.mark.parametrize("share", ["io_pressure_share", "waiting_share"])
@given(st.lists(st.floats(0, 1), min_size=2), st.integers(0, WALL_NS))
def test_that_shares_of_ranges_are_weighed_by_their_length(share, seen, cut_ns):
    record = run([], list(seen), waits=list(seen))
    parts = [range_figures(record, 0, cut_ns), range_figures(record, cut_ns, WALL_NS)]
    total = sum((getattr(part, share) or 0) * part.duration_ns for part in parts if part)
    whole = range_figures(record, 0, WALL_NS)
    assert total == pytest.approx((getattr(whole, share) or 0) * WALL_NS)


def test_that_a_request_counts_with_the_part_that_lies_in_the_range():
    record = run([(0, 100, 1000), (50, 150, 1000), (400, 500, 7)])
    found = range_figures(record, 50, 100)
    assert (found.loaded_bytes, found.requests, found.blocks_ready) == (1000, 1, 1)
    assert found.bytes_per_s == 1000 * 1e9 / 50


def test_that_samples_tell_what_came_where_no_request_is_known():
    """Of a program that is seen by its counters, or of more requests than the history keeps."""
    told = [ev.Sample(100 * at, 0, 300 * at) for at in (1, 2)]
    started = [ev.Hello(ev.PROTOCOL, ev.Job("/m", LoadConfig()), "0", 1e9, "Linux", 4)]
    started += [ev.Ready(0.0, "cachestat", 100), ev.Started()]
    record = record_of([*started, *told, load_ended(300, 900)])
    found = range_figures(record, 50, 250)
    assert (found.loaded_bytes, found.requests) == (600, None)


def test_that_only_the_time_under_way_counts():
    record = run([(0, 100, 1000)], wall_ns=100)
    found = range_figures(record, 50, 5_000)
    assert (found.duration_ns, found.loaded_bytes) == (50, 500)
    assert range_figures(record, 100, 5_000) is None
    assert range_figures(RunRecord(), 0, 100) is None


def test_that_what_no_sample_knows_stays_unknown():
    found = range_figures(run([(0, 50, 1)], [None, 0.25, None]), 0, WALL_NS // 3)
    assert found.io_pressure_share is None
    assert found.waiting_share is None
    whole = range_figures(run([(0, 50, 1)], [None, 0.25, None]), 0, WALL_NS)
    assert whole.io_pressure_share == 0.25


def test_that_one_look_tells_nothing_of_a_range():
    once = range_figures(run([], waits=[0.0]), 0, WALL_NS)
    assert once.waiting_share is None
    twice = range_figures(run([], waits=[0.0, 1.0]), 0, WALL_NS)
    assert twice.waiting_share is not None
