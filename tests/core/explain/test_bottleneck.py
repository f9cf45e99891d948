"""What held a load back, from figures as runs on real machines have them."""

import msgspec
import pytest
from tests.core.comparison.comparing import next_run, record, session
from tests.core.explain.loads import (
    BUSY_DISK,
    BUSY_MACHINE,
    COLD,
    GB,
    MS,
    PROBED,
    WARM,
    S,
    changed,
    with_device,
)

from modelmon.core.comparison import runner
from modelmon.core.explain.bottleneck import bottleneck_of, typical_bottleneck
from modelmon.core.explain.evidence import limits_seen, raised_by
from modelmon.core.history.rows import stored_text, stored_value
from modelmon.core.load.config import PRESETS, LoadConfig
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.probe.probe import Limits
from modelmon.core.worker.events import MemoryPressure
from modelmon.core.worker.result import RunResult
from modelmon.core.worker.run_warnings import warned

MMAP = PRESETS["mmap"].config
DIRECT = PRESETS["direct"].config
LIBRARY = LoadConfig(library="safetensors.get_tensor")
UNKNOWN = Limits()
ON_A_MOUNT = changed(COLD, device=None, device_bytes=None, storage_kind="fuse")
FAULTING = changed(WARM, config=MMAP, memory_kind="mapped", wall_ns=3 * S, cpu_system_ns=2_900 * MS)
SMALL = changed(
    WARM,
    config=LIBRARY,
    tensors=20_000,
    load_bytes=GB // 2,
    file_bytes=GB // 2,
    wall_ns=S,
    cpu_user_ns=900 * MS,
    cpu_system_ns=100 * MS,
)
BESIDE_COMPILERS = changed(
    COLD,
    cpu_count=2,
    wall_ns=859 * MS,
    cpu_user_ns=290 * MS,
    cpu_system_ns=20 * MS,
    io_wait_share=0.17,
    run_queue_share=0.47,
)
"""As measured: one reader of two processors."""
SEEKING = with_device(
    changed(COLD, config=MMAP, wall_ns=40 * S, io_wait_share=0.98, major_faults=3_000),
    read_await_ns=13.5e6,
    mean_request_bytes=131_072.0,
    queue_depth=1.0,
)
AT_A_LIMIT = with_device(changed(COLD, wall_ns=30 * S, io_wait_share=0.97), busy_share=0.04)
"""As measured under a cgroup's limit of 100 MB/s."""


IO_MAX = CgroupLimit("read-rate", 1e8, "io.max", "/box", "sda")
IOPS = CgroupLimit("request-rate", 1000, "io.max", "/box", "sda")
THROTTLED = changed(COLD, wall_ns=30 * S)
"""3 GB in 30 s: 100 MB/s."""


def under(run, limit, counted=None):
    counting = msgspec.structs.replace(limit, counted=counted)
    return msgspec.structs.replace(run, limits=(counting,))


@pytest.mark.parametrize(
    ("run", "limits", "kind", "part"),
    [
        # The device gives what it can.
        (COLD, PROBED, "device-bandwidth", "disk's bandwidth: 2.50 GB/s, waiting 90%"),
        (COLD, UNKNOWN, "device-bandwidth", "disk's bandwidth"),
        (changed(COLD, io_wait_share=None), PROBED, "device-bandwidth", "bandwidth"),
        (ON_A_MOUNT, PROBED, "device-bandwidth", "the mount's bandwidth"),
        (
            changed(COLD, warmup_ns=1_200 * MS, io_wait_share=0.0),
            *(PROBED, "device-bandwidth", "bandwidth"),
        ),
        (with_device(COLD, mean_request_bytes=16_384.0), PROBED, "device-bandwidth", ""),
        # It could give more.
        (with_device(COLD, mean_request_bytes=16_384.0), UNKNOWN, "device-latency", "16"),
        (changed(COLD, wall_ns=5 * S), PROBED, "device-latency", "24% of the 2.50 GB/s"),
        (
            changed(COLD, device=None, config=LoadConfig(order="random")),
            *(UNKNOWN, "device-latency", "in random order"),
        ),
        (
            changed(COLD, config=LoadConfig(access="direct"), requests=COLD.load_bytes // 4096),
            *(UNKNOWN, "device-latency", "4.00 KiB each"),
        ),
        (SEEKING, UNKNOWN, "device-latency", "each of 3,000 page faults waits 13.1 ms"),
        (changed(SEEKING, config=LoadConfig()), UNKNOWN, "device-latency", "takes 13.5"),
        # Something in between lets no more through.
        (AT_A_LIMIT, UNKNOWN, "device-bandwidth", "throttled to 100 MB/s"),
        (AT_A_LIMIT, Limits(seen_device_bytes_per_s=1.05e8), "device-bandwidth", "idle"),
        # Its control group may read no more, by itself or with others in it, in bytes or requests.
        (
            under(THROTTLED, IO_MAX, 3 * GB),
            *(PROBED, "device-bandwidth", "is held to 100 MB/s from sda by a limit of its"),
        ),
        (under(THROTTLED, IO_MAX), PROBED, "device-bandwidth", "group, io.max of /box"),
        (
            under(changed(THROTTLED, wall_ns=60 * S), IO_MAX, 6 * GB),
            *(PROBED, "device-bandwidth", "io.max of /box"),
        ),
        (under(THROTTLED, IOPS, 30_000), PROBED, "device-latency", "1,000 reads per"),
        # The disk's own count is the load's as long as nobody else uses it.
        (
            under(with_device(THROTTLED, reads_per_s=990.0, read_bytes_per_s=1e8), IOPS),
            *(PROBED, "device-latency", "io.max of /box"),
        ),
        # It waits, and nothing tells what for.
        (ON_A_MOUNT, UNKNOWN, "storage", "the mount 90% of the time; bandwidth or"),
        (changed(COLD, wall_ns=2 * S), PROBED, "storage", "60% of the 2.50 GB/s reached"),
        (AT_A_LIMIT, Limits(seen_device_bytes_per_s=1.3e8), "storage", "77% of the 130"),
        (
            changed(with_device(COLD, busy_share=0.0), wall_ns=4 * MS, load_bytes=2_000_000),
            *(UNKNOWN, "storage", "unclear"),
        ),
        # It reads more than it needs.
        (changed(COLD, device_bytes=6 * GB), PROBED, "amplification", "2.00 times over"),
        (
            changed(COLD, device_bytes=6 * GB, config=LoadConfig(ranks=4)),
            *(PROBED, "amplification", "2.00 times over"),
        ),
        (changed(COLD, device_bytes=int(3.2 * GB)), PROBED, "device-bandwidth", ""),
        # Memory is short.
        (
            changed(COLD, device_bytes=6 * GB, memory=MemoryPressure(own_refaulted_bytes=3 * GB)),
            *(PROBED, "memory", "rereads 3 GB"),
        ),
        (
            changed(COLD, memory=MemoryPressure(own_stalled_share=0.7, own_limit_hits=7)),
            *(PROBED, "memory", "70% of the time"),
        ),
        (
            changed(COLD, memory=MemoryPressure(own_swapped_bytes=3 * GB)),
            *(PROBED, "memory", "swap 3 GB"),
        ),
        (
            changed(COLD, memory=MemoryPressure(own_refaulted_bytes=GB)),
            *(PROBED, "device-bandwidth", ""),
        ),
        # All is cached.
        (changed(FAULTING, minor_faults=730_000), PROBED, "faults", "730,000 page faults"),
        (FAULTING, PROBED, "faults", "mapping pages"),
        (changed(WARM, wall_ns=3 * S, cpu_system_ns=S), PROBED, "page-cache", "1 GB/s"),
        (changed(WARM, wall_ns=3 * S, cpu_system_ns=0), PROBED, "page-cache", "1 GB/s"),
        (SMALL, PROBED, "per-tensor", "20,000 tensors, 45.0 µs each"),
        (changed(SMALL, tensors=200), PROBED, "computing", "90% of the time in the libr"),
        (changed(SMALL, config=LoadConfig()), PROBED, "page-cache", ""),
        # It is not cached, and the processors have more to do than the disk.
        (
            changed(COLD, io_wait_share=0.2, cpu_system_ns=2 * S, cpu_user_ns=0),
            *(PROBED, "page-cache", "copies out of the page cache 80%"),
        ),
        (
            changed(COLD, io_wait_share=0.2, cpu_system_ns=S, cpu_user_ns=0, config=DIRECT),
            *(PROBED, "faults", "preparing memory"),
        ),
        (BESIDE_COMPILERS, PROBED, "busy-processors", "47% of the time for a free"),
        (
            changed(BESIDE_COMPILERS, io_wait_share=0.5, run_queue_share=0.2),
            *(PROBED, "device-bandwidth", ""),
        ),
        # Of eight readers from the cache two are at work at any time, and nobody else is.
        (
            changed(WARM, cpu_count=2, cpu_system_ns=550 * MS, run_queue_share=0.75),
            *(PROBED, "page-cache", ""),
        ),
        # No single thing takes 40%.
        (
            changed(BESIDE_COMPILERS, io_wait_share=0.35, run_queue_share=0.3),
            *(PROBED, "undecided", "35% copying cached bytes and 35% waiting for the disk"),
        ),
        (
            changed(ON_A_MOUNT, io_wait_share=None, cpu_user_ns=None, memory=None),
            *(UNKNOWN, "undecided", "took 1.30 s; the figures don't show why"),
        ),
    ],
)  # fmt: skip
def test_that_a_load_is_held_back_by_what_takes_most_of_its_time(run, limits, kind, part):
    found = bottleneck_of(run, limits)
    assert found.kind == kind
    assert part in found.clause


# Somebody reads small pieces all over the disk, and writes.
OTHERS_DISK = msgspec.structs.replace(
    BUSY_DISK,
    reads_per_s=90_000.0,
    read_bytes_per_s=3e9,
    mean_request_bytes=4096.0,
    read_await_ns=80e6,
    queue_depth=64.0,
    busy_share=1.0,
    write_bytes_per_s=1e9,
)
HELD_BACK_BY_ITSELF = {
    "decode": changed(
        COLD,
        config=LoadConfig(readers=2, deliver="decoded"),
        wall_ns=10 * S,
        decode_ns=19 * S,
        cpu_user_ns=19 * S,
        io_wait_share=0.05,
    ),
    "amplification": changed(COLD, device_bytes=6 * GB),
    "device-latency": changed(
        COLD, config=LoadConfig(access="direct"), requests=COLD.load_bytes // 4096
    ),
    "per-tensor": SMALL,
    "page-cache": WARM,
    "faults": changed(FAULTING, minor_faults=730_000),
}


@pytest.mark.parametrize("kind", HELD_BACK_BY_ITSELF)
def test_that_a_load_is_held_back_by_the_same_whatever_others_do(kind):
    run = HELD_BACK_BY_ITSELF[kind]
    assert bottleneck_of(run).kind == kind
    assert bottleneck_of(changed(run, device=OTHERS_DISK, memory=BUSY_MACHINE)).kind == kind


@pytest.mark.parametrize("limits", [UNKNOWN, PROBED], ids=["not probed", "probed"])
@pytest.mark.parametrize("preset", ["mmap", "sequential", "parallel"])
def test_that_a_disk_that_others_use_is_no_limit_of_the_loads(preset, limits):
    run = changed(COLD, config=PRESETS[preset].config, wall_ns=5 * S, device=OTHERS_DISK)
    found = bottleneck_of(run, limits)
    assert found.kind == "storage"
    assert "other programs use it too" in found.clause
    # Who gets the probed rate all the same has it.
    assert bottleneck_of(changed(COLD, device=OTHERS_DISK), PROBED).kind == "device-bandwidth"


def test_that_small_requests_of_somebody_else_are_not_blamed_on_the_load():
    small = with_device(COLD, mean_request_bytes=4096.0)
    beside = changed(small, warnings=(warned("other-reader", "Somebody else read."),))
    assert (bottleneck_of(small).kind, bottleneck_of(beside).kind) == ("device-latency", "storage")


@pytest.mark.parametrize("preset", ["mmap", "sequential", "direct"])
def test_that_memory_that_others_are_short_of_holds_nothing_back(preset):
    for own in (0, None):
        pressure = msgspec.structs.replace(
            BUSY_MACHINE, own_swapped_bytes=own, own_refaulted_bytes=own, own_stalled_share=own
        )
        run = changed(COLD, config=PRESETS[preset].config, memory=pressure)
        for each in (run, changed(run, device=None, device_bytes=None, residency_after_share=0.4)):
            assert bottleneck_of(each, PROBED).kind == "device-bandwidth"


def test_that_what_all_on_the_machine_read_again_counts_where_the_model_was_dropped():
    twice = changed(COLD, config=MMAP, device_bytes=6 * GB, memory=BUSY_MACHINE)
    for left, kind in ((None, "amplification"), (1.0, "amplification"), (0.4, "memory")):
        assert bottleneck_of(changed(twice, residency_after_share=left), PROBED).kind == kind


def test_that_a_load_that_others_here_were_faster_than_is_not_at_the_disks_limit():
    """2.18 and 2.53 GB/s from one disk: one of them at most is limited by it."""
    slow, fast = (changed(COLD, wall_ns=round(3 * GB / rate)) for rate in (2.18, 2.53))
    for limits in (limits_seen(UNKNOWN, (slow, fast)), limits_seen(PROBED, (slow, fast))):
        found = bottleneck_of(slow, limits)
        assert found.kind == "storage"
        assert "at 86% of the 2.53 GB/s reached here" in found.clause
        assert bottleneck_of(fast, limits).kind == "device-bandwidth"
    far = changed(COLD, wall_ns=3_100 * MS, io_wait_share=0.58)
    found = bottleneck_of(far, limits_seen(UNKNOWN, (far, fast)))
    assert found.kind == "device-latency"
    assert "it gets 38% of the 2.53 GB/s reached here" in found.clause


def test_that_a_run_that_was_faster_than_the_probe_raises_the_limit():
    faster = changed(COLD, wall_ns=COLD.wall_ns // 2)
    limits = raised_by(PROBED, (COLD, faster))
    assert limits.device_bytes_per_s == pytest.approx(4.6e9, rel=0.01)
    assert "storage limit 4.6" in bottleneck_of(COLD, limits).evidence_text
    found = bottleneck_of(faster, limits)
    assert found.kind == "device-bandwidth"
    assert raised_by(PROBED, (COLD, changed(faster, counts=False))) == PROBED


def test_that_a_figure_that_was_not_counted_is_not_shown():
    uncounted = changed(FAULTING, minor_faults=None, major_faults=None)
    assert "faults" not in bottleneck_of(uncounted).evidence_text


def test_that_an_arm_is_held_back_by_what_its_middle_run_is():
    runs = [changed(COLD, wall_ns=(1_300 + step) * MS) for step in (0, 1, 2)]
    odd = changed(COLD, wall_ns=9 * S, memory=MemoryPressure(own_swapped_bytes=9 * GB))
    found = typical_bottleneck([*runs, odd], PROBED)
    assert found.kind == "device-bandwidth"
    assert typical_bottleneck([changed(odd, counts=False)]) is None


def test_that_what_lies_around_a_portion_is_told_beside_its_time_for_the_whole():
    part = changed(COLD, portion=True, file_bytes=GB, load_bytes=GB, device_bytes=3 * GB)
    assert part.model_wall_ns == 3 * part.wall_ns
    assert part.read_around_share == 2.0
    assert changed(part, device_bytes=1_050_000_000).read_around_share == 0.0
    # What lies between slices was asked for, and is in the whole as well.
    assert changed(part, read_bytes=3 * GB).read_around_share == 0.0
    # All of a model has nothing around it: there, more is read twice.
    assert changed(COLD, device_bytes=6 * GB).read_around_share == 0.0


@pytest.mark.parametrize(
    "run",
    [
        *(
            under(THROTTLED, msgspec.structs.replace(IO_MAX, amount=rate), counted)
            for rate in (1.5e8, 1e9, 5e7)
            for counted in (3 * GB, None)
        ),
        changed(under(THROTTLED, IO_MAX, 3 * GB), io_wait_share=0.2, cpu_system_ns=24 * S),
        under(with_device(THROTTLED, reads_per_s=990.0, read_bytes_per_s=2e8), IOPS),
    ],
)
def test_that_a_limit_that_the_load_is_not_at_is_no_cause(run):
    assert "control group" not in bottleneck_of(run, PROBED).clause


def test_that_limits_are_kept_with_a_run_and_unknown_of_runs_that_were_kept_before():
    kept = stored_text(under(THROTTLED, IO_MAX, 3 * GB))
    assert stored_value(kept, RunResult).limits == (
        msgspec.structs.replace(IO_MAX, counted=3 * GB),
    )
    assert "limits" not in stored_text(THROTTLED)
    assert stored_value(stored_text(THROTTLED), RunResult).limits is None
    assert "larger requests" in bottleneck_of(under(THROTTLED, IOPS, 30_000), PROBED).remedy


def test_that_a_run_is_told_no_limit_that_it_or_an_earlier_one_beat(inspection, monkeypatch):
    monkeypatch.setattr(runner, "known_limits", lambda _: Limits(device_bytes_per_s=0.5 * GB))
    _, job = next_run(session())
    slow, fast = (record(job, wall_ns) for wall_ns in (1_250 * MS, S))
    alone = runner.analyze(slow, inspection)
    assert "storage limit 800 MB/s" in alone.bottleneck.evidence_text
    after = runner.analyze(slow, inspection, [runner.analyze(fast, inspection).result])
    assert "storage limit 1 GB/s" in after.bottleneck.evidence_text
    assert after.least_ns == S
