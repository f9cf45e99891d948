"""What came of one load: the figures of its record, as they are compared, saved and exported.

A figure is declared once, in LoadFigures (events.py) or here; rows of the history, reports and
tables are RunFigures and more. Of a program's wait there are parts besides.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal, TypeVar

import msgspec

from modelmon.core.errors import BusyError, CancelledError, LoadFailedError, ModelmonError
from modelmon.core.limited_numbers import Amount, Number, UnixTime
from modelmon.core.load.config import LoadConfig
from modelmon.core.machine.cgroup import CgroupLimit
from modelmon.core.machine.libraries import Libraries
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import percent_text
from modelmon.core.worker.events import Cache, DeviceActivity, LoadFigures, MemoryPressure
from modelmon.core.worker.run_warnings import VERIFIED, RunWarning
from modelmon.core.worker.wait_parts import WaitPart, measured_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.worker.events import BlockTiming, Failed
    from modelmon.core.worker.record import ChunkTable, RunRecord


Timed = Literal["ready", "reading"]
"""What is compared of programs: from their start until they are ready, or from the first to the
last byte of the model."""

UNSAID = "quiet or exit"
"""What has shown that a program was ready of which nobody said how."""

# Readahead and alignment add some percent.
_READ_AROUND_SHARE = 0.1


class RunFigures(LoadFigures, frozen=True, omit_defaults=True, kw_only=True):
    """One load, summed up, but for what is nested: a result and the history's row are more.

    What was asked for, and what was known before the load, is beside the figures of the load.
    Units are in the names; None is *not available here*.

    `load_bytes` is what was delivered, each rank's counted; `file_bytes` are the distinct
    bytes of the files among it; `read_bytes` are those that were asked for, with what lies
    between slices. A `portion` stands for the whole and is `extrapolated` to
    `model_bytes`; `subset` says what else was chosen of the model. `why_not` says in a sentence
    why a run does not count. `conditioned_bytes` of free memory were touched before, and
    `prepared_with` is the command that was run before. `ready` is what showed that a watched
    program had loaded, `command` its command line; both are empty for other loads. `setup_ns` is
    all that a worker did before the load.
    `files_mark` differs when a file was replaced or written to.
    `pair` numbers the neighbours of a comparison, which compares the part that is `timed`, or all
    of a load of modelmon's own.
    """

    strategy: str
    load_bytes: Amount
    model_bytes: Amount
    cache_asked: Cache
    started_unix_s: UnixTime
    why_not: Message = NOTHING
    residency_before_share: Number | None = None
    conditioned_bytes: Amount = 0
    pair: Amount = 0
    samples: Amount = 0
    requests: Amount = 0
    file_bytes: Amount = 0
    read_bytes: Amount = 0
    portion: bool = False
    subset: str = ""
    library_version: str = ""
    open_ns: Amount = 0
    plan_ns: Amount = 0
    startup_ns: Amount = 0
    cpu_count: Amount = 0
    cache_ns: Amount = 0
    conditioning_ns: Amount = 0
    setup_ns: Amount = 0
    prepared_with: str = ""
    ready: str = ""
    command: str = ""
    timed: Timed = "ready"
    tensors: Amount = 0
    storage_kind: str = ""
    files_mark: str = ""

    @property
    def bytes_per_s(self) -> float:
        """Delivered bytes per second of wall time."""
        return self.load_bytes * 1e9 / self.wall_ns if self.wall_ns else 0.0

    @property
    def timed_ns(self) -> int:
        """What a comparison compares."""
        return self.reading_ns if self.timed == "reading" else self.wall_ns

    @property
    def is_program(self) -> bool:
        """Whether somebody else's program was watched, from its start until it was ready."""
        return bool(self.ready)

    @property
    def extrapolated(self) -> bool:
        """Whether a part stands for the whole model."""
        return self.portion

    @property
    def part_share(self) -> float | None:
        """How much of the model was loaded; None where that was all of it."""
        if not (self.portion or self.subset) or not self.model_bytes:
            return None
        return (self.file_bytes or self.load_bytes) / self.model_bytes

    @property
    def mapped_share(self) -> float | None:
        """How much of what was delivered is the page cache's own memory; None where it is not
        known.
        """
        if self.mapped_bytes is None or not self.load_bytes:
            return None
        return min(1.0, self.mapped_bytes / self.load_bytes)

    @property
    def amplification(self) -> float | None:
        """Bytes from the device ÷ distinct wanted bytes of the files; None where either is
        unknown.
        """
        if self.device_bytes is None or not self.file_bytes:
            return None
        return self.device_bytes / self.file_bytes

    @property
    def other_setup_ns(self) -> int:
        """What came before the load and is none of the phases that are told one by one; 0 where
        the whole is not known.
        """
        told = self.open_ns + self.plan_ns + self.startup_ns + self.cache_ns + self.conditioning_ns
        return max(0, self.setup_ns - told)

    @property
    def asked_bytes(self) -> int:
        """Distinct bytes that were asked for, as far as the run tells them."""
        return self.read_bytes or self.file_bytes or self.load_bytes

    @property
    def fetched_share(self) -> float | None:
        """Bytes from the device ÷ distinct bytes asked for; None where either is unknown."""
        if self.device_bytes is None or not self.file_bytes:
            return None
        return self.device_bytes / self.asked_bytes

    @property
    def read_around_share(self) -> float:
        """What came from the device beside what was asked for of a portion, by its size: so much
        too long its time for the whole may be. 0 where that is little, or all was loaded. What
        lies between slices is asked for in the whole as well.
        """
        beside = (self.fetched_share or 1.0) - 1
        return beside if self.portion and beside > _READ_AROUND_SHARE else 0.0

    @property
    def model_wall_ns(self) -> float:
        """Time for the whole model; extrapolated by bytes where a part was loaded."""
        read = self.file_bytes or self.load_bytes
        return self.timed_ns * self.model_bytes / read if self.portion and read else self.timed_ns


Figures = TypeVar("Figures", bound=RunFigures)


class RunResult(RunFigures, frozen=True, omit_defaults=True):
    """One load, summed up: what an experiment compares, saves and hands to the history.

    `limits` of the control groups held when it began; None where they are not known.
    `why_no_trace`, `trace_remedy`, `other_device_bytes` and `libraries` are those of `Finished`. Of
    a program that was traced `traced_readers` are the threads that read the model, those of
    `modelmon launch` included, and `jump_share` is the share of their requests that began elsewhere
    than where the last one ended. `decoding_share` is the share of all requests' time in which what
    was read was decoded or waited for a decoder; None where nothing is decoded. `parts` are those
    of a program's wait, in order; empty of other loads, and of those that earlier versions have
    kept.
    """

    config: LoadConfig
    warnings: tuple[RunWarning, ...] = ()
    device: DeviceActivity | None = None
    memory: MemoryPressure | None = None
    limits: tuple[CgroupLimit, ...] | None = None
    why_no_trace: Message = NOTHING
    trace_remedy: Message = NOTHING
    other_device_bytes: Amount | None = None
    libraries: Libraries | None = None
    traced_readers: Amount | None = None
    jump_share: Number | None = None
    decoding_share: Number | None = None
    parts: tuple[WaitPart, ...] = ()

    @property
    def cut_off(self) -> RunWarning | None:
        """The warning that it was ended for taking too long; None if it was not."""
        return next((told for told in self.warnings if told.kind == "cut-off"), None)

    @property
    def file_change(self) -> RunWarning | None:
        """The warning that the model was changed during the experiment; None if it was not."""
        return next((told for told in self.warnings if told.kind == "file-changed"), None)


def middle_run(runs: Iterable[Figures]) -> Figures | None:
    """The run in the middle by the time that is compared, the faster of two; None of no run."""
    ranked = sorted(runs, key=lambda run: run.timed_ns)
    return ranked[(len(ranked) - 1) // 2] if ranked else None


class RunFailedError(LoadFailedError):
    """A run ended without a result; `failed` is what its worker said."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(failed.message, failed.remedy)
        self.failed = failed
        self.exit_code = 2 if failed.kind in ("model", "config") else 1

    def of(self, label: str) -> RunFailedError:
        """The same, of a run of this arm."""
        message = Message("{label}: {why}", label=label, why=self.failed.message)
        return RunFailedError(msgspec.structs.replace(self.failed, message=message))


def failure_of(record: RunRecord) -> ModelmonError:
    """The error that ended a run which did not finish."""
    if record.failed is None:
        return LoadFailedError(Message("The run didn't finish."))
    if record.failed.kind == "cancelled":
        return CancelledError(record.failed.message, record.failed.remedy)
    if record.failed.kind == "busy":
        return BusyError(record.failed.message, record.failed.remedy)
    return RunFailedError(record.failed)


def _decoding_share(blocks: Sequence[BlockTiming]) -> float | None:
    """Share of the requests' time; None where nothing is decoded."""
    busy_ns = sum(block.busy_ns for block in blocks)
    decoded_ns = [block.decode_ns for block in blocks if block.decode_ns is not None]
    waited_ns = sum(block.wait_ns or 0 for block in blocks)
    return (sum(decoded_ns) + waited_ns) / busy_ns if decoded_ns and busy_ns else None


_LEAST_SHARE = 0.05
"""Of the requests: who makes fewer reads a header, or what others left."""


def jumps_of(chunks: ChunkTable) -> tuple[int | None, float | None]:
    """How many readers these requests had, and the share of them that began elsewhere than where
    the last one, of any reader, ended; None where there are hardly any.
    """
    count = len(chunks)
    if count < 2:
        return None, None
    jumps, end = 0, (-1, 0)
    for at in sorted(range(count), key=chunks.start_ns.__getitem__):
        place = chunks.shard[at], chunks.offset_bytes[at]
        jumps += place != end
        end = place[0], place[1] + chunks.nbytes[at]
    requests = Counter(chunks.reader).values()
    readers = sum(each >= _LEAST_SHARE * count for each in requests)
    return readers, (jumps - 1) / (count - 1)


def summarise(record: RunRecord) -> RunResult:
    """The result of a finished run; raises its error if it did not finish.

    What its events call by the same name is the same figure.
    """
    done, hello, planned, ready = record.finished, record.hello, record.planned, record.ready
    if done is None or hello is None or planned is None or ready is None:
        raise failure_of(record)
    warnings = list(record.warnings)
    if hello.job.verify and VERIFIED not in warnings:
        # Recorded before such runs were marked.
        warnings.append(VERIFIED)
    counts = done.counts and all(warning.counts for warning in warnings)
    reasons = [warning.message for warning in warnings if not warning.counts]
    if done.checksum_matches is False:
        reasons.append(Message("The loaded bytes differ from the file's."))
    told = {
        name: getattr(event, name)
        for event in (hello, planned, ready, done)
        for name in RunResult.__struct_fields__
        if name in event.__struct_fields__
    }
    told["counts"] = counts
    readers, jumps = jumps_of(record.chunks) if done.seen_by == "trace" else (None, None)
    return RunResult(
        **told,
        strategy=hello.job.strategy,
        config=hello.job.config,
        # Of a load that was ended only a part came, and a program takes what it wants.
        load_bytes=min(planned.planned_bytes, done.delivered_bytes)
        if hello.job.program or any(warning.kind == "cut-off" for warning in warnings)
        else planned.planned_bytes,
        cache_asked=hello.job.cache,
        why_not=NOTHING if counts else joined(reasons),
        residency_before_share=ready.residency_share,
        warnings=tuple(warnings),
        portion=hello.job.portion_bytes is not None and planned.file_bytes < planned.model_bytes,
        subset=hello.job.subset.text,
        prepared_with=hello.job.prepared_with,
        ready=hello.job.program.ready or UNSAID if hello.job.program else "",
        command=hello.job.program.command if hello.job.program else "",
        traced_readers=readers,
        jump_share=jumps,
        decoding_share=_decoding_share(record.blocks),
        parts=measured_parts(record) if hello.job.program else (),
    )


_KINDS = {
    "mapped": (
        Message("memory-mapped (reclaimable)"),
        Message("Memory-mapped (reclaimable): the kernel may drop the bytes and read them again."),
    ),
    "owned": (
        Message("private copy"),
        Message("Private copy: the kernel can't drop the bytes."),
    ),
    "streamed": (
        Message("streamed through a small buffer"),
        Message("Streamed through a small buffer: no bytes are kept in memory."),
    ),
}
"""Where the bytes are, as a clause and as a sentence."""
_UNSEEN = (
    Message("not seen in the program's own memory"),
    Message("Not seen in the program's own memory."),
)


def memory_text(run: RunFigures) -> Message:
    """Where the bytes are, as a line, a cell or a chip has it."""
    share = run.mapped_share
    if run.memory_kind == "mixed" and share is not None:
        return Message(
            "{mapped} memory-mapped, {private} private",
            mapped=percent_text(share),
            private=percent_text(1 - share),
        )
    return _KINDS.get(run.memory_kind, _UNSEEN)[0]


def memory_meaning(run: RunFigures) -> Message:
    """Where the bytes are, and what that means, as a sentence."""
    if run.memory_kind == "mixed" and run.mapped_share is not None:
        return Message(
            "{where}: the kernel may drop the mapped part and read it again.",
            where=memory_text(run),
        )
    return _KINDS.get(run.memory_kind, _UNSEEN)[1]
