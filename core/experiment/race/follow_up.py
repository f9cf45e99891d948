"""Runs after a race, from the cache's other state: what the objective does not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.race.pick import by_speed, pick
from modelmon.core.experiment.statistics.spread import median_of_known

if TYPE_CHECKING:
    from modelmon.core.experiment.race.field import Field, RaceArm
    from modelmon.core.experiment.race.result import Objective

REPEATS = 3
LEFT_SHARE = 0.9
"""An arm with so much of the file in the page cache at its end leaves it there."""


def left_cached_share(arm: RaceArm) -> float | None:
    """Median share of the loaded bytes in the page cache after a load; None if not seen."""
    return median_of_known(result.residency_after_share for result in arm.kept)


def follow_ups(field: Field, objective: Objective) -> list[RaceArm]:
    """The best, and where it leaves the file out of the cache the fastest that leaves it in,
    in turns.
    """
    best = pick(field, field.measured, objective)
    if best is None:
        return []
    arms = [best]
    leaves_cached = fastest_left_cached(field, best) if objective != "warm" else None
    if leaves_cached is not None:
        arms.append(leaves_cached)
    return arms * REPEATS


def fastest_left_cached(field: Field, best: RaceArm) -> RaceArm | None:
    """The fastest arm that leaves the file in the cache, where `best` does not."""
    share = left_cached_share(best)
    if share is None or share >= LEFT_SHARE:
        return None
    keeping = [arm for arm in field.measured if (left_cached_share(arm) or 0.0) >= LEFT_SHARE]
    return next(iter(by_speed(field, keeping)), None)
