"""Which arm of a race to recommend, which are still in question, and whether it is decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.compare.judge import preferred
from modelmon.core.compare.spread import whole_median_of_known
from modelmon.core.units import MIB

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.best.field import Field, RaceArm
    from modelmon.core.best.result import Objective
    from modelmon.core.worker.result import RunResult

MEMORY_TOLERANCE = 1.25
"""For the least memory a load may take so many times as long as the fastest."""

WORTH_FACTOR = 1.03
"""A way that is less than so many times as fast is no reason to go on, or to change."""

CHANCE_LEFT = 0.01
"""A race is decided once something better is no likelier than this."""

_COVERED = 0.95
_FEWEST, _MOST = 2, 5
"""Arms of a round."""

# Interpreters and records of loaders differ by so much without a meaning.
_SAME_MEMORY_SHARE = 0.05
_SAME_MEMORY_BYTES = 16 * MIB


def held_bytes(result: RunResult) -> int | None:
    """Memory at the peak that the system cannot take back; None where it was not seen.

    Mapped pages of the file are in the RSS, but the kernel drops them when memory gets short
    and reads them again: they are taken off, by the bytes that were asked for where a result
    does not say how much was mapped.
    """
    if result.peak_rss_bytes is None:
        return None
    asked_bytes = result.asked_bytes if result.memory_kind == "mapped" else 0
    return max(0, result.peak_rss_bytes - max(asked_bytes, result.mapped_bytes or 0))


def median_held_bytes(arm: RaceArm) -> int | None:
    """Median over those of its runs that are alike in all arms; None where none was seen."""
    return whole_median_of_known(map(held_bytes, arm.alike))


def by_speed(field: Field, arms: Sequence[RaceArm]) -> list[RaceArm]:
    """`arms`, which are measured, the fastest first."""
    return sorted(arms, key=lambda arm: field.posterior.log_time(arm.label))


def pick(field: Field, among: Sequence[RaceArm], objective: Objective) -> RaceArm | None:
    """The arm to recommend: the one that is expected to cost the least time, or a simpler one
    that costs hardly more. For the objective `memory` only those that hold as little as the
    least, within the tolerance of time, are looked at. None if `among` is empty.
    """
    if not among:
        return None
    arms = _small_enough(field, among) if objective == "memory" else among
    by_label = {arm.label: arm for arm in arms}
    configs = {label: arm.config for label, arm in by_label.items()}
    return by_label[preferred(field.posterior, configs)]


def in_question(field: Field, objective: Objective) -> list[RaceArm]:
    """Those that further runs may show to be the best, likeliest first; two to five, with the
    one that would be recommended now.
    """
    fit = [arm for arm in field.measured if not arm.unfit]
    first = pick(field, fit, objective)
    if first is None:
        return []
    if objective == "memory":
        by_time = by_speed(field, fit)
        # Whether it is fast enough is told by runs beside the fastest.
        beside = by_time[:1] if _may_be_too_slow(field, first) else []
        less = [
            arm for arm in by_time if _may_be_too_slow(field, arm) and not holds_less(first, arm)
        ]
        return list(dict.fromkeys((first, *beside, *less)))[:_MOST]
    chances = field.posterior.chances()
    ordered = sorted(
        fit, key=lambda arm: (-chances[arm.label], field.posterior.log_time(arm.label))
    )
    chosen, covered = [first], chances[first.label]
    for arm in ordered:
        if len(chosen) >= _MOST or (covered >= _COVERED and len(chosen) >= _FEWEST):
            break
        if arm is not first:
            chosen.append(arm)
            covered += chances[arm.label]
    return chosen


def chance_of_better(field: Field, best: RaceArm, objective: Objective) -> float:
    """How probable it is that another arm that was measured would have been worth choosing."""
    if objective != "memory":
        return field.posterior.chance_of_slower(best.label, WORTH_FACTOR)
    doubts = [field.posterior.chance_of_slower(best.label, MEMORY_TOLERANCE)]
    doubts += [
        1 - field.posterior.chance_of_slower(arm.label, MEMORY_TOLERANCE)
        for arm in field.measured
        if arm is not best and holds_less(arm, best)
    ]
    return max(doubts)


def settled(field: Field, objective: Objective, chance_left: float = CHANCE_LEFT) -> bool:
    """Whether further runs of these arms would hardly change what is recommended."""
    best = pick(field, field.measured, objective)
    return best is None or chance_of_better(field, best, objective) <= chance_left


def _may_be_too_slow(field: Field, arm: RaceArm) -> bool:
    """Whether it is open that an arm is too slow to be the one with the least memory."""
    too_slow = field.posterior.chance_of_slower(arm.label, MEMORY_TOLERANCE)
    return CHANCE_LEFT < too_slow < 1 - CHANCE_LEFT


def _small_enough(field: Field, among: Sequence[RaceArm]) -> list[RaceArm]:
    """Those that hold as little memory as the least, of those that are fast enough."""
    first = by_speed(field, among)[0]
    quick = [arm for arm in among if field.relation(arm, first).ratio <= MEMORY_TOLERANCE]
    known = [arm for arm in quick if median_held_bytes(arm) is not None]
    if not known:
        return quick
    least = min(known, key=lambda arm: median_held_bytes(arm) or 0)
    return [arm for arm in known if not holds_less(least, arm)]


def holds_less(arm: RaceArm, other: RaceArm) -> bool:
    """Whether `arm` holds noticeably less memory than `other`."""
    mine, others = median_held_bytes(arm), median_held_bytes(other)
    if mine is None or others is None:
        return False
    return mine * (1 + _SAME_MEMORY_SHARE) + _SAME_MEMORY_BYTES < others
