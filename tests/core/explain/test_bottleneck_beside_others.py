"""What held a load back while everything else on the machine was busy, or a figure is missing.

Figures of the whole machine are then high, and the load's own decide; one that is not there makes
a claim less sure, and never opens the way for one.
"""

import msgspec
import pytest
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

from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.load.config import LoadConfig
from modelmon.core.load.presets import PRESETS
from modelmon.core.probe.limits import Limits

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
OTHERS_UNKNOWN = msgspec.structs.replace(PROBED, others_known=False)
LIBRARY = LoadConfig(library="safetensors.get_tensor")

HELD_BACK_BY_ITSELF = {
    "decode": changed(
        COLD, config=LoadConfig(readers=2, deliver="decoded"), wall_ns=10 * S, decode_ns=19 * S
    ),
    "amplification": changed(COLD, device_bytes=6 * GB),
    "device-latency": changed(
        COLD, config=LoadConfig(access="direct"), requests=COLD.load_bytes // 4096
    ),
    "per-tensor": changed(
        WARM, config=LIBRARY, tensors=90_000, wall_ns=4 * S, cpu_user_ns=3 * S, cpu_system_ns=S
    ),
    "page-cache": WARM,
    "faults": changed(WARM, wall_ns=3 * S, cpu_system_ns=2_900 * MS, minor_faults=730_000),
}


def beside_others(run):
    return changed(run, device=OTHERS_DISK, memory=BUSY_MACHINE)


@pytest.mark.parametrize("kind", HELD_BACK_BY_ITSELF)
def test_that_a_load_is_held_back_by_the_same_whatever_others_do(kind):
    run = HELD_BACK_BY_ITSELF[kind]
    assert bottleneck_of(run).kind == kind
    assert bottleneck_of(beside_others(run)).kind == kind


def test_that_a_load_near_the_probed_rate_is_held_back_by_it_whatever_others_do():
    found = bottleneck_of(beside_others(COLD), PROBED)
    assert (found.kind, found.confidence) == ("device-bandwidth", "high")


@pytest.mark.parametrize("limits", [Limits(), PROBED], ids=["not probed", "probed"])
@pytest.mark.parametrize("io_wait", [0.9, 0.1])
@pytest.mark.parametrize("preset", ["mmap", "sequential", "parallel"])
def test_that_what_others_do_with_the_disk_and_the_memory_is_not_said_of_the_load(
    preset, io_wait, limits
):
    run = changed(
        COLD, config=PRESETS[preset].config, wall_ns=5 * S, io_wait_share=io_wait, cpu_system_ns=0
    )
    assert bottleneck_of(beside_others(run), limits).kind == "undecided"


@pytest.mark.parametrize(
    ("run", "limits", "kind", "sure"),
    [
        # Whether others wrote is not known, so it may be they who keep the device busy.
        (with_device(COLD, write_bytes_per_s=None), Limits(), "device-bandwidth", "low"),
        (
            with_device(COLD, write_bytes_per_s=None, mean_request_bytes=16_384.0),
            Limits(),
            *("device-latency", "low"),
        ),
        (
            changed(with_device(COLD, write_bytes_per_s=None), wall_ns=5 * S),
            PROBED,
            *("device-latency", "medium"),
        ),
        # How much came from the device is not known, so it may have been less.
        (changed(COLD, device=None, device_bytes=None), PROBED, "device-bandwidth", "medium"),
        # What others did while it was probed is not known, so the device may do more.
        (COLD, OTHERS_UNKNOWN, "device-bandwidth", "medium"),
        (changed(COLD, wall_ns=5 * S), OTHERS_UNKNOWN, "device-latency", "medium"),
        # How long readers waited for a processor is not known.
        (changed(COLD, io_wait_share=None), PROBED, "device-bandwidth", "medium"),
        (changed(COLD, io_wait_share=None), Limits(), "device-bandwidth", "low"),
        (
            changed(COLD, io_wait_share=None, device_bytes=6 * GB),
            Limits(),
            *("amplification", "medium"),
        ),
        # Faults are not counted, so the kernel may be busy with them or with copies.
        (
            changed(
                WARM, wall_ns=3 * S, cpu_system_ns=2_900 * MS, minor_faults=None, major_faults=None
            ),
            PROBED,
            *("faults", "low"),
        ),
    ],
)  # fmt: skip
def test_that_a_missing_figure_makes_a_claim_less_sure(run, limits, kind, sure):
    found = bottleneck_of(run, limits)
    assert (found.kind, found.confidence) == (kind, sure)


def test_that_faults_that_were_not_counted_are_not_told_as_none():
    busy = changed(WARM, wall_ns=3 * S, cpu_system_ns=2_900 * MS)
    unknown = bottleneck_of(changed(busy, minor_faults=None, major_faults=None), PROBED)
    assert "faults" in bottleneck_of(busy, PROBED).evidence_text
    assert "faults" not in unknown.evidence_text
    assert unknown.clause == "is busy in the kernel (97% of a core)"
