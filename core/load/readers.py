"""Readers: threads that work through their extents, request by request, and account for time.

What a request does is up to its source. Readers that only copy what is cached share threads, and
keep pace with those that wait for storage. A reader whose values are decoded fills a few slots of
memory, and other threads decode from them: a request ends when its values are decoded.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.errors import OutOfMemoryError
from modelmon.core.load.extents import Extent, request_count, total_bytes
from modelmon.core.load.threads import (
    Account,
    RequestTimes,
    Stopwatch,
    allowed_processors,
    beside,
    start,
)
from modelmon.core.load.turns import Turns
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Protocol

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.extents import Slices
    from modelmon.core.load.files import PassingDestination
    from modelmon.core.load.plan import TensorValues
    from modelmon.core.load.sources import Source
    from modelmon.core.load.warmup import Prefetch

    class Record(Protocol):
        """Notes finished requests, one or a `count` that took one call."""

        def __call__(
            self,
            reader: int,
            first: int,
            times: RequestTimes,
            nbytes: int,
            count: int = 1,
            /,
        ) -> None:
            """Of a reader: the first one's number, their times, their bytes together."""

    class Worker(Protocol):
        """What runs in a thread of its own."""

        @property
        def number(self) -> int:
            """Which reader it is."""

        @property
        def left_bytes(self) -> int:
            """How much it has to read; 0 where that isn't known before."""

        def begin(self, record: Record) -> bool:
            """The load has started. Whether there is only to copy, in which several threads may
            share, and nothing to wait for.
            """

        def run(self, record: Record, stop: threading.Event, turns: Turns) -> Account:
            """Do what is left of the work, where others read as well by `turns`; stops early where
            `stop` is set.
            """

    Decode = Callable[[memoryview, TensorValues], None]


_PATIENCE_S = 0.005
_COPIED_TOGETHER = 4
"""Requests that are copied in one call. Each call leaves Python to begin with empty caches: with
2 MiB that took 6% of the time.
"""
_LOOKED_AT_BYTES = 128 * MIB
"""For less no thread is started to look what is cached: that takes longer."""


class Requests:
    """The requests of one reader: each is taken once, by whichever thread is free, and they are
    recorded in their order, whichever ends first.
    """

    def __init__(self, reader: int, extents: Sequence[Extent], chunk_bytes: int) -> None:
        self._reader = reader
        self._chunk_bytes = chunk_bytes
        self._left: deque[tuple[int, Extent]] = deque()
        self._turn = threading.Lock()
        self._ended: dict[int, tuple[RequestTimes, int, int]] = {}
        self._recorded = 0
        number = 0
        for extent in extents:
            self._left.append((number, extent))
            number += self.count(extent)

    @property
    def are_left(self) -> bool:
        """Whether there is one that nobody took."""
        return bool(self._left)

    @property
    def left_bytes(self) -> int:
        """How many bytes those take."""
        return total_bytes(extent for _, extent in self._left)

    def leave_out(self, placed: Iterable[tuple[Extent, RequestTimes]], record: Record) -> None:
        """Record those for what is `placed` already: whole requests, in the order of all."""
        left: deque[tuple[int, Extent]] = deque()
        for part, times in placed:
            while not self._left[0][1].contains(part):
                left.append(self._left.popleft())
            number, extent = self._left.popleft()
            before, rest = extent.cut(part.offset_bytes)
            _, behind = rest.cut(part.end_bytes)
            first, count = number + self.count(before), self.count(part)
            if before.nbytes:
                left.append((number, before))
            if behind.nbytes:
                self._left.appendleft((first + count, behind))
            self.ended(record, first, times, part.nbytes, count)
        self._left = left + self._left

    def take(self, most: int = 1) -> tuple[int, Extent] | None:
        """The number of the next one, and it, together with those that continue it, `most` of them
        in all; None where all are taken.
        """
        with self._turn:
            if not self._left:
                return None
            number, extent = self._left.popleft()
            end = (extent.offset_bytes // self._chunk_bytes + most) * self._chunk_bytes
            taken, behind = extent.cut(end)
            if behind.nbytes:
                self._left.appendleft((number + self.count(taken), behind))
            return number, taken

    def count(self, extent: Extent) -> int:
        """How many requests an extent takes."""
        return request_count(extent, self._chunk_bytes)

    def ended(
        self, record: Record, number: int, times: RequestTimes, nbytes: int, count: int = 1
    ) -> None:
        """Record a request that has ended, or a `count` in one call, once all before it have."""
        with self._turn:
            self._ended[number] = times, nbytes, count
            while (ended := self._ended.pop(self._recorded, None)) is not None:
                record(self._reader, self._recorded, *ended)
                self._recorded += ended[2]


class Pace:
    """Keeps those that copy no further ahead than those that wait for storage.

    Both take memory's bandwidth and processors. What is copied first slows the reads that are under
    way, and leaves storage to go on alone. Nobody is held up for long: slow storage gains nothing
    by that, and what is cached may be dropped meanwhile.
    """

    def __init__(self, read_bytes: int, copied_bytes: int) -> None:
        self._share = copied_bytes / read_bytes
        self._ahead_bytes = 0.0
        self._moved = threading.Condition()

    def has_read(self, nbytes: int) -> None:
        """So many bytes more came from storage."""
        with self._moved:
            self._ahead_bytes -= nbytes * self._share
            self._moved.notify_all()

    def wait_to_copy(self, nbytes: int) -> None:
        """Return when so many bytes more may be copied."""
        with self._moved:
            self._moved.wait_for(lambda: self._ahead_bytes <= 0, _PATIENCE_S)
            self._ahead_bytes += nbytes


class Reader(NamedTuple):
    """One reader's work: its extents in order, the requests for them, and its source.

    `consume` gets each delivered request of a reader whose memory is used again for the
    next one, unless each is `placed` where it stays; `prefetch` reads ahead of it. Of `slices`
    only the wanted bytes count.
    """

    number: int
    extents: Sequence[Extent]
    requests: Requests
    source: Source
    consume: Callable[[Extent, memoryview], None] | None = None
    prefetch: Prefetch | None = None
    slices: Slices | None = None
    placed: bool = False

    @property
    def left_bytes(self) -> int:
        """How much is left to read."""
        return self.requests.left_bytes

    def begin(self, record: Record) -> bool:
        """Look at what is to be read: some may be in place by that, and what is known to be cached
        is only to be copied.
        """
        begun = self.source.begin(self.extents)
        self.requests.leave_out(begun.placed, record)
        return begun.is_cached and self.placed

    def run(self, record: Record, stop: threading.Event, turns: Turns) -> Account:
        """Deliver what is left, request by request."""
        watch = Stopwatch()
        clock = time.monotonic_ns
        requests, source, consume = self.requests, self.source, self.consume
        prefetch, slices = self.prefetch, self.slices
        while (taken := requests.take()) is not None:
            number, request = taken
            watch.leave_out(turns.wait(self.number, stop))
            if stop.is_set():
                break
            start_ns = clock()
            source.deliver(request)
            turns.has_read(request.nbytes)
            if consume is not None:
                consume(request, source.delivered(request))
            source.done(request)
            times = RequestTimes(start_ns, clock())
            nbytes = request.nbytes if slices is None else slices.nbytes(request)
            requests.ended(record, number, times, nbytes)
            if prefetch is not None:
                prefetch.passed(number + 1)
        turns.leave(self.number)
        return watch.stop()

    def copy(self, record: Record, stop: threading.Event, pace: Pace | None) -> Account:
        """Deliver what is left, which is cached: at a `pace`, or several requests in one call."""
        clock, requests = time.monotonic_ns, self.requests
        most = _COPIED_TOGETHER if pace is None else 1
        watch = Stopwatch()
        while not stop.is_set() and (taken := requests.take(most)) is not None:
            number, together = taken
            start_ns = clock()
            if pace is not None:
                pace.wait_to_copy(together.nbytes)
                waited_ns, start_ns = start_ns, clock()
                watch.leave_out(start_ns - waited_ns)
            self.source.deliver(together)
            times = RequestTimes(start_ns, clock())
            requests.ended(record, number, times, together.nbytes, requests.count(together))
        return watch.stop()


def run_readers(
    readers: Sequence[Worker],
    record: Record,
    meanwhile: Callable[[], None] | None = None,
    *,
    may_take_turns: bool = False,
) -> list[Account]:
    """Run all readers of this process and return accounts of all the time that they took. They read
    one after another where they may, and that is faster.

    Each that may wait for storage has a thread of its own, and its descriptors to itself. Those
    that only copy share one thread for each processor: more would wait for each other, and end
    apart; they get no further ahead than the others. The first error stops all and is raised. A
    single thread is the calling one; `meanwhile` is done beside several.
    """
    stop = threading.Event()
    accounts: list[Account] = []

    def work() -> None:
        for run in left:
            accounts.append(run())
        # Requests that others haven't come to yet.
        for reader in copying:
            if reader.requests.are_left:
                accounts.append(reader.copy(record, stop, pace))

    waiting, copying = _divided(readers, record, accounts)
    pace = _pace(waiting, copying)

    def record_read(
        reader: int, number: int, times: RequestTimes, nbytes: int, count: int = 1
    ) -> None:
        record(reader, number, times, nbytes, count)
        if pace is not None:
            pace.has_read(nbytes)

    copies = [partial(reader.copy, record, stop, pace) for reader in copying]
    # The next of a list's iterator is given to one thread alone.
    turns = Turns(waiting if may_take_turns else ())
    left = iter([*(partial(reader.run, record_read, stop, turns) for reader in waiting), *copies])
    _together(work, len(waiting) + min(len(copying), allowed_processors()), stop, meanwhile)
    return accounts


def _together(
    work: Callable[[], None],
    count: int,
    stop: threading.Event,
    meanwhile: Callable[[], None] | None = None,
) -> None:
    """Have `count` threads do the same work, a single one being the calling one. The first error
    sets `stop` and is raised.

    Threads begin together, once all have started: to start a thread waits until it runs, which
    takes long where those before it copy on all processors.
    """
    begin = threading.Event()
    errors: list[BaseException] = []

    def guarded() -> None:
        begin.wait()
        try:
            work()
        except BaseException as error:
            errors.append(error)
            stop.set()

    if count <= 1:
        begin.set()
        guarded()
    else:
        threads: list[threading.Thread] = []
        try:
            for _ in range(count):
                # From Python 3.14 on the kernel's lists and traces have this name.
                thread = threading.Thread(target=guarded, name=threading.current_thread().name)
                start(thread)
                threads.append(thread)
            begin.set()
            if meanwhile is not None:
                meanwhile()
            for thread in threads:
                thread.join()
        finally:
            # Interrupted, or short of threads: none may go on while its files are closed.
            stop.set()
            begin.set()
            for thread in threads:
                thread.join()
    if errors:
        # An error that its own frames can reach would keep the load's memory and files.
        del errors[1:]
        raise _as_load_error(errors.pop())


def _as_load_error(error: BaseException) -> BaseException:
    is_memory = isinstance(error, MemoryError)
    return OutOfMemoryError(address_space_remedy()) if is_memory else error


def _divided(
    readers: Sequence[Worker], record: Record, accounts: list[Account]
) -> tuple[list[Worker], list[Reader]]:
    """Those that may wait for storage, and those that only copy; those that find all in place are
    neither. All look before any of them reads, which changes what is cached.
    """
    copies: set[int] = set()
    unseen, over = iter(list(enumerate(readers))), threading.Event()

    def look() -> None:
        watch = Stopwatch()
        for at, reader in unseen:
            if reader.begin(record):
                copies.add(at)
            if over.is_set():
                break
        if looking:
            accounts.append(watch.stop())

    # To count 4 KiB pages takes 10 ms for each GB, which is more than a tenth of the time to copy.
    looking = [reader for reader in readers if isinstance(reader, Reader) and reader.source.looks]
    nbytes = sum(total_bytes(reader.extents) for reader in looking)
    count = min(len(looking), allowed_processors()) if nbytes >= _LOOKED_AT_BYTES else 1
    _together(look, count, over)
    waiting: list[Worker] = []
    copying: list[Reader] = []
    for at, reader in enumerate(readers):
        if isinstance(reader, Reader) and at in copies:
            copying.append(reader)
        else:
            waiting.append(reader)
    return (
        [each for each in waiting if not isinstance(each, Reader) or each.requests.are_left],
        [each for each in copying if each.requests.are_left],
    )


def _pace(waiting: Sequence[Worker], copying: Sequence[Reader]) -> Pace | None:
    """How those that copy keep pace with the others; None where there are not both."""
    plain = [reader for reader in waiting if isinstance(reader, Reader)]
    read_bytes, copied_bytes = (
        sum(reader.left_bytes for reader in readers) for readers in (plain, copying)
    )
    return Pace(read_bytes, copied_bytes) if read_bytes and copied_bytes else None


SPARE_SLOTS = 2
"""Besides one for each decoder: one that is read into, one between them."""

MOST_DECODERS = 8
"""Of one process: each holds a request and its values, and the interpreter between two tensors."""

THREAD_NAME = "decoder"
"""What Linux calls the threads that decode: their processor time is read from outside."""


def usable_processors() -> int:
    """How many of them its control groups let it use at once; a part of one is one."""
    # Loaders that decode nothing start sooner without it.
    from modelmon.core.machine.cgroup import cgroup_limits  # noqa: PLC0415

    processors = allowed_processors()
    quotas = (each.amount for each in cgroup_limits() or () if each.kind == "processors")
    return max(1, min(processors, math.ceil(min(quotas, default=processors))))


def decoders_each(config: LoadConfig, processors: int) -> int:
    """How many decoders each of a load's readers has: together at least one a processor, as long
    as none of its processes has more than MOST_DECODERS.
    """
    readers = config.readers * config.ranks
    together = readers // config.processes
    return max(1, min(-(-processors // readers), MOST_DECODERS // together))


class _Filled(NamedTuple):
    """A request that was read: its number, its slot, when it began and was read, its bytes."""

    number: int
    slot: int
    start_ns: int
    read_ns: int
    view: memoryview


class DecodingReader:
    """One reader and its decoders; requests end when their values are decoded.

    `parts` holds for each extent what is in it. As many requests are under way as there are slots:
    one is read, one is between, and each other one has its decoder. The account has what the
    reader waits for a free slot, and for the decoders at the end, as theirs, but for what these
    wait for a processor. The little that it waits for the interpreter, while a decoder has that,
    counts as waiting for storage.
    """

    def __init__(
        self,
        reader: Reader,
        parts: Sequence[Sequence[TensorValues]],
        count: int,
        slots: PassingDestination | None,
        decode: Decode,
    ) -> None:
        """`reader` delivers into `count` slots, or into none where its bytes stay where they come
        to; its `consume` sees them before they are decoded.
        """
        self.number = reader.number
        self.extents = reader.extents
        self.source = reader.source
        self.decode_ns = 0
        self._parts = parts
        self._count = count
        self._slots = slots
        self._decode = decode
        self._consume = reader.consume
        # Loads of stored bytes start sooner without it.
        from queue import SimpleQueue  # noqa: PLC0415

        self._free: SimpleQueue[int] = SimpleQueue()
        self._filled: SimpleQueue[_Filled | None] = SimpleQueue()
        self._problems: list[BaseException] = []
        self._accounts: list[Account] = []
        self._turn = threading.Lock()
        self._requests = reader.requests
        self.left_bytes = reader.left_bytes

    def begin(self, record: Record) -> bool:
        """Look at what is to be read. There is more to do than to copy, whatever is cached."""
        del record
        self.source.begin(self.extents)
        return False

    def run(self, record: Record, stop: threading.Event, turns: Turns) -> Account:
        """Read all extents, each as one request, while the decoders follow."""
        watch = Stopwatch()
        for slot in range(self._count):
            self._free.put(slot)
        decoders: list[threading.Thread] = []
        try:
            for _ in range(self._count - SPARE_SLOTS):
                decoder = threading.Thread(target=self._follow, args=(record, stop))
                start(decoder)
                decoders.append(decoder)
            self._read(watch, stop, turns)
        except BaseException:
            # Decoders may be waiting for what will not be read any more.
            stop.set()
            raise
        finally:
            with watch.waiting_for_decoders():
                for _ in decoders:
                    self._filled.put(None)
                for decoder in decoders:
                    decoder.join()
        if self._problems:
            # Taken out: an error that its own frames can reach would keep all that they hold.
            del self._problems[1:]
            raise self._problems.pop()
        return beside(watch.stop(), self._accounts)

    def _read(self, watch: Stopwatch, stop: threading.Event, turns: Turns) -> None:
        for number, extent in enumerate(self.extents):
            if self._free.empty():
                with watch.waiting_for_decoders():
                    slot = self._free.get()
            else:
                slot = self._free.get()
            watch.leave_out(turns.wait(self.number, stop))
            start_ns = time.monotonic_ns()
            if stop.is_set():
                return
            if self._slots is not None:
                self._slots.turn(slot)
            self.source.deliver(extent)
            turns.has_read(extent.nbytes)
            view = self.source.delivered(extent)
            if self._consume is not None:
                self._consume(extent, view)
            self._filled.put(_Filled(number, slot, start_ns, time.monotonic_ns(), view))
        turns.leave(self.number)

    def _follow(self, record: Record, stop: threading.Event) -> None:
        name_this_thread()
        watch = Stopwatch()
        while (filled := self._filled.get()) is not None:
            try:
                if not stop.is_set():
                    self._take(filled, record)
            except BaseException as error:
                self._problems.append(error)
                stop.set()
            self._free.put(filled.slot)
        account = watch.stop()
        with self._turn:
            self._accounts.append(account)
            self.decode_ns += account.on_cpu_ns

    def _take(self, filled: _Filled, record: Record) -> None:
        number, _, start_ns, read_ns, view = filled
        began_ns = time.monotonic_ns()
        for part in self._parts[number]:
            data = view[part.start_bytes : part.start_bytes + part.nbytes]
            self._decode(data, part)
        self.source.done(self.extents[number])
        end_ns = time.monotonic_ns()
        times = RequestTimes(start_ns, end_ns, end_ns - began_ns, began_ns - read_ns)
        self._requests.ended(record, number, times, self.extents[number].nbytes)


def name_this_thread() -> None:
    """Source: proc_tid_comm(5). Other platforms have no such file, and need no name."""
    # pathlib takes longer to import than a loader's other modules together.
    with contextlib.suppress(OSError), open("/proc/thread-self/comm", "wb") as name:  # noqa: PTH123
        name.write(THREAD_NAME.encode())
