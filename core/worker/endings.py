"""Events that end a load: how it went, or why it failed."""

from __future__ import annotations

from typing import Literal

from modelmon.core.worker.wire import Event

FailureKind = Literal[
    "model", "config", "does-not-fit", "busy", "loader-died", "io", "cancelled", "internal"
]


class Finished(Event, frozen=True, tag="finished"):
    """Last line of a load that ended well.

    `wall_ns` counts from `go` to the last delivered byte, warm-up included;
    `io_wait_share` is 1 − (on-CPU + run-queue time) ÷ reader time.
    `cache_state` is `cold`, `warm` or `mixed`; `cache_evidence` says whether that was
    verified by residency before, inferred from device bytes after, or is unknown;
    `counts` is False for a run that did not start as asked; `startup_ns` is how long the
    loaders took to start and open their files, before the clock; `decode_ns` is CPU time of
    the decoders.
    """

    wall_ns: int
    warmup_ns: int
    delivered_bytes: int
    memory_kind: str
    cache_state: Literal["cold", "warm", "mixed", "unknown"]
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
    checksum: str | None = None
    checksum_matches: bool | None = None


class Failed(Event, frozen=True, tag="failed"):
    """Last line of a load that did not end well: a sentence and what to do next."""

    kind: FailureKind
    message: str
    remedy: str = ""
