"""A run as its events tell it: the same code reads a live stream and a saved one."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from struct import pack
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import structs

from modelmon.core.errors import EXIT_USAGE, ConfigError, ModelmonError
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.open import why_no_model
from modelmon.core.terminal_safe import harmless
from modelmon.core.worker import events as ev
from modelmon.core.worker.events import BlockTiming, DeviceActivity, Sample
from modelmon.core.worker.printed import MOST_LINES, Line, Printed
from modelmon.core.worker.run_warnings import RunWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    Rule = Callable[[list[Any]], Any]


State = Literal["new", "preparing", "ready", "loading", "finished", "failed"]


class ProtocolError(ModelmonError):
    """A stream of events that no worker of this version can have written."""

    exit_code = EXIT_USAGE


class ChunkTable:
    """Finished requests as columns of signed 64-bit integers, in order of arrival.

    Columns: reader, shard, offset_bytes, nbytes, start_ns, end_ns (since the start).
    `numpy.frombuffer(table.start_ns, dtype="i8")` views a column without a copy.
    """

    def __init__(self) -> None:
        self.reader = array("q")
        self.shard = array("q")
        self.offset_bytes = array("q")
        self.nbytes = array("q")
        self.start_ns = array("q")
        self.end_ns = array("q")
        self.merged = 1.0

    def __len__(self) -> int:
        return len(self.reader)

    def extend(self, chunks: ev.Chunks) -> None:
        """Append one event's columns."""
        columns = (chunks.shard, chunks.offset_bytes, chunks.nbytes, chunks.start_ns, chunks.end_ns)
        beside = (each for each in (chunks.decode_ns, chunks.wait_ns) if each)
        if len({len(column) for column in (*columns, *beside)}) != 1:
            raise ProtocolError(Message("A chunks event has columns of different lengths."))
        self.reader.extend(array("q", (chunks.reader,)) * len(chunks.shard))
        mine = (self.shard, self.offset_bytes, self.nbytes, self.start_ns, self.end_ns)
        for column, values in zip(mine, columns, strict=True):
            # `extend` takes three times as long, since it parses each number like an argument: that
            # was an eighth of what the window took while it watched a load with many requests.
            column.frombytes(pack(f"{len(values)}q", *values))
        self.merged = max(self.merged, chunks.merged)


class RunRecord:
    """Everything known of one run so far; `feed` it each event in order.

    `state` goes new → preparing → ready → loading → finished, or ends in failed from
    anywhere. An event that does not fit the state raises ProtocolError. Of runs over five
    minutes older samples are joined (Thinning); the stream itself holds them all.
    """

    def __init__(self) -> None:
        self.state: State = "new"
        self.hello: ev.Hello | None = None
        self.planned: ev.Planned | None = None
        self.progress: ev.Progress | None = None
        self.ready: ev.Ready | None = None
        self.pid = 0
        """The program that is watched, on its machine; 0 for loaders."""
        self.phases: list[ev.Phase] = []
        self.waiting = NOTHING
        """What a program is seen to do that has read nothing for some seconds."""
        self.printed = Printed()
        """What a watched program prints, and the phases that follow from it."""
        self.samples: list[ev.Sample] = []
        self._thinning = Thinning(self.samples)
        self.heard_ns = 0
        """When the latest sample came, by this machine's clock; 0 where nobody follows the run."""
        self.cache_maps: list[ev.CacheMap] = []
        self.chunks = ChunkTable()
        self.blocks: tuple[ev.BlockTiming, ...] = ()
        self.warnings: list[RunWarning] = []
        self.finished: ev.Finished | None = None
        self.failed: ev.Failed | None = None

    @property
    def done(self) -> bool:
        """Whether the last event has come."""
        return self.state in ("finished", "failed")

    @property
    def t_ns(self) -> int:
        """Time since the start that the record covers."""
        if self.finished is not None:
            return self.finished.wall_ns
        return self.samples[-1].t_ns if self.samples else 0

    def clock_ns(self, now_ns: int) -> int:
        """Time since the start: a clock that runs on while storage keeps samples from coming."""
        return self.t_ns + (now_ns - self.heard_ns if self.heard_ns and not self.done else 0)

    @property
    def delivered_bytes(self) -> int:
        """Bytes delivered so far."""
        if self.finished is not None:
            return self.finished.delivered_bytes
        return self.samples[-1].delivered_bytes if self.samples else 0

    @property
    def delivered_share(self) -> float:
        """Delivered ÷ planned bytes, 0 to 1."""
        planned = self.planned.planned_bytes if self.planned else 0
        return self.delivered_bytes / planned if planned else 0.0

    @property
    def bytes_per_s(self) -> float:
        """Delivered bytes ÷ the time so far; 0 before there is any."""
        return self.delivered_bytes * 1e9 / self.t_ns if self.t_ns else 0.0

    @property
    def part_share(self) -> float | None:
        """How much of the model is loaded; None where that is all of it, or a program's choice."""
        planned, hello = self.planned, self.hello
        if planned is None or hello is None or not planned.model_bytes:
            return None
        if hello.job.portion_bytes is None and hello.job.subset.is_whole:
            return None
        share = (planned.file_bytes or planned.planned_bytes) / planned.model_bytes
        return share if share < 1 else None

    def feed(self, event: ev.AnyEvent) -> None:
        """Take in the next event of the stream."""
        if isinstance(event, RunWarning):
            self.warnings.append(event)
            return
        if self.done:
            raise ProtocolError(
                Message("{kind} came after the last event.", kind=type(event).__name__)
            )
        rule = _RULES.get(type(event))
        if rule is None:
            return
        states, take = rule
        if self.state not in states:
            raise ProtocolError(
                Message(
                    "{kind} came while the run was {state}.",
                    kind=type(event).__name__,
                    state=self.state,
                )
            )
        take(self, event)

    def _take_hello(self, event: ev.Hello) -> None:
        if event.protocol != ev.PROTOCOL:
            raise ProtocolError(
                Message(
                    "The worker speaks protocol {protocol}, this program {ev_protocol}.",
                    protocol=event.protocol,
                    ev_protocol=ev.PROTOCOL,
                ),
                Message("Install the same modelmon version on both sides."),
            )
        self.hello = event
        self.state = "preparing"

    def _take_planned(self, event: ev.Planned) -> None:
        shards = len(event.shard_paths), len(event.shard_bytes)
        blocks = len(event.block_names), len(event.block_bytes)
        if shards[0] != shards[1] or blocks[0] != blocks[1]:
            raise ProtocolError(Message("A plan has names and sizes of different numbers."))
        self.planned = event

    def _take_progress(self, event: ev.Progress) -> None:
        self.progress = event

    def _take_ready(self, event: ev.Ready) -> None:
        self.ready = event
        self.state = "ready"

    def _take_started(self, event: ev.Started) -> None:
        self.pid = event.pid
        self.state = "loading"

    def _take_sample(self, event: ev.Sample) -> None:
        self._thinning.add(event)

    def _take_chunks(self, event: ev.Chunks) -> None:
        shards = len(self.planned.shard_bytes) if self.planned else 0
        if event.shard and max(event.shard) >= shards:
            raise ProtocolError(
                Message(
                    "A request read shard {shard} of {shards}.",
                    shard=max(event.shard),
                    shards=shards,
                )
            )
        self.chunks.extend(event)

    def _take_phase(self, event: ev.Phase) -> None:
        self.phases.append(event)

    def _take_waiting(self, event: ev.Waiting) -> None:
        self.waiting = event.what

    def _take_printed(self, event: ev.PrintedLine) -> None:
        if len(self.printed.lines) < MOST_LINES:
            self.printed.add(Line(event.t_ns, event.line))

    def _take_blocks(self, event: ev.Blocks) -> None:
        self.blocks = event.blocks

    def _take_cache_map(self, event: ev.CacheMap) -> None:
        if not event.map.is_sound:
            raise ProtocolError(Message("A map of the page cache does not fit its files."))
        self.cache_maps.append(event)

    def _take_finished(self, event: ev.Finished) -> None:
        self.finished = event
        self.state = "finished"

    def _take_failed(self, event: ev.Failed) -> None:
        self.failed = event
        self.state = "failed"


_Rule = tuple[tuple[State, ...], "Callable[..., None]"]
_WATCHING: tuple[State, ...] = ("loading",)
# Looked up for each event of a stream, of which a long run has a hundred thousand.
_RULES: dict[type[ev.Event], _Rule] = {
    ev.Sample: (_WATCHING, RunRecord._take_sample),
    ev.Chunks: (_WATCHING, RunRecord._take_chunks),
    ev.Blocks: (_WATCHING, RunRecord._take_blocks),
    ev.Phase: (_WATCHING, RunRecord._take_phase),
    ev.Waiting: (_WATCHING, RunRecord._take_waiting),
    ev.PrintedLine: (_WATCHING, RunRecord._take_printed),
    ev.CacheMap: (("preparing", *_WATCHING), RunRecord._take_cache_map),
    ev.Progress: (("preparing", "loading"), RunRecord._take_progress),
    ev.Hello: (("new",), RunRecord._take_hello),
    ev.Planned: (("preparing",), RunRecord._take_planned),
    ev.Ready: (("preparing",), RunRecord._take_ready),
    ev.Started: (("ready",), RunRecord._take_started),
    ev.Finished: (_WATCHING, RunRecord._take_finished),
    ev.Failed: (("new", "preparing", "ready", "loading"), RunRecord._take_failed),
}


def record_of(stream: Iterable[ev.AnyEvent]) -> RunRecord:
    """The record of a whole stream of events."""
    record = RunRecord()
    for event in stream:
        record.feed(event)
    return record


def read_record(path: Path, seen: Callable[[int], None] = lambda _: None) -> RunRecord:
    """The run saved in a `.jsonl` file.

    A file that breaks off (its writer was killed), or that is damaged after the load had begun,
    gives a failed record that says so. `seen` is told of each line how many bytes were read with
    it; what it raises ends the reading. Raises ProtocolError when the file is not a recording.
    """
    record = RunRecord()
    read_bytes = 0
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    break
                read_bytes += len(line)
                seen(read_bytes)
                try:
                    record.feed(ev.decode(harmless(line)))
                except (msgspec.DecodeError, ConfigError, ProtocolError, RecursionError) as error:
                    if record.samples and not record.done:
                        damage = Message(
                            "The recording is damaged from line {number} on.", number=number
                        )
                        record.feed(ev.Failed("internal", damage))
                        return record
                    if number == 1 and not isinstance(error, ProtocolError):
                        raise _no_recording(path) from error
                    raise ProtocolError(
                        Message(
                            "{path} is not a recording of this version: line {number}: {reason}",
                            path=path,
                            number=number,
                            reason=error,
                        ),
                        Message("Open a .jsonl file that modelmon run --record has written."),
                    ) from error
    except OSError as error:
        raise ProtocolError(
            Message("Couldn't read {path}: {reason}.", path=path, reason=error.strerror)
        ) from error
    if record.hello is None:
        raise _no_recording(path)
    if not record.done:
        record.feed(
            ev.Failed("internal", Message("The recording breaks off before the load ended."))
        )
    return record


def _no_recording(path: Path) -> ProtocolError:
    """Why it is none; models are chosen in place of recordings now and then."""
    if not why_no_model(path):
        return ProtocolError(
            Message("{path} is a model, not a recording.", path=path),
            Message("Open it as a model."),
        )
    return ProtocolError(
        Message("{path} is not a recording.", path=path),
        Message("Open a .jsonl file that modelmon run --record has written."),
    )


MOST_SAMPLES = 6_000
"""Five minutes at 20 Hz, which take some 6 MB. Of longer runs older samples are joined."""
RECENT_SAMPLES = 64
"""The latest stay as they came: who follows a run has seen them before they are joined."""


class Thinning:
    """Fills a list with samples and keeps it short: one for every 2, 4, 8… that came."""

    def __init__(self, samples: list[Sample]) -> None:
        self._samples = samples
        self._step = 1
        self._joined = 0

    def add(self, sample: Sample) -> None:
        """Append a sample, and join old ones where there are many.

        A load may be over before the sampler knows, and what it looked at meanwhile is part of the
        closing sample, which has the time of the end.
        """
        samples, first = self._samples, self._joined
        while samples and samples[-1].t_ns > sample.t_ns:
            sample = joined([samples.pop(), sample])
        samples.append(sample)
        if len(samples) - first < self._step + RECENT_SAMPLES:
            return
        if self._step > 1:
            samples[first : first + self._step] = [joined(samples[first : first + self._step])]
        self._joined += 1
        if self._joined == MOST_SAMPLES:
            old = samples[:MOST_SAMPLES]
            samples[:MOST_SAMPLES] = map(joined, zip(old[::2], old[1::2], strict=True))
            self._joined //= 2
            self._step *= 2


def joined(samples: Sequence[Sample]) -> Sample:
    """What a sampler that looks less often would have seen, with the peaks that it would miss.

    Time and totals are the last ones, shares and figures of the device are means over the
    samples that have them, memory in use and lateness are the highest, available memory the
    lowest. What no sample knows stays None.
    """
    looks = [sample.device for sample in samples if sample.device is not None]
    known = _reduced(Sample, samples, _JOINED_BY, _last)
    if looks:
        known["device"] = DeviceActivity(**_reduced(DeviceActivity, looks, {}, _mean))
    return Sample(**known)


def _reduced(
    kind: type[Sample | DeviceActivity],
    structures: Sequence[Sample | DeviceActivity],
    rules: Mapping[str, Rule],
    usual: Rule,
) -> dict[str, Any]:
    """One value for each field that any of them knows."""
    made = {}
    rows = zip(*map(structs.astuple, structures), strict=True)
    for name, column in zip(kind.__struct_fields__, rows, strict=True):
        known = [value for value in column if value is not None]
        if known:
            made[name] = rules.get(name, usual)(known)
    return made


def _last(known: list[Any]) -> Any:
    return known[-1]


def _mean(known: list[float]) -> float:
    return sum(known) / len(known)


_JOINED_BY: dict[str, Rule] = {
    "late_ns": max,
    "iowait_share": _mean,
    "psi_io_share": _mean,
    "waiting_share": _mean,
    "rss_anon_bytes": max,
    "rss_file_bytes": max,
    "rss_shared_bytes": max,
    "available_bytes": min,
}


MOST_REPLAYED = 4_000
"""Of longer runs evenly chosen samples are replayed; plots draw fewer stretches than these."""

_COLUMNS = ("reader", "shard", "offset_bytes", "nbytes", "start_ns", "end_ns")


class Rewind:
    """Gives the record of a run until any moment; forwards it grows, as a live one does.

    A request is known when it has ended. A block is known when its last byte has come, with its
    final figures; before that only when its bytes arrived, for what its requests tell besides is
    not recorded. At the end the whole record itself is given.
    """

    def __init__(self, whole: RunRecord) -> None:
        self.whole = whole
        self.step = max(1, -(-len(whole.samples) // MOST_REPLAYED))
        """Every how many samples one is replayed."""
        self._samples: list[Sample] = whole.samples[:: self.step]
        self._sample_ns = [sample.t_ns for sample in self._samples]
        self._chunks = _by_end(whole.chunks)
        self._record = RunRecord()
        self._at_ns = -1

    @property
    def end_ns(self) -> int:
        """The time that the record covers."""
        return self.whole.t_ns

    def until(self, t_ns: int) -> RunRecord:
        """The record at `t_ns` since the start; another object than before where that is back."""
        if t_ns >= self.end_ns:
            self._at_ns = self.end_ns
            return self.whole
        if t_ns < self._at_ns or self._at_ns < 0:
            self._record = self._begun()
        self._at_ns = t_ns
        self._grow(t_ns)
        return self._record

    def _begun(self) -> RunRecord:
        made, whole = RunRecord(), self.whole
        made.hello, made.planned, made.ready = whole.hello, whole.planned, whole.ready
        made.warnings = whole.warnings
        made.printed = whole.printed
        made.chunks.merged = whole.chunks.merged
        made.state = "loading"
        return made

    def _grow(self, t_ns: int) -> None:
        record = self._record
        last = bisect_right(self._sample_ns, t_ns)
        record.samples.extend(self._samples[len(record.samples) : last])
        stop = bisect_right(self._chunks.end_ns, t_ns)
        first = len(record.chunks)
        for name in _COLUMNS:
            column: array[int] = getattr(record.chunks, name)
            column.extend(getattr(self._chunks, name)[first:stop])
        record.cache_maps = [
            each for each in self.whole.cache_maps if each.t_ns <= t_ns and each.moment != "after"
        ]
        record.phases = [phase for phase in self.whole.phases if phase.t_ns <= t_ns]
        known = (_known_block(block, t_ns) for block in self.whole.blocks)
        record.blocks = tuple(block for block in known if block is not None)


def _known_block(block: BlockTiming, t_ns: int) -> BlockTiming | None:
    """What is known of a block at a moment; nothing before its first request."""
    if block.ready_ns is not None and block.ready_ns <= t_ns:
        return block
    begun = tuple((start, min(end, t_ns)) for start, end in block.arrivals_ns if start < t_ns)
    return BlockTiming(block.name, 0, 0, 0, arrivals_ns=begun) if begun else None


def _by_end(chunks: ChunkTable) -> ChunkTable:
    """The requests in the order in which they ended."""
    order = sorted(range(len(chunks)), key=chunks.end_ns.__getitem__)
    made = ChunkTable()
    for name in _COLUMNS:
        column: array[int] = getattr(chunks, name)
        setattr(made, name, array("q", [column[at] for at in order]))
    return made
