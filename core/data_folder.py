"""The folders that modelmon has of a person's: for what it measured, for caches, for sockets."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

import platformdirs

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message

VARIABLE = "MODELMON_DATA_DIR"
# A socket's path has 107 bytes; ssh adds 40 for a digest and 17 while it binds.
_MOST_FOLDER_BYTES = 45


def data_folder() -> Path:
    """`MODELMON_DATA_DIR`, or the user's data folder of this platform; it may not exist yet."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    return Path(platformdirs.user_data_path("modelmon", appauthor=False))


def cache_folder() -> Path:
    """The user's folder for what can be made again; it may not exist yet."""
    return Path(platformdirs.user_cache_path("modelmon", appauthor=False))


def stored_bytes(folder: Path) -> int | None:
    """Sizes of all files below `folder`; None where there is no such folder."""
    if not folder.is_dir():
        return None
    total = 0
    for path in folder.rglob("*"):
        # Files may go while they are counted.
        with contextlib.suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total


def private_folder() -> Path:
    """The private folder of the sockets through which connections to servers are shared.

    Raises LoadFailedError where somebody else could use it.
    """
    name = f"modelmon-{os.getuid()}"
    places = filter(None, (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir()))
    short = (each for each in places if len(os.fsencode(f"{each}/{name}")) <= _MOST_FOLDER_BYTES)
    folder = Path(next(short, "/tmp"), name)
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        seen = folder.lstat()
    except OSError as error:
        raise LoadFailedError(
            Message("Couldn't write {path}: {reason}.", path=folder, reason=error.strerror)
        ) from error
    private = stat.S_ISDIR(seen.st_mode) and not seen.st_mode & 0o077
    if seen.st_uid != os.getuid() or not private:
        raise LoadFailedError(
            Message("Others can use {path}, where connections are shared.", path=folder),
            Message("Remove that folder."),
        )
    return folder
