"""What the benchmark of loads is made of: cache states, bare limits, what its runs say."""

import os
import subprocess
import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st
from tests.page_cache import left_alone

from modelmon.core.messages import Message

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
    low, high = {"cold": (0, 0.01), "warm": (0.99, 1)}.get(state, (0.4, 0.6))
    assert low <= share <= high


def test_that_another_state_than_asked_is_refused(load, on_a_device):
    states = load("states")
    with states.CachedFiles([str(on_a_device)]) as files:
        files.set("warm")
        with pytest.raises(states.CacheStateError, match="should be cold"):
            files.verify("cold")


MIB = 1024**2


@pytest.fixture(scope="module")
def contents():
    """Of two files. Neither ends with a page; the first is more than a request."""
    return [os.urandom(5 * MIB + 100), os.urandom(35 * MIB + 5000)]


@pytest.mark.parametrize("maps", [True, False])
@pytest.mark.parametrize("state", ["cold", "warm", "half", "striped"])
def test_that_a_limit_has_every_byte_in_memory(load, on_a_device, contents, state, *, maps):
    limits, states = load("limits"), load("states")
    paths = [on_a_device.parent / f"limit-{number}.bin" for number in range(2)]
    try:
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
        cached = states.resident_ranges(state, [len(content) for content in contents])
        buffers = limits.bare_load([str(path) for path in paths], cached, 3, maps=maps)()
        for buffer, content in zip(buffers, contents, strict=True):
            assert bytes(buffer.view[: len(content)]) == content
    finally:
        for path in paths:
            path.unlink(missing_ok=True)


BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
# Each in a process of its own, as they are measured.
LOAD = """
import sys
from loads import prepare
from arms import our_arms
from records import Task
arms = {arm.name: arm for arm in our_arms()}
prepared = prepare(Task(arms[sys.argv[2]], sys.argv[1], 0))
before = set(sys.modules)
kept = prepared.load()
print(*(name for name in set(sys.modules) - before if not name.startswith("modelmon")))
"""


def test_that_libraries_are_imported_before_a_load_is_timed(tmp_path):
    path = tmp_path / "plain.safetensors"
    tensors = {"a": np.arange(3), "b": np.ones((2, 2), ml_dtypes.bfloat16)}
    safetensors.numpy.save_file(tensors, path)
    for arm in ("auto", "mmap"):
        done = subprocess.run(
            [sys.executable, "-c", LOAD, str(path), arm],
            cwd=BENCHMARKS,
            capture_output=True,
            text=True,
            check=True,
        )
        assert not {"numpy", "ml_dtypes"} & set(done.stdout.split())


NBYTES = 100_000_000


def test_that_a_load_that_returns_before_its_pages_are_there_has_failed(load):
    records, runs = load("records"), load("runs")

    def error(delivery, rise):
        task = records.Task(records.Arm("an arm", "modelmon", delivery), "model", NBYTES)
        answer = records.Answer(delivered_bytes=NBYTES, peak_rise_bytes=rise)
        return runs.checked(answer, task).error

    assert "in memory" in error("usable", NBYTES // 2)
    assert not error("usable", NBYTES)
    assert not error("streamed", NBYTES // 100)
    # Where the platform tells nothing.
    assert not error("owned", None)


def test_that_what_is_saved_can_be_added_to(load, tmp_path):
    why = Message("{name} isn't installed", name="other")
    arm = load("records").Arm("other", "library", "owned", library="other", obstacle=why)
    arms = {("dense", arm.name): arm}
    report = load("report").Report({"size scale": 1.0}, tmp_path, arms, [], [])
    saved = tmp_path / "saved.json"
    saved.write_bytes(report.as_json())
    (earlier,) = load("earlier").read_earlier(saved, 1.0).arms
    assert (earlier.name, earlier.obstacle) == ("other", "other isn't installed")
