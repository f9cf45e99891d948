"""Events that end a load: how it went, or why it failed."""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.worker.samples import DeviceActivity
from modelmon.core.worker.wire import Amount, Event

StartState = Literal["cold", "cold-here", "warm", "mixed", "unknown"]

FailureKind = Literal[
    "model", "config", "does-not-fit", "busy", "loader-died", "io", "cancelled", "internal"
]


class MemoryStrain(msgspec.Struct, frozen=True, omit_defaults=True):
    """How short of memory the machine was during a load; None is *not available here*.

    Totals over the load, of the whole machine: bytes swapped in and out, and `refaulted_bytes`
    of files that had to be read again after the kernel had dropped them
    (Documentation/admin-guide/cgroup-v2.rst, workingset_refault_file). `stalled_share` is the
    share of wall time in which some task waited for memory (PSI). `least_available_bytes` of
    `total_bytes` were left at the lowest; the cgroup's `used` leaves out cached file pages.
    """

    swapped_in_bytes: int | None = None
    swapped_out_bytes: int | None = None
    refaulted_bytes: int | None = None
    stalled_share: float | None = None
    least_available_bytes: int | None = None
    total_bytes: int | None = None
    cgroup_used_bytes: int | None = None
    cgroup_limit_bytes: int | None = None


class Finished(Event, frozen=True, tag="finished"):
    """Last line of a load that ended well.

    `wall_ns` counts from `go` to the last delivered byte, warm-up included;
    `io_wait_share` is 1 − (on-CPU + run-queue time) ÷ reader time.
    `cache_state` is what the start was; `cold-here` has nothing cached on this machine and a
    server or filesystem with a cache of its own behind it. `cache_evidence` says whether that
    was verified by residency before, inferred from device bytes after, or is unknown;
    `counts` is False for a run that must not be ranked; `startup_ns` is how long the
    loaders took to start and open their files, before the clock; `decode_ns` is CPU time of
    the decoders. `device` is the block device over the whole load, whoever used it, and
    `device_read_bytes` what it delivered to all.
    """

    wall_ns: Amount
    warmup_ns: int
    delivered_bytes: Amount
    memory_kind: str
    cache_state: StartState
    cache_evidence: Literal["verified", "inferred", "unknown"]
    counts: bool
    samples: int
    dropped_samples: int
    max_late_ns: int
    supervisor_cpu_ns: int
    startup_ns: int
    device_bytes: int | None = None
    io_wait_share: float | None = None
    cpu_user_ns: int | None = None
    cpu_system_ns: int | None = None
    minor_faults: int | None = None
    major_faults: int | None = None
    peak_rss_bytes: int | None = None
    residency_after_share: float | None = None
    decode_ns: int | None = None
    device: DeviceActivity | None = None
    device_read_bytes: int | None = None
    memory: MemoryStrain | None = None
    checksum: str | None = None
    checksum_matches: bool | None = None


class Failed(Event, frozen=True, tag="failed"):
    """Last line of a load that did not end well: a sentence and what to do next."""

    kind: FailureKind
    message: str
    remedy: str = ""
