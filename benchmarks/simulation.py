"""How often the program's own decisions would be wrong or right, over noise without a disk."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from modelmon.core.comparison.changes import steps
from modelmon.core.comparison.compare import interleaved
from modelmon.core.comparison.decision import (
    DEFAULT_PAIRS,
    MOST_PAIRS,
    is_settled,
    look_times,
    outcome,
)
from modelmon.core.comparison.posterior import of_pairs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from noise import Noise
    from numpy.random import Generator
    from numpy.typing import NDArray

    from modelmon.core.comparison.decision import Winner

    Floats = NDArray[np.float64]


_SETTLED_DAYS = 10
POWER = 0.8


class Days(NamedTuple):
    """What levels of days a history has: their spread, how neighbors correlate, runs on each."""

    spread: float
    correlation: float = 0.0
    runs: int = 3


class Later(NamedTuple):
    """Runs after the settled days, and how many times as long they take."""

    runs: int = 0
    factor: float = 1.0


_NONE_LATER = Later()


class Rates(NamedTuple):
    """Shares of comparisons that call each arm faster, and that call any in up to 11 pairs."""

    a: float
    b: float
    early: float
    mean_pairs: float

    @property
    def called(self) -> float:
        """Share of comparisons that name a winner, whichever."""
        return self.a + self.b


def paired(
    noise: Noise, ratio: float, pairs: int, draw: Generator
) -> tuple[list[float], list[float]]:
    """Times of both arms by pair, in the order that a comparison runs them in."""
    order = np.array(interleaved(pairs, int(draw.integers(2**31))))
    times = noise.times(draw, 2 * pairs)
    times_a, times_b = times[order == "A"] * ratio, times[order == "B"]
    times_a = times_a * noise.only_a(draw, pairs) if noise.only_a else times_a
    return times_a.tolist(), times_b.tolist()


def decide(times_a: Sequence[float], times_b: Sequence[float]) -> tuple[Winner, int]:
    """What a comparison decides that may end at each look, and after how many pairs."""
    looks = look_times(len(times_a))
    for pairs in looks:
        found = of_pairs(times_a[:pairs], times_b[:pairs]).ratio("A", "B")
        if is_settled(found):
            return outcome(found), pairs
    return outcome(found), looks[-1]


def rates(
    noise: Noise, ratio: float, comparisons: int, seed: int, max_pairs: int = DEFAULT_PAIRS
) -> Rates:
    """What `comparisons` comparisons of arms say whose true ratio is `ratio`."""
    draw = np.random.default_rng(seed)
    decided = [decide(*paired(noise, ratio, max_pairs, draw)) for _ in range(comparisons)]
    winners = [winner for winner, _ in decided]
    early = [winner for winner, pairs in decided if pairs <= DEFAULT_PAIRS]
    return Rates(
        a=winners.count("A") / comparisons,
        b=winners.count("B") / comparisons,
        early=(early.count("A") + early.count("B")) / comparisons,
        mean_pairs=sum(pairs for _, pairs in decided) / comparisons,
    )


def held_share(noise: Noise, pairs: int, comparisons: int, seed: int) -> float:
    """How often the range of a ratio holds the true one, in comparisons of an arm with itself."""
    draw = np.random.default_rng(seed)
    found = (of_pairs(*paired(noise, 1.0, pairs, draw)) for _ in range(comparisons))
    ranges = [each.ratio("A", "B") for each in found]
    return sum(each.low <= 1 <= each.high for each in ranges) / comparisons


def pairs_until_right(noise: Noise, ratio: float, comparisons: int, seed: int) -> int | None:
    """After how many pairs 80% of comparisons have named the right arm; None for over 100."""
    draw = np.random.default_rng(seed)
    decided = [decide(*paired(noise, ratio, MOST_PAIRS, draw)) for _ in range(comparisons)]
    right = sorted(pairs for winner, pairs in decided if winner == "B")
    needed = math.ceil(POWER * comparisons)
    return right[needed - 1] if len(right) >= needed else None


def changes_called(
    noise: Noise, days: Days, histories: int, seed: int, later: Later = _NONE_LATER
) -> float:
    """Share of histories of 10 days that call a change.

    With `later` ones after them: one that is told on the day when it was, or on a day beside.
    """
    draw = np.random.default_rng(seed)
    runs_left = later.runs % days.runs
    counts = [days.runs] * (_SETTLED_DAYS + later.runs // days.runs)
    counts += [runs_left] if runs_left else []
    called = 0
    for _ in range(histories):
        row, level = {}, draw.normal()
        for day, runs in enumerate(counts):
            fresh = draw.normal() * math.sqrt(1 - days.correlation**2)
            level = days.correlation * level + fresh
            times = noise.times(draw, runs) * (noise.only_a(draw, runs) if noise.only_a else 1)
            slower = later.factor if day >= _SETTLED_DAYS else 1.0
            row[day] = float(np.median(times)) * math.exp(days.spread * level) * slower
        found = steps({"load": row})
        called += any(not later.runs or abs(step.at - _SETTLED_DAYS) <= 1 for step in found)
    return called / histories
