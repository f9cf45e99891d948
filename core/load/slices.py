"""Slices: wanted bytes that lie in runs at equal distances, and how they are gathered.

A tensor-parallel rank's part of a matrix is a run of each of its rows. Requests ask for spans
that hold many runs and what lies between them; only the runs are delivered.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from modelmon.core.load.extents import Extent


class Strided(NamedTuple):
    """`runs` ranges of `run_bytes` in shard number `shard`: the first from `offset_bytes`, each
    `stride_bytes` behind the one before it.
    """

    shard: int
    offset_bytes: int
    run_bytes: int
    stride_bytes: int
    runs: int

    @property
    def nbytes(self) -> int:
        """Bytes of all runs."""
        return self.run_bytes * self.runs

    @property
    def end_bytes(self) -> int:
        """Offset of the first byte behind the last run."""
        return self.offset_bytes + (self.runs - 1) * self.stride_bytes + self.run_bytes

    def before(self, offset_bytes: int) -> int:
        """Bytes of the runs that lie before an offset of the shard."""
        run, into = divmod(max(0, offset_bytes - self.offset_bytes), self.stride_bytes)
        if run >= self.runs:
            return self.nbytes
        return run * self.run_bytes + min(into, self.run_bytes)

    def place(self, position_bytes: int) -> int:
        """Offset in the shard of the runs' byte number `position_bytes`: `before` inverted."""
        run, into = divmod(position_bytes, self.run_bytes)
        return self.offset_bytes + run * self.stride_bytes + into


class Slices:
    """What one rank wants of the files: disjoint parts, none of which reaches into another.

    The wanted bytes are counted in file order, as if nothing lay between them.
    """

    def __init__(self, parts: Iterable[Strided]) -> None:
        self.parts = sorted(part for part in parts if part.nbytes)
        self._starts = [(part.shard, part.offset_bytes) for part in self.parts]
        self._before = list(accumulate((part.nbytes for part in self.parts), initial=0))

    @property
    def total_bytes(self) -> int:
        """All wanted bytes."""
        return self._before[-1]

    @property
    def rows(self) -> Slices:
        """The parts of several runs."""
        return Slices(part for part in self.parts if part.runs > 1)

    @property
    def whole(self) -> Slices:
        """The parts of one run."""
        return Slices(part for part in self.parts if part.runs == 1)

    def before(self, shard: int, offset_bytes: int) -> int:
        """How many wanted bytes lie before a place in the files."""
        at = bisect_right(self._starts, (shard, offset_bytes)) - 1
        if at < 0:
            return 0
        part = self.parts[at]
        inside = part.before(offset_bytes) if part.shard == shard else part.nbytes
        return self._before[at] + inside

    def nbytes(self, extent: Extent) -> int:
        """Wanted bytes of an extent."""
        shard, start, _ = extent
        return self.before(shard, extent.end_bytes) - self.before(shard, start)

    def place(self, position_bytes: int) -> int:
        """Offset in its shard of wanted byte number `position_bytes`."""
        at = bisect_right(self._before, position_bytes) - 1
        return self.parts[at].place(position_bytes - self._before[at])

    def gather(self, request: Extent, data: memoryview, into: memoryview) -> None:
        """Copy the wanted bytes of `data`, which holds the request, together to `into`.

        Both may be the same memory: what is copied never lies before where it goes.
        """
        place = 0
        for start, nbytes, stride, count in self._strips(request):
            for at in range(start, start + count * stride, stride):
                into[place : place + nbytes] = data[at : at + nbytes]
                place += nbytes

    def gathered(self, request: Extent, data: memoryview) -> memoryview:
        """A copy of the wanted bytes of `data`, which holds the request."""
        into = memoryview(bytearray(self.nbytes(request)))
        self.gather(request, data, into)
        return into

    def _strips(self, request: Extent) -> Iterator[tuple[int, int, int, int]]:
        """Start in the request, size, distance and number of the runs in it.

        The first and last run of a part may be cut by the request: each is a strip of its own.
        """
        at = max(0, bisect_right(self._starts, (request.shard, request.offset_bytes)) - 1)
        while at < len(self.parts):
            part = self.parts[at]
            if (part.shard, part.offset_bytes) >= (request.shard, request.end_bytes):
                return
            if part.shard == request.shard:
                yield from _strips_of(part, request)
            at += 1


def _strips_of(part: Strided, request: Extent) -> Iterator[tuple[int, int, int, int]]:
    stride = part.stride_bytes
    base = part.offset_bytes - request.offset_bytes
    first = max(0, -base // stride)
    last = min(part.runs - 1, (request.nbytes - 1 - base) // stride)
    if first > last:
        return
    start = max(0, base + first * stride)
    end = min(request.nbytes, base + first * stride + part.run_bytes)
    if start < end:
        yield start, end - start, stride, 1
    if last - first > 1:
        yield base + (first + 1) * stride, part.run_bytes, stride, last - first - 1
    if last > first:
        start = base + last * stride
        yield start, min(request.nbytes - start, part.run_bytes), stride, 1
