"""Asking somebody else's executable what it is: for so long at most, whatever it does."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

ANSWER_S = 10.0
"""An answer takes milliseconds, or seconds where a program looks at graphics cards first."""
_KILLED_S = 1.0
_MOST_BYTES = 1 << 20


def executable(name: str, at: Path | None) -> str:
    """The path of a program: `at` a place if one is given, else on PATH; empty if not there."""
    return shutil.which(str(at) if at is not None else name) or ""


def answer(*command: str, patience_s: float = ANSWER_S) -> str:
    """What a program prints when it is asked; raises ConfigError where that comes to nothing.

    It is ended with all that it started in its session. Its output goes into a file: what it
    leaves behind may keep a pipe open for ever.
    """
    with tempfile.TemporaryFile() as output:
        try:
            asked = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise ConfigError(
                Message("{program} can't be run: {reason}.", program=command[0], reason=error)
            ) from error
        try:
            code = asked.wait(patience_s)
        except subprocess.TimeoutExpired:
            raise ConfigError(
                Message(
                    "{program} doesn't answer {question}.",
                    program=command[0],
                    question=" ".join(command[1:]),
                ),
                Message("Run it by itself until it does."),
            ) from None
        finally:
            _end(asked)
        output.seek(0)
        said = output.read(_MOST_BYTES).decode(errors="replace")
    if code or not said.strip():
        lines = said.strip().splitlines() or [""]
        raise ConfigError(
            Message(
                "{program} ended with exit code {code} when asked for {question}: {said}",
                program=command[0],
                code=code,
                question=" ".join(command[1:]),
                said=lines[-1],
            )
            if code
            else Message(
                "{program} says nothing when asked for {question}.",
                program=command[0],
                question=" ".join(command[1:]),
            )
        )
    return said


def _end(asked: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        os.killpg(asked.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        asked.wait(_KILLED_S)
