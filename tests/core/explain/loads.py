"""Loads as real machines have them, and what a probe of such a machine says."""

import msgspec

from modelmon.core.load.config import PRESETS
from modelmon.core.probe.probe import Limits
from modelmon.core.worker.events import DeviceActivity, MemoryPressure
from modelmon.core.worker.result import RunResult

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
    writes_per_s=0.0,
    write_bytes_per_s=0.0,
)

PROBED = Limits(device_bytes_per_s=2.5e9, memory_bytes_per_s=11e9, latency_ns=90_000)
NOT_SHORT = MemoryPressure(0, 0, 0, 0.0, 20 * GB, 24 * GB)
BUSY_MACHINE = MemoryPressure(
    swapped_in_bytes=5 * GB,
    swapped_out_bytes=9 * GB,
    refaulted_bytes=20 * GB,
    stalled_share=0.9,
    least_available_bytes=GB // 10,
    total_bytes=24 * GB,
)
"""Everything else on the machine wants memory that is not there."""

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


def changed(run, **figures):
    """The run with other figures, and its device with what they make of it: nobody else used it."""
    run = msgspec.structs.replace(run, **figures)
    if run.device is None or run.device_bytes is None or "device" in figures:
        return run
    rate = run.device_bytes * 1e9 / run.wall_ns
    return msgspec.structs.replace(
        run, device=msgspec.structs.replace(run.device, read_bytes_per_s=rate)
    )


def with_device(run, **figures):
    assert run.device is not None
    return changed(run, device=msgspec.structs.replace(run.device, **figures))
