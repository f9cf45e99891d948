"""Whether files are opened and read, by anybody, as the kernel tells it without rights (inotify).

Reads through a mapping are not told: they are no system calls.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

# linux/inotify.h; an event is a watch, a mask, a cookie, and the length of a name behind it.
_IN_ACCESS, _IN_OPEN, _IN_Q_OVERFLOW = 0x1, 0x20, 0x4000
_EVENT = struct.Struct("iIII")
_BUFFER_BYTES = 1 << 16


class FileUses(NamedTuple):
    """Whether one of the files was opened, and read by a system call, since the last look."""

    opened: bool
    read: bool


class FileReads:
    """Watches files that exist; where that is refused (`is_known`), each look says yes to both."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._descriptor: int | None = None
        if sys.platform != "linux":
            return
        libc = ctypes.CDLL(None)
        descriptor = libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if descriptor < 0:
            return  # the user has as many as a user may have
        added = [
            libc.inotify_add_watch(descriptor, os.fsencode(path), _IN_ACCESS | _IN_OPEN)
            for path in paths
        ]
        if min(added, default=-1) < 0:
            os.close(descriptor)
        else:
            self._descriptor = descriptor

    @property
    def is_known(self) -> bool:
        """Whether the kernel tells."""
        return self._descriptor is not None

    def look(self) -> FileUses:
        """What happened since the last look."""
        if self._descriptor is None:
            return FileUses(opened=True, read=True)
        seen = 0
        while True:
            try:
                events = os.read(self._descriptor, _BUFFER_BYTES)
            except BlockingIOError:
                break
            at = 0
            while at < len(events):
                _, mask, _, name_bytes = _EVENT.unpack_from(events, at)
                # After an overflow anything may have happened.
                seen |= -1 if mask & _IN_Q_OVERFLOW else mask
                at += _EVENT.size + name_bytes
        return FileUses(opened=bool(seen & _IN_OPEN), read=bool(seen & _IN_ACCESS))

    def close(self) -> None:
        """Stop watching."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
