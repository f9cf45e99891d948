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
import time
from typing import TYPE_CHECKING

from modelmon.core.remote.private_folder import private_folder

if TYPE_CHECKING:
    from typing import Self

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
