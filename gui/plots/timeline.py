"""Samples of one run as columns that grow: what a live plot draws from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from modelmon.core.worker.events import Sample

_FIRST_ROOM = 1024
_LEAST_GAP_NS = 2_000_000


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
    def seconds(self) -> NDArray[np.float64]:
        """Times of the samples since the start."""
        return self._rows[: self._used, 0]

    def column(self, index: int) -> NDArray[np.float64]:
        """One column, in the order in which `read` gives them."""
        return self._rows[: self._used, index + 1]

    def rate(self, index: int) -> NDArray[np.float64]:
        """Growth per second of a column that counts from zero at the start."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.diff(self.column(index), prepend=0.0) / np.diff(self.seconds, prepend=0.0)
