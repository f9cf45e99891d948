"""Bring a race to where a run that was measured earlier belongs, so that it can go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.errors import ConfigError
from modelmon.core.experiment.race.field import RaceArm
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from modelmon.core.experiment.race.field import Field
    from modelmon.core.experiment.race.plan import RaceConditions
    from modelmon.core.experiment.race.rounds import Rounds
    from modelmon.core.worker.result import RunResult


def go_to(rounds: Rounds, number: int) -> None:
    """Come to the round with this number, or to the runs after the race for 0.

    Whoever has no run in a round that is over had failed in it, or was left out. Raises
    ConfigError if the race cannot come there.
    """
    while not rounds.over and (number == 0 or rounds.number < number):
        if rounds.queue and not number:
            rounds.finish("budget")
            continue
        for arm, _ in rounds.queue:
            arm.why, arm.failed = Message("it ended before testing was stopped"), not arm.kept
        rounds.end_round()
    if rounds.over != (number == 0) or (number and rounds.number != number):
        raise _another_race()


def bring_forward(
    rounds: Rounds, field: Field, conditions: RaceConditions, result: RunResult
) -> None:
    """Put the arm that `result` is of at the head of the queue; one that had joined, joins.

    Raises ConfigError if no arm of this race has such a run.
    """
    cache = conditions.other_cache if rounds.over else conditions.cache
    arm = next((arm for arm in field.arms if arm.label == result.strategy), None)
    if arm is None:
        arm = RaceArm(result.strategy, result.strategy.partition(",")[0], result.config)
        field.arms.append(arm)
    if cache is None or arm.config != result.config or cache != result.cache_asked:
        raise _another_race()
    arm.why = NOTHING
    if (arm, cache) in rounds.queue:
        rounds.queue.remove((arm, cache))
    rounds.queue.insert(0, (arm, cache))


def _another_race() -> ConfigError:
    return ConfigError(
        Message("This version would have made other runs than those so far."),
        Message("Run modelmon best again."),
    )
