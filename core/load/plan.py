"""The plan of a load, as records: which reader asks for which bytes, and what one process does.

planner.py makes a Plan; `shares` divides it among processes, and LoaderWork is what one of them
is sent. Light: loader processes import it.
"""

from __future__ import annotations

from dataclasses import asdict
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from modelmon.core.load.config import LoadConfig, config_from_dict
from modelmon.core.load.extents import (
    Extent,
    Slices,
    Strided,
    distinct,
    request_count,
    total_bytes,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


STORED = "stored"
"""In place of a type: bytes that are delivered as they are, each of which counts as a value."""

UNCUT_BYTES = 1 << 62
"""As a chunk size: every extent is one request."""


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


class Share(NamedTuple):
    """What one process loads: the files, and the extents of each of its readers by number.

    No request is larger than `request_bytes`. `slices` are what is wanted of the extents, None if
    all of them is; `inherited` are descriptors by shard where all readers share them; `parts` is by
    reader what is decoded from each extent.
    """

    paths: Sequence[str]
    sizes_bytes: Sequence[int]
    readers: Mapping[int, Sequence[Extent]]
    chunk_bytes: int
    request_bytes: int
    slices: Slices | None = None
    inherited: Mapping[int, int] | None = None
    parts: Mapping[int, Sequence[Sequence[TensorValues]]] = MappingProxyType({})


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
    model_bytes: int
    readers_per_rank: int
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

    def shares(
        self,
        paths: Sequence[str],
        sizes_bytes: Sequence[int],
        inherited: Mapping[int, int] | None = None,
        *,
        alone: bool = False,
    ) -> list[Share]:
        """What each process loads: the readers of a rank together, or each `alone`. Readers without
        work need none.
        """
        processes: dict[int, list[int]] = {}
        for number, extents in enumerate(self.readers):
            if extents:
                process = number if alone else number // self.readers_per_rank
                processes.setdefault(process, []).append(number)
        request_bytes = self.request_bytes
        return [
            Share(
                paths,
                sizes_bytes,
                {number: self.readers[number] for number in numbers},
                self.chunk_bytes,
                request_bytes,
                self.slices_of(numbers[0]),
                inherited,
                {number: self.parts[number] for number in numbers if self.parts},
            )
            for numbers in processes.values()
        ]


Read = TypeVar("Read")
Passing = Literal["dropped", "copied", "hashed"]

STANDBY = "--standby"
"""Starts a loader, or its supervisor, before there is work for it."""
AWAKE = b"awake\n"
"""What such a process says before all else, once it has imported everything and only waits."""


class LoaderWork(NamedTuple):
    """What one loader does: its share of the whole load.

    `requests` are the counts of all readers of the load, which fix the shared mapping's layout;
    `warmup` is what this loader reads before, empty if another does it or there is none. `passing`
    says what becomes of bytes that pass through a small buffer: to verify them, they are `copied`
    to be hashed after the load, or `hashed` on their way. `tensors` are the name and shard of each
    extent that a library is asked for.
    """

    config: LoadConfig
    share: Share
    requests: Sequence[int]
    progress: str
    parent_pid: int
    warmup: Sequence[Extent] = ()
    passing: Passing = "dropped"
    tensors: Sequence[tuple[str, int]] = ()

    def to_line(self) -> bytes:
        """The work as the line that starts a loader."""
        import json  # noqa: PLC0415  loads from Python start sooner without it

        slices = self.share.slices and self.share.slices.parts
        share = self.share._replace(slices=None, parts=dict(self.share.parts))._asdict()
        values = self._asdict() | {"config": asdict(self.config), "share": share, "slices": slices}
        return json.dumps(values).encode() + b"\n"

    @classmethod
    def from_line(cls, line: bytes) -> LoaderWork:
        """The inverse of `to_line`."""
        import json  # noqa: PLC0415  as above

        values: dict[str, Any] = json.loads(line)
        share, slices = values["share"], values.pop("slices")
        values["share"] = Share(**share)._replace(
            readers=_by_number(share["readers"], _extents),
            slices=Slices(Strided(*part) for part in slices) if slices else None,
            inherited=share["inherited"] and _by_number(share["inherited"], int),
            parts=_by_number(share["parts"], _parts),
        )
        values["config"] = config_from_dict(values["config"])
        values["warmup"] = _extents(values["warmup"])
        values["tensors"] = [(name, shard) for name, shard in values["tensors"]]
        return cls(**values)


def _by_number(values: dict[str, Any], read: Callable[[Any], Read]) -> dict[int, Read]:
    return {int(number): read(value) for number, value in values.items()}


def _extents(values: list[list[int]]) -> list[Extent]:
    return [Extent(*value) for value in values]


def _parts(values: list[list[list[Any]]]) -> list[list[TensorValues]]:
    return [[TensorValues(*part) for part in extent] for extent in values]
