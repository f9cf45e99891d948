"""Who drops out of a race after a round, who comes back, and whether it is decided."""

from __future__ import annotations

from math import log, sqrt
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.experiment.race.field import MOST_ROUNDS, common_rounds, mean_ratio
from modelmon.core.experiment.race.pick import (
    MEMORY_TOLERANCE,
    by_speed,
    holds_less,
    leader,
    pick,
    small_enough,
)
from modelmon.core.experiment.simplicity import blockers, simpler
from modelmon.core.experiment.statistics.decision import SAME_WITHIN
from modelmon.core.experiment.statistics.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.messages import NOTHING, Message, verbatim
from modelmon.core.units import percent_text, three_figures

if TYPE_CHECKING:
    from modelmon.core.experiment.race.field import Field, RaceArm, Relation
    from modelmon.core.experiment.race.result import Objective

_FEWEST_ROUNDS = 2
_ROUNDS_WITHOUT_GAIN = 3
_LITTLE = 0.02
PLAIN = 1.1
"""A guess needs no interval where it is that far from 1."""

_IN_FAVOUR = 1.5
_ERRORS_TO_DECIDE = 3.1
# A way that never starts as asked gets so many chances more than it has used.
_MOST_DISCARDED = 2


class Dropout(NamedTuple):
    """An arm that drops out, and why."""

    arm: RaceArm
    why: Message


def eliminate(field: Field, objective: Objective) -> list[Dropout]:
    """Those that drop out now: never the fastest nor the best so far.

    An arm that is slower than the fastest beyond the noise drops out. So does one that is not
    simpler than some other arm and will, by what was seen, not be shown to be faster.
    """
    gone = [found for arm in field.active if (found := _unfit(arm)) is not None]
    arms = [arm for arm in field.active if arm.measured and arm not in {out.arm for out in gone}]
    if not arms:
        return gone
    ordered = by_speed(field, arms)
    first, best = leader(field, arms), pick(field, arms, objective)
    tolerance = MEMORY_TOLERANCE if objective == "memory" else 1.0
    noise = field.effects().noise * sqrt(2)
    for arm in arms:
        if arm in (first, best):
            continue
        if common_rounds(arm, first) >= _FEWEST_ROUNDS and field.slower(arm, first, tolerance):
            gone.append(Dropout(arm, _slower_text(field, arm, first)))
            continue
        left = [other for other in ordered if other not in {out.arm for out in gone}]
        rivals = [other for other in left if objective != "memory" or not holds_less(arm, other)]
        why = next((why for other in rivals if (why := _without_gain(arm, other, noise))), NOTHING)
        if why:
            gone.append(Dropout(arm, why))
    return gone


def cut_to(field: Field, objective: Objective, most: int) -> list[Dropout]:
    """Those that drop out because the budget holds `most` arms to the fifth round.

    The slowest of those that are not simpler than the fastest go first.
    """
    arms = [arm for arm in field.active if arm.measured]
    if len(arms) <= max(most, 2):
        return []
    ordered = by_speed(field, arms)
    kept = {ordered[0], pick(field, arms, objective)}
    first = ordered[0]
    loose = [arm for arm in reversed(ordered) if arm not in kept]
    loose.sort(key=lambda arm: simpler(arm.config, first.config))
    return [
        Dropout(
            arm,
            Message(
                "five rounds of it don't fit in the time limit: {arm}", arm=_ratio_text(arm, first)
            ),
        )
        for arm in loose[: len(arms) - max(most, 2)]
    ]


def recalled(field: Field, objective: Objective) -> list[RaceArm]:
    """Simpler arms that dropped out, but that the best of those left, or the fastest if it can
    still win, has not been seen to beat beyond the noise, by an interval or by far. And the one
    that would be recommended now: no one is before it has had the rounds to be told apart.
    """
    arms = [arm for arm in field.active if arm.measured]
    if not arms or objective == "memory":
        return []
    dropped = [arm for arm in field.measured if not arm.active and _unfit(arm) is None]
    ahead = {leader(field, arms), pick(field, arms, objective)}
    best = pick(field, field.measured, objective)
    return [
        arm
        for arm in dropped
        if (arm is best and len(arm.times_ns) < MOST_ROUNDS)
        or any(
            _to_be_proved(field, arm, one)
            for one in ahead
            if one is not None and not _hopeless(field, one)
        )
    ]


def _to_be_proved(field: Field, arm: RaceArm, ahead: RaceArm) -> bool:
    """Whether it takes more rounds to say that `ahead` beats the simpler `arm`."""
    found = field.relation(arm, ahead)
    if not simpler(arm.config, ahead.config) or _exhausted(found):
        return False
    return found.low <= (1.0 if found.coverage_share is not None else PLAIN)


def settled(field: Field, objective: Objective) -> bool:
    """Whether further rounds would change nothing: the best has an interval, and each other
    arm is slower, no different, or has had all the rounds that are of use; one that is faster
    can never be recommended, since a simpler one is no different from it.
    """
    arms = [arm for arm in field.active if arm.measured]
    best = pick(field, arms, objective)
    if best is None:
        return True
    if len(best.times_ns) < MIN_PAIRS_FOR_INTERVAL:
        return False
    rivals = arms
    if objective == "memory":
        rivals = small_enough(field, arms)
        first = leader(field, arms)
        found = field.relation(best, first)
        if not _exhausted(found) and found.high > MEMORY_TOLERANCE and first is not best:
            return False
    return all(_resolved(field, arm, best) for arm in rivals if arm is not best)


def _resolved(field: Field, arm: RaceArm, best: RaceArm) -> bool:
    found = field.relation(arm, best)
    if found.high < 1:
        return _hopeless(field, arm)
    if found.coverage_share is None:
        return False
    return _exhausted(found) or found.low > 1 or _same(found)


def _hopeless(field: Field, arm: RaceArm) -> bool:
    """Whether a simpler arm will never be told apart from this one."""
    between = (field.relation(other, arm) for other in blockers(arm, field.measured, field.slower))
    return any(_exhausted(found) or _same(found) for found in between)


def _exhausted(found: Relation) -> bool:
    return found.pairs >= MOST_ROUNDS


def _same(found: Relation) -> bool:
    inside = found.low >= 1 / SAME_WITHIN and found.high <= SAME_WITHIN
    return found.coverage_share is not None and inside


def _unfit(arm: RaceArm) -> Dropout | None:
    if len(arm.discarded) < len(arm.kept) + _MOST_DISCARDED:
        return None
    why = arm.discarded[-1].why_not or Message("its runs didn't start as requested.")
    return Dropout(arm, Message("no run of it counts: {why}", why=why))


def _without_gain(arm: RaceArm, other: RaceArm, noise: float) -> Message:
    """Why `arm` is not worth more rounds beside `other`; "" if it may be.

    It would have to be faster beyond the noise. With the ratio seen, and 1.5 standard errors
    in its favour, it will not be after the most rounds that there are.
    """
    rounds, ratio = common_rounds(arm, other), mean_ratio(arm, other)
    if arm is other or ratio is None or rounds < _ROUNDS_WITHOUT_GAIN:
        return NOTHING
    if simpler(arm.config, other.config):
        return NOTHING
    bound = noise * (_IN_FAVOUR / sqrt(rounds) - _ERRORS_TO_DECIDE / sqrt(MOST_ROUNDS))
    if rounds >= MIN_PAIRS_FOR_INTERVAL:
        bound -= _LITTLE
    if log(ratio) < bound:
        return NOTHING
    return Message("{text}, and no simpler", text=_ratio_text(arm, other))


def _slower_text(field: Field, arm: RaceArm, first: RaceArm) -> Message:
    found = field.relation(arm, first)
    bounds = verbatim(f"{three_figures(found.low)}-{three_figures(found.high)}")
    if found.coverage_share is not None:
        bounds = Message("{sure}: {bounds}", sure=percent_text(found.coverage_share), bounds=bounds)
    rounds = (
        Message("1 round") if found.pairs == 1 else Message("{pairs} rounds", pairs=found.pairs)
    )
    return Message(
        "took {ratio}× as long as {label} ({bounds}, {rounds})",
        ratio=three_figures(found.ratio),
        label=first.label,
        bounds=bounds,
        rounds=rounds,
    )


def _ratio_text(arm: RaceArm, first: RaceArm) -> str:
    ratio, rounds = mean_ratio(arm, first), common_rounds(arm, first)
    if ratio is None:
        return Message("no round in common with {label}", label=first.label)
    number = Message("1 round") if rounds == 1 else Message("{rounds} rounds", rounds=rounds)
    return Message(
        "took {ratio}× as long as {label} in {number}",
        ratio=three_figures(ratio),
        label=first.label,
        number=number,
    )
