"""The limits that loads are held against: what the device and the memory give at best."""

from __future__ import annotations

import ctypes
import os
import threading
from typing import TYPE_CHECKING

from modelmon.core.machine.anonymous_memory import OwnedBuffer
from modelmon.core.machine.direct_io import open_direct
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

REQUEST_BYTES = 4 * MIB
# Larger than any cache of a CPU, so that the copy reads memory as a load from the page cache does.
_SOURCE_BYTES = 512 * MIB


def device_limit(paths: Sequence[str], threads: int) -> Callable[[], int]:
    """Reads whole files past the cache, each thread into one buffer that is used again.

    The buffers have been touched and lie in huge pages: nothing is left but the device.
    """
    descriptors = [open_direct(path) for path in paths]
    requests = [
        (descriptor, offset)
        for descriptor in descriptors
        for offset in range(0, os.fstat(descriptor).st_size, REQUEST_BYTES)
    ]
    buffers = [_touched(REQUEST_BYTES) for _ in range(threads)]

    def read(number: int) -> int:
        view = [buffers[number].view]
        return sum(os.preadv(fd, view, offset) for fd, offset in requests[number::threads])

    return lambda: _in_threads(read, threads)


def memory_limit(nbytes: int, threads: int, *, fresh: bool) -> Callable[[], int]:
    """Copies `nbytes` into private huge pages, which are `fresh` or were touched before."""
    source = _touched(min(nbytes, _SOURCE_BYTES))
    target = OwnedBuffer(nbytes) if fresh else _touched(nbytes)

    def copy(number: int) -> int:
        done = 0
        for start in range(number * REQUEST_BYTES, nbytes, threads * REQUEST_BYTES):
            count = min(REQUEST_BYTES, nbytes - start)
            place = min(start % len(source.view), len(source.view) - count)
            ctypes.memmove(target.address + start, source.address + place, count)
            done += count
        return done

    return lambda: _in_threads(copy, threads)


def _touched(nbytes: int) -> OwnedBuffer:
    buffer = OwnedBuffer(nbytes)
    ctypes.memset(buffer.address, 1, nbytes)
    return buffer


def _in_threads(work: Callable[[int], int], threads: int) -> int:
    """Bytes that all threads moved together."""
    moved = [0] * threads

    def run(number: int) -> None:
        moved[number] = work(number)

    workers = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(moved)
