"""What held a load back, from figures as runs on real machines have them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from modelmon.core.experiment.bottleneck.bottleneck import bottleneck_of, typical_bottleneck
from modelmon.core.experiment.bottleneck.kinds import Limits
from modelmon.core.experiment.result import RunResult
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.presets import PRESETS
from modelmon.core.worker.endings import MemoryStrain
from modelmon.core.worker.samples import DeviceActivity
from modelmon.core.worker.warned import warned

GB = 10**9
MS = 10**6
S = 10**9

BUSY_DISK = DeviceActivity(
    reads_per_s=900.0,
    read_bytes_per_s=2.4e9,
    mean_request_bytes=2.8e6,
    read_await_ns=15e6,
    queue_depth=6.0,
    busy_share=0.97,
)
PROBED = Limits(device_bytes_per_s=2.5e9, memory_bytes_per_s=11e9, latency_ns=90_000)
NOT_SHORT = MemoryStrain(0, 0, 0, 0.0, 20 * GB, 24 * GB)

COLD = RunResult(
    strategy="parallel",
    config=PRESETS["parallel"].config,
    wall_ns=1_300 * MS,
    warmup_ns=0,
    load_bytes=3 * GB,
    model_bytes=3 * GB,
    file_bytes=3 * GB,
    memory_kind="owned",
    cache_asked="cold",
    cache_state="cold",
    cache_evidence="verified",
    counts=True,
    started_unix_s=1.0,
    device_bytes=3 * GB,
    io_wait_share=0.9,
    cpu_user_ns=20 * MS,
    cpu_system_ns=400 * MS,
    minor_faults=2_000,
    major_faults=0,
    tensors=291,
    storage_kind="local-disk",
    device=BUSY_DISK,
    memory=NOT_SHORT,
)
WARM = msgspec.structs.replace(
    COLD,
    wall_ns=300 * MS,
    cache_asked="warm",
    cache_state="warm",
    device_bytes=0,
    io_wait_share=0.0,
    device=None,
)


def changed(run: RunResult, **figures: Any) -> RunResult:
    return msgspec.structs.replace(run, **figures)


def with_device(run: RunResult, **figures: Any) -> RunResult:
    assert run.device is not None
    return changed(run, device=msgspec.structs.replace(run.device, **figures))


def test_that_a_load_near_the_probed_rate_is_held_back_by_bandwidth() -> None:
    found = bottleneck_of(COLD, PROBED)
    assert (found.kind, found.confidence) == ("device-bandwidth", "high")
    assert found.sentence == (
        "The load waits for the disk 90 % of the time, which delivers 2.31 GB/s."
    )
    assert "device can 2.50 GB/s" in found.evidence_text


def test_that_without_a_probe_a_busy_device_is_enough_and_less_sure() -> None:
    found = bottleneck_of(COLD)
    assert (found.kind, found.confidence) == ("device-bandwidth", "medium")
    assert "device busy 97 %" in found.evidence_text


def test_that_between_near_and_far_a_busy_device_decides() -> None:
    between = changed(COLD, wall_ns=2 * S)
    found = bottleneck_of(between, PROBED)
    assert (found.kind, found.confidence) == ("device-bandwidth", "medium")
    unseen = bottleneck_of(changed(between, device=None), PROBED)
    assert (unseen.kind, unseen.remedy) == ("undecided", "")


@pytest.mark.parametrize(
    ("run", "limits", "sign"),
    [
        (with_device(COLD, mean_request_bytes=16_384.0), Limits(), "16 KiB at a time"),
        (changed(COLD, wall_ns=5 * S), PROBED, "24 % of what the device can"),
        (changed(COLD, device=None, config=LoadConfig(order="random")), Limits(), "random order"),
    ],
)
def test_that_small_late_or_scattered_requests_mean_latency(
    run: RunResult, limits: Limits, sign: str
) -> None:
    found = bottleneck_of(run, limits)
    assert found.kind == "device-latency"
    assert sign in found.clause
    assert found.remedy


@pytest.mark.parametrize("busy", [0.0, 0.97])
def test_that_a_load_shorter_than_the_counters_steps_says_nothing_of_the_device(
    busy: float,
) -> None:
    short = changed(with_device(COLD, busy_share=busy), wall_ns=4 * MS, load_bytes=2_000_000)
    found = bottleneck_of(short)
    assert found.kind == "undecided"
    assert "device busy" not in found.evidence_text


def test_that_waiting_for_a_device_that_rests_means_a_limit_in_between() -> None:
    # As measured under a cgroup's limit of 100 MB/s.
    slow = with_device(changed(COLD, wall_ns=30 * S, io_wait_share=0.97), busy_share=0.04)
    found = bottleneck_of(slow)
    assert (found.kind, found.label, found.confidence) == (
        *("device-bandwidth", "limited bandwidth"),
        "low",
    )
    assert "100 MB/s" in found.clause


def test_that_small_requests_are_to_blame_for_the_kernels_work_as_well() -> None:
    small = with_device(COLD, mean_request_bytes=4096.0)
    half = changed(small, io_wait_share=0.48, cpu_system_ns=650 * MS)
    assert bottleneck_of(half).kind == "device-latency"
    assert bottleneck_of(changed(half, io_wait_share=0.05)).kind == "faults"


def test_that_direct_reads_are_as_large_as_they_were_asked_whoever_else_reads() -> None:
    small = changed(COLD, config=LoadConfig(access="direct"), requests=COLD.load_bytes // 4096)
    found = bottleneck_of(small)
    assert found.kind == "device-latency"
    assert "4.00 KiB at a time" in found.clause


def test_that_small_requests_of_somebody_else_are_not_blamed_on_the_load() -> None:
    small = with_device(COLD, mean_request_bytes=4096.0)
    beside = changed(small, warnings=(warned("other-reader", "Somebody else read."),))
    assert bottleneck_of(small).kind == "device-latency"
    assert bottleneck_of(beside).kind == "device-bandwidth"


def test_that_small_requests_at_the_full_rate_are_not_latency() -> None:
    run = with_device(COLD, mean_request_bytes=16_384.0)
    assert bottleneck_of(run, PROBED).kind == "device-bandwidth"


def test_that_a_server_without_figures_is_undecided_until_it_is_probed() -> None:
    remote = changed(COLD, device=None, device_bytes=None, storage_kind="fuse")
    found = bottleneck_of(remote)
    assert (found.kind, found.confidence) == ("undecided", "low")
    assert "waits for the mount 90 % of the time" in found.clause
    assert "--probe" in found.remedy
    assert bottleneck_of(remote, PROBED).kind == "device-bandwidth"


def test_that_a_warm_up_that_reads_counts_as_waiting() -> None:
    warmed = changed(COLD, warmup_ns=1_200 * MS, io_wait_share=0.0)
    assert bottleneck_of(warmed, PROBED).kind == "device-bandwidth"


@pytest.mark.parametrize(("ranks", "part"), [(4, "by 4 ranks"), (1, "2.00 times")])
def test_that_bytes_that_come_twice_are_named_with_who_reads_them(ranks: int, part: str) -> None:
    run = changed(COLD, device_bytes=6 * GB, config=LoadConfig(ranks=ranks))
    found = bottleneck_of(run, PROBED)
    assert found.kind == "amplification"
    assert part in found.clause
    assert bottleneck_of(changed(run, device_bytes=int(3.2 * GB)), PROBED).kind != found.kind


@pytest.mark.parametrize(
    ("strain", "part"),
    [
        (MemoryStrain(swapped_out_bytes=GB), "swap 1 GB"),
        (MemoryStrain(stalled_share=0.4), "40 % of the time"),
    ],
)
def test_that_a_shortage_of_memory_goes_before_all_else(strain: MemoryStrain, part: str) -> None:
    found = bottleneck_of(changed(COLD, memory=strain), PROBED)
    assert found.kind == "memory"
    assert part in found.clause


def test_that_dropped_pages_count_only_where_the_device_gave_them_again() -> None:
    strain = MemoryStrain(refaulted_bytes=GB)
    assert bottleneck_of(changed(COLD, memory=strain), PROBED).kind == "device-bandwidth"
    again = changed(COLD, memory=strain, device_bytes=4 * GB)
    assert bottleneck_of(again, PROBED).kind == "memory"


def test_that_a_load_as_fast_as_memory_has_nothing_to_gain() -> None:
    for limits in (PROBED, Limits()):
        found = bottleneck_of(WARM, limits)
        assert found.kind == "page-cache"
        assert "nothing to gain" in found.clause


def test_that_a_slow_load_out_of_the_cache_is_held_back_by_its_faults() -> None:
    slow = changed(WARM, wall_ns=3 * S, cpu_system_ns=2_900 * MS, minor_faults=730_000)
    found = bottleneck_of(slow, PROBED)
    assert (found.kind, found.label) == ("faults", "page faults")
    assert "97 % of a core" in found.clause
    assert "243" in found.evidence_text


def test_that_few_faults_and_a_busy_kernel_mean_copies() -> None:
    found = bottleneck_of(changed(WARM, wall_ns=3 * S, cpu_system_ns=2_900 * MS), PROBED)
    assert (found.kind, found.label) == ("faults", "kernel CPU")


def test_that_a_slow_load_out_of_the_cache_without_a_cause_says_only_that() -> None:
    idle = changed(WARM, wall_ns=3 * S, cpu_user_ns=500 * MS)
    found = bottleneck_of(idle, PROBED)
    assert (found.kind, found.confidence) == ("page-cache", "medium")
    assert "nothing to gain" not in found.clause


def test_that_a_library_with_many_small_tensors_pays_for_each() -> None:
    library = LoadConfig(library="safetensors.get_tensor")
    small = changed(
        WARM,
        config=library,
        tensors=20_000,
        load_bytes=GB // 2,
        file_bytes=GB // 2,
        wall_ns=S,
        cpu_user_ns=900 * MS,
        cpu_system_ns=100 * MS,
    )
    found = bottleneck_of(small, PROBED)
    assert found.kind == "per-tensor"
    assert "50 µs on each of 20,000 tensors" in found.clause
    assert bottleneck_of(changed(small, tensors=200), PROBED).kind != "per-tensor"
    assert bottleneck_of(changed(small, config=LoadConfig()), PROBED).kind != "per-tensor"


def test_that_decoders_that_never_rest_are_what_holds_back() -> None:
    # The readers beside them have time to wait for the disk, which then is no sign of anything.
    config = LoadConfig(readers=2, deliver="decoded")
    run = changed(COLD, config=config, wall_ns=10 * S, decode_ns=19 * S, device=None)
    found = bottleneck_of(run, PROBED)
    assert found.kind == "decode"
    assert "95 % of the time" in found.clause
    assert bottleneck_of(changed(run, decode_ns=4 * S), PROBED).kind != "decode"
    # Four decoders on two processors never rest either, at half of the time each.
    four = changed(run, config=LoadConfig(readers=4, deliver="decoded"), cpu_count=2)
    assert bottleneck_of(four, PROBED).kind == "decode"


def test_that_without_accounts_of_the_readers_their_cpu_time_tells_what_is_left() -> None:
    run = changed(COLD, io_wait_share=None)
    assert bottleneck_of(run, PROBED).kind == "device-bandwidth"


def test_that_a_platform_without_figures_is_undecided() -> None:
    bare = changed(
        COLD,
        io_wait_share=None,
        cpu_user_ns=None,
        cpu_system_ns=None,
        device_bytes=None,
        device=None,
        memory=None,
    )
    found = bottleneck_of(bare)
    assert found.kind == "undecided"
    assert "not to be seen here" in found.clause


def test_that_an_arm_is_held_back_by_what_its_middle_run_is() -> None:
    runs = [changed(COLD, wall_ns=(1_300 + step) * MS) for step in (0, 1, 2)]
    odd = changed(COLD, wall_ns=9 * S, memory=MemoryStrain(swapped_in_bytes=GB))
    found = typical_bottleneck([*runs, odd], PROBED)
    assert found is not None
    assert found.kind == "device-bandwidth"
    assert typical_bottleneck([changed(odd, counts=False)]) is None


def test_that_what_lies_around_a_portion_is_told_beside_its_time_for_the_whole() -> None:
    part = changed(COLD, portion=True, file_bytes=GB, load_bytes=GB, device_bytes=3 * GB)
    assert part.model_wall_ns == 3 * part.wall_ns
    assert part.read_around_share == 2.0
    assert changed(part, device_bytes=1_050_000_000).read_around_share == 0.0
    # What lies between slices was asked for, and is in the whole as well.
    assert changed(part, read_bytes=3 * GB).read_around_share == 0.0
    # All of a model has nothing around it: there, more is read twice.
    assert changed(COLD, device_bytes=6 * GB).read_around_share == 0.0
