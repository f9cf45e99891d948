"""How runs of the terminal are kept: in the history, and in the file that `--record` fills.

What could not be kept is said; the measurement is whole all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from modelmon.core.cli.output import tell
from modelmon.core.export.atomic import WriteError
from modelmon.core.history.history import History
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from pathlib import Path

no_history_option = click.option(
    "no_history", "--no-history", is_flag=True, help="Don't save this in the history."
)


def history_unless(no_history: bool) -> History | None:
    """The user's history; None where nothing is to be kept."""
    return None if no_history else History()


def tell_problem(problem: Message) -> None:
    """Say why something was not kept, if so; the measurement is whole all the same."""
    if problem:
        tell(f"Not saved in the history: {problem}")


class RecordingFile:
    """Takes the lines of a run as they come; `problem` says why some are missing.

    A disk that gets full ends the recording, not the load.
    """

    def __init__(self, path: Path) -> None:
        """`path` was looked at by `check_target`. Raises WriteError if it cannot be opened."""
        try:
            # Unbuffered: a run that is cut off leaves what was seen until then.
            self._file = path.open("wb", buffering=0)
        except OSError as error:
            raise WriteError(
                Message("Couldn't write {path}: {reason}.", path=path, reason=error.strerror),
                Message("Choose another folder."),
            ) from error
        self._path = path
        self.problem = ""

    def write(self, line: bytes) -> None:
        """Add one line, unless an earlier one failed."""
        if self.problem:
            return
        try:
            self._file.write(line)
        except OSError as error:
            self.problem = f"The recording {self._path} is cut: {error.strerror}."

    def __enter__(self) -> RecordingFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
