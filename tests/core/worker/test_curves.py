import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.worker.curves import delivered_rate
from modelmon.core.worker.events import Chunks
from modelmon.core.worker.record import ChunkTable

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
