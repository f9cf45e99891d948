"""Open files of a model, pages of their maps, and the memory that their bytes go to.

Pages are touched with real page faults and without holding the GIL: a strided read in Python, and
`mmap.madvise` as well, hold it for their whole length, so that two touching threads would run one
after the other. Of slices the wanted bytes alone are kept, or handed on.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import sys
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.extents import Extent, coalesce
from modelmon.core.machine.anonymous_memory import HUGE_PAGE_BYTES, OwnedBuffer
from modelmon.core.machine.cached_pages import libc
from modelmon.core.machine.direct_io import READ_ONLY, alignment_bytes, open_direct
from modelmon.core.machine.own_limits import files_remedy
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from modelmon.core.load.extents import Slices

_CHECK_STORAGE = Message("Check the disk or the network mount, then try again.")


class OpenFiles:
    """Descriptors by shard number, with the sizes the plan was made for."""

    def __init__(
        self,
        files: Sequence[tuple[str, int]],
        shards: Iterable[int],
        inherited: Mapping[int, int] | None = None,
        *,
        direct: bool = False,
    ) -> None:
        """Open `shards` of a model's `files`, paths with their sizes, past the page cache if
        `direct`, or take over `inherited` descriptors of them.

        Raises LoadFailedError where a file cannot be opened or changed its size, and
        DirectRefusedError where it cannot be read directly.
        """
        self.files = files
        self.paths = [path for path, _ in files]
        self.size_bytes = {shard: nbytes for shard, (_, nbytes) in enumerate(files)}
        self._mine = inherited is None
        self.descriptors: dict[int, int] = {}
        try:
            for shard in sorted(set(shards)):
                self.descriptors[shard] = (
                    inherited[shard] if inherited is not None else _open(self.paths[shard], direct)
                )
                self.check_size(shard)
        except BaseException:
            self.close()
            raise

    def check_size(self, shard: int) -> None:
        """Raise LoadFailedError if the file has not the size any more that was planned for."""
        size = os.fstat(self.descriptors[shard]).st_size
        if size != self.size_bytes[shard]:
            raise LoadFailedError(
                Message(
                    "{path} changed: it now has {size} bytes, not {value_size}.",
                    path=self.paths[shard],
                    size=f"{size:,}",
                    value_size=f"{self.size_bytes[shard]:,}",
                ),
                Message("Open the model again."),
            )

    def nothing_came(self, shard: int, offset_bytes: int) -> LoadFailedError:
        """The error of a read within the planned size that nothing more came to; raises that of a
        file that was cut, if it was.
        """
        self.check_size(shard)
        return self._unreadable(shard, offset_bytes, Message("nothing came"))

    def alignment_bytes(self, shard: int) -> int:
        """What a direct read of this shard must be aligned to."""
        return alignment_bytes(self.descriptors[shard])

    def read_into(self, view: memoryview, request: Extent) -> None:
        """Fill `view` with the request's bytes; the kernel may answer in parts."""
        done = 0
        while done < request.nbytes:
            offset = request.offset_bytes + done
            count = self.read_some(view[done:] if done else view, request.shard, offset)
            if count == 0:
                raise self.nothing_came(request.shard, offset)
            done += count

    def read_some(self, view: memoryview, shard: int, offset_bytes: int) -> int:
        """One read into `view`; returns how many bytes came, 0 at the end of the file."""
        try:
            return read_at(self.descriptors[shard], view, offset_bytes)
        except OSError as error:
            raise self._unreadable(shard, offset_bytes, error.strerror) from error

    def _unreadable(self, shard: int, offset_bytes: int, reason: str | None) -> LoadFailedError:
        return LoadFailedError(
            Message(
                "Couldn't read {path} at byte {offset}: {reason}.",
                path=self.paths[shard],
                offset=f"{offset_bytes:,}",
                reason=reason,
            ),
            _CHECK_STORAGE,
        )

    def close(self) -> None:
        """Close what was opened here."""
        if self._mine:
            for descriptor in self.descriptors.values():
                os.close(descriptor)
        self.descriptors.clear()


def read_at(descriptor: int, view: memoryview, offset_bytes: int) -> int:
    """Read into `view` at an offset without moving a file position; returns bytes read."""
    if hasattr(os, "preadv"):
        return os.preadv(descriptor, [view], offset_bytes)
    # Windows has no positioned read in os; each reader owns its descriptor there.
    os.lseek(descriptor, offset_bytes, os.SEEK_SET)
    data = os.read(descriptor, len(view))
    view[: len(data)] = data
    return len(data)


def _open(path: str, direct: bool) -> int:
    try:
        return open_direct(path) if direct else os.open(path, READ_ONLY)
    except OSError as error:
        raise not_opened(path, error) from error


def not_opened(path: object, error: OSError) -> LoadFailedError:
    """The error for a file that the system doesn't open."""
    return LoadFailedError(
        Message("Couldn't open {path}: {reason}.", path=path, reason=error.strerror),
        remedy_of(error, Message("Check that it exists, is readable and mounted.")),
    )


def not_read(path: str, error: OSError) -> LoadFailedError:
    """The error for an open file of which the system says nothing any more."""
    return LoadFailedError(
        Message("Couldn't read {path}: {reason}.", path=path, reason=error.strerror),
        _CHECK_STORAGE,
    )


def remedy_of(error: OSError, otherwise: Message) -> Message:
    """What to do where a file can't be opened or mapped, if it is not the file that is wrong."""
    return files_remedy(error) or otherwise


HINT_BYTES = 128 * 1024
"""A hint is cut at the device's readahead or largest request, this much at the least:
force_page_cache_ra() in the kernel's mm/readahead.c."""

_SCRATCH_BYTES = 1024 * 1024
_MADV_NORMAL, _MADV_RANDOM, _MADV_WILLNEED = 0, 1, 3  # linux/mman.h
_MADV_DONTNEED = 4
_MADV_POPULATE_READ = 22


def _madvise(address: int, nbytes: int, advice: int) -> int:
    """madvise(2) of a range's pages: the module `mmap` lacks names before Python 3.13, and holds
    the GIL for the whole call. 0 if it was done; nothing is done elsewhere than on Linux.
    """
    if sys.platform != "linux":
        return -1
    first = address - address % mmap.PAGESIZE
    length = ctypes.c_size_t(address + nbytes - first)
    return int(libc().madvise(ctypes.c_void_p(first), length, ctypes.c_int(advice)))


def _load_lfind() -> tuple[Any, int] | None:
    """C's `lfind` and the address of `strcmp`, where the C library has them.

    `lfind` (POSIX, search.h) calls a comparison for every element of an array. With one
    element a page and `strcmp` as the comparison it reads the first byte of each page: one
    C call for a whole range, with the GIL released.
    """
    try:
        lfind = libc().lfind
        compare = ctypes.cast(libc().strcmp, ctypes.c_void_p).value
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

    madvise(2), MADV_POPULATE_READ (Linux 5.14).
    """
    if not _madvise(address, nbytes, _MADV_POPULATE_READ):
        return True
    if sys.platform == "linux" and ctypes.get_errno() == errno.EFAULT:
        raise LoadFailedError(
            Message("The kernel couldn't read all pages of the file (EFAULT)."),
            Message("The file was cut or its storage failed: check it and open the model again."),
        )
    return False


def advise_random(address: int, nbytes: int, *, on: bool) -> None:
    """Have the kernel read nothing ahead in pages of a file's map, or as it likes again."""
    _madvise(address, nbytes, _MADV_RANDOM if on else _MADV_NORMAL)


def fetch(address: int, nbytes: int) -> None:
    """Have the kernel read this much of a mapped file and no more, while the caller goes on; the
    hint may be ignored.
    """
    first, end = address - address % mmap.PAGESIZE, address + nbytes
    for start in range(first, end, HINT_BYTES):
        _madvise(start, min(HINT_BYTES, end - start), _MADV_WILLNEED)


def let_go(address: int, nbytes: int) -> None:
    """Take a range of a file's map out of this process's memory; it comes back when touched.

    Elsewhere than on Linux MADV_DONTNEED means something else: nothing is done.
    """
    _madvise(address, nbytes, _MADV_DONTNEED)


def _touch_by_copy(address: int, nbytes: int) -> None:
    scratch = ctypes.create_string_buffer(min(nbytes, _SCRATCH_BYTES))
    for done in range(0, nbytes, _SCRATCH_BYTES):
        ctypes.memmove(scratch, address + done, min(_SCRATCH_BYTES, nbytes - done))


_PAGE_BYTES = mmap.PAGESIZE
# Up to two huge pages are filled for their ends.
_LONG_BYTES = 32 * HUGE_PAGE_BYTES


class Layout:
    """Where each extent of the files lies in one buffer; extents that touch stay together.

    Each run of bytes has pages of its own and keeps the offset within a page that it has in
    the file: a direct read may then fill its first and last page whole, and what is cached be
    mapped over its place. A long one keeps its offset within a huge page: the kernel then maps
    2 MiB of the cache at once, which is 20 times as fast. Of `slices` only the
    wanted bytes have a place, end to end, which costs direct reads a copy.
    """

    def __init__(self, extents: Iterable[Extent], slices: Slices | None = None) -> None:
        self._slices = slices
        self._runs = coalesce(sorted(extents))
        self._keys = [(run.shard, run.offset_bytes) for run in self._runs]
        self._places: list[int] = []
        end = 0
        for run in self._runs:
            place = end
            if slices is None:
                place = -(-end // _PAGE_BYTES) * _PAGE_BYTES
                is_long = run.nbytes >= _LONG_BYTES
                place += (run.offset_bytes - place) % (HUGE_PAGE_BYTES if is_long else _PAGE_BYTES)
            self._places.append(place)
            end = place + self.wanted(run)
        self.nbytes = -(-end // _PAGE_BYTES) * _PAGE_BYTES
        self.is_packed = slices is not None

    def wanted(self, extent: Extent) -> int:
        """How many bytes of an extent have a place."""
        return extent.nbytes if self._slices is None else self._slices.nbytes(extent)

    def place(self, shard: int, offset_bytes: int) -> int:
        """Offset in the buffer of a byte that lies in one of the extents; of a byte between
        slices that of the next wanted one.
        """
        number = bisect_right(self._keys, (shard, offset_bytes)) - 1
        if number < 0:
            raise KeyError((shard, offset_bytes))
        run = self._runs[number]
        if run.shard != shard or offset_bytes >= run.end_bytes:
            raise KeyError((shard, offset_bytes))
        if self._slices is None:
            return self._places[number] + offset_bytes - run.offset_bytes
        before = Extent(shard, run.offset_bytes, offset_bytes - run.offset_bytes)
        return self._places[number] + self.wanted(before)


class Destination:
    """Memory that requests are delivered to."""

    buffer: OwnedBuffer

    def _place(self, request: Extent) -> int:
        """Where in the buffer the request begins."""
        raise NotImplementedError

    def _limits(self) -> tuple[int, int] | None:
        """What of the buffer may be written around a request; None for the request alone."""
        raise NotImplementedError

    def address(self, request: Extent) -> int:
        """Address of the request's first byte."""
        return self.buffer.address + self._place(request)

    def view(self, request: Extent) -> memoryview:
        """The request's bytes."""
        place = self._place(request)
        return self.buffer.view[place : place + request.nbytes]

    def room(self, request: Extent, start_bytes: int, end_bytes: int) -> memoryview | None:
        """Memory for a wider range of the file around the request, where there is room for it up to
        the borders of the request's first and last page; None where there is none.
        """
        if (limits := self._limits()) is None:
            return None
        first = self._place(request) - (request.offset_bytes - start_bytes)
        last = first + end_bytes - start_bytes
        return self.buffer.view[first:last] if limits[0] <= first and last <= limits[1] else None

    def arrived(self, request: Extent) -> None:
        """The request's bytes are where `view` shows them."""

    def delivered(self, request: Extent) -> memoryview:
        """What is wanted of a request that has arrived."""
        return self.view(request)


class OwnedDestination(Destination):
    """One private buffer in which each wanted byte has its own place, as in the `layout`:
    neighbours in the file are neighbours there.
    """

    def __init__(
        self, extents: Iterable[Extent], slices: Slices | None = None, *, huge_pages: bool
    ) -> None:
        self.layout = Layout(extents, slices)
        # A smaller model would have a whole one cleared for it.
        huge_pages = huge_pages and self.layout.nbytes >= HUGE_PAGE_BYTES
        self.buffer = OwnedBuffer(self.layout.nbytes, huge_pages=huge_pages)

    def _place(self, request: Extent) -> int:
        return self.layout.place(request.shard, request.offset_bytes)

    def _limits(self) -> tuple[int, int] | None:
        return None if self.layout.is_packed else (0, self.layout.nbytes)

    def view(self, request: Extent) -> memoryview:
        """The place of the request's wanted bytes."""
        place = self._place(request)
        return self.buffer.view[place : place + self.layout.wanted(request)]

    def map_file(self, pages: Extent, descriptor: int) -> None:
        """Have whole pages of a file in place of the memory for them. Raises OSError."""
        self.buffer.map_file(self._place(pages), descriptor, pages.offset_bytes, pages.nbytes)


class PassingDestination(Destination):
    """A few slots that requests pass through in turn; nothing is kept."""

    def __init__(self, request_bytes: int, slots: int, *, huge_pages: bool) -> None:
        # A page more on either side, so that a direct read may fill whole pages.
        self._slot_bytes = (-(-request_bytes // _PAGE_BYTES) + 3) * _PAGE_BYTES
        self.slots = slots
        self.buffer = OwnedBuffer(self._slot_bytes * slots, huge_pages=huge_pages)
        self._start = 0

    def turn(self, slot: int) -> None:
        """The slot that the next request goes to."""
        self._start = slot % self.slots * self._slot_bytes

    def _place(self, request: Extent) -> int:
        return self._start + _PAGE_BYTES + request.offset_bytes % _PAGE_BYTES

    def _limits(self) -> tuple[int, int]:
        return self._start, self._start + self._slot_bytes


class GatheringDestination(Destination):
    """Requests that hold unwanted bytes come to a buffer that is used again; once they are
    there, the wanted ones are moved to their place, or together where nothing is kept.

    Requests of wanted bytes alone go to their place at once.
    """

    def __init__(
        self, slices: Slices, kept: OwnedDestination | None, detour: PassingDestination
    ) -> None:
        self._slices = slices
        self._kept = kept
        self._detour = detour

    def _first(self, request: Extent) -> OwnedDestination | PassingDestination:
        """Where the request comes to."""
        if self._kept is not None and self._slices.nbytes(request) == request.nbytes:
            return self._kept
        return self._detour

    def address(self, request: Extent) -> int:
        """Address that the request's first byte comes to."""
        return self._first(request).address(request)

    def view(self, request: Extent) -> memoryview:
        """Where the request's bytes come to."""
        return self._first(request).view(request)

    def room(self, request: Extent, start_bytes: int, end_bytes: int) -> memoryview | None:
        """Memory for a wider range around the request, where there is some."""
        return self._first(request).room(request, start_bytes, end_bytes)

    def arrived(self, request: Extent) -> None:
        """Gather what is wanted of the request."""
        if self._first(request) is self._detour:
            self._slices.gather(request, self._detour.view(request), self.delivered(request))

    def delivered(self, request: Extent) -> memoryview:
        """The request's wanted bytes."""
        if self._kept is not None:
            return self._kept.view(request)
        return self._detour.view(request)[: self._slices.nbytes(request)]
