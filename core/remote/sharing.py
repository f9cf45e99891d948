"""Connections to servers, shared by a person's processes: where, and whose turn is to make one.

Whoever has the turn may ask for a passphrase; the others share what comes of it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARES = sys.platform != "win32"
"""Windows' OpenSSH shares no connection: each client there has its own, and asks for itself."""
# ControlPath has 107 bytes; ssh adds 40 for the digest and 17 while it binds.
_MOST_FOLDER_BYTES = 45


@contextlib.contextmanager
def turn_to_connect(server: str) -> Iterator[contextlib.ExitStack]:
    """Wait until nobody else connects to this server. Closing what it gives lets the next one."""
    with contextlib.ExitStack() as turn:
        if SHARES:
            import fcntl  # noqa: PLC0415  Windows has none

            name = hashlib.sha256(server.encode()).hexdigest()[:16]
            lock = turn.enter_context((private_folder() / f"turn-{name}").open("ab"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield turn


def private_folder() -> Path:
    """The private folder of the sockets through which connections are shared.

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
