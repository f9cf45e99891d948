"""The plan of a load: which reader asks for which bytes, in which order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, request_count, total_bytes

if TYPE_CHECKING:
    from modelmon.core.load.decode_units import Part

UNCUT_BYTES = 1 << 62
"""As a chunk size: every extent is one request."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A load as lists of extents, one list a reader, each in the order of its requests.

    Every wanted byte is in exactly one extent of a rank; with order `file` offsets ascend
    within each reader; every reader's share is within one chunk of an even one; nothing lies
    outside the files. Reader number n belongs to rank n // `readers_per_rank`. `wanted` are
    the distinct bytes in file order, whoever reads them. Requests are cut at multiples of
    `chunk_bytes`. `model_bytes` is what the whole model's extents add up to. `packed` says
    that what is kept is laid end to end. `parts` tells for each extent of each reader what
    is to be decoded from it; `tensors` which tensor each extent is, where a library loads.
    """

    readers: tuple[tuple[Extent, ...], ...]
    wanted: tuple[Extent, ...]
    chunk_bytes: int
    model_bytes: int
    readers_per_rank: int
    packed: bool = False
    parts: tuple[tuple[tuple[Part, ...], ...], ...] = ()
    tensors: tuple[int, ...] = ()

    @property
    def planned_bytes(self) -> int:
        """Bytes that the readers deliver together; every rank counts."""
        return sum(total_bytes(extents) for extents in self.readers)

    @property
    def file_bytes(self) -> int:
        """Distinct bytes of the files among them."""
        return total_bytes(self.wanted)

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
