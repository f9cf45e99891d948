"""Where a reader gets its bytes: pages mapped or copied out, reads through the cache or past it."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.files import remedy_of
from modelmon.core.load.touch import fetch, let_go, populate, touch
from modelmon.core.machine.anonymous_memory import OwnedBuffer, address_of
from modelmon.core.machine.direct_io import give_advice
from modelmon.core.machine.own_limits import address_space_remedy
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.load.accounts import RequestTimes
    from modelmon.core.load.buffers import Destination
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.load.slices import Slices


_MAP_NORESERVE = 0x4000  # asm-generic/mman.h; the module `mmap` has no name for it
# Else each mapping has a descriptor of its own as long as it lives.
_UNTRACKED: dict[str, Any] = {}
if sys.version_info >= (3, 13) and sys.platform != "win32":
    _UNTRACKED["trackfd"] = False
_MADVICE = {
    name: getattr(mmap, constant)
    for name, constant in (("sequential", "MADV_SEQUENTIAL"), ("random", "MADV_RANDOM"))
    if hasattr(mmap, constant)
}


class Begun(NamedTuple):
    """What a source found when it began: what is `placed` already, in the order of the extents, and
    whether all that is left `is_cached` and only to be copied.
    """

    placed: Sequence[tuple[Extent, RequestTimes]] = ()
    is_cached: bool = False


class Source:
    """Delivers the requests of one reader."""

    looks = False
    """Whether it looks what is cached when it begins."""

    @property
    def mapped_bytes(self) -> int:
        """How much of what was delivered to a buffer is the page cache's own memory."""
        return 0

    def begin(self, extents: Sequence[Extent]) -> Begun:
        """The load has started, and these are asked for next; nothing is known of them."""
        del extents
        return Begun()

    def deliver(self, request: Extent) -> None:
        """Return when each of the request's bytes is in this process's memory."""
        raise NotImplementedError

    def delivered(self, request: Extent) -> memoryview:
        """The wanted bytes that `deliver` made reachable."""
        raise NotImplementedError

    def done(self, request: Extent) -> None:
        """What was delivered of the request has been used; any thread may say so."""


class CopyingSource(Source):
    """A source whose bytes come to a destination."""

    def __init__(self, destination: Destination) -> None:
        self._destination = destination

    def delivered(self, request: Extent) -> memoryview:
        """The wanted bytes at the destination."""
        return self._destination.delivered(request)


class MappedSource(Source):
    """A shared read-only mapping per shard; pages are touched, or copied to `destination`.

    Without one, what only passes leaves this process's memory once it has been used.

    Of `slices` that stay mapped, what lies between near ones is touched as well. Where the
    kernel was told nothing of the access pattern, slices are asked for before they are touched:
    its readahead, begun anew at each jump, would wait for most of what is jumped over.
    """

    def __init__(
        self,
        files: OpenFiles,
        config: LoadConfig,
        destination: Destination | None,
        slices: Slices | None = None,
    ) -> None:
        self._destination = destination
        self._slices = slices
        self._fetches = slices is not None and config.advice == "normal"
        self._passes = destination is None and config.memory_kind == "streamed"
        self.maps = map_files(files)
        self._addresses: dict[int, int] = {}
        for shard, mapping in self.maps.items():
            if config.advice in _MADVICE:
                mapping.madvise(_MADVICE[config.advice])
            self._addresses[shard] = address_of(mapping)

    def populate(self, extent: Extent) -> None:
        """Have the kernel read and map all pages of an extent in one call."""
        populate(self._addresses[extent.shard] + extent.offset_bytes, extent.nbytes)

    def deliver(self, request: Extent) -> None:
        """Fault the pages in, or copy them out."""
        address = self._addresses[request.shard] + request.offset_bytes
        if self._fetches:
            fetch(address, request.nbytes)
        # Also before a copy: `memmove` may copy from the end to the start, and a disk would move
        # its head for each fault.
        touch(address, request.nbytes)
        if self._destination is not None:
            ctypes.memmove(self._destination.address(request), address, request.nbytes)
            # What was copied stays cached, but need not count as this process's memory too.
            let_go(address, request.nbytes)
            self._destination.arrived(request)

    def delivered(self, request: Extent) -> memoryview:
        """The mapped bytes, or their copy; of slices a copy is made for this."""
        if self._destination is not None:
            return self._destination.delivered(request)
        view = memoryview(self.maps[request.shard])[request.offset_bytes : request.end_bytes]
        return view if self._slices is None else self._slices.gathered(request, view)

    def done(self, request: Extent) -> None:
        """Let go of pages that only pass; they stay cached."""
        if self._passes:
            let_go(self._addresses[request.shard] + request.offset_bytes, request.nbytes)


class ReadSource(CopyingSource):
    """Positioned reads through the page cache into memory of one's own."""

    def __init__(self, files: OpenFiles, config: LoadConfig, destination: Destination) -> None:
        super().__init__(destination)
        self._files = files
        advise(files, config.advice)

    def deliver(self, request: Extent) -> None:
        """Read until the request is complete; the kernel may answer in parts."""
        self._files.read_into(self._destination.view(request), request)
        self._destination.arrived(request)


class DirectSource(CopyingSource):
    """Direct reads. Ranges are widened to the alignment; what does not fit takes a detour."""

    def __init__(self, files: OpenFiles, destination: Destination) -> None:
        """Raises DirectRefusedError if one of the files cannot be read this way."""
        super().__init__(destination)
        self._files = files
        self._alignment = {shard: files.alignment_bytes(shard) for shard in files.descriptors}
        self._detour: OwnedBuffer | None = None

    def deliver(self, request: Extent) -> None:
        """Read the aligned range around the request, straight to its place where possible."""
        alignment = self._alignment[request.shard]
        start = request.offset_bytes // alignment * alignment
        end = -(-request.end_bytes // alignment) * alignment
        room = None
        if alignment <= mmap.PAGESIZE:
            room = self._destination.room(request, start, end)
        if room is not None:
            self._read(room, request, start)
            self._destination.arrived(request)
            return
        buffer = self._detour_of(end - start)
        self._read(buffer.view[: end - start], request, start)
        skip = request.offset_bytes - start
        address = self._destination.address(request)
        ctypes.memmove(address, buffer.address + skip, request.nbytes)
        self._destination.arrived(request)

    def _detour_of(self, nbytes: int) -> OwnedBuffer:
        if self._detour is None or len(self._detour.view) < nbytes:
            self._detour = OwnedBuffer(nbytes)
        return self._detour

    def _read(self, view: memoryview, request: Extent, start: int) -> None:
        """Fill `view` from `start` on, at least to the request's end; the rest may not exist."""
        alignment = self._alignment[request.shard]
        wanted = request.end_bytes - start
        done = 0
        while done < wanted:
            count = self._files.read_some(view[done:], request.shard, start + done)
            done += count
            # Only the end of the file answers with a part of a block.
            if done < wanted and (not count or done % alignment):
                raise self._files.nothing_came(request.shard, start + done)


def map_files(files: OpenFiles, *, writable: bool = False) -> dict[int, mmap.mmap]:
    """A mapping of each open file, by shard: shared and read-only, or one in which what is written
    stays in this process. Raises LoadFailedError.
    """
    found = {}
    for shard, descriptor in files.descriptors.items():
        try:
            found[shard] = _mapped(descriptor, files.size_bytes[shard], writable=writable)
        except OSError as error:
            raise LoadFailedError(
                Message(
                    "Couldn't map {path}: {reason}.",
                    path=files.paths[shard],
                    reason=error.strerror,
                ),
                remedy_of(
                    error,
                    address_space_remedy() or Message("Choose a strategy that doesn't map files."),
                ),
            ) from error
    return found


def _mapped(descriptor: int, nbytes: int, *, writable: bool) -> mmap.mmap:
    if not writable:
        return mmap.mmap(descriptor, nbytes, access=mmap.ACCESS_READ, **_UNTRACKED)
    if sys.platform != "linux":
        return mmap.mmap(descriptor, nbytes, access=mmap.ACCESS_COPY, **_UNTRACKED)
    # Little of it is ever written: a file may be larger than memory.
    return mmap.mmap(descriptor, nbytes, flags=mmap.MAP_PRIVATE | _MAP_NORESERVE, **_UNTRACKED)


def advise(files: OpenFiles, advice: str) -> None:
    """Tell the kernel how the open files will be read, where it listens."""
    for descriptor in files.descriptors.values() if advice != "normal" else ():
        give_advice(descriptor, advice)
