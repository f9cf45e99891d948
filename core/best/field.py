"""The arms of a race, their times by round, and how two of them compare."""

from __future__ import annotations

from math import inf
from statistics import median
from typing import TYPE_CHECKING

from modelmon.core.compare.checks import is_discarded_by_chance, is_discarded_for
from modelmon.core.messages import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.compare.posterior import Posterior
    from modelmon.core.compare.spread import RatioInterval
    from modelmon.core.history.rows import ArmOf
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.result import RunResult

# A way that never starts as asked gets so many chances more than it has used.
_MOST_DISCARDED = 2

FAR_SLOWER = 3.0
"""An arm that takes so many times as long as the fastest gets no second run, and its first one is
ended then."""


class RaceArm:
    """One arm of a race, which others are `told` of. `why` is set while it is given up, `failed`
    when it cannot run, `ended` are first runs of it that were ended early, `cut_off` is set while
    they took FAR_SLOWER times as long as the fastest takes. `kept` are its runs that count, each of
    the round that is its `pair`, and `times_ns` by these rounds their times for the whole model.
    """

    def __init__(self, told: ArmOf) -> None:
        self.told = told
        self.label = told.label
        self.strategy = told.strategy
        self.config = told.config
        self.kept: list[RunResult] = []
        self.times_ns: dict[int, float] = {}
        self.discarded: list[RunResult] = []
        self.why = NOTHING
        self.failed = False
        self.ended: list[RunResult] = []
        self.cut_off = False

    @property
    def median_ns(self) -> float:
        """Median of its times; infinite where it has none."""
        return median(self.times_ns.values()) if self.times_ns else inf

    @property
    def alike(self) -> list[RunResult]:
        """Its runs that count, of parts alone where some loaded parts: only these are alike in all
        arms, since whole loads confirm the best.
        """
        return [run for run in self.kept if run.extrapolated] or self.kept

    @property
    def is_variant(self) -> bool:
        """Whether it changes settings of a preset or library."""
        return self.label != self.strategy

    @property
    def active(self) -> bool:
        """Whether it is still in question."""
        return not self.why

    @property
    def measured(self) -> bool:
        """Whether a run of it counts and none made it impossible."""
        return bool(self.kept) and not self.failed

    @property
    def unfit(self) -> bool:
        """Whether it cannot run, takes far too long, or its runs do not start as asked."""
        return self.failed or self.cut_off or self.misses >= len(self.kept) + _MOST_DISCARDED

    @property
    def misses(self) -> int:
        """How many runs did not start as asked, without those that chance met."""
        return sum(not is_discarded_by_chance(result) for result in self.discarded)

    def take(self, result: RunResult) -> None:
        """A run of the race; one that does not count leaves its round empty."""
        if result.counts:
            self.kept.append(result)
        else:
            self.discarded.append(result)
            if is_discarded_for(result, "cut-off"):
                self.ended.append(result)


class Field:
    """All arms of a race, in the order in which they came."""

    def __init__(self, arms: Iterable[RaceArm] = ()) -> None:
        self.arms = list(arms)
        self._of_parts = 1.0
        self._posterior: tuple[dict[str, int], Posterior] | None = None

    @property
    def measured(self) -> list[RaceArm]:
        """Those with a run that counts."""
        return [arm for arm in self.arms if arm.measured]

    @property
    def far_slower_ns(self) -> int | None:
        """From when on a load takes FAR_SLOWER times as long as the fastest; None without one."""
        walls = [median(run.wall_ns for run in arm.alike) for arm in self.measured]
        return round(FAR_SLOWER * min(walls)) if walls else None

    def take(self, arm: RaceArm, result: RunResult) -> None:
        """A run of an arm, which may change what those of others say."""
        arm.take(result)
        self._weigh_parts()
        self._judge_ended()

    def _weigh_parts(self) -> None:
        """Tell the times of all arms; what parts of the model say of the whole is taken from those
        that loaded both.
        """
        factors = []
        for arm in self.measured:
            whole = [run.wall_ns for run in arm.kept if not run.extrapolated]
            parts = [run.model_wall_ns for run in arm.kept if run.extrapolated]
            if whole and parts:
                factors.append(median(whole) / median(parts))
        self._of_parts = median(factors) if factors else 1.0
        for arm in self.arms:
            arm.times_ns = {run.pair: self._time_ns(run) for run in arm.kept}

    def _time_ns(self, run: RunResult) -> float:
        return run.model_wall_ns * (self._of_parts if run.extrapolated else 1)

    def _judge_ended(self) -> None:
        """Say of each arm whether its run was ended for being far slower than the fastest now:
        where all got slower meanwhile, it was not.
        """
        far_slower_ns = self.far_slower_ns
        for arm in self.arms:
            ended_ns = 0 if arm.times_ns else max((run.wall_ns for run in arm.ended), default=0)
            arm.cut_off = far_slower_ns is not None and ended_ns >= far_slower_ns > 0

    def has(self, config: LoadConfig) -> bool:
        """Whether an arm loads in this way."""
        return any(arm.config == config for arm in self.arms)

    def relation(self, arm: RaceArm, other: RaceArm) -> RatioInterval:
        """Time of `arm` ÷ time of `other`; both are measured. Only runs that count make pairs, and
        bounds more than a guess.
        """
        found = self.posterior.ratio(arm.label, other.label)
        pairs = len(arm.times_ns.keys() & other.times_ns.keys())
        once = min(len(arm.times_ns), len(other.times_ns)) == 1
        return found._replace(pairs=pairs, coverage_share=None if once else found.coverage_share)

    @property
    def posterior(self) -> Posterior:
        """What all runs so far say of the arms that are measured. One that was ended took at least
        so long, which says something where the others were faster: without it an arm would be
        known by its lucky runs alone.
        """
        # Not needed by most commands, and slow to import, as numpy is.
        from modelmon.core.compare.posterior import (  # noqa: PLC0415
            Posterior,
            TimedRun,
        )

        runs = {arm.label: len(arm.kept) for arm in self.measured}
        if self._posterior is None or self._posterior[0] != runs:
            timed = (
                TimedRun(arm.label, run.pair, self._time_ns(run), run.started_unix_s)
                for arm in self.measured
                for run in (*arm.kept, *arm.ended)
                if run.counts or self._time_ns(run) > arm.median_ns
            )
            self._posterior = runs, Posterior(timed, seed=sum(runs.values()))
        return self._posterior[1]
