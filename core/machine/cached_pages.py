"""How a file's cached pages are counted here, and system calls that tell of its filesystem.

All take a descriptor that is open already, for opening a FUSE file drops its cache. They raise
OSError with the kernel's error number. Standard library only.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import mmap
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from modelmon.core.messages import Message, argument, verbatim

if TYPE_CHECKING:
    from pathlib import Path

OVERLAYFS = 0x794C7630
TMPFS = 0x01021994
RAMFS = 0x858458F6
HIDE_COMPRESSION = frozenset({0x9123683E, 0x73717368})  # btrfs, squashfs
ON_THIS_MACHINE = frozenset(
    {
        *HIDE_COMPRESSION,
        OVERLAYFS,
        TMPFS,
        RAMFS,
        0xEF53,  # ext2, ext3, ext4
        0x58465342,  # XFS
        0xF2F52010,  # F2FS
        0xCA451A4E,  # bcachefs
        0x2FC12FC1,  # ZFS
        0xE0F5E1E2,  # EROFS
        0x7366746E,  # NTFS
        0x2011BAB0,  # exFAT
        0x4D44,  # FAT
    }
)
"""Values of `filesystem_type`, from the kernel's include/uapi/linux/magic.h and the filesystems'
own headers. Those on this machine don't go away as a server does; some hide from stat(2) how much
they compress.
"""

# The same number on all processors, as that of each call since Linux 5.1 (asm-generic/unistd.h).
_CACHESTAT = 451
_AT_HERE, _AT_EMPTY_PATH = -100, 0x1000
_STATX_MOUNT, _MOUNT_AT = 0x4000, 144
_MINCORE_WINDOW_BYTES = 256 * 1024**2
# Bit 0 is "resident"; macOS uses the others too.
_RESIDENT_BIT = bytes(value & 1 for value in range(256))


class _CachestatRange(ctypes.Structure):
    _fields_ = (("offset", ctypes.c_uint64), ("length", ctypes.c_uint64))


class _Cachestat(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_uint64)
        for name in ("cached", "dirty", "writeback", "evicted", "recently_evicted")
    )


@functools.cache
def libc() -> ctypes.CDLL:
    """The C library, with the types of what is called here."""
    found = ctypes.CDLL(None, use_errno=True)
    found.syscall.restype = ctypes.c_long
    found.mmap.restype = ctypes.c_void_p
    found.mmap.argtypes = (
        ctypes.c_void_p,
        ctypes.c_size_t,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_int,
        ctypes.c_long,
    )
    found.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
    found.mincore.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p)
    return found


def failure() -> OSError:
    """The error that the last call left behind."""
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))


def syscall(number: int, *arguments: object) -> int:
    """What a system call answers; most Pythons have no name for a new one. Raises OSError."""
    answer: int = libc().syscall(ctypes.c_long(number), *arguments)
    if answer < 0:
        raise failure()
    return answer


def cachestat_pages(fd: int, offset: int, length: int) -> int:
    """Pages of the bytes `offset` to `offset + length` that are in the page cache.

    cachestat(2), Linux 6.5. ENOSYS: an older kernel. EPERM: neither owner nor writer of the
    file, or the call is filtered. On overlayfs it answers 0 for a fully cached file.
    """
    return int(_cachestat(fd, offset, length).cached)


def dirty_pages(fd: int) -> int:
    """Cached pages of the whole file that are still to be written, or just being written.

    cachestat(2), with the errors of `cachestat_pages`.
    """
    # A length of 0 reaches to the end of the file.
    found = _cachestat(fd, 0, 0)
    return int(found.dirty + found.writeback)


def _cachestat(fd: int, offset: int, length: int) -> _Cachestat:
    if sys.platform != "linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    wanted, found = _CachestatRange(offset, length), _Cachestat()
    syscall(_CACHESTAT, fd, ctypes.byref(wanted), ctypes.byref(found), 0)
    return found


def mincore_pages(fd: int, offset: int, length: int) -> int:
    """Pages of the bytes `offset` to `offset + length` that are in the page cache.

    mincore(2) on a map that is never touched. Linux answers "all" to whoever neither owns
    nor may write the file, so ask only where that is known.
    """
    resident, end = 0, offset + length
    for at in range(offset // mmap.PAGESIZE * mmap.PAGESIZE, end, _MINCORE_WINDOW_BYTES):
        nbytes = min(_MINCORE_WINDOW_BYTES, end - at)
        address = libc().mmap(None, nbytes, mmap.PROT_READ, mmap.MAP_SHARED, fd, at)
        if address == ctypes.c_void_p(-1).value:
            raise failure()
        pages = ctypes.create_string_buffer(-(-nbytes // mmap.PAGESIZE))
        try:
            if libc().mincore(address, nbytes, pages):
                raise failure()
        finally:
            libc().munmap(address, nbytes)
        resident += pages.raw.translate(_RESIDENT_BIT).count(1)
    return resident


def filesystem_type(fd: int) -> int | None:
    """The kernel's number for the filesystem that holds the file; None if not on Linux.

    fstatfs(2): the number is the first word of the answer.
    """
    if sys.platform != "linux":
        return None
    answer = (ctypes.c_ulong * 64)()
    if libc().fstatfs(ctypes.c_int(fd), answer):
        raise failure()
    return int(answer[0])


def statx(file: int | Path, wanted: int) -> bytes | None:
    """The kernel's answer to statx(2) of an open file or a path; None where it doesn't tell what is
    `wanted`. Its layout is that of include/uapi/linux/stat.h.
    """
    if not hasattr(libc(), "statx"):
        return None
    answer = ctypes.create_string_buffer(256)
    descriptor, path = (file, b"") if isinstance(file, int) else (_AT_HERE, os.fsencode(file))
    code = libc().statx(
        ctypes.c_int(descriptor),
        ctypes.c_char_p(path),
        ctypes.c_int(_AT_EMPTY_PATH),
        ctypes.c_uint(wanted),
        answer,
    )
    told = int.from_bytes(answer.raw[:4], sys.byteorder)
    return answer.raw if not code and told & wanted else None


def mount_number(path: Path) -> int | None:
    """The number that the mount below a path alone has since boot (Linux 6.8); None without."""
    answer = statx(path, _STATX_MOUNT) if sys.platform == "linux" else None
    if answer is None:
        return None
    return int.from_bytes(answer[_MOUNT_AT : _MOUNT_AT + 8], sys.byteorder)


CountPages = Callable[[int, int, int], int]
"""Gets descriptor, offset and length in bytes; returns the cached pages among them."""


def unknown(why: Message) -> Message:
    """The `source` of a residency that nobody tells, with the reason."""
    return Message("unknown: {why}", why=why)


def why_unknown(source: Message) -> Message:
    """The reason in what `unknown` made, also where a recording has only the text of it."""
    why = argument(source, "why")
    return why if isinstance(why, Message) else verbatim(source.removeprefix("unknown: "))


FOREIGN = unknown(Message("the file belongs to another user"))
_REFUSED = unknown(Message("the system refuses cachestat and mincore, as some containers do"))


def page_counter(fd: int) -> tuple[CountPages | None, Message]:
    """How to count this file's cached pages and what that is called, or None and why not."""
    if sys.platform == "win32":
        return None, unknown(Message("Windows doesn't report what is cached"))
    try:
        cachestat_pages(fd, 0, 1)
    except OSError as error:
        if error.errno == errno.EOPNOTSUPP:
            return None, unknown(Message("hugetlbfs files have no page cache"))
        # A container's filter may answer EPERM as well, for one's own files too.
        if error.errno not in (errno.ENOSYS, errno.EPERM):
            raise
    else:
        # The descriptor of an overlay caches nothing itself; its maps are of the file below.
        if filesystem_type(fd) != OVERLAYFS:
            return cachestat_pages, verbatim("cachestat")
    if not mincore_is_honest(fd):
        return None, FOREIGN
    return (mincore_pages, verbatim("mincore")) if mincore_answers(fd) else (None, _REFUSED)


def mincore_answers(fd: int) -> bool:
    """Whether mincore may be asked: a container's filter may refuse it, and it maps the file."""
    try:
        mincore_pages(fd, 0, 1)
    except OSError:
        return False
    return True


def mincore_is_honest(fd: int) -> bool:
    """Whether mincore tells this process the truth: it owns the file or may write to it.

    Source: can_do_mincore() in the kernel's mm/mincore.c. CAP_FOWNER alone would do too, but
    whether it reaches the file's owner from inside a user namespace cannot be seen here.
    """
    if sys.platform == "win32":
        return False
    if os.fstat(fd).st_uid == os.geteuid():
        return True
    # The link leads to the open file: its rights are asked for and nothing is opened.
    link = f"/proc/self/fd/{fd}"
    return sys.platform == "linux" and os.access(link, os.W_OK, effective_ids=True)
