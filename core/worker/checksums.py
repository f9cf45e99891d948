"""Proof that a load delivered the file's bytes: SHA-256 of both, compared reader by reader."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from modelmon.core.load.extents import distinct, split
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from modelmon.core.load.extents import Extent, Slices
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.load.plan import Plan

_READ_BYTES = 4 * MIB


def file_checksum(
    files: OpenFiles,
    shares: Iterable[tuple[Iterable[Extent], Slices | None]],
    report: Callable[[int], None],
) -> str:
    """SHA-256 of what is wanted of extents, all of it or slices, in their order, read from the
    files.

    `report` gets the bytes of each read.
    """
    digest = hashlib.sha256()
    buffer = memoryview(bytearray(_READ_BYTES))
    for extents, slices in shares:
        for extent in extents:
            for request in split(extent, _READ_BYTES):
                read = buffer[: request.nbytes]
                files.read_into(read, request)
                digest.update(read if slices is None else slices.gathered(request, read))
                report(request.nbytes)
    return digest.hexdigest()


def verify(
    plan: Plan, files: OpenFiles, delivered: Mapping[int, str], report: Callable[[int], None]
) -> tuple[str, bool | None]:
    """The files' checksum in file order, of slices rank by rank, and whether every reader
    delivered those bytes; None where a library does not show what it delivered.

    The files are read twice, in the readers' order and in their own; `report` gets the bytes
    of each read.
    """
    matches = None
    if "" not in delivered.values():
        matches = all(
            file_checksum(files, [(extents, slices)], report) == delivered.get(number)
            for number, (extents, slices) in enumerate(plan.by_reader())
            if extents
        )
    return file_checksum(files, _shares(plan), report), matches


def _shares(plan: Plan) -> Iterator[tuple[Sequence[Extent], Slices | None]]:
    """What the load wants in file order, whichever readers it has."""
    if not plan.slices:
        yield plan.wanted, None
    for rank, slices in enumerate(plan.slices):
        first = rank * plan.readers_per_rank
        hands = plan.readers[first : first + plan.readers_per_rank]
        yield distinct(extent for hand in hands for extent in hand), slices
