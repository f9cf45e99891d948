"""Memory that a load fills or maps, by address, without a copy and without numpy."""

from __future__ import annotations

import ctypes
import mmap
from bisect import bisect_right
from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, coalesce

if TYPE_CHECKING:
    from collections.abc import Iterable

HUGE_PAGE_BYTES = 2 * 1024 * 1024
_PAGE_BYTES = mmap.PAGESIZE
_PYBUF_SIMPLE = 0


class _PyBuffer(ctypes.Structure):
    """Py_buffer of the stable ABI (https://docs.python.org/3/c-api/buffer.html)."""

    _fields_ = (
        ("buf", ctypes.c_void_p),
        ("obj", ctypes.py_object),
        ("len", ctypes.c_ssize_t),
        ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int),
        ("ndim", ctypes.c_int),
        ("format", ctypes.c_char_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("suboffsets", ctypes.c_void_p),
        ("internal", ctypes.c_void_p),
    )


def address_of(buffer: mmap.mmap) -> int:
    """Address of a mapping's first byte; valid until the mapping is closed.

    ctypes' own from_buffer refuses read-only mappings, hence the buffer protocol.
    """
    view = _PyBuffer()
    api = ctypes.pythonapi
    api.PyObject_GetBuffer.argtypes = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int]
    api.PyBuffer_Release.argtypes = [ctypes.c_void_p]
    api.PyBuffer_Release.restype = None
    api.PyObject_GetBuffer(buffer, ctypes.byref(view), _PYBUF_SIMPLE)
    address = view.buf
    api.PyBuffer_Release(ctypes.byref(view))
    if address is None:
        raise BufferError("an empty mapping has no address")
    return int(address)


class OwnedBuffer:
    """Private anonymous memory, aligned for huge pages; untouched until a reader fills it.

    The mapping is larger than asked, because the kernel's alignment is a courtesy.
    Python's default of a shared mapping would get no huge pages.
    """

    def __init__(self, nbytes: int) -> None:
        asked = max(nbytes, 1) + HUGE_PAGE_BYTES
        if hasattr(mmap, "MAP_PRIVATE"):
            self.mapping = mmap.mmap(-1, asked, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        else:
            self.mapping = mmap.mmap(-1, asked)
        if hasattr(mmap, "MADV_HUGEPAGE"):
            self.mapping.madvise(mmap.MADV_HUGEPAGE)
        start = address_of(self.mapping)
        self.skip_bytes = -start % HUGE_PAGE_BYTES
        self.address = start + self.skip_bytes
        self.view = memoryview(self.mapping)[self.skip_bytes : self.skip_bytes + max(nbytes, 1)]

    def close(self) -> None:
        """Give the memory back."""
        self.view.release()
        self.mapping.close()


class Layout:
    """Where each extent of the files lies in one owned buffer.

    Places keep the offset within a page that the bytes have in the file, so that requests
    stay aligned; extents that touch in the file touch in the buffer.
    """

    def __init__(self, extents: Iterable[Extent]) -> None:
        self._runs = coalesce(sorted(extents))
        self._keys = [(run.shard, run.offset_bytes) for run in self._runs]
        self._places: list[int] = []
        end = 0
        for run in self._runs:
            place = end + (run.offset_bytes - end) % _PAGE_BYTES
            self._places.append(place)
            end = place + run.nbytes
        self.nbytes = end

    def place(self, shard: int, offset_bytes: int) -> int:
        """Offset in the buffer of a byte that lies in one of the extents."""
        number = bisect_right(self._keys, (shard, offset_bytes)) - 1
        if number < 0:
            raise KeyError((shard, offset_bytes))
        run = self._runs[number]
        if run.shard != shard or offset_bytes >= run.end_bytes:
            raise KeyError((shard, offset_bytes))
        return self._places[number] + offset_bytes - run.offset_bytes
