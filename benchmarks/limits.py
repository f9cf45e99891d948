"""The limits that loads are held against: bare calls that bring whole files into memory."""

from __future__ import annotations

import ctypes
import mmap
import os
import threading
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

from states import complement

from modelmon.core.machine.anonymous_memory import OwnedBuffer
from modelmon.core.machine.cached_pages import libc
from modelmon.core.machine.direct_io import open_direct
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from modelmon.core.machine.page_cache import Ranges

REQUEST_BYTES = 4 * MIB
_PAGE_BYTES = 4096
_MAP_FIXED, _MAP_POPULATE = 0x10, 0x8000  # linux/mman.h; the module `mmap` has no fixed maps


class _Piece(NamedTuple):
    """What one call brings: bytes of a file to their place, mapped or read."""

    file: int
    descriptor: int
    offset: int
    nbytes: int
    mapped: bool = False


def bare_load(
    paths: Sequence[str], cached: Sequence[Ranges], threads: int, *, maps: bool
) -> Callable[[], list[OwnedBuffer]]:
    """Brings each file into one buffer, where what is not `cached` of it is read past the cache
    into fresh private huge pages. Nothing prepares the memory.

    What is cached is mapped over the buffer, read-only, each run by one call that also provides its
    pages (a map that may be written would be copied by that); or it is copied there by reads, in
    turns with the others.
    """
    done_by_cache: list[_Piece] = []
    done_by_device: list[_Piece] = []
    sizes = []
    for number, (path, runs) in enumerate(zip(paths, cached, strict=True)):
        descriptor, direct = os.open(path, os.O_RDONLY), open_direct(path)
        sizes.append(os.fstat(descriptor).st_size)
        missing = complement(runs, sizes[-1])
        if maps:
            done_by_cache += [_Piece(number, descriptor, *run, mapped=True) for run in runs]
        else:
            done_by_cache += _requests(number, descriptor, runs)
        done_by_device += _requests(number, direct, missing)
    pairs = zip_longest(done_by_cache, done_by_device)
    pieces = [piece for pair in pairs for piece in pair if piece is not None]

    def load() -> list[OwnedBuffer]:
        targets = [OwnedBuffer(size_bytes + _PAGE_BYTES) for size_bytes in sizes]
        # The next of a list's iterator is given to one thread alone.
        left = iter(pieces)
        done = [0] * threads

        def work(thread: int) -> None:
            done[thread] = sum(_bring(piece, targets[piece.file]) for piece in left)

        # This thread is one of them: a single map is over sooner than others have begun.
        others = range(1, min(threads, len(pieces)))
        workers = [threading.Thread(target=work, args=(number,)) for number in others]
        for worker in workers:
            worker.start()
        work(0)
        for worker in workers:
            worker.join()
        if sum(done) != sum(sizes):
            raise EOFError("a call failed, or a file became shorter")
        return targets

    return load


def _requests(number: int, descriptor: int, runs: Ranges) -> Iterator[_Piece]:
    for offset, length in runs:
        for at in range(offset, offset + length, REQUEST_BYTES):
            yield _Piece(number, descriptor, at, min(REQUEST_BYTES, offset + length - at))


def _bring(piece: _Piece, target: OwnedBuffer) -> int:
    """Bytes that came."""
    _, descriptor, offset, nbytes, mapped = piece
    if not mapped:
        # Direct reads end at the file's end, but are asked for in whole pages.
        end = offset + nbytes + -nbytes % _PAGE_BYTES
        return os.preadv(descriptor, [target.view[offset:end]], offset)
    flags = mmap.MAP_PRIVATE | _MAP_FIXED | _MAP_POPULATE
    place = target.address + offset
    if libc().mmap(place, nbytes, mmap.PROT_READ, flags, descriptor, offset) != place:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return nbytes
