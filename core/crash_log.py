"""Errors of the program itself, written to a file of the user's that stays on this machine.

It names no secret and no home folder: people hand it on. Never raises for want of a file.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import platform
import traceback
from typing import TYPE_CHECKING

import modelmon
from modelmon.core.data_folder import data_folder
from modelmon.core.redaction import without_secrets
from modelmon.core.terminal_safe import without_controls

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path

_log = logging.getLogger(__name__)

_MOST_BYTES = 1_000_000
"""Of the file: an error of painting comes with every frame. The one before is kept."""
_LAST_BYTES = 1 << 16


def crash_log() -> Path:
    """Where they are written."""
    return data_folder() / "crash.log"


def note_error(error: BaseException, versions: str = "", path: Path | None = None) -> str:
    """Write an error down, after the versions of this program and of what else is named; returns
    what was written.
    """
    trace = "".join(traceback.format_exception(error))
    details = shareable(f"{own_version()}{versions}\n\n{trace}")
    if (file := _opened(path or crash_log())) is not None:
        with file:
            file.write(f"{details}\n".encode())
    return details


def note_deaths() -> None:
    """Have the interpreter write its stacks there, should a signal end it."""
    if (file := _opened(crash_log())) is not None:
        faulthandler.enable(file)  # which keeps it open


def last_errors() -> str:
    """The end of what was written."""
    try:
        return crash_log().read_bytes()[-_LAST_BYTES:].decode(errors="replace")
    except OSError:
        return ""


def own_version() -> str:
    """Of this program, its Python and its system."""
    python = platform.python_version()
    return f"modelmon {modelmon.__version__}, Python {python}, {platform.platform()}"


def shareable(text: str) -> str:
    """Without control characters and secrets, and without the name of the user's home folder."""
    home = os.path.expanduser("~")  # noqa: PTH111  which never raises, as Path.home() may
    text = text.replace(home, "~") if home.strip(os.sep + "~") else text
    return without_controls(without_secrets(text))


def _opened(path: Path) -> FileIO | None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > _MOST_BYTES:
            path.replace(path.with_suffix(".old.log"))
        path.touch(mode=0o600)
        return path.open("ab", buffering=0)
    except OSError as error:
        _log.warning("%s cannot be written: %s", path, error)
        return None
