"""How often the program's own decisions would be wrong or right, over noise without a disk."""

from __future__ import annotations

import math
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from modelmon.core.compare.changes import steps
from modelmon.core.compare.decision import DEFAULT_PAIRS, look_times, outcome
from modelmon.core.compare.detectable import detectable_share
from modelmon.core.compare.schedule import interleaved
from modelmon.core.compare.spread import ratio_interval

if TYPE_CHECKING:
    from noise import Noise
    from numpy.random import Generator
    from numpy.typing import NDArray

    from modelmon.core.compare.decision import Winner
    from modelmon.core.compare.spread import RatioInterval

    Floats = NDArray[np.float64]


_SETTLED_DAYS = 10


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
    """Shares of comparisons that call each arm faster or promise that they do not differ."""

    a: float
    b: float
    same: float
    mean_pairs: float

    @property
    def called(self) -> float:
        """Share of comparisons that name a winner, whichever."""
        return self.a + self.b


def paired(noise: Noise, ratio: float, pairs: int, draw: Generator) -> tuple[Floats, Floats]:
    """Times of both arms by pair, in the order that a comparison runs them in."""
    order = np.array(interleaved(pairs, int(draw.integers(2**31))))
    times = noise.times(draw, 2 * pairs)
    times_a, times_b = times[order == "A"] * ratio, times[order == "B"]
    return (times_a * noise.only_a(draw, pairs) if noise.only_a else times_a), times_b


def decide(times_a: Floats, times_b: Floats) -> tuple[Winner, int]:
    """What a comparison decides that may end at each look, and after how many pairs."""
    looks = look_times(len(times_a))
    for pairs in looks:
        interval = ratio_interval(times_a[:pairs].tolist(), times_b[:pairs].tolist(), len(looks))
        decided = outcome(interval)
        if decided != "undecided":
            return decided, pairs
    return "undecided", looks[-1]


def rates(
    noise: Noise, ratio: float, comparisons: int, seed: int, max_pairs: int = DEFAULT_PAIRS
) -> Rates:
    """What `comparisons` comparisons of arms say whose true ratio is `ratio`."""
    draw = np.random.default_rng(seed)
    decided = [decide(*paired(noise, ratio, max_pairs, draw)) for _ in range(comparisons)]
    winners = [winner for winner, _ in decided]
    return Rates(
        a=winners.count("A") / comparisons,
        b=winners.count("B") / comparisons,
        same=winners.count("no-difference") / comparisons,
        mean_pairs=sum(pairs for _, pairs in decided) / comparisons,
    )


def power_at_detectable(noise: Noise, pairs: int, comparisons: int, seed: int) -> float:
    """Share of last looks after `pairs` pairs that see a difference as large as the median of
    those that such looks say they would have seen.
    """
    draw = np.random.default_rng(seed)
    looks = len(look_times(DEFAULT_PAIRS))

    def seen(ratio: float) -> list[RatioInterval]:
        times = [paired(noise, ratio, pairs, draw) for _ in range(comparisons)]
        return [ratio_interval(a.tolist(), b.tolist(), looks) for a, b in times]

    shares = [detectable_share(interval, looks) for interval in seen(1.0)]
    typical = median(math.inf if share is None else share for share in shares)
    return sum(interval.low > 1 for interval in seen(1 + typical)) / comparisons


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
