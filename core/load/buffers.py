"""Where each byte of a load lies in memory of its own."""

from __future__ import annotations

import mmap
from bisect import bisect_right
from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, coalesce

if TYPE_CHECKING:
    from collections.abc import Iterable

_PAGE_BYTES = mmap.PAGESIZE


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
