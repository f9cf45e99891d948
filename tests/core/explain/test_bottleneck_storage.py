"""What held a load from storage back."""

import pytest
from tests.core.explain.loads import (
    COLD,
    GB,
    MS,
    PROBED,
    S,
    changed,
    with_device,
)

from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.figures import limits_seen, raised_by
from modelmon.core.load.config import LoadConfig
from modelmon.core.probe.limits import Limits
from modelmon.core.worker.warned import warned


def test_that_a_load_near_the_probed_rate_is_held_back_by_bandwidth():
    found = bottleneck_of(COLD, PROBED)
    assert (found.kind, found.confidence) == ("device-bandwidth", "high")
    assert found.sentence == (
        "The load is limited by the disk's bandwidth: 2.31 GB/s, waiting 90% of the time."
    )
    assert "storage limit 2.50 GB/s" in found.evidence_text


def test_that_a_run_that_was_faster_than_the_probe_raises_the_limit():
    """A load at 2.3 GB/s is not at the limit where another one here has reached 4.6."""
    faster = changed(COLD, wall_ns=COLD.wall_ns // 2)
    limits = raised_by(PROBED, (COLD, faster))
    assert limits.device_bytes_per_s == pytest.approx(4.6e9, rel=0.01)
    slow, fast = bottleneck_of(COLD, limits), bottleneck_of(faster, limits)
    assert "storage limit 4.6" in slow.evidence_text
    assert slow.confidence != "high"
    assert (fast.kind, fast.confidence) == ("device-bandwidth", "medium")
    not_counted = changed(faster, counts=False)
    assert raised_by(PROBED, (COLD, not_counted)) == PROBED


def test_that_without_a_probe_a_busy_device_is_enough_and_less_sure():
    found = bottleneck_of(COLD)
    assert (found.kind, found.confidence) == ("device-bandwidth", "medium")
    assert "disk busy 97%" in found.evidence_text


def test_that_between_near_and_far_neither_bandwidth_nor_latency_is_named():
    """A device that always has a request may have room: the probe showed that it has."""
    between = changed(COLD, wall_ns=2 * S)
    for run in (between, changed(between, device=None)):
        assert bottleneck_of(run, PROBED).kind == "undecided"


def test_that_a_disk_has_no_limit_at_half_of_what_another_load_here_got_from_it():
    slow, fast = changed(COLD, wall_ns=3_100 * MS, io_wait_share=0.58), changed(COLD)
    assert bottleneck_of(slow).kind == "device-bandwidth"
    limits = limits_seen(Limits(), (slow, fast))
    found = bottleneck_of(slow, limits)
    assert found.kind == "device-latency"
    assert "it gets 42% of the 2.31 GB/s that another load reached" in found.clause
    at_best = bottleneck_of(fast, limits)
    assert at_best.kind == bottleneck_of(fast).kind == "device-bandwidth"
    assert "best rate seen here 2.31 GB/s, of the best 100%" in at_best.evidence_text


def test_that_what_is_called_a_limit_says_how_near_the_load_was():
    assert "of the limit 92%" in bottleneck_of(COLD, PROBED).evidence_text


@pytest.mark.parametrize(
    ("run", "limits", "sign"),
    [
        (with_device(COLD, mean_request_bytes=16_384.0), Limits(), "16 KiB each"),
        (changed(COLD, wall_ns=5 * S), PROBED, "24% of the storage's limit"),
        (changed(COLD, device=None, config=LoadConfig(order="random")), Limits(), "random order"),
    ],
)
def test_that_small_late_or_scattered_requests_mean_latency(run, limits, sign):
    found = bottleneck_of(run, limits)
    assert found.kind == "device-latency"
    assert sign in found.clause
    assert found.remedy


@pytest.mark.parametrize("busy", [0.0, 0.97])
def test_that_a_load_shorter_than_the_counters_steps_says_nothing_of_the_device(busy):
    short = changed(with_device(COLD, busy_share=busy), wall_ns=4 * MS, load_bytes=2_000_000)
    found = bottleneck_of(short)
    assert found.kind == "undecided"
    assert "disk busy" not in found.evidence_text


def test_that_waiting_for_a_device_that_rests_means_a_limit_in_between():
    # As measured under a cgroup's limit of 100 MB/s.
    slow = with_device(changed(COLD, wall_ns=30 * S, io_wait_share=0.97), busy_share=0.04)
    found = bottleneck_of(slow)
    assert (found.kind, found.label, found.confidence) == (
        *("device-bandwidth", "throttled storage"),
        "low",
    )
    assert "100 MB/s" in found.clause
    # What another load got by the same way is held back by none.
    assert bottleneck_of(slow, Limits(seen_device_bytes_per_s=1.7e8)).kind == "undecided"
    assert bottleneck_of(slow, Limits(seen_device_bytes_per_s=1.1e8)) == found


def test_that_small_requests_are_to_blame_for_the_kernels_work_as_well():
    small = with_device(COLD, mean_request_bytes=4096.0)
    half = changed(small, io_wait_share=0.48, cpu_system_ns=650 * MS)
    assert bottleneck_of(half).kind == "device-latency"
    assert bottleneck_of(changed(half, io_wait_share=0.05)).kind == "faults"


def test_that_direct_reads_are_as_large_as_they_were_asked_whoever_else_reads():
    small = changed(COLD, config=LoadConfig(access="direct"), requests=COLD.load_bytes // 4096)
    found = bottleneck_of(small)
    assert found.kind == "device-latency"
    assert "4.00 KiB each" in found.clause


def test_that_small_requests_of_somebody_else_are_not_blamed_on_the_load():
    small = with_device(COLD, mean_request_bytes=4096.0)
    beside = changed(small, warnings=(warned("other-reader", "Somebody else read."),))
    assert bottleneck_of(small).kind == "device-latency"
    # Nor is it theirs that keeps the disk busy.
    assert bottleneck_of(beside).kind == "undecided"


def test_that_small_requests_at_the_full_rate_are_not_latency():
    run = with_device(COLD, mean_request_bytes=16_384.0)
    assert bottleneck_of(run, PROBED).kind == "device-bandwidth"


def test_that_a_server_without_figures_is_undecided_until_it_is_probed():
    remote = changed(COLD, device=None, device_bytes=None, storage_kind="fuse")
    found = bottleneck_of(remote)
    assert (found.kind, found.confidence) == ("undecided", "low")
    assert "waits for the mount 90% of the time" in found.clause
    assert "--probe" in found.remedy
    assert bottleneck_of(remote, PROBED).kind == "device-bandwidth"


def test_that_a_warm_up_that_reads_counts_as_waiting():
    warmed = changed(COLD, warmup_ns=1_200 * MS, io_wait_share=0.0)
    assert bottleneck_of(warmed, PROBED).kind == "device-bandwidth"


@pytest.mark.parametrize(("ranks", "part"), [(4, "by 4 ranks"), (1, "2.00 times")])
def test_that_bytes_that_come_twice_are_named_with_who_reads_them(ranks, part):
    run = changed(COLD, device_bytes=6 * GB, config=LoadConfig(ranks=ranks))
    found = bottleneck_of(run, PROBED)
    assert found.kind == "amplification"
    assert part in found.clause
    assert bottleneck_of(changed(run, device_bytes=int(3.2 * GB)), PROBED).kind != found.kind


def test_that_what_lies_around_a_portion_is_told_beside_its_time_for_the_whole():
    part = changed(COLD, portion=True, file_bytes=GB, load_bytes=GB, device_bytes=3 * GB)
    assert part.model_wall_ns == 3 * part.wall_ns
    assert part.read_around_share == 2.0
    assert changed(part, device_bytes=1_050_000_000).read_around_share == 0.0
    # What lies between slices was asked for, and is in the whole as well.
    assert changed(part, read_bytes=3 * GB).read_around_share == 0.0
    # All of a model has nothing around it: there, more is read twice.
    assert changed(COLD, device_bytes=6 * GB).read_around_share == 0.0
