"""The arms of a race, their times by round, and how two of them compare."""

from __future__ import annotations

from math import exp, log
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.experiment.race.effects import Effects
from modelmon.core.experiment.statistics.spread import MIN_PAIRS_FOR_INTERVAL, ratio_interval
from modelmon.core.messages import NOTHING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from modelmon.core.load.config import LoadConfig
    from modelmon.core.worker.result import RunResult

MOST_ROUNDS = 31
"""Two arms that are not told apart after so many common rounds will not be for any use."""

LOOKS = (5, 8, 12, 19, MOST_ROUNDS)
"""Common rounds at which two arms are told apart; few, for each costs all of them confidence."""


class Relation(NamedTuple):
    """Time of one arm ÷ time of another, with bounds.

    They hold with `coverage_share`; where that is None they are a guess from the noise of the
    whole field (effects.py). `pairs` is the number of rounds in which both ran.
    """

    ratio: float
    low: float
    high: float
    coverage_share: float | None
    pairs: int


class RaceArm:
    """One arm of a race. `why` is set when it is dropped, `failed` when it cannot run."""

    def __init__(self, label: str, strategy: str, config: LoadConfig) -> None:
        self.label = label
        self.strategy = strategy
        self.config = config
        self.times_ns: dict[int, float] = {}
        self.kept: list[RunResult] = []
        self.discarded: list[RunResult] = []
        self.other: list[RunResult] = []
        self.why = NOTHING
        self.failed = False

    @property
    def active(self) -> bool:
        """Whether it still runs."""
        return not self.why

    @property
    def measured(self) -> bool:
        """Whether a run of it counts and none made it impossible."""
        return bool(self.times_ns) and not self.failed

    @property
    def median_ns(self) -> float:
        """Median time for the whole model."""
        return median(self.times_ns.values())

    def take(self, round_number: int, result: RunResult) -> None:
        """A run of the race; one that does not count leaves its round empty."""
        if result.counts:
            self.kept.append(result)
            self.times_ns[round_number] = result.model_wall_ns
        else:
            self.discarded.append(result)


class Field:
    """All arms of a race, in the order in which they came."""

    def __init__(self, arms: Iterable[RaceArm] = ()) -> None:
        self.arms = list(arms)
        self._effects: tuple[int, Effects] | None = None

    @property
    def active(self) -> list[RaceArm]:
        """Those that still run."""
        return [arm for arm in self.arms if arm.active]

    @property
    def measured(self) -> list[RaceArm]:
        """Those with a run that counts."""
        return [arm for arm in self.arms if arm.measured]

    def has(self, config: LoadConfig) -> bool:
        """Whether an arm loads in this way."""
        return any(arm.config == config for arm in self.arms)

    def relation(self, arm: RaceArm, other: RaceArm) -> Relation:
        """How `arm` compares with `other`; both are measured."""
        both = sorted(arm.times_ns.keys() & other.times_ns.keys())
        if len(both) >= MIN_PAIRS_FOR_INTERVAL:
            return _interval(arm, other, both)
        middle, low, high = self.effects().bounds(arm.label, other.label)
        return Relation(exp(middle), exp(low), exp(high), None, len(both))

    def slower(self, arm: RaceArm, other: RaceArm, factor: float = 1.0) -> bool:
        """Whether `arm` takes more than `factor` times as long as `other`, beyond the noise."""
        return self.relation(arm, other).low > factor

    def effects(self) -> Effects:
        """What all runs so far say of each arm."""
        runs = sum(len(arm.times_ns) for arm in self.measured)
        if self._effects is None or self._effects[0] != runs:
            times = {arm.label: arm.times_ns for arm in self.measured}
            self._effects = runs, Effects(times)
        return self._effects[1]


def mean_ratio(arm: RaceArm, other: RaceArm) -> float | None:
    """Median of `arm`'s time ÷ `other`'s over all their common rounds; None without one."""
    ratios = _ratios(arm, other)
    return exp(median(log(ratio) for ratio in ratios)) if ratios else None


def common_rounds(arm: RaceArm, other: RaceArm) -> int:
    """In how many rounds both have a run that counts."""
    return len(arm.times_ns.keys() & other.times_ns.keys())


def _ratios(arm: RaceArm, other: RaceArm) -> list[float]:
    both = sorted(arm.times_ns.keys() & other.times_ns.keys())
    return [arm.times_ns[number] / other.times_ns[number] for number in both]


def _interval(arm: RaceArm, other: RaceArm, both: Sequence[int]) -> Relation:
    # Bounds hold at the looks; between two of them the last one stands.
    both = both[: max(look for look in LOOKS if look <= len(both))]
    found = ratio_interval(
        [arm.times_ns[number] for number in both],
        [other.times_ns[number] for number in both],
        len(LOOKS),
    )
    return Relation(found.ratio, found.low, found.high, found.coverage_share, found.pairs)
