"""Runs a worker from this process: for the terminal, tests and benchmarks; blocks until done."""

from __future__ import annotations

import contextlib
import math
import os
import subprocess
import sys
import threading
import time
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.worker.events import AnyEvent, Failed, Job, Ready, decode
from modelmon.core.worker.record import RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    class Recording(Protocol):
        """Takes the raw lines of a run."""

        def write(self, line: bytes, /) -> object:
            """Keep one line."""


_REAP_S = 10.0
_PIPE_BYTES = 1 << 16
_AWAKE_S = 1.0
"""How often a wait is interrupted: where no signal does that, Ctrl-C is heeded then."""

GRACE_S = 0.25
"""A worker whose time is up may take so long to end by itself before it is killed. The kernel
then kills its loaders.
"""
KILLED_S = 2.0
"""A killed worker that is not gone by then waits for storage that does not answer: the kernel
ends it with the answer, and nobody else can.
"""

_unended: list[subprocess.Popen[bytes]] = []
"""Workers that were left to themselves: Python reaps what it still knows."""


class _UnendingError(Exception):
    """The worker's time is up, and it does not even end when it is killed."""


def worker_command() -> list[str]:
    """The command that starts a worker; `-P` keeps the current folder out of its imports."""
    return [sys.executable, "-P", "-m", "modelmon.core.worker"]


def run_job(
    job: Job,
    on_event: Callable[[AnyEvent, RunRecord], None] = lambda _event, _record: None,
    recording: Recording | None = None,
    most_s: float | None = None,
) -> RunRecord:
    """Run one load in a worker of its own and return its record.

    `on_event` sees each event after the record took it in, and `Ready` before the load is let
    go; `recording` gets the raw lines. After `most_s` the worker is told to end, also where it
    says nothing, killed where it does not within `GRACE_S`, and left to itself where that takes
    more than `KILLED_S`; its record has no result. An interrupt (Ctrl-C, or an exception from
    `on_event`) stops the worker, waits for its loaders to be gone, and goes on upwards.
    """
    record = RunRecord()
    patience_s = _REAP_S
    # A session of its own: Ctrl-C reaches this process alone, which then ends the input.
    worker = subprocess.Popen(
        worker_command(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _send(worker, msgspec.json.encode(job) + b"\n")
        for line in _lines(worker, most_s):
            if recording is not None:
                recording.write(line)
            event = decode(line)
            record.feed(event)
            on_event(event, record)
            if isinstance(event, Ready):
                _send(worker, b"go\n")
    except _UnendingError:
        patience_s = 0.0
    finally:
        code = _stop(worker, patience_s)
    if not record.done:
        record.feed(Failed("internal", f"The worker {outcome_text(code)}."))
    return record


def outcome_text(code: int | None) -> str:
    """How a process ended, as the end of a sentence; None where it did not."""
    if code is None:
        return "waits for storage that does not answer, and cannot be ended"
    return f"was stopped by signal {-code}" if code < 0 else f"ended with exit code {code}"


def _lines(worker: subprocess.Popen[bytes], most_s: float | None) -> Iterator[bytes]:
    """What the worker says, for as long as it may; a line that breaks off is left out.

    The output is read by a thread: whoever reads it waits until every process that holds it is
    gone, and the kernel may keep one of them.
    """
    said: SimpleQueue[bytes | None] = SimpleQueue()
    threading.Thread(target=_listen, args=(worker, said), daemon=True).start()
    begun_s = time.monotonic()
    ends = iter(()) if most_s is None else _endings(worker)
    wait_s = most_s
    while True:
        left_s = math.inf if wait_s is None else begun_s + wait_s - time.monotonic()
        try:
            line = said.get(timeout=min(_AWAKE_S, max(0.0, left_s)))
        except Empty:
            if left_s <= 0:
                begun_s, wait_s = time.monotonic(), next(ends, None)
                if wait_s is None:
                    raise _UnendingError from None
            continue
        if line is None:
            return
        yield line


def _endings(worker: subprocess.Popen[bytes]) -> Iterator[float]:
    """End a worker, each time harder; yields how many seconds it then has."""
    worker.terminate()
    yield GRACE_S
    worker.kill()
    yield KILLED_S


def _listen(worker: subprocess.Popen[bytes], said: SimpleQueue[bytes | None]) -> None:
    assert worker.stdout is not None
    begun = b""
    while data := os.read(worker.stdout.fileno(), _PIPE_BYTES):
        *whole, begun = (begun + data).split(b"\n")
        for line in whole:
            said.put(line + b"\n")
    worker.stdout.close()
    said.put(None)


def _send(worker: subprocess.Popen[bytes], line: bytes) -> None:
    assert worker.stdin is not None
    # A worker that is gone is noticed by the end of its output.
    with contextlib.suppress(BrokenPipeError):
        worker.stdin.write(line)
        worker.stdin.flush()


def _stop(worker: subprocess.Popen[bytes], patience_s: float) -> int | None:
    """End the worker's input, which cancels whatever it does, and wait for it.

    Returns its exit code, or None where the kernel cannot end it.
    """
    assert worker.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        worker.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        return worker.wait(patience_s)
    worker.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        return worker.wait(min(patience_s, KILLED_S))
    _unended.append(worker)
    return None
