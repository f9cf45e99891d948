"""Cached pages as a test arranges them, on a machine whose kernel takes pages back at any time.

Kernels do where memory is short, and some from any memory that was idle for a while (DAMON takes
2 MiB at once, every few seconds). A test either keeps its pages, or does again what the kernel
came between.
"""

import ctypes
import gc
import mmap
import os
from contextlib import contextmanager

from modelmon.core.machine import cached_pages
from modelmon.core.machine.anonymous_memory import address_of

_ATTEMPTS = 20


@contextmanager
def kept(path, *parts):
    """The pages of these parts of a file (of all of it without any) in memory, to stay there.

    They are mapped and locked, each by itself, without what is usually read ahead.
    """
    with (
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapping,
    ):
        mapping.madvise(mmap.MADV_RANDOM)
        for offset, length in parts or ((0, len(mapping)),):
            first = offset // mmap.PAGESIZE * mmap.PAGESIZE
            # Where a user may lock less than that, they are mapped all the same.
            lock(address_of(mapping) + first, offset + length - first)
            mapping[first : offset + length : mmap.PAGESIZE]
        yield


def lock(address, nbytes):
    """mlock(2), as far as it is allowed."""
    ctypes.CDLL(None).mlock(ctypes.c_void_p(address), ctypes.c_size_t(nbytes))


def left_alone(attempt, *paths, good=lambda _: False):
    """What came of an attempt during which the kernel took none of these files' cached pages, or
    that was `good` all the same.

    Each attempt begins with none of them cached.
    """
    for _ in range(_ATTEMPTS):
        for path in paths:
            drop(path)
        found = attempt()
        if good(found) or not any(map(taken_pages, paths)):
            break
    return found


def drop(path):
    """Let a file be no longer cached, as far as nobody maps it: an earlier test's garbage may."""
    gc.collect()
    with path.open("rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def taken_pages(path):
    """Pages of a file that the kernel has taken since they were cached; 0 where it does not tell.

    It forgets those that are read again, and with a `drop` all.
    """
    with path.open("rb") as file:
        try:
            return int(cached_pages._cachestat(file.fileno(), 0, 0).evicted)
        except OSError:
            return 0
