"""The wire between a worker and whoever watches it: one JSON line per event.

The saved lines are the record of a run: the window, the terminal, replay and the tests
read them with the same code. Times are nanoseconds since the load started (`t_ns`) unless
a name says otherwise; a figure that the platform lacks is None, never zero. Unknown event
types are skipped with a warning; another `protocol` is refused.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from modelmon.core.errors import ConfigError, FailureKind
from modelmon.core.limited_numbers import Amount, Integer, Number, UnixTime
from modelmon.core.load.config import MAX_RANKS, MAX_READERS, LoadConfig
from modelmon.core.load.subset import WHOLE, Subset
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.libraries import Libraries
from modelmon.core.machine.page_cache import ResidencyMap
from modelmon.core.messages import NOTHING, Message, from_wire, to_wire
from modelmon.core.worker.run_warnings import RunWarning, warned

PROTOCOL = 1
"""Which events and jobs these are; recordings of another number can't be read."""


class Event(msgspec.Struct, frozen=True, tag_field="event", omit_defaults=True):
    """Base of all events; RunWarning is one by its tag."""


Cache = Literal["cold", "warm", "as-is"]
SeeBy = Literal["auto", "trace", "residency", "counters"]
"""How a program's reads are to be seen (model_bytes.py); `auto` is the best way that works."""
DEFAULT_SAMPLE_HZ = 20.0
STEPS_OF_ELAPSED = 6_000
"""The longer a load lasts, the rarer are its samples: of 20 a second, from five minutes on. Hours
then take the memory of minutes.
"""


def is_due(t_ns: int, sampled_ns: int) -> bool:
    """Whether a sample is kept at `t_ns` since the start, after one at `sampled_ns`."""
    return t_ns - sampled_ns >= t_ns // STEPS_OF_ELAPSED


class WatchedProgram(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The program that is watched instead of a load of modelmon's own.

    `command` is text for the record, made by `redaction.recorded_command`: none is started for it.
    `ready` tells when the model is loaded (ready.py). `pid` is a process that runs already, and
    is joined; where somebody chose it, `began_ticks` (processes.py) tells it from a later one with
    its number. `see_by` is how its reads are seen.
    """

    command: str
    ready: str = ""
    pid: Integer | None = None
    see_by: SeeBy = "auto"
    began_ticks: Amount | None = None


def not_run(program: WatchedProgram) -> ConfigError:
    """What is said where a job alone asks for a program: it holds its command as text only."""
    return ConfigError(
        Message("A recorded command is text and isn't run: {command}", command=program.command),
        Message("Let Watch start it{terminal}.", terminal=" (modelmon watch)"),
    )


class RunConditions(msgspec.Struct, frozen=True, kw_only=True):
    """How runs are made, whatever they load: what a comparison and a race ask of all theirs.

    `portion_bytes` None loads what is wanted whole, else a part that stands for it. `allow_busy`
    goes ahead although another process has the file open or mapped. `condition_memory` touches free
    memory first (preparation.py); without it the load may meet memory that a virtual machine's host
    has to provide anew. `prepared_with` is the command that is run before, without secrets, for the
    record: a worker runs no commands.
    """

    portion_bytes: Amount | None = None
    sample_hz: Number = DEFAULT_SAMPLE_HZ
    allow_busy: bool = False
    condition_memory: bool = True
    prepared_with: str = ""


class Job(RunConditions, frozen=True, forbid_unknown_fields=True):
    """One load to watch: the first line of a worker's standard input.

    `subset` are the tensors, blocks or the slice that are wanted; a portion begins at
    `portion_place` (0 to 1) of where it can lie. Without `looks_for_users` it is not asked who uses
    the file, which looks at all processes. A load that takes longer than `most_load_ns` is ended
    then, and does not count. Where a `program` is watched, the configuration's library is PROGRAM.
    """

    path: str
    config: LoadConfig
    strategy: str = "custom"
    cache: Cache = "as-is"
    verify: bool = False
    portion_place: Number = 0.0
    subset: Subset = WHOLE
    looks_for_users: bool = True
    most_load_ns: Amount | None = None
    program: WatchedProgram | None = None
    protocol: Integer = PROTOCOL


CacheMoment = Literal["before", "during", "after"]

MOST_LINE = 300
"""Characters of a line that a program prints; what follows is cut off."""
MOST_ARRIVALS = 16
"""Stretches of a block's arrivals. Of more those closest to each other are told as one: a stream
stays small whatever the order of the requests.
"""


class DeviceActivity(msgspec.Struct, frozen=True, omit_defaults=True):
    """The block device over one sampling interval, as `iostat -x` shows it."""

    reads_per_s: Number
    read_bytes_per_s: Number
    mean_request_bytes: Number | None = None
    read_await_ns: Number | None = None
    queue_depth: Number | None = None
    busy_share: Number | None = None
    writes_per_s: Number | None = None
    write_bytes_per_s: Number | None = None


class Counters(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a load has used since it began, or in a part of it; None is *not available here*.

    `device_bytes` were fetched from storage on behalf of its processes; `decode_ns` is the CPU time
    of the decoders, None where nothing is decoded. Samples, totals of processes and parts of
    a wait are Counters; LoadFigures have each by its name, in the order of old tables.
    """

    device_bytes: Integer | None = None
    cpu_user_ns: Integer | None = None
    cpu_system_ns: Integer | None = None
    decode_ns: Integer | None = None
    minor_faults: Integer | None = None
    major_faults: Integer | None = None


class Levels(Counters, frozen=True, omit_defaults=True, kw_only=True):
    """Counters, with what a look at the processes shows besides.

    `queued_ns` is how long one of a watched program's threads could run and had no processor;
    `lock_ns` and `network_ns` how long none ran and one waited for the lock of a file or the
    network. `processes` and `connections` (to other machines) are those it began that were seen:
    short ones may be missed. `waiting_share` are the readers that wait for storage now (threads in
    state D), of those that don't sleep.
    """

    queued_ns: Integer | None = None
    lock_ns: Integer | None = None
    network_ns: Integer | None = None
    processes: Integer | None = None
    connections: Integer | None = None
    rss_anon_bytes: Integer | None = None
    rss_file_bytes: Integer | None = None
    rss_shared_bytes: Integer | None = None
    waiting_share: Number | None = None


class Sample(Levels, Event, frozen=True, tag="sample"):
    """What was seen at `t_ns`; `late_ns` is how much later than planned.

    `delivered_bytes` and `warmup_bytes` (None without a warm-up) are totals; over the last interval
    are `iowait_share`, of the whole system's CPU time, and `psi_io_share`, of wall time.
    """

    t_ns: Integer
    late_ns: Integer
    delivered_bytes: Amount
    warmup_bytes: Integer | None = None
    device: DeviceActivity | None = None
    iowait_share: Number | None = None
    psi_io_share: Number | None = None
    available_bytes: Integer | None = None


class Chunks(Event, frozen=True, tag="chunks"):
    """Finished requests of one reader, as parallel columns: what was asked, where, when.

    `decode_ns` is what decoding took of each, and `wait_ns` how long its bytes waited for that;
    both empty where nothing is decoded.
    """

    reader: Annotated[int, msgspec.Meta(ge=0, lt=MAX_READERS * MAX_RANKS)]
    shard: tuple[Amount, ...]
    offset_bytes: tuple[Amount, ...]
    nbytes: tuple[Amount, ...]
    start_ns: tuple[Integer, ...]
    end_ns: tuple[Integer, ...]
    decode_ns: tuple[Integer, ...] = ()
    wait_ns: tuple[Integer, ...] = ()


class CacheMap(Event, frozen=True, tag="cache-map"):
    """Where in the files, of all shards, the cached pages lay at `t_ns`; looking took `took_ns`.

    `before` is just before `ready`, `after` when the last byte was there. `during` comes at
    most twice a second, and not at all where it would disturb the load.
    """

    moment: CacheMoment
    t_ns: Integer
    took_ns: Integer
    map: ResidencyMap


class BlockTiming(msgspec.Struct, frozen=True, omit_defaults=True):
    """One block: bytes so far, when its last byte came, and its part of the load time.

    `busy_ns` is the sum over its requests of duration times the block's share of the
    request's bytes, divided by the requests in flight: all blocks add up to the time in
    which at least one request was under way. `ready_ns` is None until it is complete.
    `decode_ns` is the part of it in which values were decoded, `wait_ns` that in which bytes that
    had been read waited for a decoder; the rest is reading. None where nothing is decoded.
    `arrivals_ns` are the starts and ends of the stretches in which readers asked for the block
    and nothing else, sorted and apart: the first begins with the first request.
    """

    name: str
    nbytes: Integer
    busy_ns: Integer
    requests: Integer
    ready_ns: Integer | None = None
    arrivals_ns: Annotated[
        tuple[tuple[Integer, Integer], ...], msgspec.Meta(max_length=MOST_ARRIVALS)
    ] = ()
    decode_ns: Integer | None = None
    wait_ns: Integer | None = None

    @property
    def requested_ns(self) -> int | None:
        """When its first byte was asked for; None where that is not recorded."""
        return self.arrivals_ns[0][0] if self.arrivals_ns else None

    @property
    def arriving_ns(self) -> int | None:
        """How long bytes of it arrived, without the waits between; None where not recorded."""
        return sum(end - start for start, end in self.arrivals_ns) if self.arrivals_ns else None


class Blocks(Event, frozen=True, tag="blocks"):
    """Per-block timings so far, blocks in execution order; the last one is final."""

    blocks: tuple[BlockTiming, ...]


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
    """Told by earlier versions only: a warm-up is over."""


class PrintedLine(Event, frozen=True, tag="printed"):
    """A line that a watched program has printed, without what looks like a secret."""

    t_ns: Integer
    line: Annotated[str, msgspec.Meta(max_length=MOST_LINE)]


class Waiting(Event, frozen=True, tag="waiting"):
    """A watched program has read nothing of the model for some seconds: `what` is seen of it.
    Without any, that is over.
    """

    t_ns: Integer
    what: Message = NOTHING


StartState = Literal["cold", "cold-here", "warm", "mixed", "unknown"]


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
    was not traced, before it opened the model. `libraries` are those that it had mapped when it
    began to read the model.
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
    libraries: Libraries | None = None
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


AnyEvent = (
    Hello
    | Planned
    | Progress
    | Ready
    | Started
    | Phase
    | Waiting
    | PrintedLine
    | Sample
    | CacheMap
    | Chunks
    | Blocks
    | RunWarning
    | Finished
    | Failed
)

_encoder = msgspec.json.Encoder(enc_hook=to_wire)
_decoder = msgspec.json.Decoder(AnyEvent, dec_hook=from_wire)
_EVENT_TYPES = frozenset(str(kind.__struct_config__.tag) for kind in AnyEvent.__args__)


class _Tag(msgspec.Struct):
    event: str = ""


_tag_decoder = msgspec.json.Decoder(_Tag)


def encode(event: AnyEvent) -> bytes:
    """One event as one line."""
    return _encoder.encode(event) + b"\n"


def decode(line: bytes | str) -> AnyEvent:
    """The event in `line`; an unknown type becomes a RunWarning of kind `unknown-event`.

    Raises one of UNDECODABLE for a line that is not an event.
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
