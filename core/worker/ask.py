"""Asks a program of modelmon for an answer of one line: a subcommand with `--json`, on a server."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, TypeVar

import msgspec

from modelmon.core.errors import EXIT_LOAD_FAILED, ModelmonError
from modelmon.core.messages import NOTHING, Message, from_wire
from modelmon.core.model.folder import ModelChoice
from modelmon.core.worker.child_process import ChildProcess, program

if TYPE_CHECKING:
    from collections.abc import Sequence

    Answer = TypeVar("Answer")

_END_S = 3.0
_UNREADABLE = (msgspec.DecodeError, TypeError, ValueError, RecursionError)


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
    """What the last line of a subcommand says went wrong; raises DecodeError for any other."""
    return _read_line(line).error


def ask(
    server: str,
    arguments: Sequence[str],
    kind: type[Answer],
    module: str = "modelmon",
    given: bytes = b"",
) -> Answer:
    """The answer of a program on `server`, which reads what is `given`.

    Raises ModelmonError with its own words, or where they are none.
    """
    # Why it failed is in its answer, too.
    child = ChildProcess(program(module, *arguments, server=server), quiet=True)
    last = b""
    try:
        if given:
            child.send(given)
        for line in child.lines(None):
            last = line
    finally:
        ending = child.end(_END_S)
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
    with contextlib.suppress(*_UNREADABLE):
        if (said := error_of(last)) is not None:
            raise AnsweredError(said, child.exit_code or EXIT_LOAD_FAILED)
    try:
        answer: Answer = msgspec.json.Decoder(kind, dec_hook=from_wire).decode(last)
    except _UNREADABLE as error:
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
