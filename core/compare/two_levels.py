"""Spells of quick and of slow runs, as machines have them that share their hardware.

Each run is in one of two states that last for some runs: log time = arm + state + noise. A hidden
Markov model (Rabiner, A Tutorial on Hidden Markov Models, 1989), fitted by expectation and
maximization. An arm whose runs were all in one state may be quick in slow spells or slow in quick
ones; how probable each is, its neighbors tell.
"""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]

# From a run to the next: one in five is in another state than the one before it.
_CHANGE = np.array([[0.8, 0.2], [0.2, 0.8]])
_APART = 6.0
"""Step between the states ÷ noise within them, below which they are taken for noise."""
_LEAST_STEP = log(1.1)
_LEAST_RUNS = 3
"""In each state."""
_ALIKE = 2.0
"""Standard deviations by which neighbors are alike more often than by chance."""
_LEAST_NOISE = 0.01
_OUTLIER_DENSITY = 1e-3
_SWEEPS = 12


class TwoLevels(NamedTuple):
    """`slow` is how probably each run was in the slow state, whose log times are `step` longer.

    `shifts` has for each arm how probable it is that its log time is one step less than what
    follows from `slow`, that, and one step more.
    """

    step: float
    slow: Floats
    shifts: Floats

    def drawn_shifts(self, draw: np.random.Generator, draws: int) -> Floats:
        """What is to be added to draws of log times, a row for each of them."""
        most = self.shifts.cumsum(axis=1)[:, :2]
        by = np.sum(draw.random((draws, len(most), 1)) > most, axis=2) - 1
        shifts: Floats = self.step * by
        return shifts


def two_levels(arm: NDArray[np.intp], logs: Floats) -> TwoLevels | None:
    """The two states of runs in their order, by the arm of each; None where they aren't plain."""
    start = _start(arm, logs)
    if start is None:
        return None
    step, noise = start
    of_arm = np.eye(arm.max() + 1)[arm]
    count = of_arm.sum(axis=0)
    arms: Floats = np.array([logs[arm == each].min() for each in range(len(count))])
    slow: Floats = np.zeros(len(logs))
    for _ in range(_SWEEPS):
        arms = _best_shifted(logs, of_arm, arms, step, noise)
        slow = _slow(logs - of_arm @ arms, step, noise)
        before = step
        for _ in range(_SWEEPS):
            arms = (logs - step * slow) @ of_arm / count
            step = float(slow @ (logs - of_arm @ arms) / max(slow.sum(), _LEAST_NOISE))
        rest = logs - of_arm @ arms
        unlike = np.sum(slow * (rest - step) ** 2 + (1 - slow) * rest**2)
        noise = max(_LEAST_NOISE, float(np.sqrt(unlike / max(1, len(logs) - len(count) - 1))))
        if abs(step - before) < _LEAST_NOISE * _LEAST_NOISE:
            break
    if step < max(_LEAST_STEP, _APART * noise) or not _lasts(slow > 0.5):
        return None
    told = _told_shifted(logs, of_arm, arms, step, noise)
    shifts = np.exp(told - told.max(axis=1, keepdims=True))
    return TwoLevels(step, slow, shifts / shifts.sum(axis=1, keepdims=True))


def _lasts(slow: NDArray[np.bool_]) -> bool:
    """Whether neighbors are alike more often than by chance, as what an arm has from itself is not.

    The test of Wald and Wolfowitz, On a Test Whether Two Samples are from the Same Population,
    1940.
    """
    runs, those = len(slow), int(slow.sum())
    if min(those, runs - those) < _LEAST_RUNS:
        return False
    expected = 2 * those * (runs - those) / runs
    spread = sqrt(expected * (expected - 1) / (runs - 1))
    changes = int(np.count_nonzero(slow[1:] != slow[:-1]))
    return expected - changes > _ALIKE * spread


def _start(arm: NDArray[np.intp], logs: Floats) -> tuple[float, float] | None:
    """Step and noise by how far runs of the same arm are apart: hardly, or by about a step."""
    one, other = np.triu_indices(len(logs), 1)
    apart = np.sort(np.abs(logs[one] - logs[other])[arm[one] == arm[other]])
    if len(apart) < 2 * _LEAST_RUNS:
        return None
    # Parted where those below scatter least about none, and those above about their mean.
    sums, squares = np.cumsum(apart), np.cumsum(apart**2)
    below = np.arange(1, len(apart))
    at = int(np.argmax((sums[-1] - sums[:-1]) ** 2 / (len(apart) - below)))
    step = float(np.median(apart[at + 1 :]))
    noise = max(_LEAST_NOISE, float(np.sqrt(squares[at] / below[at] / 2)))
    return (step, noise) if step > max(_LEAST_STEP, _APART * noise) else None


def _density(rest: Floats, step: float, noise: float) -> Floats:
    """Of each run in each state, on a new last axis."""
    off = (rest[..., None] - np.array([0.0, step])) / noise
    density: Floats = np.exp(-(off**2) / 2) / noise + _OUTLIER_DENSITY
    return density


def _told(rest: Floats, step: float, noise: float) -> Floats:
    """Log likelihood of rows of runs."""
    # What each run does to the two states; products of neighbors halve the row until one is left.
    each: Floats = _CHANGE * _density(rest, step, noise)[:, :, None, :]
    told = np.zeros(len(rest))
    while True:
        most = each.max(axis=(2, 3), keepdims=True)
        told += np.log(most).sum(axis=(1, 2, 3))
        each = each / most
        if each.shape[1] == 1:
            break
        odd = each[:, -1:] if each.shape[1] % 2 else each[:, :0]
        each = np.concatenate((each[:, :-1:2] @ each[:, 1::2], odd), axis=1)
    likelihood: Floats = told + np.log(each[:, 0].sum(axis=(1, 2)) / 2)
    return likelihood


def _told_shifted(logs: Floats, of_arm: Floats, arms: Floats, step: float, noise: float) -> Floats:
    """Log likelihood where one arm takes a step less, where none does, and where it takes one more:
    a row for each arm.
    """
    shifted = np.array([-step, 0.0, step])
    rest = (logs - of_arm @ arms) - shifted[:, None] * of_arm.T[:, None, :]
    return _told(rest.reshape(-1, len(logs)), step, noise).reshape(len(arms), 3)


def _best_shifted(logs: Floats, of_arm: Floats, arms: Floats, step: float, noise: float) -> Floats:
    """Arms moved by steps, one at a time, as long as that makes the runs more probable."""
    arms = arms.copy()
    for _ in range(2 * len(arms)):
        told = _told_shifted(logs, of_arm, arms, step, noise)
        gain = told - told[:, 1:2]
        each, by = np.unravel_index(int(gain.argmax()), gain.shape)
        if by == 1:
            break
        arms[each] += (by - 1) * step
    return arms


def _slow(rest: Floats, step: float, noise: float) -> Floats:
    """How probably each run was in the slow state: by itself, those before it and those after."""
    density = _density(rest, step, noise)
    told = density * _foretold(density) * _foretold(density[::-1])[::-1]
    slow: Floats = told[:, 1] / told.sum(axis=1)
    return slow


def _foretold(density: Floats) -> Floats:
    """How probable each state is before its run, by the runs ahead of it."""
    stays, changes = _CHANGE[0].tolist()
    quick = 0.5
    found = []
    for of_quick, of_slow in density.tolist():
        before = quick * stays + (1 - quick) * changes
        found.append((before, 1 - before))
        quick = before * of_quick / (before * of_quick + (1 - before) * of_slow)
    return np.array(found)
