"""Which places of a model's files a probe reads: whole stretches, each only once if possible."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from modelmon.core.load.extents import Extent, distinct, split
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

RUN_BYTES = 4 * MIB
"""The least that is taken or left: what is cached of a file is asked of so much at a time."""


class Places:
    """Hands out one stretch of the files after another, from a random place on, round and round.

    Where something is handed out again, `repeated` says so: caches outside of this system may
    then serve what was read before.
    """

    def __init__(self, sizes_bytes: Sequence[int], block_bytes: int, seed: int) -> None:
        """`block_bytes` is what offsets are multiples of; `seed` decides where it begins."""
        self.total_bytes = sum(sizes_bytes)
        self.repeated = False
        self._block_bytes = block_bytes
        self._sizes = tuple(sizes_bytes)
        self._random = random.Random(seed)
        files = [Extent(file, 0, size) for file, size in enumerate(sizes_bytes)]
        self._runs = [run for file in files for run in split(file, RUN_BYTES)]
        self._handed_out = [False] * len(self._runs)
        self._next = self._random.randrange(max(1, len(self._runs)))

    def take(self, nbytes: int, accept: Callable[[Extent], bool] | None = None) -> list[Extent]:
        """The next about `nbytes` in file order, neighbours as one, no place twice.

        Seeks would else count as reading. Only what `accept` agrees to; less where the files have
        no more.
        """
        taken: list[Extent] = []
        have = 0
        for _ in self._runs:
            if have >= nbytes:
                break
            number, self._next = self._next, (self._next + 1) % len(self._runs)
            run = self._runs[number]
            if accept is None or accept(run):
                self.repeated |= self._handed_out[number]
                self._handed_out[number] = True
                taken.append(run)
                have += run.nbytes
        return distinct(taken)

    def blocks(self, most: int) -> list[Extent]:
        """Up to `most` single blocks at random places, no place twice."""
        counts = [-(-size // self._block_bytes) for size in self._sizes]
        numbers = self._random.sample(range(sum(counts)), min(most, sum(counts)))
        return [self._block(number, counts) for number in numbers]

    def _block(self, number: int, counts: Sequence[int]) -> Extent:
        file = 0
        while number >= counts[file]:
            number -= counts[file]
            file += 1
        offset = number * self._block_bytes
        return Extent(file, offset, min(self._block_bytes, self._sizes[file] - offset))
