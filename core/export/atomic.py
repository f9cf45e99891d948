"""Writes files whole or not at all; refuses to write over a model."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import Message
from modelmon.core.model.sharded import is_of_model

if TYPE_CHECKING:
    from io import FileIO


class WriteError(ModelmonError):
    """A file of results could not be written; what was there before is untouched."""


def check_target(path: Path) -> None:
    """Raise WriteError if results cannot or must not be written to `path`.

    Asked before work whose result would be lost. What a folder's rights say may not be what its
    filesystem does, so a file is made beside `path`, as writing does, and removed.
    """
    try:
        target = _allowed(path)
        if _is_written_through(path):
            return
        handle, name = _file_beside(target)
        os.close(handle)
        Path(name).unlink()
    except OSError as error:
        raise _unwritable(path, error) from error


def _allowed(path: Path) -> Path:
    """The file that `path` leads to; raises WriteError if it is none to write results to.

    A model file is never written over.
    """
    target = path.resolve()
    if any(_is_model_file(name) for name in (path, target)):
        raise WriteError(
            Message("{path} is a model file.", path=path),
            Message("Choose another name for the results."),
        )
    if target.is_dir():
        raise WriteError(Message("{path} is a folder.", path=path), Message("Add a file's name."))
    if not target.parent.is_dir():
        raise WriteError(
            Message("Couldn't write {path}: the folder doesn't exist.", path=path),
            Message("Create the folder first."),
        )
    if path.exists() and not os.access(path, os.W_OK):
        raise WriteError(
            Message("Couldn't write {path}: permission denied.", path=path),
            Message("Choose another folder."),
        )
    return target


def _is_written_through(path: Path) -> bool:
    """Whether it is a device or pipe, which may have no name that leads to it: /dev/stdout."""
    return path.exists() and not path.is_file()


def _is_model_file(path: Path) -> bool:
    if is_of_model(path.name):
        return True
    if not path.is_file():
        return False
    try:
        # Files of a cache may have bare hashes for names.
        with path.open("rb") as file:
            return file.read(4) == b"GGUF"
    except OSError:
        return False


def open_to_record(path: Path) -> FileIO:
    """Open a file that has each line once it is written: a run that is cut off leaves what was seen
    until then. Raises WriteError.
    """
    try:
        return path.open("wb", buffering=0)
    except OSError as error:
        raise _unwritable(path, error) from error


def write_text_atomic(path: Path, text: str) -> None:
    """Write `text` beside `path`, make it durable, and put it in its place in one step.

    A link's target is replaced, not the link; a device or pipe is written to as it is.
    Raises WriteError.
    """
    write_bytes_atomic(path, text.encode())


def write_bytes_atomic(path: Path, content: bytes) -> None:
    """The same for what is no text."""
    temporary: Path | None = None
    try:
        target = _allowed(path)
        if _is_written_through(path):
            path.write_bytes(content)
            return
        handle, name = _file_beside(target)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode_of(target))
        temporary.replace(target)
    except BaseException as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise _unwritable(path, error) from error
        raise


def _file_beside(target: Path) -> tuple[int, str]:
    """A new file that can take the place of `target` in one step: its descriptor and name."""
    return tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)


def _unwritable(path: Path, error: OSError) -> WriteError:
    return WriteError(
        Message("Couldn't write {path}: {reason}.", path=path, reason=error.strerror),
        Message("Choose another folder or free space."),
    )


def _mode_of(path: Path) -> int:
    """The rights of the file that is replaced, or what a new file gets here."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
