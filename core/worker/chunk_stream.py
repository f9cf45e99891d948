"""Chunk records: the times that loaders left in shared memory, joined with the plan."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from modelmon.core.load.extents import split
from modelmon.core.worker.events import Chunks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from modelmon.core.load.extents import Extent
    from modelmon.core.load.plan import Plan
    from modelmon.core.load.progress import Progress

# Beyond this many records a stream costs more than it tells; consecutive ones are merged.
MOST_RECORDS = 200_000


class ChunkStream:
    """Hands out each finished request once, as `Chunks` events with times since the start."""

    def __init__(self, plan: Plan, progress: Progress) -> None:
        self._progress = progress
        self._columns = [
            _ReaderColumns(reader, extents, plan.chunk_bytes)
            for reader, extents in enumerate(plan.readers)
        ]
        self._taken = [0] * len(plan.readers)
        self._merge = -(-sum(plan.request_counts) // MOST_RECORDS) or 1

    def take(self, started_ns: int, *, last: bool = False) -> Iterator[Chunks]:
        """What finished since the last call; a group that is to be merged waits until full.

        `started_ns` is the monotonic time that the events count from; `last` hands out
        incomplete groups too.
        """
        for reader, columns in enumerate(self._columns):
            first = self._taken[reader]
            times = self._progress.times(reader, first)
            count = len(times) // 2
            if not last:
                count -= count % self._merge
            if not count:
                continue
            self._taken[reader] = first + count
            yield columns.chunks(first, times[: 2 * count], started_ns, self._merge)


class _ReaderColumns:
    """What one reader asks for, request by request."""

    def __init__(self, reader: int, extents: tuple[Extent, ...], chunk_bytes: int) -> None:
        self._reader = reader
        self._shard = array("q")
        self._offset_bytes = array("q")
        self._nbytes = array("q")
        for extent in extents:
            for request in split(extent, chunk_bytes):
                self._shard.append(request.shard)
                self._offset_bytes.append(request.offset_bytes)
                self._nbytes.append(request.nbytes)

    def chunks(self, first: int, times: list[int], started_ns: int, merge: int) -> Chunks:
        """Requests from number `first` on, whose starts and ends are in `times`, flat."""
        count = len(times) // 2
        stop = first + count
        starts = [value - started_ns for value in times[0::2]]
        ends = [value - started_ns for value in times[1::2]]
        shard = self._shard[first:stop].tolist()
        offset = self._offset_bytes[first:stop].tolist()
        nbytes = self._nbytes[first:stop].tolist()
        if merge > 1:
            groups = range(0, count, merge)
            nbytes = [sum(nbytes[at : at + merge]) for at in groups]
            ends = [ends[min(at + merge, count) - 1] for at in groups]
            shard, offset, starts = shard[::merge], offset[::merge], starts[::merge]
        return Chunks(
            reader=self._reader,
            shard=tuple(shard),
            offset_bytes=tuple(offset),
            nbytes=tuple(nbytes),
            start_ns=tuple(starts),
            end_ns=tuple(ends),
            merged=float(merge),
        )
