"""Limits of control groups are named where they hold a load back, and nowhere else."""

import msgspec
import pytest
from tests.core.explain.loads import (
    COLD,
    GB,
    PROBED,
    WARM,
    S,
    changed,
    with_device,
)

from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.figures import changed_limit
from modelmon.core.history.rows import stored_text, stored_value
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.worker.events import MemoryPressure
from modelmon.core.worker.result import RunResult

IO_MAX = CgroupLimit("read-rate", 1e8, "io.max", "/box", "sda")
IOPS = CgroupLimit("request-rate", 1000, "io.max", "/box", "sda")
THROTTLED = changed(COLD, wall_ns=30 * S)
"""3 GB in 30 s: 100 MB/s."""


def under(run, limit, counted=None):
    counting = msgspec.structs.replace(limit, counted=counted)
    return msgspec.structs.replace(run, limits=(counting,))


@pytest.mark.parametrize("counted", [3 * GB, None])
def test_that_a_load_at_the_limit_of_its_group_is_held_back_by_it(counted):
    found = bottleneck_of(under(THROTTLED, IO_MAX, counted), PROBED)
    assert (found.kind, found.label) == ("device-bandwidth", "throttled storage")
    assert "is held to 100 MB/s from sda by a limit of its control group, io.max of /box" in (
        found.clause
    )
    assert found.confidence == ("high" if counted else "medium")


@pytest.mark.parametrize("rate", [1.5e8, 1e9, 5e7])
def test_that_a_limit_that_the_load_is_not_at_is_no_cause(rate):
    limit = msgspec.structs.replace(IO_MAX, amount=rate)
    for counted in (3 * GB, None):
        found = bottleneck_of(under(THROTTLED, limit, counted), PROBED)
        assert "control group" not in found.clause


def test_that_a_load_that_hardly_waits_is_not_held_back_by_a_limit():
    run = changed(under(THROTTLED, IO_MAX, 3 * GB), io_wait_share=0.2, cpu_system_ns=24 * S)
    assert "control group" not in bottleneck_of(run, PROBED).clause


def test_that_what_others_of_the_group_read_counts_towards_its_limit():
    run = under(changed(THROTTLED, wall_ns=60 * S), IO_MAX, 6 * GB)
    assert "io.max of /box" in bottleneck_of(run, PROBED).clause


def test_that_reads_are_limited_by_their_number_as_well():
    found = bottleneck_of(under(THROTTLED, IOPS, 30_000), PROBED)
    assert found.kind == "device-latency"
    assert "is held to 1,000 reads per second from sda" in found.clause
    assert "larger requests" in found.remedy
    # The disk's own count is the load's as long as nobody else uses it.
    alone = under(with_device(THROTTLED, reads_per_s=990.0, read_bytes_per_s=1e8), IOPS)
    assert "io.max of /box" in bottleneck_of(alone, PROBED).clause
    shared = under(with_device(THROTTLED, reads_per_s=990.0, read_bytes_per_s=2e8), IOPS)
    assert "control group" not in bottleneck_of(shared, PROBED).clause


def test_that_limits_are_kept_with_a_run_and_unknown_of_runs_that_were_kept_before():
    kept = stored_text(under(THROTTLED, IO_MAX, 3 * GB))
    again = stored_value(kept, RunResult)
    assert again.limits == (msgspec.structs.replace(IO_MAX, counted=3 * GB),)
    older = stored_value(stored_text(THROTTLED), RunResult)
    assert "limits" not in stored_text(THROTTLED)
    assert older.limits is None


FREE = [changed(COLD, limits=())] * 6
HELD = [under(THROTTLED, IO_MAX, 3 * GB)] * 5


def test_that_a_limit_that_came_is_the_cause_of_what_is_slower_since():
    said = changed_limit(HELD, FREE, slower_is_later=True)
    assert said == (
        "The cause is a limit of the control group, io.max of /box: no limit before,"
        " 100 MB/s from sda since."
    )


def test_that_a_limit_that_was_raised_is_the_cause_of_what_is_faster_since():
    wide = msgspec.structs.replace(IO_MAX, amount=2e9)
    said = changed_limit(HELD, [under(COLD, wide, 3 * GB)] * 6, slower_is_later=False)
    assert said.endswith(": 100 MB/s from sda before, 2 GB/s from sda since.")


@pytest.mark.parametrize(
    ("slower", "faster"),
    [
        # It was there all the time, or tighter before.
        (HELD, [under(COLD, IO_MAX, 3 * GB)] * 6),
        (HELD, [under(COLD, msgspec.structs.replace(IO_MAX, amount=5e7), 3 * GB)] * 6),
        # It is there, and the disk is slower still.
        ([under(changed(COLD, wall_ns=90 * S), IO_MAX, 3 * GB)] * 5, FREE),
        # Only few of the runs were at it; nothing is known of those before.
        ([*HELD[:2], *[changed(COLD, wall_ns=30 * S, limits=())] * 3], FREE),
        (HELD, [COLD] * 6),
        ([THROTTLED] * 5, FREE),
    ],
)
def test_that_a_limit_is_no_cause_of_a_step_where_that_is_not_known(slower, faster):
    assert not changed_limit(slower, faster, slower_is_later=True)


def test_that_limits_of_processors_and_memory_may_be_the_cause_as_well():
    quota = CgroupLimit("processors", 0.5, "cpu.max", "/box")
    busy = changed(WARM, wall_ns=4 * S, cpu_user_ns=S // 10, cpu_system_ns=19 * S // 10)
    free = [changed(WARM, limits=())] * 6
    said = changed_limit([under(busy, quota)] * 5, free, slower_is_later=True)
    assert "cpu.max of /box: no limit before, 0.5 processors since" in said
    room = CgroupLimit("memory", 2e9, "memory.high", "/box")
    short = changed(WARM, memory=MemoryPressure(own_stalled_share=0.4))
    said = changed_limit([under(short, room)] * 5, free, slower_is_later=True)
    assert "memory.high of /box: no limit before, 2 GB of memory since" in said
    assert not changed_limit([under(WARM, room)] * 5, free, slower_is_later=True)
