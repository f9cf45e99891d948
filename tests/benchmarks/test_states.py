import os
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.page_cache import left_alone

SIZES = st.lists(st.integers(0, 200 * 1024 * 1024), min_size=1, max_size=4)


@given(sizes=SIZES, state=st.sampled_from(["cold", "warm", "half", "striped"]))
def test_that_what_is_cached_and_what_is_not_are_all_of_each_file(load, sizes, state):
    states = load("states")
    for cached, size in zip(states.resident_ranges(state, sizes), sizes, strict=True):
        pieces = sorted([*cached, *states.complement(cached, size)])
        assert sum(length for _, length in pieces) == size
        for (offset, length), (after, _) in pairwise(pieces):
            assert offset + length == after


@given(sizes=SIZES)
def test_that_half_is_half_of_all_files_together(load, sizes):
    states = load("states")
    ranges = states.resident_ranges("half", sizes)
    cached = sum(length for parts in ranges for _, length in parts)
    assert sum(sizes) // 2 - 2 * 1024 * 1024 < cached <= sum(sizes) // 2


@pytest.mark.system
@pytest.mark.parametrize("state", ["cold", "warm", "half", "striped"])
def test_that_the_page_cache_becomes_what_is_asked(load, on_a_device, tmp_path, state):
    states = load("states")
    path = tmp_path / "model"
    path.write_bytes(on_a_device.read_bytes() + os.urandom(40 * 1024 * 1024))
    with states.CachedFiles([str(path)]) as files:

        def reached():
            files.set(state)
            with suppress(states.CacheStateError):
                return files.verify(state)
            return None

        share = left_alone(reached, path)
    assert share is not None
    low, high = {"cold": (0, 0.01), "warm": (0.99, 1)}.get(state, (0.4, 0.6))
    assert low <= share <= high


@pytest.mark.system
def test_that_another_state_than_asked_is_refused(load, on_a_device):
    states = load("states")
    with states.CachedFiles([str(on_a_device)]) as files:
        files.set("warm")
        with pytest.raises(states.CacheStateError, match="should be cold"):
            files.verify("cold")
