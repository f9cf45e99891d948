"""The requests of a load, and what they add up to for each block of the model.

Times are the requests' own, as readers noted them; nothing here is sampled.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.extents import Extent, split
from modelmon.core.load.planner import tensor_extents
from modelmon.core.load.progress import TIMES
from modelmon.core.worker.events import MOST_ARRIVALS, Blocks, BlockTiming, Chunks

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from modelmon.core.load.extents import Slices
    from modelmon.core.load.plan import Plan
    from modelmon.core.load.progress import Progress
    from modelmon.core.model.tensors import Model


class _Piece(NamedTuple):
    """Where a part of a block lies; pieces of a shard are sorted and disjoint."""

    start_bytes: int
    end_bytes: int
    block: int


class BlockMap:
    """Which block each byte of the files belongs to."""

    def __init__(self, model: Model) -> None:
        extents = tensor_extents(model)
        owners = sorted(
            (extents[index], number)
            for number, block in enumerate(model.blocks)
            for index in block.tensors
            if extents[index].nbytes
        )
        self.names = tuple(block.name for block in model.blocks)
        self._pieces: list[list[_Piece]] = [[] for _ in model.shards]
        for extent, number in owners:
            pieces = self._pieces[extent.shard]
            start = extent.offset_bytes
            last = pieces[-1] if pieces else None
            if last is not None and last.block == number and last.end_bytes == start:
                start = pieces.pop().start_bytes
            pieces.append(_Piece(start, extent.end_bytes, number))

    def parts(self, extent: Extent, slices: Slices | None = None) -> Iterator[tuple[int, int]]:
        """Block number and bytes of each block that an extent holds; of slices the wanted ones."""
        pieces = self._pieces[extent.shard]
        end = extent.end_bytes
        at = max(0, bisect_right(pieces, (extent.offset_bytes, 1 << 63, 0)) - 1)
        while at < len(pieces) and pieces[at].start_bytes < end:
            piece = pieces[at]
            start = max(extent.offset_bytes, piece.start_bytes)
            nbytes = min(end, piece.end_bytes) - start
            if nbytes > 0 and slices is not None:
                nbytes = slices.nbytes(Extent(extent.shard, start, nbytes))
            if nbytes > 0:
                yield piece.block, nbytes
            at += 1


class BlockTimer:
    """Adds chunk records up to block timings; blocks without planned bytes are left out."""

    def __init__(self, blocks: BlockMap, plan: Plan) -> None:
        self._map = blocks
        self._slices = [reader.slices for reader in plan.readers]
        self._planned = [0] * len(blocks.names)
        for extents, slices, *_ in plan.readers:
            for extent in extents:
                for block, nbytes in blocks.parts(extent, slices):
                    self._planned[block] += nbytes
        self._left = list(self._planned)
        self._ready_ns = [0] * len(blocks.names)
        self._requests = [0] * len(blocks.names)
        self._busy_ns = [0.0] * len(blocks.names)
        self._decode_ns = [0.0] * len(blocks.names)
        self._wait_ns = [0.0] * len(blocks.names)
        self._decodes = False
        self._arrivals = [_Arrivals() for _ in blocks.names]
        self._reading: dict[int, set[int]] = {}
        self._seen: list[Chunks] = []

    @property
    def planned(self) -> list[tuple[str, int]]:
        """Name and planned bytes of each block of this load, in execution order."""
        pairs = zip(self._map.names, self._planned, strict=True)
        return [(name, nbytes) for name, nbytes in pairs if nbytes]

    def add(self, chunks: Chunks, in_flight: int) -> None:
        """Take in finished requests; until `final` their time is shared by `in_flight`."""
        self._seen.append(chunks)
        reading = self._reading.get(chunks.reader, set())
        times = zip(chunks.start_ns, chunks.end_ns, _beside_reading(chunks), strict=True)
        self._decodes |= bool(chunks.decode_ns)
        for (start, end, beside), parts in zip(times, self._parts(chunks), strict=True):
            share_ns = (end - start) / in_flight
            before, reading = reading, {block for block, _, _ in parts}
            for block, nbytes, share in parts:
                self._arrivals[block].add(chunks.reader, start, end, goes_on=block in before)
                self._left[block] -= nbytes
                self._ready_ns[block] = max(self._ready_ns[block], end)
                self._requests[block] += 1
                self._spend(block, share_ns * share, beside)
        self._reading[chunks.reader] = reading

    def _spend(self, block: int, busy_ns: float, beside: tuple[float, float]) -> None:
        self._busy_ns[block] += busy_ns
        self._decode_ns[block] += busy_ns * beside[0]
        self._wait_ns[block] += busy_ns * beside[1]

    def _parts(self, chunks: Chunks) -> Iterator[list[tuple[int, int, float]]]:
        """Of each request its blocks, their bytes, and their share of its bytes."""
        # The threads of a program were not planned, and all of them read for one.
        slices = self._slices[min(chunks.reader, len(self._slices) - 1)]
        for place in zip(chunks.shard, chunks.offset_bytes, chunks.nbytes, strict=True):
            request = Extent(*place)
            total = request.nbytes if slices is None else slices.nbytes(request)
            yield [(b, nbytes, nbytes / total) for b, nbytes in self._map.parts(request, slices)]

    def timings(self, untold: Iterable[Extent] = (), whole_share: float = 1.0) -> Blocks:
        """The timings so far. A block is ready when this share of it has come, beside what was
        there before and is `untold`.
        """
        left = list(self._left)
        for extent in untold:
            for block, nbytes in self._map.parts(extent):
                left[block] -= nbytes
        is_ready = [
            requests > 0 and nbytes <= (1 - whole_share) * planned
            for requests, nbytes, planned in zip(self._requests, left, self._planned, strict=True)
        ]
        return Blocks(
            tuple(
                BlockTiming(
                    name=name,
                    nbytes=planned - self._left[number],
                    busy_ns=round(self._busy_ns[number]),
                    requests=self._requests[number],
                    ready_ns=self._ready_ns[number] if is_ready[number] else None,
                    decode_ns=round(self._decode_ns[number]) if self._decodes else None,
                    wait_ns=round(self._wait_ns[number]) if self._decodes else None,
                    arrivals_ns=self._arrivals[number].stretches(),
                )
                for number, (name, planned) in enumerate(
                    zip(self._map.names, self._planned, strict=True)
                )
                if planned
            )
        )

    def final(self, untold: Iterable[Extent] = (), whole_share: float = 1.0) -> Blocks:
        """The timings with every moment divided by the requests then really in flight; `untold` and
        `whole_share` as above.
        """
        shares = shares_in_flight(
            [start for chunks in self._seen for start in chunks.start_ns],
            [end for chunks in self._seen for end in chunks.end_ns],
        )
        requests = (parts for chunks in self._seen for parts in self._parts(chunks))
        beside = (each for chunks in self._seen for each in _beside_reading(chunks))
        for total in (self._busy_ns, self._decode_ns, self._wait_ns):
            total[:] = [0.0] * len(total)
        for parts, share_ns, each in zip(requests, shares, beside, strict=True):
            for block, _, share in parts:
                self._spend(block, share_ns * share, each)
        return self.timings(untold, whole_share)


def _beside_reading(chunks: Chunks) -> Iterable[tuple[float, float]]:
    """What parts of each request were decoding and waiting for that."""
    if not chunks.decode_ns:
        return ((0.0, 0.0) for _ in chunks.end_ns)
    times = zip(chunks.start_ns, chunks.end_ns, chunks.decode_ns, chunks.wait_ns, strict=True)
    lengths = ((max(1, end - start), decode, wait) for start, end, decode, wait in times)
    return ((decode / length, wait / length) for length, decode, wait in lengths)


class _Arrivals:
    """In which stretches of time bytes of one block came."""

    def __init__(self) -> None:
        self._known: list[list[int]] = []
        self._latest: dict[int, list[int]] = {}

    def add(self, reader: int, start_ns: int, end_ns: int, *, goes_on: bool) -> None:
        """Take in a request; `goes_on` where the reader's one before was for this block too."""
        latest = self._latest.get(reader) if goes_on else None
        if latest is None:
            if len(self._known) >= 4 * MOST_ARRIVALS:
                self._known, self._latest = [list(each) for each in self.stretches()], {}
            latest = self._latest[reader] = [start_ns, end_ns]
            self._known.append(latest)
        else:
            latest[:] = min(latest[0], start_ns), max(latest[1], end_ns)

    def stretches(self) -> tuple[tuple[int, int], ...]:
        """Starts and ends, of all readers together."""
        found: list[tuple[int, int]] = []
        for start, end in sorted(map(tuple, self._known)):
            if found and start <= found[-1][1]:
                found[-1] = found[-1][0], max(found[-1][1], end)
            else:
                found.append((start, end))
        while len(found) > MOST_ARRIVALS:
            gaps = [later[0] - one[1] for one, later in pairwise(found)]
            at = gaps.index(min(gaps))
            found[at : at + 2] = [(found[at][0], found[at + 1][1])]
        return tuple(found)


def shares_in_flight(starts_ns: Sequence[int], ends_ns: Sequence[int]) -> list[float]:
    """Each interval's time with every moment divided by the intervals that cover it.

    The shares add up to the length of the union of all intervals.
    """
    moments = sorted({*starts_ns, *ends_ns})
    change: dict[int, int] = dict.fromkeys(moments, 0)
    for start, end in zip(starts_ns, ends_ns, strict=True):
        change[start] += 1
        change[end] -= 1
    passed: dict[int, float] = {}
    in_flight, total, before = 0, 0.0, 0
    for moment in moments:
        if in_flight:
            total += (moment - before) / in_flight
        passed[moment] = total
        in_flight += change[moment]
        before = moment
    return [passed[end] - passed[start] for start, end in zip(starts_ns, ends_ns, strict=True)]


class ChunkStream:
    """Hands out each request of readers once, when the times are there that they left in shared
    memory; what it asked for follows from the plan.
    """

    def __init__(self, plan: Plan, progress: Progress) -> None:
        self._progress = progress
        self._taken = [0] * len(plan.readers)
        # Shard, offset and size of each reader's requests.
        self._columns = [tuple(array("q") for _ in Extent._fields) for _ in plan.readers]
        for columns, reader in zip(self._columns, plan.readers, strict=True):
            for extent in reader.extents:
                for request in split(extent, plan.chunk_bytes):
                    for column, value in zip(columns, request, strict=True):
                        column.append(value)

    def take(self, started_ns: int) -> Iterator[Chunks]:
        """What finished since the last call; times count from `started_ns` (monotonic)."""
        for reader, columns in enumerate(self._columns):
            first = self._taken[reader]
            times = self._progress.times(reader, first)
            if times:
                self._taken[reader] = stop = first + len(times) // TIMES
                shards, offsets, sizes = (tuple(column[first:stop]) for column in columns)
                starts = tuple(value - started_ns for value in times[0::TIMES])
                ends = tuple(value - started_ns for value in times[1::TIMES])
                decode_ns, wait_ns = tuple(times[2::TIMES]), tuple(times[3::TIMES])
                if not any(decode_ns):
                    decode_ns = wait_ns = ()
                yield Chunks(reader, shards, offsets, sizes, starts, ends, decode_ns, wait_ns)
