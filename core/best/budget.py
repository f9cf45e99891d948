"""How much of a race's time is spent, and what the next run will cost."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.worker.result import RunFigures

# To end a loader takes this long on a busy machine, its memory given back; never more of a short
# budget than it has to give.
_STOPPING_NS = 500_000_000
_MOST_STOPPING_SHARE = 0.05

_CAUTION = 1.15
_UNSEEN_CAUTION = 1.5
FOLLOW_UP_SHARE = 0.1
"""This part of the budget is kept for the runs after the race."""

# Between two starts that are further apart than so many times the longest run, nobody raced.
_PAUSE_FACTOR = 3


class Budget:
    """Time in ns; it is spent from the first run on until `abandon`, also between two runs.

    `first_cost_ns` is what a run should cost with preparing the cache, by an estimate; runs
    that were seen count more. `clock_ns` can be replaced for simulations.
    """

    def __init__(self, total_ns: int, first_cost_ns: int, clock_ns: Callable[[], int]) -> None:
        self.total_ns = total_ns
        self._first_cost_ns = first_cost_ns
        self._clock_ns = clock_ns
        self._past_ns = 0
        self._begun_ns: int | None = None
        self._costs_ns: dict[tuple[str, str], list[int]] = {}

    @property
    def spent_ns(self) -> int:
        """Time spent so far, that of the run under way included."""
        running = self._clock_ns() - self._begun_ns if self._begun_ns is not None else 0
        return self._past_ns + running

    @property
    def left_ns(self) -> int:
        """Time left; negative when it is overdrawn."""
        return self.total_ns - self.spent_ns

    @property
    def run_left_ns(self) -> int:
        """Time left for a run: what it takes to end one that is too slow is kept back."""
        kept_back = min(_STOPPING_NS, round(self.total_ns * _MOST_STOPPING_SHARE))
        return self.left_ns - kept_back

    def spend(self, ns: int) -> None:
        """So much was spent beside the runs."""
        self._past_ns += ns

    def begin(self) -> None:
        """A run starts now."""
        if self._begun_ns is None:
            self._begun_ns = self._clock_ns()

    def end(self, key: tuple[str, str], cost_ns: int | None = None) -> int:
        """The run under way is over; returns its cost, by the clock or as it is given.

        By the clock, what is done until the next run begins belongs to that.
        """
        if cost_ns is None:
            now_ns = self._clock_ns()
            cost_ns = now_ns - self._begun_ns if self._begun_ns is not None else 0
            self._begun_ns = now_ns
        self._past_ns += cost_ns
        self._costs_ns.setdefault(key, []).append(cost_ns)
        return cost_ns

    def abandon(self) -> None:
        """No run is under way or follows at once; the time of one without a result is spent."""
        self._past_ns = self.spent_ns
        self._begun_ns = None

    def cost_ns(self, key: tuple[str, str]) -> float:
        """What a run of an arm (by label and state of the cache) will cost, with caution."""
        seen = self._costs_ns.get(key)
        if seen:
            return max(seen) * _CAUTION
        others = self._costs_of_arms_ns(key[1])
        return median(others) * _UNSEEN_CAUTION if others else self._first_cost_ns

    def _costs_of_arms_ns(self, cache: str) -> list[float]:
        return [median(costs) for (_, of), costs in self._costs_ns.items() if of == cache]

    def fits(self, key: tuple[str, str], *, spare: float = 0.0, more_ns: float = 0.0) -> bool:
        """Whether a run of this arm, which takes `more_ns` than usual, ends within the budget, with
        a share of it to spare.
        """
        cost_ns = self.cost_ns(key)
        others = self._costs_of_arms_ns(key[1])
        if key not in self._costs_ns and others:
            # A first run that takes longer than the fastest can be ended.
            cost_ns = min(cost_ns, min(others) * _UNSEEN_CAUTION)
        return cost_ns + more_ns <= self.run_left_ns - self.total_ns * spare


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
