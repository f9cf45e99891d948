"""Which run of Find best comes next: a pure function of who takes part and of the runs so far.

Two rounds of all strategies, of which the far slower ones have one run; then rounds of those that
may still be the best, and of variants of the leader. As in top-two Thompson sampling, runs go where
they are likeliest to change the answer (Russo, Simple Bayesian Algorithms for Best-Arm
Identification, 2016). A round runs each once, in an order drawn from the seed, so that all are
compared with neighbors in time. What time is left goes to the one to use and what the person has,
from the cache's other state.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.find_best.contenders import FAR_SLOWER, Contender, Contenders
from modelmon.core.find_best.plan import refinements

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.find_best.plan import SearchConditions
    from modelmon.core.find_best.result import Ending, SearchRun
    from modelmon.core.history.rows import Entrant
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.messages import Message
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunFigures


_CAUTION = 1.15
_UNSEEN_CAUTION = 1.5
# Between two starts that are further apart than so many times the longest run, nobody raced.
_PAUSE_FACTOR = 3


def costs_of(results: Sequence[RunFigures], first_cost_ns: int) -> list[int]:
    """What each of these runs cost: from its start to that of the next one.

    The last of a sitting took at least its load, and about as long as the others.
    """
    starts = [result.started_unix_s for result in results]
    gaps = [round((later - start) * 1e9) for start, later in pairwise(starts)]
    longest = max([first_cost_ns, *(result.wall_ns for result in results)])
    usual = [gap for gap in gaps if 0 < gap <= longest * _PAUSE_FACTOR]
    typical = round(median(usual)) if usual else first_cost_ns
    return [
        gap if 0 < gap <= longest * _PAUSE_FACTOR else max(result.wall_ns, typical)
        for gap, result in zip([*gaps, 0], results, strict=False)
    ]


_ROUNDS_OF_ALL = 2
_CLEAR_LEAD = 0.5
"""Variants of a strategy are worth their time once it is the fastest with this chance."""
_RUNS_TO_SHOW = 6
"""A variant joins where there is time for so many more runs."""
_RUNS_FROM_OTHER_STATE = 2
_MOST_MADE = 3


@dataclass(slots=True)
class Search:
    """Who takes part from the first round on, the runs until now in order, and what could not run
    and why. `admit` says what keeps a variant from running here, "" if nothing does.
    """

    arms: tuple[Entrant, ...]
    conditions: SearchConditions
    admit: Callable[[LoadConfig], str]
    runs: list[SearchRun] = field(default_factory=list)
    failed: dict[tuple[str, Cache], Message] = field(default_factory=dict)
    _made: dict[tuple[int, int, int, Cache], Contenders] = field(default_factory=dict)

    def contenders(self, before: int | None = None, cache: Cache | None = None) -> Contenders:
        """All strategies by the runs of the rounds `before` this one, from this state of the cache
        or from the race's.
        """
        runs = [run for run in self.runs if before is None or run.round < before]
        cache = cache or self.conditions.cache
        key = len(self.arms), len(runs), len(self.failed), cache
        if key not in self._made:
            # Kept for the rest of a round: what the runs say of all times takes 20 ms.
            self._made = dict(list(self._made.items())[-_MOST_MADE:])
            alike = [run for run in runs if run.result.cache_asked == cache]
            self._made[key] = Contenders(self.arms, self.conditions, alike, self.failed, cache)
        return self._made[key]

    def cost_ns(self, label: str, cache: Cache) -> float:
        """What a run will cost, with caution. Nobody knows how much faster the first one of a
        strategy is than others: it may cost what was expected before any had run. It is ended
        where it takes far longer than the fastest, or its time is up.
        """
        seen: dict[tuple[str, Cache], list[int]] = {}
        for run in self.runs:
            seen.setdefault((run.label, run.result.cache_asked), []).append(run.cost_ns)
        if own := seen.get((label, cache)):
            return max(own) * _CAUTION
        alike = [median(costs) for (_, of), costs in seen.items() if of == cache]
        expected_ns = self.conditions.first_cost_ns
        return min(expected_ns, *alike) * _UNSEEN_CAUTION if alike else expected_ns


class Step(NamedTuple):
    """A run that is to be made: the `place`th of so many in its round."""

    arm: Entrant
    cache: Cache
    round: int
    place: int
    in_round: int


class Next(NamedTuple):
    """The next run, and how the race stands. Runs from the other state follow its end."""

    step: Step | None
    ending: Ending


def next_step(search: Search, left_ns: float) -> Next:
    """The next run that ends in the time that is left."""
    cache, runs = search.conditions.cache, search.runs
    number = runs[-1].round if runs else 0
    waiting: list[Entrant] = []
    if runs and runs[-1].result.cache_asked == cache:
        members = _members(search, number, left_ns)
        done = {run.label for run in runs if run.round == number}
        done |= {label for label, of in search.failed if of == cache}
        waiting = [arm for arm in members if arm.label not in done]
    if not waiting:
        number += 1
        members = waiting = _members(search, number, left_ns)
    if waiting and search.cost_ns(waiting[0].label, cache) <= left_ns:
        place = len(members) - len(waiting) + 1
        return Next(Step(waiting[0], cache, number, place, len(members)), "running")
    ending: Ending = "budget" if waiting else "decided"
    return Next(_from_other_state(search, left_ns), ending)


def _members(search: Search, number: int, left_ns: float) -> list[Entrant]:
    """Who runs in a round, by the runs before it, in order; nobody if it is decided."""
    before = search.contenders(number)
    chosen = [each.told for each in _chosen(before, number)]
    if number > _ROUNDS_OF_ALL and not any(_is_new(before, each) for each in before.fit):
        variants = _variants(search, before, left_ns)
        if not variants and before.settled:
            return []
        chosen += variants
    if number > 1:
        random.Random(f"{search.conditions.seed}/{number}").shuffle(chosen)
    return chosen


def _chosen(before: Contenders, number: int) -> list[Contender]:
    """Those that may be the best, and those that are to run for the first or second time."""
    if not any(each.measured for each in before.fit):
        return before.fit
    new = [each for each in before.fit if _is_new(before, each)]
    if new and number <= _ROUNDS_OF_ALL:
        return new
    return list(dict.fromkeys((*before.in_question(), *new)))


def _is_new(before: Contenders, each: Contender) -> bool:
    """Whether it is to have its first or second run, whatever the first one said."""
    if each.runs >= _ROUNDS_OF_ALL or not each.kept:
        return each.runs < _ROUNDS_OF_ALL
    fastest_ns = min(other.median_ns for other in before.measured)
    return each.median_ns < FAR_SLOWER * fastest_ns


def _variants(search: Search, before: Contenders, left_ns: float) -> list[Entrant]:
    """Variants of the best so far, once it leads clearly and is worth a change."""
    first, conditions = before.chosen, search.conditions
    if first is None or first is not before.best:
        return []
    chances = before.posterior.chances()
    alike = [each for each in before.measured if each.told.strategy == first.told.strategy]
    leads = sum(chances[each.label] for each in alike) >= _CLEAR_LEAD
    if not leads and conditions.objective != "memory":
        return []
    if _RUNS_TO_SHOW * search.cost_ns(first.label, conditions.cache) > left_ns:
        return []
    found = refinements(first.told, before.has)
    return [variant for variant in found if not search.admit(variant.config)]


def _from_other_state(search: Search, left_ns: float) -> Step | None:
    """A run of the one to use or of what the person has, as long as there is time."""
    cache, now = search.conditions.other_cache, search.contenders()
    if cache is None or now.chosen is None:
        return None
    asked = [now.chosen.told, *(each.told for each in [now.baseline] if each is not None)]
    runs = {
        arm: sum(run.label == arm.label and run.result.cache_asked == cache for run in search.runs)
        for arm in asked
        if (arm.label, cache) not in search.failed
    }
    arm = min(runs, key=lambda arm: runs[arm], default=None)
    if arm is None or runs[arm] >= _RUNS_FROM_OTHER_STATE:
        return None
    if search.cost_ns(arm.label, cache) > left_ns:
        return None
    number, place = search.runs[-1].round + 1, sum(runs.values()) + 1
    return Step(arm, cache, number, place, len(runs) * _RUNS_FROM_OTHER_STATE)
