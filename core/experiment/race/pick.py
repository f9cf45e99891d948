"""Which arm of a race is the fastest so far, and which is to be recommended."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from modelmon.core.experiment.simplicity import preferred
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.race.field import Field, RaceArm
    from modelmon.core.experiment.race.result import Objective
    from modelmon.core.worker.result import RunResult

MEMORY_TOLERANCE = 1.25
"""For the least memory a load may take so many times as long as the fastest."""

_ROUNDS_TO_LEAD = 3
# Interpreters and records of loaders differ by so much without a meaning.
_SAME_MEMORY_SHARE = 0.05
_SAME_MEMORY_BYTES = 16 * MIB


def held_bytes(result: RunResult) -> int | None:
    """Memory at the peak that the system cannot take back; None where it was not seen.

    Mapped pages of the file are in the RSS, but the kernel drops them when memory gets short
    and reads them again: they are taken off by the bytes that were delivered.
    """
    if result.peak_rss_bytes is None:
        return None
    mapped = result.asked_bytes
    return max(0, result.peak_rss_bytes - (mapped if result.memory_kind == "mapped" else 0))


def median_held_bytes(arm: RaceArm) -> int | None:
    """Median over the runs that count; None where none was seen."""
    seen = [held for result in arm.kept if (held := held_bytes(result)) is not None]
    return round(median(seen)) if seen else None


def leader(field: Field, arms: Sequence[RaceArm]) -> RaceArm:
    """The fastest of `arms` (at least one) that has three rounds, or as many as any."""
    most = min(_ROUNDS_TO_LEAD, max(len(arm.times_ns) for arm in arms))
    return by_speed(field, [arm for arm in arms if len(arm.times_ns) >= most])[0]


def by_speed(field: Field, arms: Sequence[RaceArm]) -> list[RaceArm]:
    """`arms`, which are measured, the fastest first."""
    effects = field.effects()
    return sorted(arms, key=lambda arm: effects.speed(arm.label))


def pick(field: Field, among: Sequence[RaceArm], objective: Objective) -> RaceArm | None:
    """The arm to recommend: the fastest of those that beat every simpler one beyond the noise.

    For the objective `memory` only arms that hold as little as the least, within the tolerance
    of time, are looked at. None if `among` is empty.
    """
    eligible = small_enough(field, among) if objective == "memory" else list(among)
    return preferred(by_speed(field, eligible), field.slower)


def small_enough(field: Field, among: Sequence[RaceArm]) -> list[RaceArm]:
    """Those that hold as little memory as the least, of those that are fast enough."""
    if not among:
        return []
    first = leader(field, among)
    quick = [arm for arm in among if field.relation(arm, first).ratio <= MEMORY_TOLERANCE]
    held = {arm.label: median_held_bytes(arm) for arm in quick}
    known = [value for value in held.values() if value is not None]
    if not known:
        return quick
    most = min(known) * (1 + _SAME_MEMORY_SHARE) + _SAME_MEMORY_BYTES
    return [arm for arm in quick if (value := held[arm.label]) is not None and value <= most]


def holds_less(arm: RaceArm, other: RaceArm) -> bool:
    """Whether `arm` holds noticeably less memory than `other`."""
    mine, others = median_held_bytes(arm), median_held_bytes(other)
    if mine is None or others is None:
        return False
    return mine * (1 + _SAME_MEMORY_SHARE) + _SAME_MEMORY_BYTES < others
