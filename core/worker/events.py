"""The wire between a worker and whoever watches it: one JSON line per event.

The saved lines are the record of a run: the window, the terminal, replay and the tests
read them with the same code. Times are nanoseconds since the load started (`t_ns`) unless
a name says otherwise; a figure that the platform lacks is None, never zero. Unknown event
types are skipped with a warning; another `protocol` is refused.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from modelmon.core.load.subset import WHOLE, Subset

from modelmon.core.load.config import LoadConfig

PROTOCOL = 1

Cache = Literal["cold", "warm", "as-is"]
PhaseName = Literal["prepare", "cache", "warmup", "load", "verify"]
WarningKind = Literal[
    "cache-not-cold",
    "cache-not-warm",
    "residency-unknown",
    "mapped-elsewhere",
    "direct-refused",
    "nothing-touched",
    "late-samples",
    "few-samples",
    "dropped-samples",
    "unknown-event",
]
FailureKind = Literal[
    "model", "config", "does-not-fit", "busy", "loader-died", "io", "cancelled", "internal"
]


class Job(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One load to watch: the first line of a worker's standard input.

    `subset` are the tensors, blocks or the slice that are wanted; `portion_bytes` None loads
    them whole, else a part that stands for them.
    `allow_busy` goes ahead although another process has the file open or mapped.
    `condition_memory` touches free memory first (conditioning.py); without it the load may
    meet memory that a virtual machine's host has to provide anew.
    """

    path: str
    config: LoadConfig
    strategy: str = "custom"
    cache: Cache = "as-is"
    verify: bool = False
    portion_bytes: int | None = None
    subset: Subset = WHOLE
    sample_hz: float = 20.0
    allow_busy: bool = False
    condition_memory: bool = True
    protocol: int = PROTOCOL


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Base of all events."""


class Hello(Event, frozen=True, tag="hello"):
    """First line: who speaks, and the job as understood."""

    protocol: int
    job: Job
    modelmon_version: str
    started_unix_s: float
    platform: str
    cpu_count: int


class Planned(Event, frozen=True, tag="planned"):
    """Headers were read and the load is planned.

    `planned_bytes` will be delivered, each rank's counted; `file_bytes` are the distinct
    bytes of the files among them; `model_bytes` are in the whole model. `block_names` and
    `block_bytes` are the planned blocks in execution order. Reading the headers took
    `open_ns`, planning `plan_ns`: neither is part of the timed load. `library_version` is that
    of a baseline.
    """

    model_name: str
    model_bytes: int
    planned_bytes: int
    requests: int
    readers: int
    shard_paths: tuple[str, ...]
    shard_bytes: tuple[int, ...]
    block_names: tuple[str, ...]
    block_bytes: tuple[int, ...]
    device_name: str | None
    filesystem: str
    file_bytes: int = 0
    open_ns: int = 0
    plan_ns: int = 0
    library_version: str = ""


class Progress(Event, frozen=True, tag="progress"):
    """How far a phase before or after the timed load has come (cache filling, verifying)."""

    phase: PhaseName
    done_bytes: int
    total_bytes: int


class DeviceActivity(msgspec.Struct, frozen=True, omit_defaults=True):
    """The block device over one sampling interval, as `iostat -x` shows it."""

    reads_per_s: float
    read_bytes_per_s: float
    mean_request_bytes: float | None = None
    read_await_ns: float | None = None
    queue_depth: float | None = None
    busy_share: float | None = None


class Ready(Event, frozen=True, tag="ready"):
    """Everything is open and the cache is set; the load starts with `go`.

    `residency_share` is the cached share of the planned bytes, verified now, or None where
    it cannot be known; `residency_source` is `cachestat`, `mincore` or why it is unknown.
    `idle_device` is what others did on the device just before; `conditioned_bytes` of free
    memory were touched.
    """

    residency_share: float | None
    residency_source: str
    loader_rss_bytes: int
    idle_device: DeviceActivity | None = None
    conditioned_bytes: int = 0


class Started(Event, frozen=True, tag="started"):
    """The readers were let go; all `t_ns` count from here."""


class Phase(Event, frozen=True, tag="phase"):
    """A phase of the timed load begins."""

    name: PhaseName
    t_ns: int


class Sample(Event, frozen=True, tag="sample"):
    """What was seen at `t_ns`; `late_ns` is how much later than planned.

    Totals since the start: delivered_bytes, warmup_bytes (None without a warm-up),
    device_bytes (fetched from storage on behalf of the loaders), cpu_user_ns, cpu_system_ns,
    minor_faults, major_faults, swap_in_bytes, swap_out_bytes. Levels: rss_*,
    available_bytes, page_cache_bytes, cgroup_bytes, residency_share. Shares over the last
    interval: iowait_share (of the whole system's CPU time), psi_*_share (of wall time), and
    waiting_share (loader threads in D state, now).
    """

    t_ns: int
    late_ns: int
    delivered_bytes: int
    warmup_bytes: int | None = None
    device_bytes: int | None = None
    device: DeviceActivity | None = None
    cpu_user_ns: int | None = None
    cpu_system_ns: int | None = None
    iowait_share: float | None = None
    psi_io_share: float | None = None
    psi_memory_share: float | None = None
    waiting_share: float | None = None
    minor_faults: int | None = None
    major_faults: int | None = None
    rss_anon_bytes: int | None = None
    rss_file_bytes: int | None = None
    rss_shared_bytes: int | None = None
    available_bytes: int | None = None
    page_cache_bytes: int | None = None
    swap_in_bytes: int | None = None
    swap_out_bytes: int | None = None
    cgroup_bytes: int | None = None
    residency_share: float | None = None


class Chunks(Event, frozen=True, tag="chunks"):
    """Finished requests of one reader, as parallel columns: what was asked, where, when.

    `merged` is how many consecutive requests each entry stands for on average (1: none
    were merged; very large loads are recorded more coarsely to bound the stream).
    """

    reader: int
    shard: tuple[int, ...]
    offset_bytes: tuple[int, ...]
    nbytes: tuple[int, ...]
    start_ns: tuple[int, ...]
    end_ns: tuple[int, ...]
    merged: float = 1.0


class BlockTiming(msgspec.Struct, frozen=True, omit_defaults=True):
    """One block: bytes so far, when its last byte came, and its part of the load time.

    `busy_ns` is the sum over its requests of duration times the block's share of the
    request's bytes, divided by the requests in flight: all blocks add up to the time in
    which at least one request was under way. `ready_ns` is None until it is complete.
    """

    name: str
    nbytes: int
    busy_ns: int
    requests: int
    ready_ns: int | None = None


class Blocks(Event, frozen=True, tag="blocks"):
    """Per-block timings so far, blocks in execution order; the last one is final."""

    blocks: tuple[BlockTiming, ...]


class Warned(Event, frozen=True, tag="warning"):
    """Something that makes the figures worth less, with evidence and what to do."""

    kind: WarningKind
    message: str


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


AnyEvent = (
    Hello
    | Planned
    | Progress
    | Ready
    | Started
    | Phase
    | Sample
    | Chunks
    | Blocks
    | Warned
    | Finished
    | Failed
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(AnyEvent)
_EVENT_TYPES = frozenset(str(kind.__struct_config__.tag) for kind in AnyEvent.__args__)


class _Tag(msgspec.Struct):
    event: str = ""


_tag_decoder = msgspec.json.Decoder(_Tag)


def encode(event: Event) -> bytes:
    """One event as one line."""
    return _encoder.encode(event) + b"\n"


def decode(line: bytes | str) -> AnyEvent:
    """The event in `line`; an unknown type becomes a Warned of kind `unknown-event`.

    Raises msgspec.DecodeError (or its ValidationError) for a line that is not an event.
    """
    kind = _tag_decoder.decode(line).event
    if kind and kind not in _EVENT_TYPES:
        return Warned("unknown-event", f"An event of unknown type {kind!r} was skipped.")
    event: AnyEvent = _decoder.decode(line)
    return event
