"""Byte ranges of a model's files: extents, slices of matrices, and the spans that hold these.

Pure arithmetic: ranges are joined, cut into requests, dealt out to readers. A tensor-parallel
rank's part of a matrix is a run of each of its rows; requests ask for spans that hold many runs
and what lies between them, and only the runs are delivered.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.units import KIB

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


class Extent(NamedTuple):
    """`nbytes` bytes of shard number `shard`, from `offset_bytes`."""

    shard: int
    offset_bytes: int
    nbytes: int

    @property
    def end_bytes(self) -> int:
        """Offset of the first byte behind the extent."""
        return self.offset_bytes + self.nbytes

    def contains(self, other: Extent) -> bool:
        """Whether all of `other` lies in this one."""
        starts_in = other.shard == self.shard and other.offset_bytes >= self.offset_bytes
        return starts_in and other.end_bytes <= self.end_bytes

    def cut(self, at_bytes: int) -> tuple[Extent, Extent]:
        """What lies before and behind an offset; either may be empty."""
        first = min(max(0, at_bytes - self.offset_bytes), self.nbytes)
        behind = Extent(self.shard, self.offset_bytes + first, self.nbytes - first)
        return self._replace(nbytes=first), behind


def coalesce(extents: Iterable[Extent]) -> list[Extent]:
    """`extents` in their order, neighbours that continue one another joined, empty ones gone."""
    joined: list[Extent] = []
    for extent in extents:
        if extent.nbytes == 0:
            continue
        if joined:
            last = joined[-1]
            if last.shard == extent.shard and last.end_bytes == extent.offset_bytes:
                joined[-1] = Extent(last.shard, last.offset_bytes, last.nbytes + extent.nbytes)
                continue
        joined.append(extent)
    return joined


def distinct(extents: Iterable[Extent]) -> list[Extent]:
    """The bytes of `extents`, each once, in file order."""
    merged: list[Extent] = []
    for extent in coalesce(sorted(extents)):
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.shard == extent.shard
            and extent.offset_bytes <= last.end_bytes
        ):
            end = max(last.end_bytes, extent.end_bytes)
            merged[-1] = Extent(last.shard, last.offset_bytes, end - last.offset_bytes)
        else:
            merged.append(extent)
    return merged


def total_bytes(extents: Iterable[Extent]) -> int:
    """Sum of the extents' sizes."""
    return sum(extent.nbytes for extent in extents)


def split(extent: Extent, chunk_bytes: int) -> Iterator[Extent]:
    """The requests that read `extent`: cut where the file offset is a multiple of the chunk.

    Cutting at absolute offsets keeps every request but the first and last aligned, and no
    page is asked for twice.
    """
    offset = extent.offset_bytes
    end = extent.end_bytes
    while offset < end:
        stop = min(end, (offset // chunk_bytes + 1) * chunk_bytes)
        yield Extent(extent.shard, offset, stop - offset)
        offset = stop


def within(asked: Sequence[Extent], wanted: Sequence[Extent]) -> list[Extent]:
    """The parts of `asked`, in its order, that lie in `wanted`: disjoint and in file order."""
    parts: list[Extent] = []
    starts = [(room.shard, room.offset_bytes) for room in wanted]
    for extent in asked:
        # Slices make tens of thousands of both: only those near the extent are looked at.
        first = max(0, bisect_right(starts, (extent.shard, extent.offset_bytes)) - 1)
        last = bisect_left(starts, (extent.shard, extent.end_bytes), lo=first)
        for room in wanted[first:last]:
            start = max(extent.offset_bytes, room.offset_bytes)
            end = min(extent.end_bytes, room.end_bytes)
            if room.shard == extent.shard and start < end:
                parts.append(Extent(extent.shard, start, end - start))
    return parts


def request_count(extent: Extent, chunk_bytes: int) -> int:
    """How many requests `split` yields, without making them."""
    if extent.nbytes == 0:
        return 0
    first = extent.offset_bytes // chunk_bytes
    last = (extent.end_bytes - 1) // chunk_bytes
    return last - first + 1


def partition(extents: Sequence[Extent], readers: int, chunk_bytes: int) -> list[list[Extent]]:
    """`extents` cut into one consecutive run per reader, balanced by bytes.

    Cuts fall on multiples of the chunk in the file, so that no request is split in two.
    """
    total = total_bytes(extents)
    shares: list[list[Extent]] = [[] for _ in range(readers)]
    reader = 0
    passed = 0
    for extent in extents:
        offset = extent.offset_bytes
        while offset < extent.end_bytes:
            while reader < readers - 1 and passed >= total * (reader + 1) // readers:
                reader += 1
            stop = extent.end_bytes
            if reader < readers - 1:
                even = offset + total * (reader + 1) // readers - passed
                stop = min(stop, -(-even // chunk_bytes) * chunk_bytes)
            shares[reader].append(Extent(extent.shard, offset, stop - offset))
            passed += stop - offset
            offset = stop
    return shares


def partition_whole(extents: Sequence[Extent], readers: int) -> list[list[Extent]]:
    """`extents` in one consecutive run per reader, balanced by bytes; none is cut."""
    total = total_bytes(extents)
    shares: list[list[Extent]] = [[] for _ in range(readers)]
    passed = 0
    for extent in extents:
        middle = passed + extent.nbytes // 2
        shares[min(readers - 1, middle * readers // max(1, total))].append(extent)
        passed += extent.nbytes
    return shares


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


class TensorPiece(NamedTuple):
    """What is wanted of a tensor.

    `tensor` is its index, `shape` the shape of what is wanted. End to end the runs of `strided` are
    the slice as an array in row-major order.
    """

    tensor: int
    shape: tuple[int, ...]
    strided: Strided

    @property
    def nbytes(self) -> int:
        """Wanted bytes of the tensor."""
        return self.strided.nbytes

    def extents(self) -> Iterator[Extent]:
        """The runs, ascending and apart from one another; of an empty tensor an empty one."""
        where = self.strided
        for run in range(where.runs):
            offset_bytes = where.offset_bytes + run * where.stride_bytes
            yield Extent(where.shard, offset_bytes, where.run_bytes)


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


MAX_ROW_GAP_BYTES = 128 * KIB
"""Unwanted bytes up to this are read along with the wanted ones around them.

A request costs this engine, recording included, about 70 us more than its bytes; a disk that
reads 1.3 GB/s needs about 90 us for 128 KiB. Drives whose answers take longer also read more in
that time.
"""


class RankShare:
    """A rank's part of a model: what is wanted of it, and the spans that hold that."""

    def __init__(self, pieces: Sequence[TensorPiece], chunk_bytes: int) -> None:
        """Gaps are smaller than a chunk, so that no request lies in a gap."""
        self._pieces = pieces
        self._gap_bytes = min(MAX_ROW_GAP_BYTES, chunk_bytes - 1)
        self.slices = Slices(piece.strided for piece in pieces)
        self.spans = list(_spans_of(self.slices.parts, self._gap_bytes))
        # Where neither runs nor tensors were joined, each tensor is one extent of its own.
        self.is_plain = total_bytes(self.spans) == self.slices.total_bytes and all(
            part.runs == 1 for part in self.slices.parts
        )

    def by_tensor(self) -> dict[int, list[Extent]]:
        """The spans of each tensor that has any bytes, by its index."""
        return {
            piece.tensor: list(_spans_of([piece.strided], self._gap_bytes))
            for piece in self._pieces
            if piece.nbytes
        }

    def joined(self, spans: Iterable[Extent]) -> list[Extent]:
        """`spans` in their order; those that follow one another with a small gap in which
        nothing is wanted are one.
        """
        joined: list[Extent] = []
        for span in spans:
            last = joined[-1] if joined else None
            if last is not None and last.shard == span.shard:
                gap = span.offset_bytes - last.end_bytes
                between = Extent(last.shard, last.end_bytes, gap)
                if 0 <= gap <= self._gap_bytes and not (gap and self.slices.nbytes(between)):
                    nbytes = span.end_bytes - last.offset_bytes
                    joined[-1] = Extent(last.shard, last.offset_bytes, nbytes)
                    continue
            joined.append(span)
        return joined


def _spans_of(parts: Iterable[Strided], gap_bytes: int) -> Iterator[Extent]:
    """What is read of parts in file order, joined over small gaps; plain numbers, for a model
    has many parts.
    """
    shard, start, end = -1, 0, 0
    for at, offset, run, stride, runs in parts:
        # Rows far apart are each for themselves.
        step, count = (run, runs) if stride - run > gap_bytes else ((runs - 1) * stride + run, 1)
        for first in range(offset, offset + count * stride, stride):
            if at != shard or first - end > gap_bytes:
                if shard >= 0:
                    yield Extent(shard, start, end - start)
                shard, start = at, first
            end = first + step
    if shard >= 0:
        yield Extent(shard, start, end - start)
