"""Threads of a load: started, and timed by themselves; imports in a thread of their own.

A reader's time splits into running, waiting for a processor, and the rest: waiting for storage.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.errors import LoadFailedError
from modelmon.core.machine.own_limits import (
    address_space_remedy,
    files_remedy,
    thread_remedy,
)
from modelmon.core.machine.procfs import parse_schedstat, value
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType


_SCHEDSTAT = "/proc/thread-self/schedstat"


class Account(NamedTuple):
    """Where one reader's time went, in nanoseconds; run_queue_ns None where unknown. For
    `decoders_ns` it had nowhere to read to until they were done.
    """

    wall_ns: int
    on_cpu_ns: int
    run_queue_ns: int | None
    decoders_ns: int = 0


class RequestTimes(NamedTuple):
    """When a request began and ended (monotonic), how much of it was decoding, and how long its
    bytes waited for that.
    """

    start_ns: int
    end_ns: int
    decode_ns: int = 0
    wait_ns: int = 0


class Stopwatch:
    """Measures the calling thread: wall, CPU, and time spent runnable but not running.

    Source: /proc/PID/task/TID/schedstat (Documentation/scheduler/sched-stats.rst), second
    field; CPU time is read from the thread's own clock, which is exact between ticks.
    """

    def __init__(self) -> None:
        self._paused_ns = self._decoders_ns = self._decoders_queue_ns = 0
        self._queue_ns = _run_queue_ns()
        self._cpu_ns = time.thread_time_ns()
        self._start_ns = time.monotonic_ns()

    def leave_out(self, waited_ns: int) -> None:
        """Do not count a wait for another thread of the same load."""
        self._paused_ns += waited_ns

    @contextmanager
    def waiting_for_decoders(self) -> Iterator[None]:
        """Count a wait as the decoders', with what they leave of the processors."""
        began_ns, queue_ns = time.monotonic_ns(), _run_queue_ns()
        yield
        self._decoders_queue_ns += (_run_queue_ns() or 0) - (queue_ns or 0)
        self._decoders_ns += time.monotonic_ns() - began_ns

    def stop(self) -> Account:
        """The account since the stopwatch was made."""
        wall_ns = time.monotonic_ns() - self._start_ns - self._paused_ns
        cpu_ns = time.thread_time_ns() - self._cpu_ns
        queue_ns = _run_queue_ns()
        known = queue_ns is not None and self._queue_ns is not None
        waited = (queue_ns or 0) - (self._queue_ns or 0) - self._decoders_queue_ns
        return Account(max(0, wall_ns), cpu_ns, waited if known else None, self._decoders_ns)


def beside(account: Account, decoders: Sequence[Account]) -> Account:
    """A reader's account where its `decoders` waited for a processor themselves: so much of the
    wait for them was one for a processor.
    """
    queued_ns = sum(each.run_queue_ns or 0 for each in decoders)
    both_ns = queued_ns + sum(each.on_cpu_ns for each in decoders)
    if account.run_queue_ns is None or not both_ns:
        return account
    moved_ns = account.decoders_ns * queued_ns // both_ns
    return account._replace(
        run_queue_ns=account.run_queue_ns + moved_ns, decoders_ns=account.decoders_ns - moved_ns
    )


def io_wait_share(accounts: Sequence[Account]) -> float | None:
    """Share of the readers' time off the CPU for storage: 1 − (on-CPU + queue + decoders) ÷ wall.

    Waits on barriers are not in the accounts. None where the platform has no schedstat.
    """
    queued = run_queue_share(accounts)
    if queued is None:
        return None
    known_ns = sum(account.on_cpu_ns + account.decoders_ns for account in accounts)
    wall_ns = sum(account.wall_ns for account in accounts)
    return min(1.0, max(0.0, 1 - known_ns / wall_ns - queued))


def run_queue_share(accounts: Sequence[Account]) -> float | None:
    """Share of the readers' time in which they could run and had no processor: queue ÷ wall.

    None where the platform has no schedstat.
    """
    wall_ns = sum(account.wall_ns for account in accounts)
    queues_ns = [account.run_queue_ns for account in accounts if account.run_queue_ns is not None]
    if not wall_ns or len(queues_ns) < len(accounts):
        return None
    return min(1.0, sum(queues_ns) / wall_ns)


def _run_queue_ns() -> int | None:
    return parse_schedstat(value(_SCHEDSTAT))


def start(thread: threading.Thread) -> None:
    """Start a thread. Raises LoadFailedError where the system lets this process have no more."""
    try:
        thread.start()
    except RuntimeError as error:
        raise LoadFailedError(
            Message("The system starts no more threads for modelmon."),
            thread_remedy(),
        ) from error


def needed(name: str) -> ModuleType:
    """A module that a load can't do without, as `imported`. Raises LoadFailedError where the system
    keeps it from being loaded.
    """
    try:
        return imported(name)
    except ModuleNotFoundError:
        raise
    except (ImportError, OSError, MemoryError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[-1]
        raise LoadFailedError(
            Message("Couldn't import {name}: {reason}.", name=name, reason=reason),
            (files_remedy(error) if isinstance(error, OSError) else NOTHING)
            or address_space_remedy(),
        ) from error


def allowed_processors() -> int:
    """On how many processors this process may run."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def imported(name: str) -> ModuleType:
    """A module. Ctrl-C ends the wait for its import, and not the import: a process in which that of
    numpy, numba or torch was interrupted can't use them any more. Raises what the import raises.
    """
    if name in sys.modules or threading.current_thread() is not threading.main_thread():
        return import_module(name)
    problems: list[BaseException] = []

    def work() -> None:
        try:
            import_module(name)
        except BaseException as error:
            problems.append(error)

    thread = threading.Thread(target=work)
    start(thread)
    thread.join()
    if problems:
        raise problems.pop()
    return sys.modules[name]
