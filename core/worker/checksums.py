"""Proof that a load delivered the file's bytes: SHA-256 of both, compared reader by reader."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from modelmon.core.load.extents import split
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from modelmon.core.load.extents import Extent
    from modelmon.core.load.files import OpenFiles
    from modelmon.core.load.plan import Plan

_READ_BYTES = 4 * MIB


def file_checksum(
    files: OpenFiles, extents: Iterable[Extent], report: Callable[[int], None]
) -> str:
    """SHA-256 of the extents' bytes in their order, read from the files.

    `report` gets the bytes of each read.
    """
    digest = hashlib.sha256()
    buffer = memoryview(bytearray(_READ_BYTES))
    for extent in extents:
        for request in split(extent, _READ_BYTES):
            files.read_into(buffer[: request.nbytes], request)
            digest.update(buffer[: request.nbytes])
            report(request.nbytes)
    return digest.hexdigest()


def verify(
    plan: Plan, files: OpenFiles, delivered: Mapping[int, str], report: Callable[[int], None]
) -> tuple[str, bool | None]:
    """The files' checksum in file order, and whether every reader delivered those bytes; None
    where a library does not show what it delivered.

    The files are read twice, in the readers' order and in their own; `report` gets the bytes
    of each read.
    """
    if "" in delivered.values():
        return file_checksum(files, plan.wanted, report), None
    matches = all(
        file_checksum(files, extents, report) == delivered.get(number)
        for number, extents in enumerate(plan.readers)
        if extents
    )
    return file_checksum(files, plan.wanted, report), matches
