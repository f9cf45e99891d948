"""Private memory that a load fills, files in memory, the address of any mapping; without numpy."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
import os

from modelmon.core.machine.cached_pages import failure, libc

HUGE_PAGE_BYTES = 2 * 1024 * 1024
_LEAST_IN_HUGE_PAGES_BYTES = HUGE_PAGE_BYTES // 8
_PYBUF_SIMPLE = 0
_PYBUFFER_WORDS = 16
"""Py_buffer of the stable ABI has eleven fields, the first of which is the address
(https://docs.python.org/3/c-api/buffer.html).
"""
_MAP_FIXED, _MAP_NORESERVE = 0x10, 0x4000  # asm-generic/mman.h
_MFD_CLOEXEC = 1  # linux/memfd.h
_MADV_POPULATE_WRITE = 23  # linux/mman.h; the module `mmap` lacks its name before Python 3.13


def address_of(buffer: mmap.mmap) -> int:
    """Address of a mapping's first byte; valid until the mapping is closed.

    ctypes' own from_buffer refuses read-only mappings, hence the buffer protocol.
    """
    view = (ctypes.c_void_p * _PYBUFFER_WORDS)()
    api = ctypes.pythonapi
    api.PyObject_GetBuffer(ctypes.py_object(buffer), view, _PYBUF_SIMPLE)
    address = view[0]
    api.PyBuffer_Release(view)
    if address is None:
        raise BufferError("an empty mapping has no address")
    return int(address)


def memory_file() -> int:
    """The descriptor of a new file in memory: in no folder, so nothing is left behind whoever is
    killed. Pythons that were built for old systems have no name for memfd_create(2).
    """
    try:
        descriptor = int(libc().memfd_create(b"modelmon", _MFD_CLOEXEC))
    except AttributeError:  # not Linux, or a C library from before 2018
        import tempfile  # noqa: PLC0415  not for every loader

        with tempfile.TemporaryFile() as nameless:
            return os.dup(nameless.fileno())
    if descriptor < 0:
        raise failure()
    return descriptor


class OwnedBuffer:
    """Private anonymous memory, aligned for huge pages; untouched until a reader fills it.

    The mapping is larger than asked, because the kernel's alignment is a courtesy, and a huge page
    has to lie in it as a whole. Python's default of a shared mapping would get none. Raises
    MemoryError.
    """

    def __init__(self, nbytes: int, *, huge_pages: bool = True) -> None:
        asked = -(-max(nbytes, 1) // HUGE_PAGE_BYTES) * HUGE_PAGE_BYTES + HUGE_PAGE_BYTES
        try:
            if hasattr(mmap, "MAP_PRIVATE"):
                self.mapping = mmap.mmap(-1, asked, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
            else:
                self.mapping = mmap.mmap(-1, asked)
        except OSError as error:
            raise MemoryError(asked) from error
        # A small one isn't worth the time in which a whole page is cleared for it.
        huge_pages = huge_pages and nbytes >= _LEAST_IN_HUGE_PAGES_BYTES
        advice = "MADV_HUGEPAGE" if huge_pages else "MADV_NOHUGEPAGE"
        if hasattr(mmap, advice):
            # A kernel without huge pages refuses the advice; then the pages are small anyway.
            with contextlib.suppress(OSError):
                self.mapping.madvise(getattr(mmap, advice))
        start = address_of(self.mapping)
        self.skip_bytes = -start % HUGE_PAGE_BYTES
        self.address = start + self.skip_bytes
        self.view = memoryview(self.mapping)[self.skip_bytes : self.skip_bytes + max(nbytes, 1)]

    def map_file(self, start_bytes: int, descriptor: int, offset_bytes: int, nbytes: int) -> None:
        """Have a range of a file in place of a range of this memory, both in whole pages. What is
        written there stays in this process; nothing is read yet. Raises OSError; Linux alone.
        """
        place = libc().mmap(
            self.address + start_bytes,
            nbytes,
            mmap.PROT_READ | mmap.PROT_WRITE,
            mmap.MAP_PRIVATE | _MAP_FIXED | _MAP_NORESERVE,
            descriptor,
            offset_bytes,
        )
        if place == ctypes.c_void_p(-1).value:
            raise failure()

    def touch(self, start_bytes: int, nbytes: int) -> None:
        """Have the kernel provide a range of it now; both in whole pages, or up to the end."""
        try:
            # madvise(2), Linux 5.14; to write takes twice as long, where the kernel clears pages.
            self.mapping.madvise(_MADV_POPULATE_WRITE, self.skip_bytes + start_bytes, nbytes)
        except (AttributeError, OSError):
            ctypes.memset(self.address + start_bytes, 0, nbytes)

    def close(self) -> None:
        """Give the memory back."""
        self.view.release()
        self.mapping.close()
