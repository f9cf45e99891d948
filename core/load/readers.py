"""Readers: each works through its extents, request by request, and accounts for its time."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.errors import OutOfMemoryError
from modelmon.core.load.accounts import Account, RequestTimes, Stopwatch
from modelmon.core.load.extents import split
from modelmon.core.load.threads import start

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
        """What runs in a thread of its own and has a reader's number."""

        @property
        def number(self) -> int:
            """The reader's number."""

        def run(self, chunk_bytes: int, record: Record, stop: threading.Event) -> Account:
            """Do the work; stops early where `stop` is set."""


class Reader(NamedTuple):
    """One reader's work: its number, its extents in order, and its source.

    `consume` gets each delivered request of a reader whose memory is used again for the
    next one; `prefetch` reads ahead of it. Of `slices` only the wanted bytes count.
    """

    number: int
    extents: Sequence[Extent]
    source: Source
    consume: Callable[[Extent, memoryview], None] | None = None
    prefetch: Prefetch | None = None
    slices: Slices | None = None

    def run(self, chunk_bytes: int, record: Record, stop: threading.Event) -> Account:
        """Deliver all requests, in order; calls `record` after each."""
        watch = Stopwatch()
        number = 0
        clock = time.monotonic_ns
        source, consume, prefetch = self.source, self.consume, self.prefetch
        slices = self.slices
        source.begin(self.extents)
        for extent in self.extents:
            for request in split(extent, chunk_bytes):
                if stop.is_set():
                    return watch.stop()
                start_ns = clock()
                source.deliver(request)
                if consume is not None:
                    consume(request, source.delivered(request))
                end_ns = clock()
                nbytes = request.nbytes if slices is None else slices.nbytes(request)
                record(self.number, number, RequestTimes(start_ns, end_ns), nbytes)
                number += 1
                if prefetch is not None:
                    prefetch.passed(number)
        return watch.stop()


def run_readers(
    readers: Sequence[Worker],
    chunk_bytes: int,
    record: Record,
    finished: Callable[[int], None],
    meanwhile: Callable[[], None] | None = None,
) -> list[Account]:
    """Run all readers of this process, each in a thread, and return their accounts.

    The first error stops the others and is raised. A single reader runs in the calling
    thread. `meanwhile` is done beside several readers.

    Several begin together, once all have started: to start a thread waits until it runs, which
    takes long where those before it copy on all processors.
    """
    stop, begin = threading.Event(), threading.Event()
    accounts: list[Account | None] = [None] * len(readers)
    errors: list[BaseException] = []

    def work(index: int) -> None:
        begin.wait()
        try:
            accounts[index] = readers[index].run(chunk_bytes, record, stop)
            finished(readers[index].number)
        except BaseException as error:
            errors.append(error)
            stop.set()

    if len(readers) == 1:
        begin.set()
        work(0)
    else:
        threads: list[threading.Thread] = []
        try:
            for index in range(len(readers)):
                # From Python 3.14 on the kernel's lists and traces have this name.
                name = threading.current_thread().name
                thread = threading.Thread(target=work, args=(index,), name=name)
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
    return [account for account in accounts if account is not None]


def _as_load_error(error: BaseException) -> BaseException:
    return OutOfMemoryError() if isinstance(error, MemoryError) else error
