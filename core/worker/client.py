"""Starts programs of modelmon and waits for them: a worker for a load, a subcommand for an answer.

The window does the same with Qt's processes; what these say is decoded here and judged elsewhere.
"""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import msgspec

from modelmon.core.errors import EXIT_LOAD_FAILED, LoadFailedError, ModelmonError
from modelmon.core.limited_numbers import UNDECODABLE
from modelmon.core.load.plan import AWAKE, STANDBY
from modelmon.core.messages import NOTHING, Message, from_wire
from modelmon.core.model.sharded import ModelChoice
from modelmon.core.worker.child_process import (
    GRACE_S,
    GRACE_THERE_S,
    ChildProcess,
    SilentError,
    program,
)
from modelmon.core.worker.events import AnyEvent, Failed, Job, Ready, decode, encode
from modelmon.core.worker.record import UNREADABLE, RunRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol, Self

    class Recording(Protocol):
        """Takes the raw lines of a run."""

        def write(self, line: bytes, /) -> object:
            """Keep one line."""

    Answer = TypeVar("Answer")


_REAP_S = 10.0
STARTED_S = 5.0
"""How long a worker that was started in advance is waited for, before a load is let go."""


def worker_command(server: str = "", *arguments: str) -> Sequence[str]:
    """The command that starts a worker, here or on a server."""
    return program("modelmon.core.worker", *arguments, server=server)


def watch_command(server: str = "", *command: str) -> Sequence[str]:
    """The command that starts a worker which watches the program of this command, or joins one."""
    return program("modelmon.core.watch", *command, server=server)


class Standby:
    """The worker of the next run, started while the present one prepares its load.

    It imports what it needs meanwhile, and does nothing from before that load until its own job
    comes.
    """

    def __init__(self, server: str = "") -> None:
        self._server = server
        self._worker: ChildProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._end()

    def take(self) -> ChildProcess:
        """The worker that stands by; a new one where none does, or it is gone."""
        if self._worker is not None and not self._worker.runs:
            self._end()
        worker, self._worker = self._worker, None
        return worker or ChildProcess(worker_command(self._server))

    def prepare(self) -> None:
        """Start the next one, if the system lets it."""
        with contextlib.suppress(LoadFailedError):
            self._worker = ChildProcess(worker_command(self._server, STANDBY))

    def wait(self) -> None:
        """Return when it is still; one that does not get there is ended."""
        try:
            awake = self._worker is None or self._worker.line(STARTED_S) == AWAKE
        except SilentError:
            awake = False
        if not awake:
            self._end()

    def _end(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end(GRACE_S)


def run_job(  # noqa: PLR0913, PLR0917  each is left out by most
    job: Job,
    on_event: Callable[[AnyEvent, RunRecord], None] = lambda _event, _record: None,
    recording: Recording | None = None,
    most_s: float | None = None,
    standby: Standby | None = None,
    command: Sequence[str] = (),
    server: str = "",
) -> RunRecord:
    """Run one load in a worker of its own, on `server` if that is named, and return its record.

    `on_event` sees each event after the record took it in, and `Ready` before the load is let
    go; `recording` gets the raw lines, and one that says so
    where the worker ends without its last. After `most_s` the worker is told to end, also where it
    says nothing, killed where it does not within `GRACE_S`, and left to itself where that takes
    more than `KILLED_S`; its record has no result. `standby` gives the worker, and prepares the
    next, unless the job asks for a program to be watched, by its `command` where it is started: it
    is part of the worker's own command line. An interrupt (Ctrl-C, or an
    exception from `on_event`) stops the worker, waits for its loaders to be gone, and goes on
    upwards.
    """
    record, patience_s, unread = RunRecord(), _REAP_S, NOTHING
    if job.program is not None:
        standby = None
    started = watch_command(server, *command) if job.program else worker_command(server)
    worker = standby.take() if standby else ChildProcess(started)
    try:
        worker.send(msgspec.json.encode(job) + b"\n")
        # What a command did to the caches before this run would make the next one's imports read.
        if standby is not None and not job.prepared_with:
            standby.prepare()
        for line in worker.lines(most_s, GRACE_THERE_S if server else GRACE_S):
            if line == AWAKE:
                continue
            if recording is not None:
                recording.write(line)
            try:
                event = decode(line)
                record.feed(event)
            except UNREADABLE as error:
                unread = Message("Couldn't read what the process wrote: {reason}.", reason=error)
                break
            on_event(event, record)
            if isinstance(event, Ready):
                if standby is not None:
                    standby.wait()
                worker.send(b"go\n")
    except SilentError:
        patience_s = 0.0
    finally:
        ending = worker.end(patience_s)
    if not record.done:
        failed = Failed("internal", unread or Message("The process {how}.", how=ending))
        record.feed(failed)
        if recording is not None:
            recording.write(encode(failed))
    return record


_END_S = 3.0


class AnsweredError(ModelmonError):
    """The program failed, and said why."""

    def __init__(self, error: _Error, exit_code: int) -> None:
        super().__init__(error.message, error.remedy)
        self.exit_code = exit_code


class _Error(msgspec.Struct):
    message: Message
    remedy: Message = NOTHING
    choices: tuple[ModelChoice, ...] = ()


class _Line(msgspec.Struct):
    error: _Error | None = None


_read_line = msgspec.json.Decoder(_Line, dec_hook=from_wire).decode


def error_of(line: bytes) -> _Error | None:
    """What the last line of a subcommand says went wrong; raises UNDECODABLE for any other."""
    return _read_line(line).error


def ask(  # noqa: PLR0913  the last two are left out by most
    server: str,
    arguments: Sequence[str],
    kind: type[Answer],
    module: str = "modelmon",
    *,
    given: bytes = b"",
    silent_s: float | None = None,
) -> Answer:
    """The answer of a program, on `server` if that is named, which reads what is `given`.

    Raises ModelmonError with its own words, or where they are none; SilentError after `silent_s`
    without any.
    """
    # Why it failed is in its answer, too.
    child = ChildProcess(program(module, *arguments, server=server), quiet=True)
    last = b""
    try:
        if given:
            child.send(given)
        for line in iter(partial(child.line, silent_s), None):
            last = line
    finally:
        ending = child.end(_END_S)
    if not last and not server:
        raise LoadFailedError(Message("The process {how}.", how=ending), Message("Try again."))
    name = arguments[0] if module == "modelmon" else module
    if not last:
        raise ModelmonError(
            Message("modelmon {name} on {server} {how}.", name=name, server=server, how=ending),
            Message(
                "The copy on {server} only measures. Install modelmon there, then run: modelmon"
                " remote install {server}",
                server=server,
            ),
        )
    with contextlib.suppress(*UNDECODABLE):
        if (said := error_of(last)) is not None:
            raise AnsweredError(said, child.exit_code or EXIT_LOAD_FAILED)
    try:
        answer: Answer = msgspec.json.Decoder(kind, dec_hook=from_wire).decode(last)
    except UNDECODABLE as error:
        raise ModelmonError(
            Message(
                "Couldn't read what modelmon {name} on {server} answered: {reason}. It {how}.",
                name=name,
                server=server,
                reason=error,
                how=ending,
            )
        ) from error
    return answer
