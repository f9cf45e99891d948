"""When nodes start, and clocks that are apart."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelmon.core.cluster.start import (
    TOGETHER,
    Offset,
    Ping,
    Start,
    barrier,
    offset_of,
    sizes_up_to,
    start_called,
)
from modelmon.core.errors import ConfigError

SECOND = 10**9
numbers = st.integers(1, 1000)
a_few = settings(max_examples=25)


@a_few
@given(numbers, st.sampled_from([TOGETHER, Start(2 * SECOND), Start(tree=True)]))
def test_that_each_node_starts_once(nodes: int, start: Start) -> None:
    assert [node for wave in start.waves(nodes) for node in wave] == list(range(nodes))


def test_that_patterns_are_what_they_are_called() -> None:
    assert start_called("together").waves(3) == ({0: 0, 1: 0, 2: 0},)
    assert start_called("staggered:2s").waves(3) == ({0: 0, 1: 2 * SECOND, 2: 4 * SECOND},)
    assert start_called("staggered:500ms") == Start(SECOND // 2)
    assert [len(wave) for wave in start_called("tree").waves(11)] == [1, 1, 2, 4, 3]


@pytest.mark.parametrize(
    "text", ["", "staggered", "staggered:0s", "staggered:2", "staggered:99999s", "tree:2s"]
)
def test_that_other_patterns_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="staggered:2s"):
        start_called(text)


@a_few
@given(
    offset_ns=st.integers(-(10**15), 10**15),
    delays=st.lists(
        st.tuples(st.integers(0, SECOND), st.integers(0, SECOND)), min_size=1, max_size=8
    ),
)
def test_that_a_clock_is_as_far_ahead_as_said(
    offset_ns: int, delays: list[tuple[int, int]]
) -> None:
    pings = [
        Ping(at, at + there + offset_ns, at + there + back)
        for at, (there, back) in enumerate(delays)
    ]
    found = offset_of(pings)
    assert abs(found.ns - offset_ns) <= found.error_ns
    assert found.error_ns <= (min(there + back for there, back in delays) + 1) // 2


@a_few
@given(st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=20))
def test_that_all_nodes_start_at_one_moment(offsets: list[int]) -> None:
    known = {node: Offset(ns, 0) for node, ns in enumerate(offsets)}
    (wave,) = TOGETHER.waves(len(offsets))
    starts = barrier(SECOND, wave, known)
    assert {at_ns - known[node].ns for node, at_ns in starts.items()} == {SECOND}


@a_few
@given(numbers)
def test_that_curves_begin_with_one_node_and_end_with_all(nodes: int) -> None:
    sizes = sizes_up_to(nodes)
    assert sizes[0] == 1
    assert sizes[-1] == nodes
    assert list(sizes) == sorted(set(sizes))
