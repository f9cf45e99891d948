"""A worker's beginning and end: the job comes in, and whatever happens becomes an event."""

from __future__ import annotations

import os
import platform
import signal
import time

import msgspec

import modelmon
from modelmon.core.errors import (
    EXIT_DONE,
    CancelledError,
    ConfigError,
    DoesNotFitError,
    LoadFailedError,
    ModelFileError,
    ModelmonError,
)
from modelmon.core.worker import events as ev
from modelmon.core.worker.admission import BusyError
from modelmon.core.worker.loaders import LoaderDiedError
from modelmon.core.worker.streams import EventWriter, Inbox
from modelmon.core.worker.supervisor import Supervisor

_FAILURE_KINDS: tuple[tuple[type[ModelmonError], ev.FailureKind], ...] = (
    (CancelledError, "cancelled"),
    (ModelFileError, "model"),
    (ConfigError, "config"),
    (DoesNotFitError, "does-not-fit"),
    (BusyError, "busy"),
    (LoaderDiedError, "loader-died"),
    (LoadFailedError, "io"),
)


def _failed(error: ModelmonError) -> ev.Failed:
    for known, kind in _FAILURE_KINDS:
        if isinstance(error, known):
            return ev.Failed(kind, error.message, error.remedy)
    return ev.Failed("internal", error.message, error.remedy)


def _read_job(inbox: Inbox) -> ev.Job:
    line = inbox.get(None).line or b""
    try:
        job = msgspec.json.decode(line, type=ev.Job)
    except (msgspec.DecodeError, ConfigError) as error:
        raise ConfigError(f"The job cannot be understood: {error}") from error
    if job.protocol != ev.PROTOCOL:
        raise ConfigError(
            f"The job speaks protocol {job.protocol}, this worker {ev.PROTOCOL}.",
            "Install the same modelmon version on both sides.",
        )
    return job


def main() -> int:
    """Run one worker over the standard streams; returns the exit code of its last event."""
    # Events go out on the original standard output; whatever prints goes to stderr.
    events = os.dup(1)
    os.dup2(2, 1)
    inbox = Inbox()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: inbox.cancel())
    # Unbuffered: a thread that still waits in a buffered read would abort the exit.
    inbox.listen("command", os.fdopen(os.dup(0), "rb", buffering=0))
    writer = EventWriter(events)
    code = EXIT_DONE
    try:
        try:
            job = _read_job(inbox)
            writer.write(
                ev.Hello(
                    protocol=ev.PROTOCOL,
                    job=job,
                    modelmon_version=modelmon.__version__,
                    started_unix_s=time.time(),
                    platform=f"{platform.system()} {platform.release()}",
                    cpu_count=os.cpu_count() or 1,
                )
            )
            Supervisor(job, writer, inbox).run()
        except ModelmonError as error:
            code = error.exit_code
            writer.write(_failed(error))
        except OSError as error:
            failure = LoadFailedError(f"The load failed: {error}.")
            code = failure.exit_code
            writer.write(_failed(failure))
        writer.drain(inbox.is_cancelled)
    except CancelledError as error:
        code = error.exit_code
    return code
