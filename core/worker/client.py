"""Runs a worker from this process: for the terminal, tests and benchmarks; blocks until done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from modelmon.core.messages import Message
from modelmon.core.worker.child_process import ChildProcess, SilentError, program
from modelmon.core.worker.events import AnyEvent, Failed, Job, Ready, decode, encode
from modelmon.core.worker.record import RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    class Recording(Protocol):
        """Takes the raw lines of a run."""

        def write(self, line: bytes, /) -> object:
            """Keep one line."""


_REAP_S = 10.0


def worker_command() -> Sequence[str]:
    """The command that starts a worker."""
    return program("modelmon.core.worker")


def run_job(
    job: Job,
    on_event: Callable[[AnyEvent, RunRecord], None] = lambda _event, _record: None,
    recording: Recording | None = None,
    most_s: float | None = None,
) -> RunRecord:
    """Run one load in a worker of its own and return its record.

    `on_event` sees each event after the record took it in, and `Ready` before the load is let
    go; `recording` gets the raw lines, and one that says so
    where the worker ends without its last. After `most_s` the worker is told to end, also where it
    says nothing, killed where it does not within `GRACE_S`, and left to itself where that takes
    more than `KILLED_S`; its record has no result. An interrupt (Ctrl-C, or an exception from
    `on_event`) stops the worker, waits for its loaders to be gone, and goes on upwards.
    """
    record, patience_s = RunRecord(), _REAP_S
    worker = ChildProcess(worker_command())
    try:
        worker.send(msgspec.json.encode(job) + b"\n")
        for line in worker.lines(most_s):
            if recording is not None:
                recording.write(line)
            event = decode(line)
            record.feed(event)
            on_event(event, record)
            if isinstance(event, Ready):
                worker.send(b"go\n")
    except SilentError:
        patience_s = 0.0
    finally:
        ending = worker.end(patience_s)
    if not record.done:
        failed = Failed("internal", Message("The process {how}.", how=ending))
        record.feed(failed)
        if recording is not None:
            recording.write(encode(failed))
    return record
