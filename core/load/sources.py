"""Where a reader gets its bytes: mapped pages touched or copied out, or positioned reads."""

from __future__ import annotations

import ctypes
import mmap
import os
from typing import TYPE_CHECKING, Protocol

from modelmon.core.load.touch import fetch, let_go, populate, touch
from modelmon.core.machine.anonymous_memory import address_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.load.buffers import Destination
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.load.slices import Slices

_MADVICE = {
    name: getattr(mmap, constant)
    for name, constant in (("sequential", "MADV_SEQUENTIAL"), ("random", "MADV_RANDOM"))
    if hasattr(mmap, constant)
}
_FADVICE = {
    name: getattr(os, constant)
    for name, constant in (
        ("sequential", "POSIX_FADV_SEQUENTIAL"),
        ("random", "POSIX_FADV_RANDOM"),
    )
    if hasattr(os, constant)
}


class Source(Protocol):
    """Delivers requests of one reader."""

    def begin(self, extents: Sequence[Extent]) -> None:
        """The load has started, and these are asked for next."""

    def deliver(self, request: Extent) -> None:
        """Return when each of the request's bytes is in this process's memory."""

    def delivered(self, request: Extent) -> memoryview:
        """The bytes that `deliver` made reachable."""


class MappedSource:
    """A shared read-only mapping per shard; pages are touched, or copied to `destination`.

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
        self.maps = map_files(files)
        self._addresses: dict[int, int] = {}
        for shard, mapping in self.maps.items():
            if config.advice in _MADVICE:
                mapping.madvise(_MADVICE[config.advice])
            self._addresses[shard] = address_of(mapping)

    def begin(self, extents: Sequence[Extent]) -> None:
        """Nothing to prepare."""

    def populate(self, extent: Extent) -> None:
        """Have the kernel read and map all pages of an extent in one call."""
        populate(self._addresses[extent.shard] + extent.offset_bytes, extent.nbytes)

    def deliver(self, request: Extent) -> None:
        """Fault the pages in, or copy them out."""
        address = self._addresses[request.shard] + request.offset_bytes
        if self._fetches:
            fetch(address, request.nbytes)
        if self._destination is None:
            touch(address, request.nbytes)
        else:
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


class ReadSource:
    """Positioned reads through the page cache into memory of one's own."""

    def __init__(self, files: OpenFiles, config: LoadConfig, destination: Destination) -> None:
        self._files = files
        self._destination = destination
        advise(files, config.advice)

    def begin(self, extents: Sequence[Extent]) -> None:
        """Nothing to prepare."""

    def deliver(self, request: Extent) -> None:
        """Read until the request is complete; the kernel may answer in parts."""
        self._files.read_into(self._destination.view(request), request)
        self._destination.arrived(request)

    def delivered(self, request: Extent) -> memoryview:
        """The wanted bytes as they were read."""
        return self._destination.delivered(request)


def map_files(files: OpenFiles) -> dict[int, mmap.mmap]:
    """A shared read-only mapping of each open file, by shard."""
    return {
        shard: mmap.mmap(descriptor, files.size_bytes[shard], access=mmap.ACCESS_READ)
        for shard, descriptor in files.descriptors.items()
    }


def advise(files: OpenFiles, advice: str) -> None:
    """Tell the kernel how the open files will be read, where it listens."""
    if advice in _FADVICE:
        for descriptor in files.descriptors.values():
            os.posix_fadvise(descriptor, 0, 0, _FADVICE[advice])
