"""Files are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from modelmon.core.errors import ModelmonError


class WriteError(ModelmonError):
    """A file of results could not be written; what was there before is untouched."""


def write_text_atomic(path: Path, text: str) -> None:
    """Write `text` beside `path`, make it durable, and put it in its place in one step."""
    path = path.absolute()
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        temporary = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
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


def _mode_of(path: Path) -> int:
    """The rights of the file that is replaced, or what a new file gets here."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
