"""Where a reader gets its bytes: mapped pages touched or copied out, or positioned reads."""

from __future__ import annotations

import ctypes
import mmap
import os
from typing import TYPE_CHECKING, Protocol

from modelmon.core.errors import LoadFailedError
from modelmon.core.load.touch import touch
from modelmon.core.machine.anonymous_memory import address_of

if TYPE_CHECKING:
    from modelmon.core.load.buffers import Layout
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.machine.anonymous_memory import OwnedBuffer

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

    def deliver(self, request: Extent) -> None:
        """Return when each of the request's bytes is in this process's memory."""

    def delivered(self, request: Extent) -> memoryview:
        """The bytes that `deliver` made reachable."""


class MappedSource:
    """A shared read-only mapping per shard; pages are touched, or copied to `owned`."""

    def __init__(
        self, files: OpenFiles, config: LoadConfig, owned: tuple[OwnedBuffer, Layout] | None
    ) -> None:
        self._owned = owned
        self._maps: dict[int, mmap.mmap] = {}
        self._addresses: dict[int, int] = {}
        for shard, descriptor in files.descriptors.items():
            mapping = mmap.mmap(descriptor, files.size_bytes[shard], access=mmap.ACCESS_READ)
            if config.advice in _MADVICE:
                mapping.madvise(_MADVICE[config.advice])
            self._maps[shard] = mapping
            self._addresses[shard] = address_of(mapping)

    def deliver(self, request: Extent) -> None:
        """Fault the pages in, or copy them out."""
        address = self._addresses[request.shard] + request.offset_bytes
        if self._owned is None:
            touch(address, request.nbytes)
            return
        buffer, layout = self._owned
        place = layout.place(request.shard, request.offset_bytes)
        ctypes.memmove(buffer.address + place, address, request.nbytes)

    def delivered(self, request: Extent) -> memoryview:
        """The mapped bytes, or their copy."""
        if self._owned is not None:
            return owned_view(self._owned, request)
        view = memoryview(self._maps[request.shard])
        return view[request.offset_bytes : request.end_bytes]


class ReadSource:
    """Positioned reads into owned memory: never a shared file offset."""

    def __init__(
        self, files: OpenFiles, config: LoadConfig, owned: tuple[OwnedBuffer, Layout]
    ) -> None:
        self._files = files
        self._owned = owned
        if config.advice in _FADVICE:
            for descriptor in files.descriptors.values():
                os.posix_fadvise(descriptor, 0, 0, _FADVICE[config.advice])

    def deliver(self, request: Extent) -> None:
        """Read until the request is complete; the kernel may answer in parts."""
        view = owned_view(self._owned, request)
        self._files.read_into(view, request)

    def delivered(self, request: Extent) -> memoryview:
        """The bytes as they were read."""
        return owned_view(self._owned, request)


def owned_view(owned: tuple[OwnedBuffer, Layout], request: Extent) -> memoryview:
    """The request's place in the owned buffer."""
    buffer, layout = owned
    place = layout.place(request.shard, request.offset_bytes)
    return buffer.view[place : place + request.nbytes]


def make_source(
    files: OpenFiles, config: LoadConfig, owned: tuple[OwnedBuffer, Layout] | None
) -> Source:
    """The source that `config` asks for; `owned` is where owned bytes go."""
    if config.access == "mmap":
        return MappedSource(files, config, owned)
    if owned is None:
        raise LoadFailedError("A reading strategy needs memory of its own.")
    return ReadSource(files, config, owned)
