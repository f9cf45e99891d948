"""The limits that loads are held against: what the device and the memory give at best."""

from __future__ import annotations

import ctypes
import os
import threading
from itertools import zip_longest
from typing import TYPE_CHECKING

from states import complement

from modelmon.core.machine.anonymous_memory import OwnedBuffer
from modelmon.core.machine.direct_io import open_direct
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.machine.residency import Ranges

REQUEST_BYTES = 4 * MIB
_PAGE_BYTES = 4096
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


def read_limit(
    paths: Sequence[str], cached: Sequence[Ranges], threads: int
) -> Callable[[], list[OwnedBuffer]]:
    """Reads whole files into fresh private huge pages: what a load must do that keeps them.

    What is `cached` of each file is copied from the page cache, all else is read past it. Threads
    take turns with requests of both kinds; nothing prepares the memory for them.
    """
    requests: list[list[tuple[int, int, int, int]]] = [[], []]
    sizes = []
    for number, (path, parts) in enumerate(zip(paths, cached, strict=True)):
        ways = os.open(path, os.O_RDONLY), open_direct(path)
        sizes.append(os.fstat(ways[0]).st_size)
        for way, ranges in enumerate((parts, complement(parts, sizes[-1]))):
            requests[way] += [
                (number, ways[way], at, min(REQUEST_BYTES, offset + length - at))
                for offset, length in ranges
                for at in range(offset, offset + length, REQUEST_BYTES)
            ]
    mixed = [one for pair in zip_longest(*requests) for one in pair if one is not None]

    def load() -> list[OwnedBuffer]:
        targets = [OwnedBuffer(size_bytes + _PAGE_BYTES) for size_bytes in sizes]
        # The next of a list's iterator is given to one thread alone.
        left = iter(mixed)

        def read(_thread: int) -> int:
            done = 0
            for file, descriptor, at, nbytes in left:
                # Direct reads end at the file's end, but are asked for in whole pages.
                end = at + nbytes + -nbytes % _PAGE_BYTES
                done += os.preadv(descriptor, [targets[file].view[at:end]], at)
            return done

        if _in_threads(read, threads) != sum(sizes):
            raise EOFError("a file became shorter")
        return targets

    return load


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
