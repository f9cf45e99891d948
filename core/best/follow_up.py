"""Runs after a race, from the cache's other state: what the objective does not see.

They are rounds as those of the race are, in the time that it leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.best.field import Field, RaceArm
from modelmon.core.best.pick import by_speed, pick
from modelmon.core.compare.spread import median_of_known

if TYPE_CHECKING:
    from modelmon.core.best.result import Objective

FOLLOW_UP_CHANCE_LEFT = 0.1
"""What is told beside the recommendation is sure enough with this."""

LEFT_SHARE = 0.9
"""An arm with so much of the file in the page cache at its end leaves it there."""


def left_cached_share(arm: RaceArm) -> float | None:
    """Median share of the loaded bytes in the page cache after a load; None if not seen."""
    return median_of_known(result.residency_after_share for result in arm.kept)


def field_after(field: Field, objective: Objective) -> Field:
    """Who runs from the other state, likeliest to be asked for first: the best, for a warm start
    the fastest that leaves the file in the cache where that does not, and `auto`, then the others
    by speed. What is slow from one state may be the fastest from the other; only variants that
    were ruled out are left out. One is measured.
    """
    best = pick(field, field.measured, objective)
    assert best is not None
    by_time = by_speed(field, field.measured)
    keeping = [arm for arm in (best, *by_time) if (left_cached_share(arm) or 0.0) >= LEFT_SHARE]
    maps = [
        arm for arm in (*by_time, *field.arms) if arm.config.access == "auto" and not arm.failed
    ]
    ahead = [best] if objective == "warm" else [best, *keeping[:1], *maps[:1]]
    return Field(
        RaceArm(arm.told)
        for arm in dict.fromkeys((*ahead, *by_time, *field.arms))
        if arm in ahead or not (arm.failed or (arm.is_variant and arm.why))
    )
