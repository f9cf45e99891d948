"""Samples of one run as columns that grow: what a live plot draws from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from modelmon.core.worker.events import Sample

    Reduction = Callable[[Floats, NDArray[np.intp]], Floats]

_FIRST_ROOM = 1024
_LEAST_GAP_NS = 2_000_000
_MOST_STRETCHES = 240
_GAP_IN_STEPS = 4.0
_FEWEST_STEPS = 4


class Timeline:
    """Columns read from a run's samples, each sample once.

    `read` gives one row; None, for what the platform lacks, becomes nan: a gap, never zero.
    Samples closer than 2 ms to the one before are left out: the totals in the next one hold
    what they counted, and rates over so short a time are noise. Where no sample came for four
    times the usual step, all columns have a nan between.
    """

    def __init__(self, read: Callable[[Sample], tuple[float | None, ...]], columns: int) -> None:
        self._read = read
        self._rows = np.empty((_FIRST_ROOM, columns + 1))
        self._used = 0
        self._seen = 0
        self._last_ns = -_LEAST_GAP_NS
        self._length = 1
        self._known: dict[tuple[int, Reduction], tuple[int, Floats]] = {}
        self._firsts = self._lasts = self._breaks = np.empty(0, dtype=np.intp)

    def __len__(self) -> int:
        return self._used

    def take(self, samples: list[Sample]) -> bool:
        """Add the samples that are new since the last call; whether there were any."""
        if len(samples) == self._seen:
            return False
        new = self._apart(samples[self._seen :])
        rows = [(sample.t_ns / 1e9, *self._read(sample)) for sample in new]
        self._seen = len(samples)
        if rows:
            self._make_room(len(rows))
            self._rows[self._used : self._used + len(rows)] = rows
            self._used += len(rows)
            self._divide()
        return True

    @property
    def seconds(self) -> Floats:
        """Ends of the stretches that the other columns speak of, since the start.

        A stretch is one sample; in long runs 2, 4, 8… of them, so that no more are drawn
        than a screen can show (dashes of a thousand noisy points cost 40 ms a frame).
        """
        ends = self._rows[self._lasts, 0]
        return np.insert(ends, self._breaks, (ends[self._breaks - 1] + ends[self._breaks]) / 2)

    def rate(self, index: int) -> Floats:
        """Growth per second over each stretch, of a column that counts from zero."""
        grown = np.diff(self._rows[self._lasts, index + 1], prepend=0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return self._broken(grown / np.diff(self._rows[self._lasts, 0], prepend=0.0))

    def mean(self, index: int) -> Floats:
        """Mean of a column over each stretch; nan where it was never known."""
        return self._reduced(index, _mean)

    def most(self, index: int) -> Floats:
        """Highest value of a column in each stretch; nan where it was never known."""
        return self._reduced(index, np.fmax.reduceat)

    def _reduced(self, index: int, reduce: Reduction) -> Floats:
        """One value for each stretch; only the last and the new ones are computed again."""
        length, known = self._known.get((index, reduce), (0, np.empty(0)))
        kept = known[:-1] if length == self._length else known[:0]
        column = self._rows[: self._used, index + 1]
        if len(kept) < len(self._firsts):
            first = self._firsts[len(kept)]
            new = reduce(column[first:], self._firsts[len(kept) :] - first)
            known = np.concatenate((kept, new))
            self._known[index, reduce] = self._length, known
        return self._broken(known)

    def _apart(self, samples: list[Sample]) -> Iterator[Sample]:
        for sample in samples:
            if sample.t_ns - self._last_ns >= _LEAST_GAP_NS:
                self._last_ns = sample.t_ns
                yield sample

    def _make_room(self, rows: int) -> None:
        while self._used + rows > len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])

    def _divide(self) -> None:
        """Find the stretches anew, and between which of them samples are missing."""
        while self._used > _MOST_STRETCHES * self._length:
            self._length *= 2
        self._firsts = np.arange(0, self._used, self._length)
        self._lasts = np.append(self._firsts[1:], self._used) - 1
        steps = np.diff(self._rows[self._lasts, 0])
        if len(steps) >= _FEWEST_STEPS:
            self._breaks = np.flatnonzero(steps > _GAP_IN_STEPS * np.median(steps)) + 1

    def _broken(self, column: Floats) -> Floats:
        return np.insert(column, self._breaks, np.nan) if len(self._breaks) else column


def _mean(column: Floats, firsts: NDArray[np.intp]) -> Floats:
    known = np.isfinite(column)
    with np.errstate(invalid="ignore"):
        return np.asarray(
            np.add.reduceat(np.where(known, column, 0.0), firsts)
            / np.add.reduceat(known.astype(float), firsts)
        )
