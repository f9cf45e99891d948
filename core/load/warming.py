"""Warming: a model's files brought into the page cache, for a program that reads them later.

What lies below a mount is hard to know, and so is how many readers it likes: that is found out on
the way. One reader begins, front to back; twice as many go on as long as that is faster. A second
one makes a hard disk seek, and is taken back; a network or a flash drive wants more.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.load.extents import Extent, split, total_bytes
from modelmon.core.load.files import OpenFiles
from modelmon.core.load.readers import run_readers
from modelmon.core.load.threads import Stopwatch
from modelmon.core.load.warmup import hint
from modelmon.core.machine.page_cache import WARM_SHARE, Residency, combined, residency
from modelmon.core.messages import NOTHING, Message, joined
from modelmon.core.units import MIB, percent_text, size_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from modelmon.core.load.readers import Record
    from modelmon.core.load.threads import Account
    from modelmon.core.load.turns import Turns
    from modelmon.core.machine.memory import Memory
    from modelmon.core.model.tensors import Model

# A reader goes through so much in order before it takes what is next. All readers together stay so
# near one another that a program which follows finds everything behind the first of them, and an
# object store, which begins anew with each piece, has something to send for it.
_PIECE_BYTES = 32 * MIB
_REQUEST_BYTES = MIB
# So many requests are under way before they are read: a program that comes near finds its pages
# there. It would ask for some itself otherwise, and each of the two would wait for the other's, or
# make a disk seek. More of them would go on for long where a reader turns out to be one too many.
_AHEAD_REQUESTS = 4
_MOST_READERS = 8
# So much faster are twice as many readers where they are worth having.
_GAIN = 1.1
# How long so many readers are looked at, after those before them have come to their end.
_TRIAL_S = 0.3
_SETTLE_S = 0.05
_TRIAL_REQUESTS = 2
# Where they make a disk seek, that shows at once, and each moment of it is lost.
_HOPELESS = 0.5
_HOPELESS_S = 0.08
_LOOK_S = 0.01
_REPORT_S = 0.1
# Of the memory that can be had: the kernel takes pages back before the last is used.
_MOST_SHARE = 0.9


class Warmed(msgspec.Struct, frozen=True):
    """What became of a warming; None is *not known*.

    Of the `file_bytes` of the model's files `wanted_bytes` were wanted, less where memory has no
    room for all. `cached_bytes` of these were in the page cache before; the others, `read_bytes`,
    were read in `wall_ns`, in the end by `readers` at once. `kept_share` of what was wanted was
    cached when it was over. `notes` say why a program will find less than all of the model there.
    """

    file_bytes: int
    wanted_bytes: int
    cached_bytes: int | None
    read_bytes: int
    bytes_per_s: float | None
    readers: int
    wall_ns: int
    kept_share: float | None
    notes: tuple[Message, ...] = ()


class Warming:
    """The files of one model on their way into the page cache, those first that it needs first.

    What is cached is not read again. Of a model that is larger than the `memory` that can be had a
    part is taken from its beginning: the rest would push out what was read before it. The files are
    open from the beginning to `close`, so that what is cached can be seen.
    """

    def __init__(self, model: Model, memory: Memory, readers: int | None = None) -> None:
        """`readers` is how many read at once; without it that is found out.

        Raises LoadFailedError where a file cannot be opened or has changed.
        """
        self._asked_readers = readers
        sizes = [shard.size_bytes for shard in model.shards]
        whole = [Extent(shard, 0, sizes[shard]) for shard in _execution_order(model)]
        self.file_bytes = total_bytes(whole)
        self._wanted = _first(whole, round(memory.usable_bytes * _MOST_SHARE))
        self.wanted_bytes = total_bytes(self._wanted)
        self._files = OpenFiles(model.sized_files, range(len(sizes)))
        self._opening_drops_cache = self._looks_dropped()
        self.before = self.residency()

    def _looks_dropped(self) -> bool:
        """Whether whoever opens a file drops what is cached of it, as on FUSE mounts whose server
        does not ask to keep it (fs/fuse/file.c); False where the kernel does not tell.
        """
        byte = Extent(0, 0, 1)
        self._files.read_into(memoryview(bytearray(1)), byte)
        was_there = self._residency_of(byte).share
        OpenFiles(self._files.files, [byte.shard]).close()
        return bool(was_there) and not self._residency_of(byte).share

    @property
    def obstacle(self) -> Message:
        """Why nothing is read; "" where something is."""
        if self._opening_drops_cache:
            return Message(
                "Warming can't help here: opening a file on this mount drops its "
                "cached pages. Keep the cache on this mount (sshfs: -o "
                "kernel_cache), or copy the model to a disk."
            )
        if self.before.share == 1 or not self.wanted_bytes:
            return self.limit or Message("Already cached: nothing to read.")
        return NOTHING

    @property
    def plan(self) -> Message:
        """What is going to be read, in a sentence, or why nothing is."""
        if self.obstacle:
            return self.obstacle
        what = Message("Warming {size}.", size=size_text(self._missing_bytes))
        return joined(filter(None, (what, self.limit)))

    @property
    def _missing_bytes(self) -> int:
        return self.wanted_bytes - (self.before.resident_bytes or 0)

    @property
    def paths(self) -> tuple[Path, ...]:
        """The model's files."""
        return tuple(map(Path, self._files.paths))

    @property
    def limit(self) -> Message:
        """Why only a part is wanted; "" where all is."""
        if self.wanted_bytes == self.file_bytes:
            return NOTHING
        return Message(
            "Only the first {wanted} of {size} fit in memory: free some, or raise the cgroup's"
            " limit.",
            wanted=size_text(self.wanted_bytes),
            size=size_text(self.file_bytes),
        )

    def residency(self) -> Residency:
        """What is cached now of all that is wanted."""
        return combined(map(self._residency_of, self._wanted))

    def run(self, report: Callable[[int], None]) -> Warmed:
        """Read what is missing; `report` gets the bytes that are behind the readers, now and then.

        What was dropped meanwhile gets a second turn, but for single pages: to look for them can
        take longer than the rest. Raises LoadFailedError where a file cannot be read.
        """
        began_ns = time.monotonic_ns()
        work = self._read(self._asked_readers, report)
        found = self.residency()
        # After nothing at all this filesystem keeps no cache.
        if found.share and found.share < WARM_SHARE and not self.obstacle:
            self._read(work.readers, lambda _: None)
            found = self.residency()
        wall_ns = time.monotonic_ns() - began_ns
        read_bytes = 0 if self.obstacle else self._missing_bytes
        return Warmed(
            file_bytes=self.file_bytes,
            wanted_bytes=self.wanted_bytes,
            cached_bytes=self.before.resident_bytes,
            read_bytes=read_bytes,
            bytes_per_s=read_bytes * 1e9 / wall_ns if read_bytes else None,
            readers=work.readers,
            wall_ns=wall_ns,
            kept_share=found.share,
            notes=tuple(filter(None, (self.obstacle or self.limit, self._shortfall(found)))),
        )

    def _shortfall(self, found: Residency) -> Message:
        """Why a program will not find all that was read."""
        if self._opening_drops_cache or not self.wanted_bytes:
            return NOTHING
        if found.share is None:
            return Message("Whether it stays cached is {source}.", source=found.source)
        if not found.share:
            return Message("Nothing stayed: this filesystem keeps no page cache.")
        if found.share < WARM_SHARE:
            return Message(
                "Only {share} stayed cached: other programs need the memory.",
                share=percent_text(found.share),
            )
        return NOTHING

    def _read(self, asked_readers: int | None, report: Callable[[int], None]) -> _Work:
        """Read all pieces of which something is missing."""
        pieces = [piece for extent in self._wanted for piece in split(extent, _PIECE_BYTES)]
        missing = [piece for piece in pieces if self._residency_of(piece).share != 1]
        if self.obstacle:
            missing.clear()
        there_bytes = total_bytes(pieces) - total_bytes(missing)
        work = _Work(missing, lambda read_bytes: report(there_bytes + read_bytes))
        work.readers = asked_readers or 1
        readers = [
            _Reader(number, work, self._files.files)
            for number in range(asked_readers or _MOST_READERS)
        ]
        steer = work.find_readers if asked_readers is None else None
        run_readers(readers, lambda *_: None, steer)
        return work

    def _residency_of(self, extent: Extent) -> Residency:
        part = [(extent.offset_bytes, extent.nbytes)]
        return residency(self._files.descriptors[extent.shard], part)

    def close(self) -> None:
        """Close the files."""
        self._files.close()


class _Work:
    """The pieces that are left, in order, and how many readers may take them."""

    def __init__(self, pieces: Iterable[Extent], report: Callable[[int], None]) -> None:
        """`report` gets the bytes that were read so far, now and then."""
        self._left = deque(pieces)
        self._report = report
        self._reported_s = 0.0
        self._lock = threading.Lock()
        self.readers = 1
        self.read_bytes = 0

    def take(self, number: int, stop: threading.Event) -> Extent | None:
        """The next piece for a reader that has its turn; None where nothing is left."""
        while self._left and not stop.is_set():
            if number >= self.readers:
                time.sleep(_LOOK_S)
                continue
            with self._lock:
                if self._left:
                    return self._left.popleft()
        return None

    def hand_back(self, number: int, rest: Extent) -> bool:
        """Take the rest of a piece back from a reader that is one too many, if others go on."""
        with self._lock:
            is_taken = number >= self.readers and bool(self._left)
            if is_taken:
                self._left.appendleft(rest)
        return is_taken

    def give_up(self) -> None:
        """Leave nothing to take: a reader has failed."""
        with self._lock:
            self._left.clear()

    def passed(self, nbytes: int) -> None:
        """Note that a reader has read so many bytes."""
        with self._lock:
            self.read_bytes += nbytes
            now_s = time.monotonic()
            if now_s - self._reported_s < _REPORT_S:
                return
            self._reported_s, read_bytes = now_s, self.read_bytes
        self._report(read_bytes)

    def find_readers(self) -> None:
        """Double the readers as long as that is faster; returns when that is known."""
        best_rate = self._rate(1)
        while self._left and self.readers < _MOST_READERS:
            rate = self._rate(2 * self.readers, _HOPELESS * best_rate)
            if self._left and rate < _GAIN * best_rate:
                self.readers //= 2
                return
            best_rate = rate

    def _rate(self, readers: int, hopeless: float = 0.0) -> float:
        """Bytes a second of so many readers, soon where that is less than `hopeless`; 0 where all
        was over before that was seen.
        """
        self.readers = readers
        time.sleep(_SETTLE_S)
        began_s, began_bytes = time.monotonic(), self.read_bytes
        while self._left:
            time.sleep(_LOOK_S)
            took_s, came_bytes = time.monotonic() - began_s, self.read_bytes - began_bytes
            if took_s >= _HOPELESS_S and came_bytes < hopeless * took_s:
                return came_bytes / took_s
            if took_s >= _TRIAL_S and came_bytes >= _TRIAL_REQUESTS * readers * _REQUEST_BYTES:
                return came_bytes / took_s
        return 0.0


class _Reader:
    """Reads pieces into a small buffer that is used again, through a descriptor of its own."""

    def __init__(self, number: int, work: _Work, files: Sequence[tuple[str, int]]) -> None:
        self.number = number
        self.left_bytes = 0
        self._work = work
        self._files = OpenFiles(files, ())

    def begin(self, record: Record) -> bool:
        """Nothing to prepare: what is missing is read, and has to be waited for."""
        del record
        return False

    def run(self, record: Record, stop: threading.Event, turns: Turns) -> Account:
        """Read until nothing is left."""
        del record, turns
        watch = Stopwatch()
        buffer = memoryview(bytearray(_REQUEST_BYTES))
        try:
            while (piece := self._work.take(self.number, stop)) is not None:
                self._read(piece, buffer, stop)
        except BaseException:
            self._work.give_up()
            raise
        finally:
            self._files.close()
        return watch.stop()

    def _read(self, piece: Extent, buffer: memoryview, stop: threading.Event) -> None:
        if piece.shard not in self._files.descriptors:
            self._files.close()
            self._files = OpenFiles(self._files.files, [piece.shard])
        requests = list(split(piece, len(buffer)))
        hint(self._files, requests[:_AHEAD_REQUESTS])
        for number, request in enumerate(requests, _AHEAD_REQUESTS):
            rest = request._replace(nbytes=piece.end_bytes - request.offset_bytes)
            if stop.is_set() or self._work.hand_back(self.number, rest):
                return
            hint(self._files, requests[number : number + 1])
            self._files.read_into(buffer[: request.nbytes], request)
            self._work.passed(request.nbytes)


def _execution_order(model: Model) -> list[int]:
    """The shards, those first whose tensors are needed first; those without any at the end."""
    used = (model.tensors[index].shard for block in model.blocks for index in block.tensors)
    return list(dict.fromkeys([*used, *range(len(model.shards))]))


def _first(extents: Sequence[Extent], most_bytes: int) -> list[Extent]:
    """As much of the beginning as there is room for."""
    taken = []
    for extent in extents:
        taken.append(extent._replace(nbytes=min(extent.nbytes, most_bytes)))
        most_bytes -= taken[-1].nbytes
    return [extent for extent in taken if extent.nbytes]
