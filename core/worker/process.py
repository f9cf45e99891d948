"""A worker's beginning and end: the job comes in, and whatever happens becomes an event."""

from __future__ import annotations

import os
import platform
import signal
import time
import traceback
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

import modelmon
from modelmon.core.errors import (
    EXIT_DONE,
    EXIT_LOAD_FAILED,
    BusyError,
    CancelledError,
    ConfigError,
    DoesNotFitError,
    LoadFailedError,
    ModelFileError,
    ModelmonError,
)
from modelmon.core.load.files import not_opened
from modelmon.core.load.plan import AWAKE
from modelmon.core.load.threads import allowed_processors
from modelmon.core.messages import Message
from modelmon.core.worker import events as ev
from modelmon.core.worker.loaders import LoaderDiedError, SpareLoader
from modelmon.core.worker.streams import EventWriter, Inbox
from modelmon.core.worker.supervisor import Supervisor

if TYPE_CHECKING:
    from modelmon.core.worker.watched import StartWatched

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


def _bug(error: Exception) -> ev.Failed:
    what = "".join(traceback.format_exception_only(error)).strip()
    return ev.Failed(
        "internal",
        Message("The process stopped unexpectedly: {what}.", what=what),
        Message("Report this with a recording of the run."),
        "".join(traceback.format_exception(error)),
    )


def _read_job(inbox: Inbox) -> ev.Job:
    line = inbox.get(None).line or b""
    try:
        job = msgspec.json.decode(line, type=ev.Job)
    except (msgspec.DecodeError, ConfigError) as error:
        raise ConfigError(Message("Couldn't read the job: {reason}", reason=error)) from error
    if job.protocol != ev.PROTOCOL:
        raise ConfigError(
            Message(
                "The job speaks protocol {protocol}, this worker {ev_protocol}.",
                protocol=job.protocol,
                ev_protocol=ev.PROTOCOL,
            ),
            Message("Install the same modelmon version on both sides."),
        )
    return job


def main(*, standby: bool = False, start: StartWatched | None = None) -> int:
    """Run one worker over the standard streams; returns the exit code of its last event.

    `start` starts the program that it watches, where its job asks for one (core/watch).

    One that stands by was started before there is a job: it starts a loader as well, and says
    that it is awake.
    """
    # Events go out on the original standard output; whatever prints goes to stderr.
    events = os.dup(1)
    os.dup2(2, 1)
    inbox = Inbox()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: inbox.cancel())
    # Unbuffered: a thread that still waits in a buffered read would abort the exit.
    inbox.listen("command", os.fdopen(os.dup(0), "rb", buffering=0))
    spare = SpareLoader() if standby else None
    if standby:
        # Whoever started it may have gone: then its input has ended, too.
        with suppress(BrokenPipeError):
            os.write(events, AWAKE)
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
                    cpu_count=allowed_processors(),
                )
            )
            last: ev.Finished | ev.Failed = Supervisor(job, writer, inbox, spare, start).run()
        except ModelmonError as error:
            code, last = error.exit_code, _failed(error)
        except OSError as error:
            failed = LoadFailedError(Message("The load failed: {reason}.", reason=error.strerror))
            failure = not_opened(error.filename, error) if error.filename else failed
            code, last = failure.exit_code, _failed(failure)
        except Exception as error:
            code, last = EXIT_LOAD_FAILED, _bug(error)
        writer.write(last)
        writer.drain(inbox.is_cancelled)
    except CancelledError as error:
        code = error.exit_code
    return code
