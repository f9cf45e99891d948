"""Rows of figures joined to stretches of time: what a plot draws of them needs no more."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Stretches(NamedTuple):
    """A row for each stretch, a column for each figure; a figure that is not known is nan.

    `last` is what was seen last in a stretch, `total` the sum of what was known, `known` of how
    many rows that was, `most` the highest value.
    """

    last: Floats
    total: Floats
    known: Floats
    most: Floats

    @classmethod
    def of(cls, rows: Floats) -> Stretches:
        """Each row as a stretch of its own."""
        known = np.isfinite(rows)
        return cls(rows, np.where(known, rows, 0.0), known.astype(float), rows)

    def followed_by(self, later: Stretches) -> Stretches:
        """These and then those."""
        return Stretches(*map(np.concatenate, zip(self, later, strict=True)))

    def joined(self, firsts: NDArray[np.intp]) -> Stretches:
        """Fewer and longer stretches, which begin at `firsts`."""
        lasts = np.append(firsts[1:], len(self.last)) - 1
        return Stretches(
            self.last[lasts],
            np.add.reduceat(self.total, firsts),
            np.add.reduceat(self.known, firsts),
            np.fmax.reduceat(self.most, firsts),
        )
