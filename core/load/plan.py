"""The plan of a load, as records: which reader asks for which bytes, and what one process does.

planner.py makes a Plan; `for_processes` divides it, and a ProcessPlan is sent to its process as it
is. Light: loader processes import it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.extents import Extent, Slices, distinct, request_count, total_bytes, within

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from modelmon.core.load.config import LoadConfig

STORED = "stored"
"""In place of a type: bytes that are delivered as they are, each of which counts as a value."""

UNCUT_BYTES = 1 << 62
"""As a chunk size: every extent is one request."""

STANDBY = "--standby"
"""Starts a loader, or its supervisor, before there is work for it."""
AWAKE = b"awake\n"
"""What such a process says before all else, once it has imported everything and only waits."""


class TensorValues(NamedTuple):
    """What an extent holds of one tensor: where in the extent's bytes, and which values it is.

    `tensor` is its index in the model; `first_element` counts its values in stored order.
    """

    dtype: str
    start_bytes: int
    nbytes: int
    tensor: int
    first_element: int
    elements: int


class ProcessPlan(NamedTuple):
    """What one process loads and how: the files, and the extents of each of its readers by number.

    No request is larger than `request_bytes`. `slices` are what is wanted of the extents, None if
    all of them is; `parts` is by reader what is decoded from each extent; `tensors` are the name
    and shard of each extent that a library is asked for. `warmup` is what this process reads
    before, empty if another does it or there is none. `requests` are the counts of all readers of
    the load, which fix the layout of the shared mapping called `progress`; `inherited` are
    descriptors by shard where all readers share them. Where it is to be verified, `hashes` has
    bytes that pass through a small buffer hashed on their way.
    """

    config: LoadConfig
    paths: Sequence[str]
    sizes_bytes: Sequence[int]
    readers: Mapping[int, Sequence[Extent]]
    chunk_bytes: int
    request_bytes: int
    slices: Slices | None = None
    parts: Mapping[int, Sequence[Sequence[TensorValues]]] = {}
    tensors: Sequence[tuple[str, int]] = ()
    warmup: Sequence[Extent] = ()
    requests: Sequence[int] = ()
    inherited: Mapping[int, int] | None = None
    progress: str = ""
    parent_pid: int = 0
    hashes: bool = False


class Plan(NamedTuple):
    """A load as lists of extents, one list a reader, each in the order of its requests.

    Every wanted byte is in exactly one extent of a rank; with order `file` offsets ascend
    within each reader; every reader's share is within one chunk of an even one; nothing lies
    outside the files. Reader number n belongs to rank n // `readers_per_rank`. `wanted` are
    the distinct bytes that are read, in file order, whoever reads them. `slices` are by rank
    what is wanted of its extents, and delivered; without them all of them is. Requests are cut
    at multiples of `chunk_bytes`. `model_bytes` is what the whole model's extents add up to.
    `parts` tells for each extent of each reader what is to be decoded from it, and
    `tensors` which tensor each extent is, where a library loads.
    """

    readers: tuple[tuple[Extent, ...], ...]
    wanted: tuple[Extent, ...]
    chunk_bytes: int
    readers_per_rank: int
    model_bytes: int = 0
    slices: tuple[Slices, ...] = ()
    parts: tuple[tuple[tuple[TensorValues, ...], ...], ...] = ()
    tensors: tuple[int, ...] = ()

    @property
    def planned_bytes(self) -> int:
        """Bytes that the readers deliver together; every rank counts."""
        return sum(
            total_bytes(extents) if slices is None else sum(map(slices.nbytes, extents))
            for extents, slices in self.by_reader()
        )

    @property
    def read_bytes(self) -> int:
        """Distinct bytes of the files that are read: those between slices as well."""
        return total_bytes(self.wanted)

    @property
    def file_bytes(self) -> int:
        """Distinct bytes of the files that are delivered."""
        if not self.slices:
            return self.read_bytes
        read: dict[int, tuple[Slices, list[Extent]]] = {}
        for extents, slices in self.by_reader():
            if slices is not None:
                read.setdefault(id(slices), (slices, []))[1].extend(extents)
        rows = 0
        whole: list[Extent] = []
        for slices, asked in read.values():
            held, rows_of = distinct(asked), slices.rows
            # Ranks that slice a tensor share no row of it; what they hold whole is the same.
            rows += sum(map(rows_of.nbytes, held))
            whole += within([Extent(*part[:3]) for part in slices.whole.parts], held)
        return rows + total_bytes(distinct(whole))

    def by_reader(self) -> Iterator[tuple[tuple[Extent, ...], Slices | None]]:
        """Each reader's extents, and what is wanted of them; None for all."""
        for number, extents in enumerate(self.readers):
            yield extents, self.slices_of(number)

    def slices_of(self, reader: int) -> Slices | None:
        """What is wanted of a reader's extents; None for all."""
        return self.slices[reader // self.readers_per_rank] if self.slices else None

    @property
    def request_counts(self) -> tuple[int, ...]:
        """Requests of each reader."""
        return tuple(
            sum(request_count(extent, self.chunk_bytes) for extent in extents)
            for extents in self.readers
        )

    @property
    def request_bytes(self) -> int:
        """A size that no request exceeds, for the buffers that they pass."""
        largest = max(extent.nbytes for extents in self.readers for extent in extents)
        return min(self.chunk_bytes, largest)

    def for_processes(
        self,
        config: LoadConfig,
        paths: Sequence[str],
        sizes_bytes: Sequence[int],
        names: Sequence[str] = (),
    ) -> list[ProcessPlan]:
        """What each process loads: the readers of a rank together, or each alone. Readers without
        work need none. `names` are those of `tensors`, where a library loads.
        """
        processes: dict[int, list[int]] = {}
        for number, extents in enumerate(self.readers):
            if extents:
                alone = config.reader_kind == "process"
                process = number if alone else number // self.readers_per_rank
                processes.setdefault(process, []).append(number)
        shards = (extent.shard for extent in self.readers[0])
        tensors = list(zip(names, shards, strict=False))
        warmup = () if config.warmup == "none" else self.wanted
        return [
            ProcessPlan(
                config,
                paths,
                sizes_bytes,
                {number: self.readers[number] for number in numbers},
                self.chunk_bytes,
                self.request_bytes,
                self.slices_of(numbers[0]),
                {number: self.parts[number] for number in numbers if self.parts},
                tensors,
                () if place else warmup,
            )
            for place, numbers in enumerate(processes.values())
        ]
