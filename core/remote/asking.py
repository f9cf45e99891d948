"""Whether ssh may ask the person: in windows one process at a time, and once.

Where a line was lost, everything that used it connects again at the same time. One of them asks;
the others wait, share that connection or have none. Where the answer was no, nobody asks again for
a while but who was told to by the person.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import stat
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

# ControlPath has 107 bytes; ssh adds 40 for the digest and 17 while it binds.
_MOST_FOLDER_BYTES = 45
_QUIET_S = 600.0
"""So long runs that a lost connection cut off are tried again."""
# What ssh says where it needed an answer; where a server can't be reached it has asked nothing.
_REFUSED = ("Permission denied", "verification failed", "authentication failures")


class PromptLock:
    """The turn to connect to a server, from entering it until `end`: `may_ask` says whether ssh may
    ask for a passphrase and the like. Raises LoadFailedError where others could use the folder of
    the connections.
    """

    def __init__(self, server: str, *, told: bool = False) -> None:
        """`told` by the person, just now. Where no windows ask, only such processes may."""
        self.may_ask = told
        self._server = server
        self._file = -1

    def __enter__(self) -> Self:
        if os.environ.get("SSH_ASKPASS_REQUIRE") != "force":
            return self
        name = hashlib.sha256(self._server.encode()).hexdigest()[:16]
        path = private_folder() / f"asks-{name}"
        self._file = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.may_ask = self.may_ask or not self._was_refused()
        except BlockingIOError:
            # Whoever has it asks; what comes of that holds for this one, too.
            fcntl.flock(self._file, fcntl.LOCK_EX)
            self.may_ask = False
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def end(self, words: str = "") -> None:
        """Let others connect; `words` are ssh's last ones, where it failed."""
        if self._file < 0:
            return
        if self.may_ask:
            refused = any(each in words for each in _REFUSED)
            with contextlib.suppress(OSError):
                os.pwrite(self._file, b"1" if refused else b"0", 0)
        os.close(self._file)
        self._file = -1

    def _was_refused(self) -> bool:
        since_s = time.time() - os.fstat(self._file).st_mtime
        return os.pread(self._file, 1, 0) == b"1" and since_s < _QUIET_S


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
