"""Runs a worker from this process: for the terminal, tests and benchmarks; blocks until done."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.worker.events import AnyEvent, Failed, Job, Ready, decode
from modelmon.core.worker.record import RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Recording(Protocol):
        """Takes the raw lines of a run."""

        def write(self, line: bytes, /) -> object:
            """Keep one line."""


_REAP_S = 10.0

GRACE_S = 0.25
"""A worker whose time is up may take so long to end by itself before it is killed. The kernel
then kills its loaders.
"""


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
    says nothing, and killed where it does not within `GRACE_S`; its record has no result.
    An interrupt (Ctrl-C, or an exception from `on_event`) stops the worker, waits for its
    loaders to be gone, and goes on upwards.
    """
    record = RunRecord()
    # A session of its own: Ctrl-C reaches this process alone, which then ends the input.
    with subprocess.Popen(
        worker_command(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        alarm = threading.Timer(max(0.0, most_s or 0.0), _end, (worker,))
        if most_s is not None:
            alarm.start()
        try:
            _send(worker, msgspec.json.encode(job) + b"\n")
            for line in worker.stdout:
                if not line.endswith(b"\n"):
                    break  # the worker was killed while it wrote
                if recording is not None:
                    recording.write(line)
                event = decode(line)
                record.feed(event)
                on_event(event, record)
                if isinstance(event, Ready):
                    _send(worker, b"go\n")
        finally:
            alarm.cancel()
            _stop(worker)
    if not record.done:
        record.feed(Failed("internal", f"The worker {outcome_text(worker.returncode)}."))
    return record


def outcome_text(code: int) -> str:
    """How a process ended, as the end of a sentence."""
    return f"was stopped by signal {-code}" if code < 0 else f"ended with exit code {code}"


def _end(worker: subprocess.Popen[bytes]) -> None:
    """Tell a worker to end, and see to it."""
    worker.terminate()
    try:
        worker.wait(GRACE_S)
    except subprocess.TimeoutExpired:
        worker.kill()


def _send(worker: subprocess.Popen[bytes], line: bytes) -> None:
    assert worker.stdin is not None
    # A worker that is gone is noticed by the end of its output.
    with contextlib.suppress(BrokenPipeError):
        worker.stdin.write(line)
        worker.stdin.flush()


def _stop(worker: subprocess.Popen[bytes]) -> None:
    """End the worker's input, which cancels whatever it does, and wait for it."""
    assert worker.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        worker.stdin.close()
    assert worker.stdout is not None
    worker.stdout.close()
    try:
        worker.wait(_REAP_S)
    except subprocess.TimeoutExpired:
        worker.kill()
