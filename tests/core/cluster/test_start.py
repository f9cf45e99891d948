"""When nodes start, and clocks that are apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.cluster.ways import (
    TOGETHER,
    Ping,
    Start,
    offset_of,
    sizes_up_to,
    start_called,
)
from modelmon.core.errors import ConfigError

SECOND = 10**9
numbers = st.integers(1, 1000)


def test_that_patterns_are_what_they_are_called():
    assert start_called("together") == TOGETHER
    assert start_called("staggered:2s") == Start(2 * SECOND)
    assert start_called("staggered:500ms") == Start(SECOND // 2)


@pytest.mark.parametrize(
    "text",
    ["", "staggered", "staggered:0s", "staggered:2", "staggered:99999s", "tree", "first:1"],
)
def test_that_other_patterns_are_refused(text):
    with pytest.raises(ConfigError, match="staggered:2s"):
        start_called(text)


@given(
    offset_ns=st.integers(-(10**15), 10**15),
    delays=st.lists(
        st.tuples(st.integers(0, SECOND), st.integers(0, SECOND)), min_size=1, max_size=8
    ),
)
def test_that_a_clock_is_as_far_ahead_as_said(offset_ns, delays):
    pings = [
        Ping(at, at + there + offset_ns, at + there + back)
        for at, (there, back) in enumerate(delays)
    ]
    found = offset_of(pings)
    assert abs(found.ns - offset_ns) <= found.error_ns
    assert found.error_ns <= (min(there + back for there, back in delays) + 1) // 2


@given(numbers)
def test_that_curves_begin_with_one_node_and_end_with_all(nodes):
    sizes = sizes_up_to(nodes)
    assert sizes[0] == 1
    assert sizes[-1] == nodes
    assert list(sizes) == sorted(set(sizes))
