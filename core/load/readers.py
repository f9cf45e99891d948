"""Readers: each works through its extents, request by request, and accounts for its time."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError, ModelmonError
from modelmon.core.load.extents import split

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.load.sources import Source

_SCHEDSTAT = Path("/proc/thread-self/schedstat")


@dataclass(frozen=True, slots=True)
class Account:
    """Where one reader's time went, in nanoseconds; run_queue_ns None where unknown."""

    wall_ns: int
    on_cpu_ns: int
    run_queue_ns: int | None


@dataclass(frozen=True, slots=True)
class Reader:
    """One reader's work: its number, its extents in order, and its source."""

    number: int
    extents: Sequence[Extent]
    source: Source


class Stopwatch:
    """Measures the calling thread: wall, CPU, and time spent runnable but not running.

    Source: /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats.rst), second
    field; CPU time is read from the thread's own clock, which is exact between ticks.
    """

    def __init__(self) -> None:
        self._queue_ns = _run_queue_ns()
        self._cpu_ns = time.thread_time_ns()
        self._start_ns = time.monotonic_ns()

    def stop(self) -> Account:
        """The account since the stopwatch was made."""
        wall_ns = time.monotonic_ns() - self._start_ns
        cpu_ns = time.thread_time_ns() - self._cpu_ns
        queue_ns = _run_queue_ns()
        known = queue_ns is not None and self._queue_ns is not None
        waited = (queue_ns or 0) - (self._queue_ns or 0) if known else None
        return Account(wall_ns, cpu_ns, waited)


def run_reader(
    reader: Reader,
    chunk_bytes: int,
    record: Callable[[int, int, int, int, int], None],
    stop: threading.Event,
) -> Account:
    """Deliver all of a reader's requests, in order; calls `record` after each.

    `record` gets reader, request number, start and end in monotonic ns, and bytes.
    """
    watch = Stopwatch()
    number = 0
    clock = time.monotonic_ns
    deliver = reader.source.deliver
    for extent in reader.extents:
        for request in split(extent, chunk_bytes):
            start_ns = clock()
            deliver(request)
            record(reader.number, number, start_ns, clock(), request.nbytes)
            number += 1
        if stop.is_set():
            break
    return watch.stop()


def run_readers(
    readers: Sequence[Reader],
    chunk_bytes: int,
    record: Callable[[int, int, int, int, int], None],
    finished: Callable[[int], None],
) -> list[Account]:
    """Run all readers of this process, each in a thread, and return their accounts.

    The first error stops the others and is raised. A single reader runs in the calling
    thread.
    """
    stop = threading.Event()
    accounts: list[Account | None] = [None] * len(readers)
    errors: list[BaseException] = []

    def work(index: int) -> None:
        try:
            accounts[index] = run_reader(readers[index], chunk_bytes, record, stop)
            finished(readers[index].number)
        except BaseException as error:
            errors.append(error)
            stop.set()

    if len(readers) == 1:
        work(0)
    else:
        threads = [threading.Thread(target=work, args=(index,)) for index in range(len(readers))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    if errors:
        raise _as_load_error(errors[0])
    return [account for account in accounts if account is not None]


def warm_up(
    files: OpenFiles,
    extents: Sequence[Extent],
    chunk_bytes: int,
    report: Callable[[int], None],
) -> Account:
    """Fill the page cache by reading `extents` once, in file order, into a reused buffer."""
    watch = Stopwatch()
    scratch = memoryview(bytearray(chunk_bytes))
    done = 0
    for extent in extents:
        for request in split(extent, chunk_bytes):
            files.read_into(scratch[: request.nbytes], request)
            done += request.nbytes
            report(done)
    return watch.stop()


def io_wait_share(accounts: Sequence[Account]) -> float | None:
    """Share of the readers' time off the CPU for storage: 1 − (on-CPU + queue) ÷ wall.

    Waits on barriers are not in the accounts. None where the platform has no schedstat.
    """
    wall_ns = sum(account.wall_ns for account in accounts)
    if not wall_ns or any(account.run_queue_ns is None for account in accounts):
        return None
    busy_ns = sum(account.on_cpu_ns + (account.run_queue_ns or 0) for account in accounts)
    return min(1.0, max(0.0, 1 - busy_ns / wall_ns))


def _run_queue_ns() -> int | None:
    try:
        return int(_SCHEDSTAT.read_bytes().split()[1])
    except (OSError, IndexError, ValueError):
        return None


def _as_load_error(error: BaseException) -> BaseException:
    if isinstance(error, ModelmonError) or not isinstance(error, (OSError, MemoryError)):
        return error
    return LoadFailedError(f"The load failed: {error}.")
