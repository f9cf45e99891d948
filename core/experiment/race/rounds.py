"""The rounds of a race: who runs in each, who leaves and joins between them, when it ends."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from modelmon.core.experiment.race import elimination as rules
from modelmon.core.experiment.race.budget import FOLLOW_UP_SHARE
from modelmon.core.experiment.race.candidates import Candidate, refinements
from modelmon.core.experiment.race.field import RaceArm
from modelmon.core.experiment.race.follow_up import follow_ups
from modelmon.core.experiment.race.pick import by_speed, leader, pick
from modelmon.core.experiment.statistics.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.messages import NOTHING, Message

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from modelmon.core.experiment.race.budget import Budget
    from modelmon.core.experiment.race.field import Field
    from modelmon.core.experiment.race.plan import RaceConditions
    from modelmon.core.experiment.race.result import Ending
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.events import Cache

_ROUNDS_OF_ALL = 2
_ROUNDS_OF_VARIANTS = 3
_MOST_BESIDE_VARIANTS = 4
_MUCH_LESS = 0.9


class Rounds:
    """The runs that are still to be done, first of this round, at the end of the follow-up."""

    def __init__(
        self,
        field: Field,
        conditions: RaceConditions,
        budget: Budget,
        admit: Callable[[LoadConfig], str],
    ) -> None:
        self.number = 0
        self.ending: Ending = "running"
        self.queue: list[tuple[RaceArm, Cache]] = []
        self._field = field
        self._conditions = conditions
        self._budget = budget
        self._admit = admit

    @property
    def over(self) -> bool:
        """Whether only runs after the race are left, if any."""
        return self.ending != "running"

    @property
    def place(self) -> str:
        """The run that is next, or that was the last of its round: `round 3, run 2 of 7`."""
        active = len(self._field.active)
        done = active - len(self.queue) if self.number else 0
        return Message(
            "round {value}, run {active} of {active2}",
            value=max(1, self.number),
            active=min(active, done + 1),
            active2=active,
        )

    def next_step(self) -> tuple[RaceArm, Cache] | None:
        """The next run that fits into the budget; None when the race is over."""
        while not self.over:
            if not self.queue:
                self.end_round()
            elif self._fits(self.queue[0], spare=FOLLOW_UP_SHARE):
                return self.queue[0]
            else:
                self.finish("budget")
        if self.queue and not self._fits(self.queue[0]):
            self.queue = []
        return self.queue[0] if self.queue else None

    def end_round(self) -> None:
        """Let arms drop out, come back and join; begin the next round or finish."""
        objective = self._conditions.objective
        if self.number:
            for arm, why in rules.eliminate(self._field, objective):
                arm.why = why
            if self.number >= _ROUNDS_OF_ALL:
                for arm, why in rules.cut_to(self._field, objective, self._arms_in_time()):
                    arm.why = why
            self._let_variants_join()
            if not (self._field.active and self._joining) and self._settled():
                self.finish("decided")
                return
        self.number += 1
        order = self._field.active
        random.Random(f"{self._conditions.seed}/{self.number}").shuffle(order)
        self.queue = [(arm, self._conditions.cache) for arm in order]

    def _settled(self) -> bool:
        """Whether it is decided; arms that dropped out too early for that come back."""
        if not rules.settled(self._field, self._conditions.objective):
            return False
        back = rules.recalled(self._field, self._conditions.objective)
        for arm in back:
            arm.why = NOTHING
        return not back

    def finish(self, ending: Ending) -> None:
        """End the race; what is left are runs of the best from the cache's other state."""
        self.ending = ending
        cache = self._conditions.other_cache
        if ending == "stopped" or cache is None:
            self.queue = []
        else:
            arms = follow_ups(self._field, self._conditions.objective)
            self.queue = [(arm, cache) for arm in arms]

    @property
    def _joining(self) -> bool:
        return any(len(arm.times_ns) < _ROUNDS_OF_VARIANTS for arm in self._field.active)

    def _let_variants_join(self) -> None:
        active = self._field.active
        early = self.number == _ROUNDS_OF_ALL and len(active) <= _MOST_BESIDE_VARIANTS
        if not active or not (early or not self._joining):
            return
        first = leader(self._field, active)
        if self._conditions.objective == "memory":
            first = pick(self._field, active, "memory") or first
        base = Candidate(first.label, first.strategy, first.config)
        for variant in refinements(base, self._field.has):
            if not self._admit(variant.config) and self._holds_another(first):
                arm = RaceArm(variant.label, variant.strategy, variant.config)
                self._field.arms.append(arm)

    def _fits(self, step: tuple[RaceArm, Cache], spare: float = 0.0) -> bool:
        arm, cache = step
        return self._budget.fits((arm.label, cache), spare=spare)

    def _cost_ns(self, arm: RaceArm) -> float:
        return self._budget.cost_ns((arm.label, self._conditions.cache))

    @property
    def _racing_left_ns(self) -> float:
        return self._budget.left_ns - self._budget.total_ns * FOLLOW_UP_SHARE

    def _holds_another(self, first: RaceArm) -> bool:
        """Whether the budget holds another arm for the rounds in which it shows its worth."""
        runs = _ROUNDS_OF_VARIANTS * (len(self._field.active) + 1)
        return runs * self._cost_ns(first) <= self._racing_left_ns

    def _arms_in_time(self) -> int:
        """How many of the arms the budget holds to their fifth round, the fastest first."""
        left, held = self._racing_left_ns, 0
        for arm in by_speed(self._field, [arm for arm in self._field.active if arm.measured]):
            left -= max(0, MIN_PAIRS_FOR_INTERVAL - len(arm.times_ns)) * self._cost_ns(arm)
            held += left >= 0
        return held

    def expected_left_ns(self) -> float:
        """About how long the race still takes: those that are left, to their fifth round; when
        it is over the runs after it. 0 where that is about all of the budget that is left.
        """
        costs = (
            (self._budget.cost_ns((arm.label, cache)) for arm, cache in self.queue)
            if self.over
            else self._costs_to_fifth_round()
        )
        needed_ns = sum(costs)
        return needed_ns if needed_ns < self._budget.left_ns * _MUCH_LESS else 0.0

    def _costs_to_fifth_round(self) -> Iterator[float]:
        return (
            self._cost_ns(arm) * max(0, MIN_PAIRS_FOR_INTERVAL - len(arm.times_ns))
            for arm in self._field.active
        )
