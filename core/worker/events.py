"""The wire between a worker and whoever watches it: one JSON line per event.

The saved lines are the record of a run: the window, the terminal, replay and the tests
read them with the same code. Times are nanoseconds since the load started (`t_ns`) unless
a name says otherwise; a figure that the platform lacks is None, never zero. Unknown event
types are skipped with a warning; another `protocol` is refused.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from modelmon.core.limited_numbers import Amount, Integer, Number, UnixTime
from modelmon.core.messages import NOTHING, Message, from_wire, to_wire
from modelmon.core.worker.endings import Failed, FailureKind, Finished, MemoryPressure, StartState
from modelmon.core.worker.jobs import Cache, Job, WatchedProgram
from modelmon.core.worker.samples import (
    Blocks,
    BlockTiming,
    CacheMap,
    Chunks,
    DeviceActivity,
    Sample,
)
from modelmon.core.worker.warned import Warned, WarningKind, warned
from modelmon.core.worker.wire import PROTOCOL, Event

__all__ = [
    "PROTOCOL",
    "AnyEvent",
    "BlockTiming",
    "Blocks",
    "Cache",
    "CacheMap",
    "Chunks",
    "DeviceActivity",
    "Event",
    "Failed",
    "FailureKind",
    "Finished",
    "Hello",
    "Job",
    "MemoryPressure",
    "Phase",
    "PhaseName",
    "Planned",
    "Progress",
    "Ready",
    "Sample",
    "StartState",
    "Started",
    "Waiting",
    "Warned",
    "WarningKind",
    "WatchedProgram",
    "decode",
    "encode",
    "warned",
]

PhaseName = Literal["prepare", "cache", "warmup", "load", "verify"]


class Hello(Event, frozen=True, tag="hello"):
    """First line: who speaks, and the job as understood."""

    protocol: Integer
    job: Job
    modelmon_version: str
    started_unix_s: UnixTime
    platform: str
    cpu_count: Amount


class Planned(Event, frozen=True, tag="planned"):
    """Headers were read and the load is planned.

    `planned_bytes` will be delivered, each rank's counted; `file_bytes` are the distinct
    bytes of the files among them; `read_bytes` are the distinct bytes that requests ask for,
    with those that lie between slices; `model_bytes` are in the whole model. `block_names` and
    `block_bytes` are the planned blocks in execution order. Reading the headers took
    `open_ns`, planning `plan_ns`: neither is part of the timed load. `library_version` is that
    of a baseline. `tensors` were planned, at least in part. `files_mark` changes when one of the
    files is replaced or written to (file_state.py).
    """

    model_name: str
    model_bytes: Amount
    planned_bytes: Amount
    requests: Amount
    readers: Amount
    shard_paths: tuple[str, ...]
    shard_bytes: tuple[Amount, ...]
    block_names: tuple[str, ...]
    block_bytes: tuple[Amount, ...]
    device_name: str | None
    filesystem: str
    file_bytes: Amount = 0
    read_bytes: Amount = 0
    open_ns: Amount = 0
    plan_ns: Amount = 0
    library_version: str = ""
    tensors: Amount = 0
    storage_kind: str = ""
    files_mark: str = ""


class Progress(Event, frozen=True, tag="progress"):
    """How far a phase before or after the timed load has come (cache filling, verifying)."""

    phase: PhaseName
    done_bytes: Amount
    total_bytes: Amount


class Ready(Event, frozen=True, tag="ready"):
    """Everything is open and the cache is set; the load starts with `go`.

    `residency_share` is the cached share of the planned bytes, verified now, or None where
    it cannot be known; `residency_source` is `cachestat`, `mincore` or why it is unknown.
    `idle_device` is what others did on the device just before. Setting the cache took
    `cache_ns`; `conditioned_bytes` of free memory were touched in `conditioning_ns`. From the
    job's arrival until now it took `setup_ns`, of which these are parts.
    """

    residency_share: Number | None
    residency_source: Message
    loader_rss_bytes: Amount
    idle_device: DeviceActivity | None = None
    conditioned_bytes: Amount = 0
    conditioning_ns: Amount = 0
    cache_ns: Amount = 0
    setup_ns: Amount = 0


class Started(Event, frozen=True, tag="started"):
    """The readers were let go; all `t_ns` count from here. `pid` is the program that is watched, on
    its machine; 0 for loaders.
    """

    pid: Amount = 0


class Phase(Event, frozen=True, tag="phase"):
    """A phase of the timed load begins."""

    name: PhaseName
    t_ns: Integer


class Waiting(Event, frozen=True, tag="waiting"):
    """A watched program has read nothing of the model for some seconds: `what` is seen of it.
    Without any, that is over.
    """

    t_ns: Integer
    what: Message = NOTHING


AnyEvent = (
    Hello
    | Planned
    | Progress
    | Ready
    | Started
    | Phase
    | Waiting
    | Sample
    | CacheMap
    | Chunks
    | Blocks
    | Warned
    | Finished
    | Failed
)

_encoder = msgspec.json.Encoder(enc_hook=to_wire)
_decoder = msgspec.json.Decoder(AnyEvent, dec_hook=from_wire)
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
    try:
        event: AnyEvent = _decoder.decode(line)
    except msgspec.ValidationError:
        kind = _tag_decoder.decode(line).event
        if kind and kind not in _EVENT_TYPES:
            return warned(
                "unknown-event",
                Message("An event of unknown type {kind} was skipped.", kind=repr(kind)),
            )
        raise
    return event
