"""Readers: each works through its extents, request by request, and accounts for its time."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.errors import OutOfMemoryError
from modelmon.core.load.accounts import Account, RequestTimes, Stopwatch
from modelmon.core.load.extents import split
from modelmon.core.load.threads import allowed_processors, start

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from modelmon.core.load.extents import Extent
    from modelmon.core.load.prefetch import Prefetch
    from modelmon.core.load.slices import Slices
    from modelmon.core.load.sources import Source

    Record = Callable[[int, int, RequestTimes, int], None]
    """Notes a finished request: reader, its number, its times, bytes."""

    class Worker(Protocol):
        """What runs in a thread of its own."""

        def begin(self) -> bool:
            """The load has started. Whether there is only to copy, in which several threads may
            share, and nothing to wait for.
            """

        def run(self, record: Record, stop: threading.Event) -> Account:
            """Do what is left of the work; stops early where `stop` is set."""


class Requests:
    """The requests of one reader: each is taken once, by whichever thread is free, and they are
    recorded in their order, whichever ends first.
    """

    def __init__(self, reader: int, extents: Sequence[Extent], chunk_bytes: int) -> None:
        self._reader = reader
        self._left = enumerate(
            request for extent in extents for request in split(extent, chunk_bytes)
        )
        self._turn = threading.Lock()
        self._ended: dict[int, tuple[RequestTimes, int]] = {}
        self._recorded = 0

    def take(self) -> tuple[int, Extent] | None:
        """The next one and its number; None where all are taken."""
        with self._turn:
            return next(self._left, None)

    def ended(self, record: Record, number: int, times: RequestTimes, nbytes: int) -> None:
        """Record a request that has ended, once all before it have."""
        with self._turn:
            self._ended[number] = times, nbytes
            while (ended := self._ended.pop(self._recorded, None)) is not None:
                record(self._reader, self._recorded, *ended)
                self._recorded += 1


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

    def begin(self) -> bool:
        """Look at what is to be read: what is known to be cached is only to be copied."""
        return self.source.begin(self.extents) and self.placed

    def run(self, record: Record, stop: threading.Event) -> Account:
        """Deliver what is left, request by request."""
        watch = Stopwatch()
        clock = time.monotonic_ns
        requests, source, consume = self.requests, self.source, self.consume
        prefetch, slices = self.prefetch, self.slices
        while not stop.is_set() and (taken := requests.take()) is not None:
            number, request = taken
            start_ns = clock()
            source.deliver(request)
            if consume is not None:
                consume(request, source.delivered(request))
            times = RequestTimes(start_ns, clock())
            nbytes = request.nbytes if slices is None else slices.nbytes(request)
            requests.ended(record, number, times, nbytes)
            if prefetch is not None:
                prefetch.passed(number + 1)
        return watch.stop()


def run_readers(
    readers: Sequence[Worker], record: Record, meanwhile: Callable[[], None] | None = None
) -> list[Account]:
    """Run all readers of this process and return accounts of all the time that they took.

    Each that may wait for storage has a thread of its own, and its descriptors to itself. Those
    that only copy share one thread for each processor: more would wait for each other, and end
    apart. The first error stops all and is raised. A single thread is the calling one; `meanwhile`
    is done beside several.

    Threads begin together, once all have started: to start a thread waits until it runs, which
    takes long where those before it copy on all processors.
    """
    stop, begin = threading.Event(), threading.Event()
    accounts: list[Account] = []
    errors: list[BaseException] = []

    def work() -> None:
        begin.wait()
        try:
            for reader in left:
                accounts.append(reader.run(record, stop))
            # Requests that others haven't come to yet.
            for reader in copying:
                accounts.append(reader.run(record, stop))
        except BaseException as error:
            errors.append(error)
            stop.set()

    waiting, copying = _divided(readers)
    # The next of a list's iterator is given to one thread alone.
    left = iter([*waiting, *copying])
    count = len(waiting) + min(len(copying), allowed_processors())
    if count == 1:
        begin.set()
        work()
    else:
        threads: list[threading.Thread] = []
        try:
            for _ in range(count):
                # From Python 3.14 on the kernel's lists and traces have this name.
                name = threading.current_thread().name
                thread = threading.Thread(target=work, name=name)
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
    return accounts


def _divided(readers: Sequence[Worker]) -> tuple[list[Worker], list[Worker]]:
    """Those that may wait for storage, and those that only copy. All look before any of them
    reads, which changes what is cached.
    """
    waiting: list[Worker] = []
    copying: list[Worker] = []
    for reader in readers:
        (copying if reader.begin() else waiting).append(reader)
    return waiting, copying


def _as_load_error(error: BaseException) -> BaseException:
    return OutOfMemoryError() if isinstance(error, MemoryError) else error
