"""Reads past the page cache."""

from __future__ import annotations

import ctypes
import mmap
from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.machine.anonymous_memory import OwnedBuffer
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.load.buffers import Destination
    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles


class DirectSource:
    """Direct reads. Ranges are widened to the alignment; what does not fit takes a detour."""

    def __init__(self, files: OpenFiles, destination: Destination) -> None:
        """Raises DirectRefusedError if one of the files cannot be read this way."""
        self._files = files
        self._destination = destination
        self._alignment = {shard: files.alignment_bytes(shard) for shard in files.descriptors}
        self._detour: OwnedBuffer | None = None

    def begin(self, extents: Sequence[Extent]) -> None:
        """Nothing to prepare."""

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
                raise LoadFailedError(
                    Message(
                        "{path} ends at byte {start}; more was expected.",
                        path=self._files.paths[request.shard],
                        start=f"{start + done:,}",
                    ),
                    Message("The file was cut while it was loaded: open the model again."),
                )

    def delivered(self, request: Extent) -> memoryview:
        """The wanted bytes as they were read."""
        return self._destination.delivered(request)
