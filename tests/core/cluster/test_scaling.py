"""Curves of storage whose limit is known, when nodes start, and clocks that are apart."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from modelmon.core.cluster.scaling import expected_ns, scaling_of
from modelmon.core.cluster.ways import (
    TOGETHER,
    Ping,
    Start,
    offset_of,
    sizes_up_to,
    start_called,
)

GB = 1e9
SECOND = 10**9
rates = st.floats(0.05, 20)


def measured(nodes, per_node, shared, noise=0.0, seed=0, repeats=3):
    draw = random.Random(seed)
    found = scaling_of(
        [
            (size, GB * min(size * per_node, shared) * (1 + draw.uniform(-noise, noise)))
            for size in sizes_up_to(nodes)
            for _ in range(repeats)
        ]
    )
    assert found is not None
    return found


@pytest.mark.parametrize("nodes", [2, 4, 8])
@given(per_node=rates, share=st.floats(0.05, 0.85), seed=st.integers(0, 999))
def test_that_a_shared_limit_is_found(nodes, per_node, share, seed):
    shared = max(per_node, nodes * per_node * share)
    found = measured(nodes, per_node, shared, noise=0.02, seed=seed)
    assert found.shared.value == pytest.approx(shared * GB, rel=0.05)
    assert found.knee.value == pytest.approx(shared / per_node, rel=0.05)
    assert found.shared.low <= shared * GB <= found.shared.high
    assert found.knee.low <= shared / per_node <= found.knee.high


@pytest.mark.parametrize("nodes", [2, 4, 8])
@given(per_node=rates, seed=st.integers(0, 999))
def test_that_no_limit_is_made_up(nodes, per_node, seed):
    found = measured(nodes, per_node, 2 * nodes * per_node, noise=0.02, seed=seed)
    assert found.shared is None
    assert found.knee is None
    assert found.per_node.value == pytest.approx(per_node * GB, rel=0.05)


@given(per_node=rates, share=st.floats(0.05, 2), nodes=st.sampled_from([2, 3, 4, 8, 64]))
def test_that_what_is_expected_of_ten_times_as_many_holds_the_truth(per_node, share, nodes):
    shared = nodes * per_node * share
    found = measured(nodes, per_node, shared)
    told = expected_ns(found, 10 * nodes, 10 * nodes * GB)
    truth_ns = 10 * nodes / min(10 * nodes * per_node, shared) * 1e9
    assert told.low <= truth_ns * 1.0001
    assert told.high >= truth_ns * 0.9999
    assert told.low <= told.value <= told.high


@given(per_node=rates, share=st.floats(0.05, 2), nodes=st.sampled_from([2, 8, 64]))
def test_that_more_nodes_never_take_less_time(per_node, share, nodes):
    found = measured(nodes, per_node, nodes * per_node * share)
    told = [expected_ns(found, n, n * GB).value for n in (1, nodes, 10 * nodes)]
    assert all(later >= earlier * 0.9999 for earlier, later in pairwise(told))


@given(st.lists(st.tuples(st.integers(1, 1000), st.floats(0, 1e15)), max_size=20))
def test_that_any_rates_make_a_curve_or_none(runs):
    found = scaling_of(runs)
    if found is not None:
        assert found.per_node.low <= found.per_node.value <= found.per_node.high


def test_that_one_number_of_nodes_is_no_curve():
    assert scaling_of([]) is None
    assert scaling_of([(1, GB)]) is None
    assert scaling_of([(2, GB), (4, GB)]) is None


def test_that_storage_that_loses_by_more_nodes_is_told():
    runs = [(1, GB), (2, 2 * GB), (4, 2 * GB), (8, 1.2 * GB)]
    found = scaling_of(runs)
    assert found.falls
    assert not measured(8, 1, 2).falls


def test_that_patterns_are_what_they_are_called():
    assert start_called("together") == TOGETHER
    assert start_called("staggered:2s") == Start(2 * SECOND)
    assert start_called("staggered:500ms") == Start(SECOND // 2)


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


@given(st.integers(1, 1000))
def test_that_curves_begin_with_one_node_and_end_with_all(nodes):
    sizes = sizes_up_to(nodes)
    assert sizes[0] == 1
    assert sizes[-1] == nodes
    assert list(sizes) == sorted(set(sizes))
