"""The moment from which the times of like loads lie on another level, and how sure that is.

log time = arm + what all of a round have in common + noise, as in posterior.py: an arm is a way
to load, a round is what resembles itself, a single run of an experiment or a day of a history.
What the arms of a round have in common is its level. Where the levels of all rounds come from one
source, any order of them is as likely as the one that was seen: so the clearest step among them is
held against the clearest of the same levels in other orders. Whatever the noise, a step is then
called by chance as rarely as is asked for; only levels that resemble their neighbors' call more.

Sources: Page, A Test for a Change in a Parameter Occurring at an Unknown Point, 1955, for the
cumulative sums; Antoch and Hušková, Permutation Tests in Change Point Analysis, 2001; Huber,
Robust Estimation of a Location Parameter, 1964, for how little a level far off may weigh.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb, log
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.compare.rank_tests import rank_sum_bounds, rank_sum_depth
from modelmon.core.compare.spread import COVERAGE_SHARE, FAMILY_ALPHA, mad

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    import numpy as np
    from numpy.typing import NDArray

    # By arm and round, in ns; mappings are invariant in their keys, which may be a Literal.
    Times = Mapping[Any, Mapping[int, float]]

_ORDERS = 10_000
# A level farther from the middle, in robust standard deviations, weighs no more than one so far.
_FARTHEST = 5.0
_LEAST_STEP = log(1.05)
# So many of all pairs of one round before and one since have to agree: a level that wanders, as
# that of neighbors does which resemble one another, parts its rounds less than a step.
_PARTED_SHARE = 0.85
# More rounds near the step would make its bounds no better worth their time.
_MOST_NEAR = 40


class ChangePoint(NamedTuple):
    """From the first round of `since` on the times of `arms` are exp(`shift`) times as long as in
    the rounds `before`.

    `low` and `high` bound the shift; `gap` is how far all rounds of the faster side lie apart
    from all of the slower one, negative where some do not; all are of logarithms.
    """

    arms: tuple[Any, ...]
    before: tuple[int, ...]
    since: tuple[int, ...]
    shift: float
    low: float
    high: float
    gap: float

    @property
    def at(self) -> int:
        """The first round on the new level."""
        return self.since[0]


def can_tell(rounds: int, alpha: float = FAMILY_ALPHA) -> bool:
    """Whether a step among so many rounds can be as rare as `alpha`: from 9 on for 2%.

    The clearest one, in the middle, is as clear in the opposite order.
    """
    return alpha * comb(rounds, rounds // 2) >= 2


def change_points(
    times: Times, least: tuple[int, int], alpha: float = FAMILY_ALPHA
) -> list[ChangePoint]:
    """The steps that most arms have in common, in order: none that chance makes in more than
    `alpha` of all cases, and none smaller than 5%.

    `times` are by arm and round, of rounds in order; `least` is how many rounds there must be
    before a step and since, two at the least. A side that has a step itself is parted there; each
    step is measured against the rounds up to the next.
    """
    logs = {arm: {n: log(time) for n, time in row.items()} for arm, row in times.items()}
    levels = _levels(logs, {arm: median(row.values()) for arm, row in logs.items() if len(row) > 1})
    rounds = sorted(levels)
    ends = [0, *_clear_places([levels[n] for n in rounds], least, alpha), len(rounds)]
    found = []
    for first, at, end in zip(ends, ends[1:], ends[2:], strict=False):
        span = range(rounds[first], rounds[end - 1] + 1)
        near = {arm: {n: row[n] for n in row if n in span} for arm, row in logs.items()}
        found.append(_measured(near, rounds[at], least))
    return [each for each in found if each is not None]


def _measured(
    logs: Mapping[Any, Mapping[int, float]], at: int, least: tuple[int, int]
) -> ChangePoint | None:
    """The step at a round, of the arms that have about the same; None where most do not."""
    shifts, middles = {}, {}
    for arm, row in logs.items():
        early = [value for n, value in row.items() if n < at]
        late = [value for n, value in row.items() if n >= at]
        if early and late:
            shifts[arm] = median(late) - median(early)
            middles[arm] = (median(late) + median(early)) / 2
    shared = median(shifts.values()) if shifts else 0.0
    alike = [arm for arm, shift in shifts.items() if shared and 0.5 <= shift / shared <= 2]
    levels = _levels(logs, {arm: middles[arm] for arm in alike})
    before = tuple(n for n in sorted(levels) if n < at)
    since = tuple(n for n in sorted(levels) if n >= at)
    if 2 * len(alike) <= len(shifts) or len(before) < least[0] or len(since) < least[1]:
        return None
    sides = [levels[n] for n in since], [levels[n] for n in before]
    near = sides[0][:_MOST_NEAR], sides[1][-_MOST_NEAR:]
    differences = [late - early for late in near[0] for early in near[1]]
    shift = median(differences)
    agree = fmean(difference * shift > 0 for difference in differences)
    # The round that is off the farthest may be an odd one: the others have to show the step, too.
    others = sorted(near[0], reverse=shift < 0)[:-1]
    left = median(late - early for late in others for early in near[1])
    inward = rank_sum_depth(len(near[0]), len(near[1]), 1 - COVERAGE_SHARE)
    if abs(shift) < _LEAST_STEP or agree < _PARTED_SHARE or left / shift < 0.5 or not inward:
        return None
    low, high = rank_sum_bounds(*near, inward)
    slower, faster = sides if shift > 0 else sides[::-1]
    found = ChangePoint(
        tuple(alike), before, since, shift, low, high, gap=min(slower) - max(faster)
    )
    return found if low * high > 0 else None


def _levels(
    logs: Mapping[Any, Mapping[int, float]], middles: Mapping[Any, float]
) -> dict[int, float]:
    """By round: how far its arms lie from their middles, in the median."""
    apart: dict[int, list[float]] = {}
    for arm, middle in middles.items():
        for n, value in logs[arm].items():
            apart.setdefault(n, []).append(value - middle)
    return {n: median(each) for n, each in apart.items()}


def _clear_places(levels: Sequence[float], least: tuple[int, int], alpha: float) -> list[int]:
    """How many levels come before each step that is clearer than chance would make it."""
    place = _clearest(levels, least, alpha)
    if place is None:
        return []
    later = _clear_places(levels[place:], least, alpha)
    return [*_clear_places(levels[:place], least, alpha), place, *(place + each for each in later)]


def _clearest(levels: Sequence[float], least: tuple[int, int], alpha: float) -> int | None:
    """How many levels come before the clearest step, where that is no chance."""
    count = len(levels)
    if count < sum(least):
        return None
    import numpy as np  # noqa: PLC0415  slow to import, and most commands have nothing to look at

    values = np.array(levels) - median(levels)
    if farthest := _FARTHEST * mad(levels) / 0.6745:
        values = np.clip(values, -farthest, farthest)
    values -= values.mean()
    places = np.arange(least[0], count - least[1] + 1)
    scale = np.sqrt(places * (count - places) / count)

    def clearness(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.abs(np.cumsum(rows, axis=-1)[..., places - 1]) / scale

    seen = clearness(values)
    others = clearness(values[_orders(count)]).max(axis=1)
    # The same sum in another order differs in its last bits.
    chance = (1 + np.sum(others >= seen.max() * (1 - 1e-9))) / (1 + _ORDERS)
    return int(places[seen.argmax()]) if chance <= alpha else None


@lru_cache(maxsize=16)
def _orders(count: int) -> NDArray[np.int32]:
    """Orders of so many levels, the same each time."""
    import numpy as np  # noqa: PLC0415  as above

    draw = np.random.default_rng(0)
    return draw.permuted(np.tile(np.arange(count, dtype=np.int32), (_ORDERS, 1)), axis=1)
