"""The errors a user can meet: what happened, to which file, and what to do next."""

from __future__ import annotations

from typing import Literal

from modelmon.core.messages import NOTHING, Message, joined, verbatim

FailureKind = Literal[
    "model",
    "config",
    "does-not-fit",
    "busy",
    "loader-died",
    "io",
    "cancelled",
    "disconnected",
    "internal",
]

EXIT_DONE = 0
EXIT_LOAD_FAILED = 1
EXIT_USAGE = 2
EXIT_CANCELLED = 130

_MOST_CHARACTERS = 5_000
"""Of a message: what it quotes of a file may be of any length, and a path has up to 4,096."""


class ModelmonError(Exception):
    """Base of every error that is shown to the user as a sentence.

    `message` says what happened and to which file; `remedy` says what to do next and
    may be empty. `exit_code` is what the command line returns for it, `kind` what a recording
    calls it.
    """

    exit_code = EXIT_LOAD_FAILED
    kind: FailureKind = "internal"

    def __init__(self, message: Message, remedy: Message = NOTHING) -> None:
        if len(message) > _MOST_CHARACTERS:
            message = verbatim(f"{message[:_MOST_CHARACTERS]}…")
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    @property
    def text(self) -> Message:
        """What happened and what to do next, one after the other."""
        return joined(filter(None, (self.message, self.remedy)))

    def __str__(self) -> str:
        return str(self.text)


class ModelFileError(ModelmonError):
    """A model file cannot be opened, or its header says something impossible."""

    exit_code = EXIT_USAGE
    kind = "model"


class BusyError(ModelmonError):
    """Another process has the model open or mapped, and nobody agreed to go ahead."""

    kind = "busy"


class ConfigError(ModelmonError):
    """A load configuration, preset or exported file asks for something impossible."""

    exit_code = EXIT_USAGE
    kind = "config"


class NothingToLoadError(ConfigError):
    """None of the tensors that are asked for has any bytes."""


class DoesNotFitError(ModelmonError):
    """A load needs more memory than this machine or its cgroup can give."""

    kind = "does-not-fit"


class LoadFailedError(ModelmonError):
    """A load started and did not end well: a loader died, or storage answered an error."""

    kind: FailureKind = "io"


class OutOfMemoryError(LoadFailedError):
    """The system gave a load no more memory."""

    def __init__(self, remedy: Message = NOTHING) -> None:
        """`remedy` is what lifts a limit of this process, where that is what it has reached."""
        what = Message("The load failed: no address space is left.")
        free = Message("The load failed: the system is out of memory.")
        part = Message("Free memory, or load a part.")
        super().__init__(what if remedy else free, remedy or part)


class CancelledError(ModelmonError):
    """The user stopped the work."""

    exit_code = EXIT_CANCELLED
    kind = "cancelled"
