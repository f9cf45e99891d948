"""The page cache before a measurement: set, and verified by residency."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from modelmon.core.errors import ModelmonError
from modelmon.core.machine.page_cache import (
    COLD_SHARE,
    WARM_SHARE,
    combined,
    evict_verified,
    residency,
)
from modelmon.core.messages import verbatim
from modelmon.core.units import MIB, percent_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from records import State

    from modelmon.core.machine.page_cache import Ranges

STRIPE_BYTES = 32 * MIB
_ATTEMPTS = 6
_FIRST_PAUSE_S = 0.01


class CacheStateError(ModelmonError):
    """The page cache could not be brought into the state that was asked for."""


class CachedFiles:
    """The files of one model, held open so that looking does not disturb a load."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._files = [os.open(path, os.O_RDONLY | os.O_CLOEXEC) for path in paths]
        self._sizes = [os.fstat(descriptor).st_size for descriptor in self._files]
        self._names = ", ".join(Path(path).name for path in paths)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor in self._files:
            os.close(descriptor)

    def set(self, state: State) -> None:
        """Make the page cache `state`; `verify` tells whether it stayed so."""
        wanted = resident_ranges(state, self._sizes)
        others = [complement(parts, size) for parts, size in zip(wanted, self._sizes, strict=True)]
        # What is cached already lies in pages as whoever read it left them: large ones are mapped
        # ten times as fast as small ones.
        everything = [(0, size) for size in self._sizes]
        whole = [(fd, [part]) for fd, part in zip(self._files, everything, strict=True)]
        if obstacle := evict_verified(whole):
            raise CacheStateError(verbatim(f"{self._names} cannot be made cold. {obstacle}"))
        for descriptor, parts in zip(self._files, wanted, strict=True):
            for offset, length in parts:
                for at in range(offset, offset + length, MIB):
                    os.pread(descriptor, min(MIB, offset + length - at), at)
        # Filling reads ahead beyond what is wanted. Reads without readahead would leave the
        # cache in small pages, which no ordinary program does.
        for descriptor, parts in zip(self._files, others, strict=True):
            _drop(descriptor, parts)

    def verify(self, state: State) -> float:
        """The resident share now; raises CacheStateError if the state is not `state`."""
        wanted = resident_ranges(state, self._sizes)
        others = [complement(parts, size) for parts, size in zip(wanted, self._sizes, strict=True)]
        inside, outside = self._share(wanted), self._share(others)
        if (inside is not None and inside < WARM_SHARE) or (
            outside is not None and outside > COLD_SHARE
        ):
            raise CacheStateError(
                verbatim(
                    f"{self._names} should be {state}, but of what should be cached"
                    f" {percent_text(inside or 0)} is,"
                    f" and of the rest {percent_text(outside or 0)}."
                ),
                verbatim("Free memory, and stop other programs that read these files."),
            )
        return self._share([[(0, size)] for size in self._sizes]) or 0.0

    def _share(self, ranges: Sequence[Ranges]) -> float | None:
        """The resident share of ranges of each file; None where there are none of them."""
        pairs = [pair for pair in zip(self._files, ranges, strict=True) if pair[1]]
        if not pairs:
            return None
        found = combined(residency(descriptor, parts) for descriptor, parts in pairs)
        if found.share is None:
            raise CacheStateError(verbatim(f"What is cached of {self._names} is {found.source}."))
        return found.share


def resident_ranges(state: State, sizes: Sequence[int]) -> list[list[tuple[int, int]]]:
    """Which parts of each file are to be cached, as (offset, length).

    `half` is the first half of all files together, `striped` every other stripe of each.
    """
    if state == "cold":
        return [[] for _ in sizes]
    if state == "warm":
        return [[(0, size)] for size in sizes]
    if state == "striped":
        return [
            [(at, min(STRIPE_BYTES, size - at)) for at in range(0, size, 2 * STRIPE_BYTES)]
            for size in sizes
        ]
    left = sum(sizes) // 2
    halves = []
    for size in sizes:
        count = min(left, size)
        # Whole huge pages, unless it is the whole file: what is cached in one piece goes as one.
        count -= count % (2 * MIB) if count < size else 0
        halves.append([(0, count)] if count else [])
        left -= min(left, size)
    return halves


def complement(ranges: Ranges, size: int) -> list[tuple[int, int]]:
    """The parts of a file of `size` bytes that are not in `ranges`, which ascend."""
    rest = []
    end = 0
    for offset, length in ranges:
        if offset > end:
            rest.append((end, offset - end))
        end = offset + length
    return [*rest, (end, size - end)] if end < size else rest


def _drop(descriptor: int, ranges: Ranges) -> None:
    """Drop parts of a clean file; pages in another CPU's queue are let go a little later."""
    for attempt in range(_ATTEMPTS):
        if attempt:
            # Nothing tells when that has happened.
            time.sleep(_FIRST_PAUSE_S * 2**attempt)
        for offset, length in ranges:
            os.posix_fadvise(descriptor, offset, length, os.POSIX_FADV_DONTNEED)
        if not ranges or (residency(descriptor, ranges).share or 0.0) < COLD_SHARE:
            return
