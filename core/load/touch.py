"""Touching mapped pages with real page faults and without holding the GIL.

A strided read in Python, and `mmap.madvise` as well, hold the GIL for their whole length,
so that two touching threads would run one after the other.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import mmap
import os
import sys
from typing import Any

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message

HINT_BYTES = 128 * 1024
"""A hint is cut at the device's readahead or largest request, this much at the least:
force_page_cache_ra() in the kernel's mm/readahead.c."""

_SCRATCH_BYTES = 1024 * 1024
_MADV_NORMAL, _MADV_RANDOM, _MADV_WILLNEED = 0, 1, 3  # linux/mman.h
_MADV_DONTNEED = 4
_MADV_POPULATE_READ = 22


@functools.cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _load_lfind() -> tuple[Any, int] | None:
    """C's `lfind` and the address of `strcmp`, where the C library has them.

    `lfind` (POSIX, search.h) calls a comparison for every element of an array. With one
    element a page and `strcmp` as the comparison it reads the first byte of each page: one
    C call for a whole range, with the GIL released.
    """
    try:
        libc = ctypes.CDLL(None)
        lfind = libc.lfind
        compare = ctypes.cast(libc.strcmp, ctypes.c_void_p).value
    except (OSError, AttributeError, TypeError):
        return None
    lfind.restype = ctypes.c_void_p
    lfind.argtypes = [
        ctypes.c_char_p,
        ctypes.c_void_p,
        ctypes.POINTER(ctypes.c_size_t),
        ctypes.c_size_t,
        ctypes.c_void_p,
    ]
    return None if compare is None else (lfind, compare)


_LFIND = _load_lfind()
# A page that starts with these bytes would end the search early; touch() goes on behind it.
_KEY = os.urandom(24).replace(b"\0", b"\1")


def touch(address: int, nbytes: int) -> None:
    """Fault in every page of a mapped range by reading a byte of each."""
    first = address - address % mmap.PAGESIZE
    pages = -(-(address + nbytes - first) // mmap.PAGESIZE)
    if _LFIND is None:
        _touch_by_copy(address, nbytes)
        return
    lfind, compare = _LFIND
    while pages > 0:
        found = lfind(_KEY, first, ctypes.byref(ctypes.c_size_t(pages)), mmap.PAGESIZE, compare)
        if found is None:
            return
        seen = (found - first) // mmap.PAGESIZE + 1
        first += seen * mmap.PAGESIZE
        pages -= seen


def populate(address: int, nbytes: int) -> None:
    """Have the kernel read and map a mapped range in one call; by touching where it cannot.

    Raises LoadFailedError.
    """
    if not populate_by_kernel(address, nbytes):
        touch(address, nbytes)


def populate_by_kernel(address: int, nbytes: int) -> bool:
    """Have the kernel read and map a mapped range in one call; whether it could. Nothing is touched
    where it can't: that may end the process, where a file was cut. Raises LoadFailedError.

    madvise(2), MADV_POPULATE_READ (Linux 5.14). The module `mmap` lacks its name before
    Python 3.13 and holds the GIL for the whole call.
    """
    if sys.platform != "linux":
        return False
    first = address - address % mmap.PAGESIZE
    length = ctypes.c_size_t(address + nbytes - first)
    if not _libc().madvise(ctypes.c_void_p(first), length, ctypes.c_int(_MADV_POPULATE_READ)):
        return True
    if ctypes.get_errno() == errno.EFAULT:
        raise LoadFailedError(
            Message("The kernel couldn't read all pages of the file (EFAULT)."),
            Message("The file was cut or its storage failed: check it and open the model again."),
        )
    return False


def advise_random(address: int, nbytes: int, *, on: bool) -> None:
    """Have the kernel read nothing ahead in whole pages of a file's map, or as it likes again.

    madvise(2), MADV_RANDOM and MADV_NORMAL; Linux alone.
    """
    advice = ctypes.c_int(_MADV_RANDOM if on else _MADV_NORMAL)
    _libc().madvise(ctypes.c_void_p(address), ctypes.c_size_t(nbytes), advice)


def fetch(address: int, nbytes: int) -> None:
    """Have the kernel read this much of a mapped file and no more, while the caller goes on.

    madvise(2), MADV_WILLNEED; nothing is done elsewhere than on Linux, and the hint may be
    ignored.
    """
    if sys.platform == "linux":
        first = address - address % mmap.PAGESIZE
        end = address + nbytes
        for start in range(first, end, HINT_BYTES):
            length = ctypes.c_size_t(min(HINT_BYTES, end - start))
            _libc().madvise(ctypes.c_void_p(start), length, ctypes.c_int(_MADV_WILLNEED))


def let_go(address: int, nbytes: int) -> None:
    """Take a range of a file's map out of this process's memory; it comes back when touched.

    madvise(2), MADV_DONTNEED. Elsewhere than on Linux it means something else: nothing is done.
    """
    if sys.platform == "linux":
        first = address - address % mmap.PAGESIZE
        length = ctypes.c_size_t(address + nbytes - first)
        _libc().madvise(ctypes.c_void_p(first), length, ctypes.c_int(_MADV_DONTNEED))


def _touch_by_copy(address: int, nbytes: int) -> None:
    scratch = ctypes.create_string_buffer(min(nbytes, _SCRATCH_BYTES))
    for done in range(0, nbytes, _SCRATCH_BYTES):
        ctypes.memmove(scratch, address + done, min(_SCRATCH_BYTES, nbytes - done))
