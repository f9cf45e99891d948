"""What all runs of a race together say of each arm's time: log time = arm + round + noise.

Arms that left early and arms that joined late never ran in the same round. The effect of each
round, which all that ran in it share, ties them. Both effects are fitted by medians, so that
outliers move them little. Source: Tukey, Exploratory Data Analysis, 1977 (median polish).
"""

from __future__ import annotations

from math import log, sqrt
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    Times = Mapping[str, Mapping[int, float]]

DEVIATIONS_PER_MAD = 1.4826
"""Standard deviation ÷ median absolute deviation, of normal noise."""

_MOST_SWEEPS = 100
_STILL = 1e-4
_LEAST_NOISE = 0.035
# Efficiency of a median of normal noise: its variance is π ÷ 2 times that of a mean.
_MEDIAN_SPREAD = 1.2533
_STANDARD_ERRORS = 3.0
_FEW_RUNS = 5


class Bounds(NamedTuple):
    """Logarithm of one arm's time ÷ another's, and how far it may be off."""

    middle: float
    low: float
    high: float


class Effects:
    """The fit to `times`: of each arm, by label, the time in each round (from 1)."""

    def __init__(self, times: Times) -> None:
        logs = {
            label: {number: log(time) for number, time in rounds.items()}
            for label, rounds in times.items()
            if rounds
        }
        self._arms, rounds = _polish(logs)
        self._adjusted = {
            label: [value - rounds[number] for number, value in row.items()]
            for label, row in logs.items()
        }
        residuals = [
            abs(value - self._arms[label])
            for label, values in self._adjusted.items()
            if len(values) > 1
            for value in values
        ]
        self.noise = DEVIATIONS_PER_MAD * median(residuals) if residuals else 0.0
        """Standard deviation of the logarithm of one run's time, by their MAD."""

    def speed(self, label: str) -> float:
        """The arm's effect: the lower, the faster."""
        return self._arms[label]

    def bounds(self, label: str, other: str) -> Bounds:
        """The difference of two arms, with the reach of the field's noise to both sides.

        An arm with few runs is taken to be as fast as the fastest of them, if that is farther:
        the slower ones may be outliers. These are guesses for what has too few runs in common
        for an interval.
        """
        mine, others = self._adjusted[label], self._adjusted[other]
        middle = self._arms[label] - self._arms[other]
        noise = max(self.noise, _LEAST_NOISE)
        away = reach(noise, len(mine), len(others))
        low, high = middle - away, middle + away
        if len(mine) < _FEW_RUNS:
            low = min(low, min(mine) - noise - self._arms[other])
        if len(others) < _FEW_RUNS:
            high = max(high, self._arms[label] + noise - min(others))
        return Bounds(middle, low, high)


def reach(noise: float, runs: int, other_runs: int) -> float:
    """How far the difference of two medians of log times may be off, of so many runs with this
    noise: three standard errors. Of one run nothing is known but a factor of 2.
    """
    spread = max(noise, _LEAST_NOISE) * _MEDIAN_SPREAD
    away = _STANDARD_ERRORS * spread * sqrt(1 / runs + 1 / other_runs)
    return max(away, log(2)) if min(runs, other_runs) == 1 else away


def _polish(
    logs: Mapping[str, Mapping[int, float]],
) -> tuple[dict[str, float], dict[int, float]]:
    """Effects of arms and of rounds that leave residuals with medians near 0."""
    arms = {label: median(row.values()) for label, row in logs.items()}
    numbers = sorted({number for row in logs.values() for number in row})
    rounds = dict.fromkeys(numbers, 0.0)
    for _ in range(_MOST_SWEEPS):
        for number in numbers:
            rounds[number] = median(
                row[number] - arms[label] for label, row in logs.items() if number in row
            )
        before = dict(arms)
        for label, row in logs.items():
            arms[label] = median(value - rounds[number] for number, value in row.items())
        if all(abs(arms[label] - before[label]) < _STILL for label in arms):
            break
    return arms, rounds
