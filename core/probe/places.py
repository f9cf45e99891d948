"""Which places of a model's files a probe reads: spread out, and each only once if possible."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

RUN_BYTES = 64 * MIB
"""Read front to back: so much hides the seek to its beginning, also on a hard disk (10 ms in
430 ms at 150 MB/s)."""

# A small file is cut into so many runs that eight readers have several each.
_LEAST_RUNS = 48
# Steps of this share of a circle never come close to where they have been.
_GOLDEN_SHARE = 0.618034


class Span(NamedTuple):
    """A part of one of the files."""

    file: int
    offset_bytes: int
    nbytes: int


class Places:
    """Hands out runs of the files, far apart from each other, until all were handed out.

    Then it begins anew, and `repeated` says so: caches outside of this system may then serve
    what was read before.
    """

    def __init__(self, sizes_bytes: Sequence[int], block_bytes: int, seed: int) -> None:
        """`block_bytes` is what offsets are multiples of; `seed` decides where it begins."""
        self.total_bytes = sum(sizes_bytes)
        self.repeated = False
        self._block_bytes = block_bytes
        self._sizes = tuple(sizes_bytes)
        self._random = random.Random(seed)
        share = self.total_bytes // _LEAST_RUNS // block_bytes * block_bytes
        self.run_bytes = max(block_bytes, min(RUN_BYTES, share))
        self._runs = _spread(list(self._all_runs()), self._random.random())
        self._next = 0

    def _all_runs(self) -> Iterator[Span]:
        for file, size in enumerate(self._sizes):
            for offset in range(0, size, self.run_bytes):
                yield Span(file, offset, min(self.run_bytes, size - offset))

    def take(
        self, nbytes: int, at_least: int = 1, accept: Callable[[Span], bool] | None = None
    ) -> list[Span]:
        """The next runs of about `nbytes` together, no place twice, and `at_least` so many.

        Only those that `accept` agrees to; fewer where the file has no more.
        """
        taken: list[Span] = []
        have = 0
        for _ in range(len(self._runs)):
            if have >= nbytes and len(taken) >= at_least:
                break
            if self._next == len(self._runs):
                self._next, self.repeated = 0, True
            run = self._runs[self._next]
            self._next += 1
            if accept is None or accept(run):
                taken.append(run)
                have += run.nbytes
        return taken

    def blocks(self, most: int) -> list[Span]:
        """Up to `most` single blocks at random places, no place twice."""
        counts = [-(-size // self._block_bytes) for size in self._sizes]
        numbers = self._random.sample(range(sum(counts)), min(most, sum(counts)))
        return [self._block(number, counts) for number in numbers]

    def _block(self, number: int, counts: Sequence[int]) -> Span:
        file = 0
        while number >= counts[file]:
            number -= counts[file]
            file += 1
        offset = number * self._block_bytes
        return Span(file, offset, min(self._block_bytes, self._sizes[file] - offset))


def partition(spans: Sequence[Span], shares: int) -> list[list[Span]]:
    """The spans dealt out in turn, so that all hands hold about as much."""
    return [list(spans[hand::shares]) for hand in range(shares)]


def joined(spans: Sequence[Span]) -> list[Span]:
    """The spans in file order, neighbours as one.

    The runs of a small file are short: each seek in between would count as much as the reading.
    """
    together: list[Span] = []
    for span in sorted(spans):
        last = together[-1] if together else None
        if last and (last.file, last.offset_bytes + last.nbytes) == (span.file, span.offset_bytes):
            together[-1] = last._replace(nbytes=last.nbytes + span.nbytes)
        else:
            together.append(span)
    return together


def _spread(runs: list[Span], begin_share: float) -> list[Span]:
    """All runs once, each far from those before it (additive recurrence of the golden ratio)."""
    keys = [(begin_share + number * _GOLDEN_SHARE) % 1 for number in range(len(runs))]
    order = sorted(range(len(runs)), key=keys.__getitem__)
    places = [0] * len(runs)
    for rank, number in enumerate(order):
        places[number] = rank
    return [runs[place] for place in places]
