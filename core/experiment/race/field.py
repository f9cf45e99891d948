"""The arms of a race, their times by round, and how two of them compare."""

from __future__ import annotations

from math import inf
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.experiment.checks import is_first_start
from modelmon.core.experiment.statistics.posterior import COVERAGE_SHARE, Posterior, TimedRun
from modelmon.core.messages import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.history.rows import ArmOf
    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.result import RunResult

# A way that never starts as asked gets so many chances more than it has used.
_MOST_DISCARDED = 2
_RUNS_FOR_BOUNDS = 2

FAR_SLOWER = 3.0
"""An arm that takes so many times as long as the fastest gets no second run, and its first one is
ended then."""


class Relation(NamedTuple):
    """Time of one arm ÷ time of another, with bounds.

    They hold with `coverage_share`, which is None where either ran only once: then they are
    mostly a guess. `pairs` is the number of rounds in which both ran.
    """

    ratio: float
    low: float
    high: float
    coverage_share: float | None
    pairs: int


class RaceArm:
    """One arm of a race, which others are `told` of. `why` is set while it is given up, `failed`
    when it cannot run, `ended_ns` when its first run was ended after so long, `cut_off` while that
    is FAR_SLOWER times as long as the fastest takes. `times_ns` are those for the whole model, by
    the round of each run that counts, and `median_ns` is their median.
    """

    def __init__(self, told: ArmOf) -> None:
        self.told = told
        self.label = told.label
        self.strategy = told.strategy
        self.config = told.config
        self.by_round: list[tuple[int, RunResult]] = []
        self.times_ns: dict[int, float] = {}
        self.median_ns = inf
        self.discarded: list[RunResult] = []
        self.why = NOTHING
        self.failed = False
        self.ended_ns = 0
        self.cut_off = False

    @property
    def kept(self) -> list[RunResult]:
        """Its runs that count."""
        return [run for _, run in self.by_round]

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
        return bool(self.by_round) and not self.failed

    @property
    def unfit(self) -> bool:
        """Whether it cannot run, takes far too long, or its runs do not start as asked."""
        return self.failed or self.cut_off or self.misses >= len(self.kept) + _MOST_DISCARDED

    @property
    def misses(self) -> int:
        """How many runs did not start as asked, without first starts of a program."""
        return sum(not is_first_start(result) for result in self.discarded)

    def take(self, round_number: int, result: RunResult) -> None:
        """A run of the race; one that does not count leaves its round empty."""
        if result.counts:
            self.by_round.append((round_number, result))
        else:
            self.discarded.append(result)
            against = [told.kind for told in result.warnings if not told.counts]
            if against == ["cut-off"]:
                self.ended_ns = max(self.ended_ns, result.wall_ns)

    def weigh(self, part_factor: float) -> None:
        """Tell its times, where the whole takes `part_factor` times as long as parts say."""
        self.times_ns = {
            number: run.model_wall_ns * (part_factor if run.extrapolated else 1)
            for number, run in self.by_round
        }
        self.median_ns = median(self.times_ns.values()) if self.times_ns else inf


class Field:
    """All arms of a race, in the order in which they came."""

    def __init__(self, arms: Iterable[RaceArm] = ()) -> None:
        self.arms = list(arms)
        self._posterior: tuple[dict[str, int], Posterior] | None = None

    @property
    def active(self) -> list[RaceArm]:
        """Those that are still in question."""
        return [arm for arm in self.arms if arm.active]

    @property
    def measured(self) -> list[RaceArm]:
        """Those with a run that counts."""
        return [arm for arm in self.arms if arm.measured]

    @property
    def far_slower_ns(self) -> int | None:
        """From when on a load takes FAR_SLOWER times as long as the fastest; None without one."""
        walls = []
        for arm in self.measured:
            # Where a part is loaded, whole loads that confirm it say nothing of a first run.
            alike = [run for run in arm.kept if run.extrapolated] or arm.kept
            walls.append(median(run.wall_ns for run in alike))
        return round(FAR_SLOWER * min(walls)) if walls else None

    def take(self, arm: RaceArm, round_number: int, result: RunResult) -> None:
        """A run of an arm, which may change what those of others say."""
        arm.take(round_number, result)
        self._weigh_parts()
        self._judge_ended()

    def _weigh_parts(self) -> None:
        """Take what parts of the model say of the whole by the arms that loaded both."""
        factors = []
        for arm in self.measured:
            whole = [run.wall_ns for run in arm.kept if not run.extrapolated]
            parts = [run.model_wall_ns for run in arm.kept if run.extrapolated]
            if whole and parts:
                factors.append(median(whole) / median(parts))
        for arm in self.arms:
            arm.weigh(median(factors) if factors else 1.0)

    def _judge_ended(self) -> None:
        """Say of each arm whether its run was ended for being far slower than the fastest now:
        where all got slower meanwhile, it was not.
        """
        far_slower_ns = self.far_slower_ns
        for arm in self.arms:
            ended = bool(arm.ended_ns) and not arm.times_ns
            arm.cut_off = ended and far_slower_ns is not None and arm.ended_ns >= far_slower_ns

    def has(self, config: LoadConfig) -> bool:
        """Whether an arm loads in this way."""
        return any(arm.config == config for arm in self.arms)

    def relation(self, arm: RaceArm, other: RaceArm) -> Relation:
        """How `arm` compares with `other`; both are measured."""
        few = min(len(arm.times_ns), len(other.times_ns)) < _RUNS_FOR_BOUNDS
        pairs = len(arm.times_ns.keys() & other.times_ns.keys())
        found = self.posterior.ratio(arm.label, other.label)
        return Relation(*found, None if few else COVERAGE_SHARE, pairs)

    @property
    def posterior(self) -> Posterior:
        """What all runs so far say of the arms that are measured."""
        measured = self.measured
        runs = {arm.label: len(arm.times_ns) for arm in measured}
        if self._posterior is None or self._posterior[0] != runs:
            timed = (
                TimedRun(arm.label, number, arm.times_ns[number], run.started_unix_s)
                for arm in measured
                for number, run in arm.by_round
            )
            self._posterior = runs, Posterior(timed, seed=sum(runs.values()))
        return self._posterior[1]
