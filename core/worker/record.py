"""A run as its events tell it: the same code reads a live stream, a saved one, and replays it.

It never trusts a stream: what does not fit what came before is refused, with the reason.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import partial
from struct import pack
from typing import TYPE_CHECKING, Literal

from modelmon.core.errors import EXIT_USAGE, ConfigError, ModelmonError
from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.messages import NOTHING, Message
from modelmon.core.model.open import why_no_model
from modelmon.core.terminal_safe import harmless
from modelmon.core.units import MIB
from modelmon.core.worker import events as ev
from modelmon.core.worker.command_words import taken_apart
from modelmon.core.worker.program_phases import MOST_LINES, Line, Printed
from modelmon.core.worker.run_warnings import RunWarning

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

State = Literal["new", "preparing", "ready", "loading", "finished", "failed"]
_OPEN_A_RECORDING = Message("Open a .jsonl file that modelmon run --record has written.")


class ProtocolError(ModelmonError):
    """A stream of events that no worker of this version can have written."""

    exit_code = EXIT_USAGE


UNREADABLE = (*UNDECODABLE, ConfigError, ProtocolError)
"""What comes of a line that is no event, or one that does not fit."""


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


class RunRecord:
    """Everything known of one run so far; `feed` it each event in order.

    `state` goes new → preparing → ready → loading → finished, or ends in failed from
    anywhere. An event that does not fit the state raises ProtocolError.
    """

    def __init__(self) -> None:
        self.source = ""
        """What `modelmon report` calls it: its file, or its number in the history."""
        self.state: State = "new"
        self.hello: ev.Hello | None = None
        self.planned: ev.Planned | None = None
        self.progress: ev.Progress | None = None
        self.ready: ev.Ready | None = None
        self.pid = 0
        """The program that is watched, on its machine; 0 for loaders."""
        self.waiting = NOTHING
        """What a program is seen to do that has read nothing for some seconds."""
        self.printed = Printed()
        """What a watched program prints, and the phases that follow from it."""
        self.samples: list[ev.Sample] = []
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
    def is_warming(self) -> bool:
        """Whether the page cache is being filled for a load that is under way."""
        warms = self.hello is not None and self.hello.job.config.warmup != "none"
        return warms and self.state == "loading" and not self.delivered_bytes

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
        if not isinstance(event, RunWarning) and self.state not in _STATES[type(event)]:
            kind = type(event).__name__
            if self.done:
                raise ProtocolError(Message("{kind} came after the last event.", kind=kind))
            raise ProtocolError(
                Message("{kind} came while the run was {state}.", kind=kind, state=self.state)
            )
        self._take(event)
        self.state = _LEADS_TO.get(type(event), self.state)

    def _take(self, event: ev.AnyEvent) -> None:  # noqa: PLR0912  one line for each kind
        match event:
            case ev.Sample():
                # A load may be over before the sampler knows: the closing sample has its end.
                while self.samples and self.samples[-1].t_ns > event.t_ns:
                    self.samples.pop()
                # An earlier version recorded all of them.
                if len(self.samples) > 1 and not ev.is_due(
                    self.samples[-1].t_ns, self.samples[-2].t_ns
                ):
                    self.samples.pop()
                self.samples.append(event)
            case ev.Chunks():
                self._take_chunks(event)
            case ev.Blocks():
                self.blocks = event.blocks
            case ev.CacheMap():
                if not event.map.is_sound:
                    raise ProtocolError(Message("A map of the page cache does not fit its files."))
                self.cache_maps.append(event)
            case ev.Phase():
                pass
            case ev.Waiting():
                self.waiting = event.what
            case ev.PrintedLine():
                if len(self.printed.lines) < MOST_LINES:
                    self.printed.add(Line(event.t_ns, event.line))
            case ev.Progress():
                self.progress = event
            case ev.Hello():
                self._take_hello(event)
            case ev.Planned():
                shards = len(event.shard_paths), len(event.shard_bytes)
                blocks = len(event.block_names), len(event.block_bytes)
                if shards[0] != shards[1] or blocks[0] != blocks[1]:
                    raise ProtocolError(Message("A plan has names and sizes of different numbers."))
                self.planned = event
            case ev.Ready():
                self.ready = event
            case ev.Started():
                self.pid = event.pid
            case ev.Finished():
                self.finished = event
            case ev.Failed():
                self.failed = event
            case RunWarning():
                self.warnings.append(event)

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
        if event.job.program is not None:
            self.printed.is_python = taken_apart(event.job.program.command).is_python

    def _take_chunks(self, event: ev.Chunks) -> None:
        shards = len(self.planned.shard_bytes) if self.planned else 0
        last = max(event.shard, default=-1)
        if last >= shards:
            raise ProtocolError(
                Message("A request read shard {shard} of {shards}.", shard=last, shards=shards)
            )
        self.chunks.extend(event)


_STATES: dict[type, tuple[State, ...]] = {
    ev.Sample: ("loading",),
    ev.Chunks: ("loading",),
    ev.Blocks: ("loading",),
    ev.Phase: ("loading",),
    ev.Waiting: ("loading",),
    ev.PrintedLine: ("loading",),
    ev.CacheMap: ("preparing", "loading"),
    ev.Progress: ("preparing", "loading"),
    ev.Hello: ("new",),
    ev.Planned: ("preparing",),
    ev.Ready: ("preparing",),
    ev.Started: ("ready",),
    ev.Finished: ("loading",),
    ev.Failed: ("new", "preparing", "ready", "loading"),
}
"""When an event may come."""
_LEADS_TO: dict[type, State] = {
    ev.Hello: "preparing",
    ev.Ready: "ready",
    ev.Started: "loading",
    ev.Finished: "finished",
    ev.Failed: "failed",
}


def record_of(stream: Iterable[ev.AnyEvent]) -> RunRecord:
    """The record of a whole stream of events."""
    record = RunRecord()
    for event in stream:
        record.feed(event)
    return record


_MOST_LINE_BYTES = 64 * MIB


def read_record(path: Path, seen: Callable[[int], None] = lambda _: None) -> RunRecord:
    """The run saved in a `.jsonl` file.

    A file that breaks off (its writer was killed), or that is damaged after the load had begun,
    gives a failed record that says so. `seen` is told of each line how many bytes were read with
    it; what it raises ends the reading. Raises ProtocolError when the file is not a recording.
    """
    record = RunRecord()
    read_bytes = number = 0
    broken = Message("The recording breaks off before the load ended.")
    try:
        with path.open("rb") as lines:
            each = iter(partial(lines.readline, _MOST_LINE_BYTES), b"")
            for number, line in enumerate(each, start=1):  # noqa: B007  named where it fails
                if not line.endswith(b"\n"):
                    break
                read_bytes += len(line)
                seen(read_bytes)
                record.feed(ev.decode(harmless(line)))
    except OSError as error:
        raise ProtocolError(
            Message("Couldn't read {path}: {reason}.", path=path, reason=error.strerror)
        ) from error
    except UNREADABLE as error:
        if not record.samples or record.done:
            if number == 1 and not isinstance(error, ProtocolError):
                raise _no_recording(path) from error
            raise ProtocolError(
                Message(
                    "{path} is not a recording of this version: line {number}: {reason}",
                    path=path,
                    number=number,
                    reason=error,
                ),
                _OPEN_A_RECORDING,
            ) from error
        broken = Message("The recording is damaged from line {number} on.", number=number)
    if record.hello is None:
        raise _no_recording(path)
    if not record.done:
        record.feed(ev.Failed("internal", broken))
    return record


def _no_recording(path: Path) -> ProtocolError:
    """Why it is none; models are chosen in place of recordings now and then."""
    if not why_no_model(path):
        return ProtocolError(
            Message("{path} is a model, not a recording.", path=path),
            Message("Open it as a model."),
        )
    return ProtocolError(Message("{path} is not a recording.", path=path), _OPEN_A_RECORDING)


_COLUMNS = ("reader", "shard", "offset_bytes", "nbytes", "start_ns", "end_ns")


class Rewind:
    """A run that is over, as its record was at any moment: what replay shows.

    Forwards the record grows, as a live one does. A request is known when it has ended. A block is
    known when its last byte has come, with its final figures; before that only when its bytes
    arrived, for what its requests tell besides is not recorded. At the end the whole record itself
    is given.
    """

    def __init__(self, whole: RunRecord) -> None:
        self.whole = whole
        self._sample_ns = [sample.t_ns for sample in whole.samples]
        order = sorted(range(len(whole.chunks)), key=whole.chunks.end_ns.__getitem__)
        self._chunks = ChunkTable()
        for name in _COLUMNS:
            column: array[int] = getattr(whole.chunks, name)
            setattr(self._chunks, name, array("q", [column[at] for at in order]))
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
        whole = self.whole
        if t_ns < self._at_ns or self._at_ns < 0:
            self._record = record = RunRecord()
            record.hello, record.planned, record.ready = whole.hello, whole.planned, whole.ready
            record.warnings, record.printed = whole.warnings, whole.printed
            record.state = "loading"
        self._at_ns, record = t_ns, self._record
        last = bisect_right(self._sample_ns, t_ns)
        record.samples.extend(whole.samples[len(record.samples) : last])
        first, stop = len(record.chunks), bisect_right(self._chunks.end_ns, t_ns)
        for name in _COLUMNS:
            column: array[int] = getattr(record.chunks, name)
            column.extend(getattr(self._chunks, name)[first:stop])
        record.cache_maps = [
            each for each in whole.cache_maps if each.t_ns <= t_ns and each.moment != "after"
        ]
        known = (_known_block(block, t_ns) for block in whole.blocks)
        record.blocks = tuple(block for block in known if block is not None)
        return record


def _known_block(block: ev.BlockTiming, t_ns: int) -> ev.BlockTiming | None:
    """What is known of a block at a moment; nothing before its first request."""
    if block.ready_ns is not None and block.ready_ns <= t_ns:
        return block
    begun = tuple((start, min(end, t_ns)) for start, end in block.arrivals_ns if start < t_ns)
    return ev.BlockTiming(block.name, 0, 0, 0, arrivals_ns=begun) if begun else None
