"""A folder of this session that nobody else can use: for the sockets of shared connections."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

# ControlPath has 107 bytes; ssh adds 40 for the digest and 17 while it binds.
_MOST_FOLDER_BYTES = 45


def private_folder() -> Path:
    """The private folder of the sockets through which connections are shared.

    Raises LoadFailedError where somebody else could use it.
    """
    last = "/tmp"
    places: Sequence[str | None] = (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), last)
    name = f"modelmon-{os.getuid()}"
    folder = next(
        Path(place, name)
        for place in places
        if place and (place == last or len(os.fsencode(f"{place}/{name}")) <= _MOST_FOLDER_BYTES)
    )
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
