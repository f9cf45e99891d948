"""The plan of a load, as records: which reader asks for which bytes, and what one process does.

planner.py makes a Plan; `for_processes` divides it, and a ProcessPlan is sent to its process as it
is. Light: loader processes import it.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.load.extents import Extent, Slices, distinct, request_count, total_bytes, within

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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


class ReaderPlan(NamedTuple):
    """What one reader asks for, in the order of its requests.

    `slices` are what its rank wants of the extents, and what is delivered; None if that is all of
    them. For each extent `parts` tells what is to be decoded from it, and `names` which tensor it
    is, where a library loads.
    """

    extents: Sequence[Extent]
    slices: Slices | None = None
    parts: Sequence[Sequence[TensorValues]] = ()
    names: Sequence[str] = ()
    number: int = 0
    rank: int = 0


def _request_bytes(readers: Iterable[ReaderPlan], chunk_bytes: int) -> int:
    """A size that no request exceeds, for the buffers that they pass."""
    return min(chunk_bytes, max(extent.nbytes for reader in readers for extent in reader.extents))


class ProcessPlan(NamedTuple):
    """What one process loads and how: the files with their sizes, and what each of its readers asks
    for. All of them are of one rank.

    `warmup` is what this process reads before, empty if another does it or there is none.
    `requests` are the counts of all readers of the load, which fix the layout of the shared mapping
    called `progress`; `inherited` are descriptors by shard where all readers share them. Where it
    is to be verified, `hashes` has bytes that pass through a small buffer hashed on their way.
    """

    config: LoadConfig
    files: Sequence[tuple[str, int]]
    readers: Sequence[ReaderPlan]
    chunk_bytes: int
    warmup: Sequence[Extent] = ()
    requests: Sequence[int] = ()
    inherited: Mapping[int, int] | None = None
    progress: str = ""
    parent_pid: int = 0
    hashes: bool = False

    @property
    def slices(self) -> Slices | None:
        """What is wanted of the extents; None if all of them is."""
        return self.readers[0].slices

    @property
    def request_bytes(self) -> int:
        """A size that no request exceeds."""
        return _request_bytes(self.readers, self.chunk_bytes)


class Plan(NamedTuple):
    """A load as what each of its readers asks for.

    Every wanted byte is in exactly one extent of a rank; with order `file` offsets ascend
    within each reader; every reader's share is within one chunk of an even one; nothing lies
    outside the files. `wanted` are the distinct bytes that are read, in file order, whoever reads
    them. Requests are cut at multiples of `chunk_bytes`. `model_bytes` is what the whole model's
    extents add up to.
    """

    readers: tuple[ReaderPlan, ...]
    wanted: tuple[Extent, ...]
    chunk_bytes: int
    model_bytes: int = 0

    @property
    def slices(self) -> list[Slices]:
        """What is wanted of the extents by whom, each once; none where all of them is."""
        each = [reader.slices for reader in self.readers if reader.slices is not None]
        return list({id(slices): slices for slices in each}.values())

    @property
    def planned_bytes(self) -> int:
        """Bytes that the readers deliver together; every rank counts."""
        return sum(
            total_bytes(extents) if slices is None else sum(map(slices.nbytes, extents))
            for extents, slices, *_ in self.readers
        )

    @property
    def read_bytes(self) -> int:
        """Distinct bytes of the files that are read: those between slices as well."""
        return total_bytes(self.wanted)

    @property
    def file_bytes(self) -> int:
        """Distinct bytes of the files that are delivered."""
        rows = 0
        whole: list[Extent] = []
        for slices in self.slices:
            asked = (reader.extents for reader in self.readers if reader.slices is slices)
            held, rows_of = distinct(chain.from_iterable(asked)), slices.rows
            # Ranks that slice a tensor share no row of it; what they hold whole is the same.
            rows += sum(map(rows_of.nbytes, held))
            whole += within([Extent(*part[:3]) for part in slices.whole.parts], held)
        return rows + total_bytes(distinct(whole)) if self.slices else self.read_bytes

    @property
    def request_counts(self) -> tuple[int, ...]:
        """Requests of each reader."""
        return tuple(
            sum(request_count(extent, self.chunk_bytes) for extent in reader.extents)
            for reader in self.readers
        )

    @property
    def request_bytes(self) -> int:
        """A size that no request exceeds."""
        return _request_bytes(self.readers, self.chunk_bytes)

    def for_processes(
        self, config: LoadConfig, files: Sequence[tuple[str, int]]
    ) -> list[ProcessPlan]:
        """What each process loads: the readers of a rank together, or each alone. Readers without
        work need none.
        """
        alone = config.reader_kind == "process"
        processes: dict[int, list[ReaderPlan]] = {}
        for reader in self.readers:
            if reader.extents:
                processes.setdefault(reader.number if alone else reader.rank, []).append(reader)
        first = () if config.warmup == "none" else self.wanted
        return [
            ProcessPlan(config, files, readers, self.chunk_bytes, () if place else first)
            for place, readers in enumerate(processes.values())
        ]
