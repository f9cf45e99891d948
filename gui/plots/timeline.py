"""Samples of one run as columns that grow: what a live plot draws from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.worker.events import Sample

_FIRST_ROOM = 1024
_LEAST_GAP_NS = 2_000_000
_MOST_STRETCHES = 240


def number(value: float | None) -> float:
    """`value`, or nan where the platform lacks the figure: a gap, never zero."""
    return float("nan") if value is None else float(value)


class Timeline:
    """Columns read from a run's samples, each sample once.

    `read` gives one row. Samples closer than 2 ms to the one before are left out: the
    totals in the next one hold what they counted, and rates over so short a time are noise.
    """

    def __init__(self, read: Callable[[Sample], tuple[float, ...]], columns: int) -> None:
        self._read = read
        self._rows = np.empty((_FIRST_ROOM, columns + 1))
        self._used = 0
        self._seen = 0
        self._last_ns = -_LEAST_GAP_NS

    def __len__(self) -> int:
        return self._used

    def take(self, samples: list[Sample]) -> bool:
        """Add the samples that are new since the last call; whether there were any."""
        if len(samples) == self._seen:
            return False
        for sample in samples[self._seen :]:
            if sample.t_ns - self._last_ns < _LEAST_GAP_NS:
                continue
            self._last_ns = sample.t_ns
            if self._used == len(self._rows):
                self._rows = np.concatenate([self._rows, np.empty_like(self._rows)])
            self._rows[self._used] = (sample.t_ns / 1e9, *self._read(sample))
            self._used += 1
        self._seen = len(samples)
        return True

    @property
    def seconds(self) -> Floats:
        """Ends of the stretches that the other columns speak of, since the start.

        A stretch is one sample; in long runs 2, 4, 8… of them, so that no more are drawn
        than a screen can show (dashes of a thousand noisy points cost 40 ms a frame).
        """
        return np.asarray(self._rows[self._lasts(), 0])

    def rate(self, index: int) -> Floats:
        """Growth per second over each stretch, of a column that counts from zero."""
        lasts = self._lasts()
        grown = np.diff(self._rows[lasts, index + 1], prepend=0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(grown / np.diff(self._rows[lasts, 0], prepend=0.0))

    def mean(self, index: int) -> Floats:
        """Mean of a column over each stretch; nan where it was never known."""
        column = self._rows[: self._used, index + 1]
        known = np.isfinite(column)
        with np.errstate(invalid="ignore"):
            return np.asarray(
                np.add.reduceat(np.where(known, column, 0.0), self._firsts())
                / np.add.reduceat(known.astype(float), self._firsts())
            )

    def most(self, index: int) -> Floats:
        """Highest value of a column in each stretch; nan where it was never known."""
        column = self._rows[: self._used, index + 1]
        return np.asarray(np.fmax.reduceat(column, self._firsts()))

    def _firsts(self) -> NDArray[np.intp]:
        length = 1
        while self._used > _MOST_STRETCHES * length:
            length *= 2
        return np.arange(0, self._used, length)

    def _lasts(self) -> NDArray[np.intp]:
        if not self._used:
            return np.empty(0, dtype=np.intp)
        return np.append(self._firsts()[1:], self._used) - 1
