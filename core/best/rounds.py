"""The rounds of a race: who runs in each, who joins between them, when it ends.

Two rounds of all arms, then rounds of those that may still be the best: as top-two Thompson
sampling does it, runs go where they are likeliest to change the answer. Source: Russo, Simple
Bayesian Algorithms for Best-Arm Identification, 2016. Where a part of the model decided it, the two
best run a few rounds of whole loads, at the latest while there is time for them; if these leave it
open, it goes on.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from modelmon.core.best.candidates import refinements
from modelmon.core.best.field import FAR_SLOWER, RaceArm
from modelmon.core.best.pick import CHANCE_LEFT, in_question, pick, settled
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import three_figures

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.best.budget import Budget
    from modelmon.core.best.field import Field
    from modelmon.core.best.plan import RaceConditions
    from modelmon.core.best.result import Ending
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.events import Cache

_ROUNDS_OF_ALL = 2
_ROUNDS_TO_SHOW = 3
_WHOLE_ROUNDS = 2
_CLEAR_LEAD = 0.5
"""Variants of an arm are worth their time once it is the fastest with this chance."""

_MUCH_LESS = 0.9


class Rounds:
    """The runs that are still to be done of this round, and who runs in the next one.

    `admit` says what keeps a variant from running here; None lets no variants join. The first
    round comes `after` so many and runs the arms in their order. The rounds end once something
    better is no likelier than `chance_left`, or leave a `spare_share` of the budget.
    """

    def __init__(  # noqa: PLR0913  what sets the race apart from the runs after it
        self,
        field: Field,
        conditions: RaceConditions,
        budget: Budget,
        admit: Callable[[LoadConfig], str] | None,
        *,
        after: int = 0,
        chance_left: float = CHANCE_LEFT,
        spare_share: float = 0.0,
    ) -> None:
        self.number = self._before = after
        self.field = field
        self.ending: Ending = "running"
        self.queue: list[tuple[RaceArm, Cache]] = []
        self._in_round = len(field.arms)
        self._variants_joined: list[RaceArm] = []
        # Numbers of the rounds that load the whole model although the others load a part.
        self.whole: set[int] = set()
        self._conditions = conditions
        self._budget = budget
        self._admit = admit
        self._chance_left = chance_left
        self.spare_share = spare_share

    @property
    def over(self) -> bool:
        """Whether only runs after the race are left, if any."""
        return self.ending != "running"

    @property
    def place(self) -> str:
        """The run that is next, or that was the last of its round: `round 3, run 2 of 7`."""
        active = self._in_round
        number = self.number - self._before
        done = active - len(self.queue) if number else 0
        return Message(
            "round {value}, run {active} of {active2}",
            value=max(1, number),
            active=min(active, done + 1),
            active2=active,
        )

    @property
    def begins_round(self) -> bool:
        """Whether the next run is the first of its round."""
        return len(self.queue) == self._in_round

    def next_step(self) -> tuple[RaceArm, Cache] | None:
        """The next run that fits into the budget; None when the race is over."""
        while not self.over:
            if not self.queue:
                self.end_round()
            elif self._fits(self.queue[0]):
                return self.queue[0]
            else:
                self.finish("budget")
        return None

    def end_round(self) -> None:
        """Choose who runs in the next round, or finish."""
        arms = self._next_arms()
        self._rule_out()
        confirming = self._to_confirm(arms)
        if not arms and not confirming:
            self.finish("decided")
            return
        self.number += 1
        if confirming:
            arms = confirming
            self.whole.add(self.number)
        if self.number > self._before + 1:
            random.Random(f"{self._conditions.seed}/{self.number}").shuffle(arms)
        self._in_round = len(arms)
        self.queue = [(arm, self._conditions.cache) for arm in arms]

    def finish(self, ending: Ending) -> None:
        """No run is left to do."""
        self.ending, self.queue = ending, []
        # A variant that never ran took no part.
        for arm in self._variants_joined:
            if not (arm.kept or arm.discarded or arm.failed):
                self.field.arms.remove(arm)
        self._variants_joined = []
        self._rule_out()

    def _next_arms(self) -> list[RaceArm]:
        """Those of the next round; none if it is decided."""
        field, objective = self.field, self._conditions.objective
        fit = [arm for arm in field.arms if not arm.unfit]
        if not any(arm.measured for arm in fit):
            return fit
        fresh = [arm for arm in fit if self._is_new(arm)]
        if self.number < self._before + _ROUNDS_OF_ALL and fresh:
            return fresh
        fresh += self._variants()
        if not fresh and settled(field, objective, self._chance_left):
            return []
        chosen = in_question(field, objective)
        return [*chosen, *(arm for arm in fresh if arm not in chosen)]

    def _to_confirm(self, arms: Sequence[RaceArm]) -> list[RaceArm]:
        """The two best, where rounds of whole loads of them are left to do: once nothing else is in
        question, or as long as there is time for them, which a round of `arms` would take.
        """
        rounds_left = _WHOLE_ROUNDS - len(self.whole)
        if not self._conditions.confirm or not rounds_left:
            return []
        best = in_question(self.field, self._conditions.objective)[:2]
        needed_ns = sum(self._cost_ns(arm) + arm.median_ns for arm in best)
        left_ns = self._racing_left_ns
        if needed_ns > left_ns:
            return []
        can_wait = left_ns - sum(map(self._cost_ns, arms)) >= rounds_left * needed_ns
        return [] if arms and can_wait else best

    @property
    def portion_bytes(self) -> int | None:
        """What the runs of this round load of the model; None for all of it."""
        return None if self.number in self.whole else self._conditions.portion_bytes

    def _is_new(self, arm: RaceArm) -> bool:
        """Whether it is to have its first or second run, whatever the first one said."""
        runs = len(arm.kept) + arm.misses
        if not arm.times_ns:
            return runs < _ROUNDS_OF_ALL
        fastest_ns = min(other.median_ns for other in self.field.measured)
        return runs < _ROUNDS_OF_ALL and arm.median_ns < FAR_SLOWER * fastest_ns

    def _variants(self) -> list[RaceArm]:
        """Variants of the best so far, once it leads clearly; they are arms from then on."""
        field, objective = self.field, self._conditions.objective
        first = pick(field, field.measured, objective)
        if first is None or self._admit is None:
            return []
        if any(self._is_new(arm) for arm in field.arms if not arm.unfit):
            return []
        alike = [arm.label for arm in field.measured if arm.strategy == first.strategy]
        chances = field.posterior.chances()
        if objective != "memory" and sum(chances[label] for label in alike) < _CLEAR_LEAD:
            return []
        found = []
        for variant in refinements(first.told, field.has):
            if not self._admit(variant.config) and self._holds_another(first):
                found.append(RaceArm(variant))
        field.arms.extend(found)
        self._variants_joined.extend(found)
        return found

    def _rule_out(self) -> None:
        """Say of each arm whether it is out, and why, by all that is known now."""
        best = pick(self.field, self.field.measured, self._conditions.objective)
        for arm in self.field.arms:
            if not arm.failed:
                arm.why = self._why_not(arm, best)

    def _why_not(self, arm: RaceArm, best: RaceArm | None) -> Message:
        """Why an arm is ruled out: it never starts as asked, or is surely slower than the best."""
        if arm.cut_off:
            return Message("at least {ratio}× as long", ratio=f"{FAR_SLOWER:g}")
        if arm.discarded and arm.unfit:
            why = arm.discarded[-1].why_not or Message("its runs didn't start as requested.")
            return Message("no run of it counts: {why}", why=why)
        if not arm.measured or best is None or arm is best:
            return NOTHING
        found = self.field.relation(arm, best)
        if found.low <= 1:
            return NOTHING
        if found.coverage_share is None:
            return Message("{ratio}× as long", ratio=three_figures(found.ratio))
        return Message(
            "{low}–{high}× as long", low=three_figures(found.low), high=three_figures(found.high)
        )

    def _fits(self, step: tuple[RaceArm, Cache]) -> bool:
        arm, cache = step
        # What runs cost so far is with loads of a part.
        whole_ns = arm.median_ns if self.number in self.whole else 0.0
        return self._budget.fits((arm.label, cache), spare=self.spare_share, more_ns=whole_ns)

    def _cost_ns(self, arm: RaceArm) -> float:
        return self._budget.cost_ns((arm.label, self._conditions.cache))

    @property
    def _racing_left_ns(self) -> float:
        return self._budget.left_ns - self._budget.total_ns * self.spare_share

    def _holds_another(self, first: RaceArm) -> bool:
        """Whether the budget holds another arm, beside the best, until it shows its worth."""
        return _ROUNDS_TO_SHOW * 2 * self._cost_ns(first) <= self._racing_left_ns

    def expected_left_ns(self) -> float:
        """About how long the rest of this round takes; 0 where that is about all of the budget
        that is left.
        """
        needed_ns = sum(self._budget.cost_ns((arm.label, cache)) for arm, cache in self.queue)
        return needed_ns if needed_ns < self._budget.left_ns * _MUCH_LESS else 0.0
