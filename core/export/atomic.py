"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from modelmon.core.errors import ModelmonError


class WriteError(ModelmonError):
    """A file of results could not be written; what was there before is untouched."""


def check_target(path: Path) -> None:
    """Raise WriteError if results cannot or must not be written to `path`.

    Asked before work whose result would be lost. A model file is never written over.
    """
    target = path.resolve()
    if any(_is_model_file(name) for name in (path, target)):
        raise WriteError(f"{path} is a model file.", "Choose another name for the results.")
    if target.is_dir():
        raise WriteError(f"{path} is a folder.", "Add a file's name.")
    if not target.parent.is_dir():
        raise WriteError(f"{path} cannot be written: there is no such folder.", "Make it first.")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise WriteError(f"{path} cannot be written: permission denied.", "Choose another folder.")


def _is_model_file(path: Path) -> bool:
    if path.name.endswith((".safetensors", ".gguf", ".safetensors.index.json")):
        return True
    if not path.is_file():
        return False
    try:
        # Files of a cache may have bare hashes for names.
        with path.open("rb") as file:
            return file.read(4) == b"GGUF"
    except OSError:
        return False


def write_text_atomic(path: Path, text: str) -> None:
    """Write `text` beside `path`, make it durable, and put it in its place in one step.

    A link's target is replaced, not the link; a device or pipe is written to as it is.
    Raises WriteError.
    """
    write_bytes_atomic(path, text.encode())


def write_bytes_atomic(path: Path, content: bytes) -> None:
    """The same for what is no text."""
    check_target(path)
    path = path.resolve()
    if path.exists() and not path.is_file():
        _write_straight(path, content)
        return
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode_of(path))
        temporary.replace(path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        raise WriteError(
            f"{path} cannot be written: {error.strerror}.", "Choose another folder or free space."
        ) from error


def _write_straight(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise WriteError(f"{path} cannot be written: {error.strerror}.") from error


def _mode_of(path: Path) -> int:
    """The rights of the file that is replaced, or what a new file gets here."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
