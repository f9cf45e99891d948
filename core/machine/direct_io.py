"""Opening a file past the page cache, how such reads are aligned, and advice on how one is read.

Sources: open(2) for O_DIRECT, statx(2) for STATX_DIOALIGN (Linux 6.1), fcntl(2) of macOS for
F_NOCACHE, posix_fadvise(2). Standard library only.
"""

from __future__ import annotations

import errno
import os
import sys

from modelmon.core.machine.anonymous_memory import OwnedBuffer
from modelmon.core.machine.cached_pages import RAMFS, TMPFS, filesystem_type, statx
from modelmon.core.messages import Message


def give_advice(fd: int, name: str, offset_bytes: int = 0, nbytes: int = 0) -> bool:
    """posix_fadvise(2) by the advice's name, `random` and the like; no bytes are those to the end.

    Returns whether it was taken: there are systems without the call, file systems that don't know
    an advice, and filters of containers that refuse it. What is advised is done all the same.
    """
    if not hasattr(os, "posix_fadvise"):
        return False
    try:
        os.posix_fadvise(fd, offset_bytes, nbytes, getattr(os, f"POSIX_FADV_{name.upper()}"))
    except OSError:
        return False
    return True


READ_ONLY = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
DEFAULT_ALIGNMENT_BYTES = 4096
_STATX_DIOALIGN = 0x2000
_MEMORY_AT, _OFFSET_AT = 152, 156
_F_NOCACHE = 48
_LEAST_ALIGNMENT_BYTES = 512

_tried: set[tuple[int, int]] = set()
"""Files that were read directly by this process: device and inode. Each reader opens them anew."""


class DirectRefusedError(Exception):
    """This file cannot be read past the page cache here; `reason` says why."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def open_direct(path: str) -> int:
    """A read-only descriptor that bypasses the page cache.

    Raises DirectRefusedError where platform or filesystem cannot do that, and OSError as
    open(2) does otherwise.
    """
    if sys.platform not in ("linux", "darwin"):
        raise DirectRefusedError(Message("This system has no direct I/O"))
    try:
        descriptor = os.open(path, READ_ONLY | getattr(os, "O_DIRECT", 0))
    except OSError as error:
        if error.errno == errno.EINVAL:
            raise DirectRefusedError(Message("The filesystem refuses O_DIRECT")) from error
        raise
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415  there is none on Windows

        fcntl.fcntl(descriptor, _F_NOCACHE, 1)
    if filesystem_type(descriptor) in (TMPFS, RAMFS):
        os.close(descriptor)
        raise DirectRefusedError(Message("The file is in memory (tmpfs)"))
    return descriptor


def alignment_bytes(descriptor: int) -> int:
    """What offsets, sizes and addresses of reads on a direct descriptor are multiples of.

    Where the kernel does not tell, it is 4096. A file is tried once in a process, for on a server
    each try takes a round trip. Raises DirectRefusedError if the kernel says that there is no
    direct I/O on this file, or refuses the read.
    """
    if sys.platform != "linux":
        return 1
    told = _told_alignment_bytes(descriptor)
    if told == 0:
        raise DirectRefusedError(Message("The filesystem has no direct I/O for this file"))
    alignment = told or DEFAULT_ALIGNMENT_BYTES
    status = os.fstat(descriptor)
    file = status.st_dev, status.st_ino
    if file not in _tried:
        _try(descriptor, alignment)
        _tried.add(file)
    return alignment


def _try(descriptor: int, nbytes: int) -> None:
    """Read the first bytes. Raises DirectRefusedError if that is refused."""
    buffer = OwnedBuffer(nbytes, huge_pages=False)
    try:
        os.preadv(descriptor, [buffer.view], 0)
    except OSError as error:
        why = Message("A direct read failed: {reason}", reason=error.strerror)
        raise DirectRefusedError(why) from error
    finally:
        buffer.close()


def _told_alignment_bytes(descriptor: int) -> int | None:
    """The larger of both alignments that statx gives; 0 without direct I/O, None unknown."""
    answer = statx(descriptor, _STATX_DIOALIGN)
    if answer is None:
        return None
    memory, offset = (
        int.from_bytes(answer[at : at + 4], sys.byteorder) for at in (_MEMORY_AT, _OFFSET_AT)
    )
    return 0 if not offset else max(memory, offset, _LEAST_ALIGNMENT_BYTES)
