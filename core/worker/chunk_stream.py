"""Chunk records: the times that loaders left in shared memory, joined with the plan."""

from __future__ import annotations

from array import array
from operator import add
from typing import TYPE_CHECKING

from modelmon.core.load.extents import split
from modelmon.core.load.progress import TIMES
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
        self._merge = -(-sum(plan.request_counts) // MOST_RECORDS)

    def take(self, started_ns: int) -> Iterator[Chunks]:
        """What finished since the last call; times count from `started_ns` (monotonic)."""
        for reader, columns in enumerate(self._columns):
            first = self._taken[reader]
            times = self._progress.times(reader, first)
            if times:
                self._taken[reader] = first + len(times) // TIMES
                yield columns.chunks(first, times, started_ns)

    def merged(self, chunks: Chunks) -> Chunks:
        """`chunks` as they are recorded: for a very large load, runs of requests that continue
        one another as one. Requests that jump stay as they are.
        """
        if self._merge <= 1:
            return chunks
        rows: list[list[int]] = []
        length = 0
        columns = (chunks.shard, chunks.offset_bytes, chunks.nbytes, chunks.start_ns, chunks.end_ns)
        beside = (chunks.decode_ns, chunks.wait_ns) if chunks.decode_ns else ()
        for row in map(list, zip(*columns, *beside, strict=True)):
            shard, offset, nbytes, _start, end, *spent = row
            last = rows[-1] if rows and length < self._merge else None
            if last is not None and (last[0], last[1] + last[2]) == (shard, offset):
                last[2] += nbytes
                last[4] = max(last[4], end)
                last[5:] = map(add, last[5:], spent)
                length += 1
            else:
                rows.append(row)
                length = 1
        shards, offsets, sizes, starts, ends, *spent = map(tuple, zip(*rows, strict=True))
        decode_ns, wait_ns = spent or ((), ())
        factor = len(chunks.shard) / len(rows)
        columns = (shards, offsets, sizes, starts, ends)
        return Chunks(chunks.reader, *columns, factor, decode_ns, wait_ns)


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

    def chunks(self, first: int, times: list[int], started_ns: int) -> Chunks:
        """Requests from number `first` on, whose starts and ends are in `times`, flat."""
        stop = first + len(times) // TIMES
        decode_ns, wait_ns = tuple(times[2::TIMES]), tuple(times[3::TIMES])
        decodes = any(decode_ns)
        return Chunks(
            reader=self._reader,
            shard=tuple(self._shard[first:stop]),
            offset_bytes=tuple(self._offset_bytes[first:stop]),
            nbytes=tuple(self._nbytes[first:stop]),
            start_ns=tuple(value - started_ns for value in times[0::TIMES]),
            end_ns=tuple(value - started_ns for value in times[1::TIMES]),
            decode_ns=decode_ns if decodes else (),
            wait_ns=wait_ns if decodes else (),
        )
