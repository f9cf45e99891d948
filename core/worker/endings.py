"""Events that end a load: how it went, or why it failed."""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.limited_numbers import Amount, Integer, Number
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.messages import NOTHING, Message
from modelmon.core.worker.samples import DeviceActivity
from modelmon.core.worker.wire import Event

StartState = Literal["cold", "cold-here", "warm", "mixed", "unknown"]

FailureKind = Literal[
    "model",
    "config",
    "does-not-fit",
    "busy",
    "loader-died",
    "io",
    "cancelled",
    "disconnected",
    "internal",
]


class MemoryPressure(msgspec.Struct, frozen=True, omit_defaults=True):
    """How short of memory the machine was during a load; None is *not available here*.

    Totals over the load, of the whole machine: bytes swapped in and out, and `refaulted_bytes`
    of files that had to be read again after the kernel had dropped them
    (Documentation/admin-guide/cgroup-v2.rst, workingset_refault_file). `stalled_share` is the
    share of wall time in which some task waited for memory (PSI). `least_available_bytes` of
    `total_bytes` were left at the lowest; the cgroup's `used` leaves out cached file pages.

    Nobody else's are: `own_swapped_bytes`, which the loaders had in swap at the end, and where
    their cgroup holds no other process, what was refaulted and stalled in it, and how often its
    limit was reached.

    `free_page_reports` is how often a virtual machine's host was given free memory back.
    """

    swapped_in_bytes: Integer | None = None
    swapped_out_bytes: Integer | None = None
    refaulted_bytes: Integer | None = None
    stalled_share: Number | None = None
    least_available_bytes: Amount | None = None
    total_bytes: Amount | None = None
    cgroup_used_bytes: Amount | None = None
    cgroup_limit_bytes: Amount | None = None
    own_swapped_bytes: Integer | None = None
    own_refaulted_bytes: Integer | None = None
    own_stalled_share: Number | None = None
    own_limit_hits: Integer | None = None
    free_page_reports: Integer | None = None


class LoadFigures(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is measured of a load by its end: the last line has it, and all that is made of that.

    Results, rows of the history and lines of a table are LoadFigures too, so that a figure is
    declared here and nowhere else. None is *not available here*.

    `wall_ns` counts from `go` to the last delivered byte, warm-up included;
    `io_wait_share` is 1 − (on-CPU + run-queue time + waiting for decoders) ÷ reader time, and
    `run_queue_share` is the part of that time in which readers could run and no processor was free;
    of a program one of its threads, while it read the model.
    `memory_kind` is where the bytes are: `mapped` from the page cache, `owned` by the process,
    `mixed`, `streamed` through it; `mapped_bytes` of them are the page cache's.
    `cache_state` is what the start was; `cold-here` has nothing cached on this machine and a
    server or filesystem with a cache of its own behind it. `cached_below` is the file below that
    this machine still had cached where nothing was above. `cache_evidence` says whether the state
    was verified by residency before, inferred from device bytes after, or is unknown;
    `counts` is False for a run that must not be ranked; `decode_ns` is CPU time of the `decoders`,
    the threads that decode, all readers' together; None where nothing is decoded.

    Of a watched program `wall_ns` counts until it was ready. It read the model from
    `first_byte_ns` to `last_byte_ns`; both are None of other loads, and where that was not seen.
    Device bytes, CPU, faults and the device's activity are of that time, and `io_wait_share` is
    its part in which the program waited for storage. `seen_by` says how its bytes were seen: by
    `trace`, `residency` or `counters`.
    """

    wall_ns: Amount
    warmup_ns: Amount
    memory_kind: str
    cache_state: StartState
    cache_evidence: Literal["verified", "inferred", "unknown"]
    counts: bool
    device_bytes: Integer | None = None
    io_wait_share: Number | None = None
    run_queue_share: Number | None = None
    cpu_user_ns: Integer | None = None
    cpu_system_ns: Integer | None = None
    minor_faults: Integer | None = None
    major_faults: Integer | None = None
    peak_rss_bytes: Amount | None = None
    residency_after_share: Number | None = None
    decode_ns: Integer | None = None
    decoders: Amount | None = None
    first_byte_ns: Amount | None = None
    last_byte_ns: Amount | None = None
    seen_by: str = ""
    cached_below: str = ""
    mapped_bytes: Amount | None = None

    @property
    def start(self) -> StartState | Literal["cached-below"]:
        """What the start was, to be shown."""
        return "cached-below" if self.cached_below else self.cache_state

    @property
    def reading_ns(self) -> int:
        """How long the model itself was read."""
        if self.first_byte_ns is None or self.last_byte_ns is None:
            return self.wall_ns
        return max(0, self.last_byte_ns - self.first_byte_ns)


class Finished(LoadFigures, Event, frozen=True, tag="finished", kw_only=True):
    """Last line of a load that ended well.

    `startup_ns` is how long the loaders took to start and open their files, before the clock.
    `device` is the block device over the whole load, whoever used it, and `device_read_bytes`
    what it delivered to all. `limits` are those of the control groups when the load began. Of a
    watched program `why_no_trace` says why its reads were not traced, in a clause, `trace_remedy`
    how they could be, and `other_device_bytes` came from storage besides the model: of one that
    was not traced, before it opened the model.
    """

    delivered_bytes: Amount
    samples: Amount
    supervisor_cpu_ns: Amount
    startup_ns: Amount
    device: DeviceActivity | None = None
    device_read_bytes: Integer | None = None
    memory: MemoryPressure | None = None
    limits: tuple[CgroupLimit, ...] | None = None
    why_no_trace: Message = NOTHING
    trace_remedy: Message = NOTHING
    other_device_bytes: Amount | None = None
    checksum: str | None = None
    checksum_matches: bool | None = None


class Failed(Event, frozen=True, tag="failed"):
    """Last line of a load that did not end well: a sentence and what to do next.

    `details` is the traceback of an error that nobody expected, for whoever mends it.
    """

    kind: FailureKind
    message: Message
    remedy: Message = NOTHING
    details: str = ""
