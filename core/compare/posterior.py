"""What runs in rounds say of each arm's time: log time = arm + round + state + noise.

Arms of a round ran side by side, so what slows a whole round is taken off; a round in which few
ran tells little of itself and is shrunk towards none. Where the machine is plainly in one of two
states, which one is told by the order of the runs. The noise has long tails, so that outliers weigh
less. Sources: Lange, Little and Taylor, Robust Statistical Modeling Using the t
Distribution, 1989, for the noise; Laird and Ware, Random-Effects Models for Longitudinal Data,
1982, for the rounds; both are fitted by expectation and maximization.
"""

from __future__ import annotations

from math import exp, log
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from modelmon.core.compare.spread import COVERAGE_SHARE, RatioInterval
from modelmon.core.compare.two_levels import two_levels

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]

DRAWS = 2000

_RUNS_FOR_BOUNDS = 2
_MIDDLE_AND_BOUNDS = (0.5, (1 - COVERAGE_SHARE) / 2, (1 + COVERAGE_SHARE) / 2)
_RARELY_EXCEEDED = 0.9
_MOST_SWEEPS = 30
_STILL = 1e-4
# Student's t with so many degrees of freedom: one run far off says little.
_TAILS = 4.0
# Information of such a run ÷ that of a normal one of the same scale.
_INFORMATION = (_TAILS + 1) / (_TAILS + 3)
# Noise that is taken for granted before anything was seen, as so many runs would show it.
_PRIOR_NOISE = 0.08
_PRIOR_RUNS = 2.0
_LEAST_NOISE = 0.01
_LEAST_ROUND_VARIANCE = 1e-6
_LEAST_WEIGHT = 1e-9


class TimedRun(NamedTuple):
    """A run of an arm in a round, which has at most one of it."""

    label: str
    round: int
    time_ns: float
    started_unix_s: float


class Time(NamedTuple):
    """Time of an arm in a round as they usually are, with bounds of COVERAGE_SHARE; ns."""

    middle_ns: float
    low_ns: float
    high_ns: float


class Prospect(NamedTuple):
    """What is left to gain by changing the choice: the share of its time that is exceeded in 1 of
    10 cases, and how probable it is that another arm is chosen by then.
    """

    gain_share: float
    chance_of_other: float


class Posterior:
    """Draws of each arm's log time, given its runs. `seed` makes the draws the same each time.

    In slow spells of the machine runs took `slow_factor` times as long; 1 where it has none.
    """

    def __init__(self, runs: Iterable[TimedRun], seed: int = 0) -> None:
        ordered = sorted(runs, key=lambda run: run.started_unix_s)
        self._column: dict[str, int] = {}
        for run in ordered:
            self._column.setdefault(run.label, len(self._column))
        arms = np.array([self._column[run.label] for run in ordered])
        numbers, rounds = np.unique([run.round for run in ordered], return_inverse=True)
        logs = np.log([run.time_ns for run in ordered])
        levels = two_levels(arms, logs)
        self.slow_factor = exp(levels.step) if levels is not None else 1.0
        if levels is not None:
            logs -= levels.step * (levels.slow - levels.slow.mean())
        # A row for each arm and a column for each round; NaN where none was measured.
        table = np.full((len(self._column), len(numbers)), np.nan)
        table[arms, rounds] = logs
        self._ran = ~np.isnan(table)
        self._seed = seed
        self._fit = _fitted(table)
        draw = np.random.default_rng(seed)
        self._draws: Floats = self._fit.arms + self._apart(draw, self._fit.covariance)
        if levels is not None:
            self._draws += levels.drawn_shifts(draw, DRAWS)
        self._fastest: Floats = self._draws.min(axis=1)
        self._losses: Floats = np.mean(1 - np.exp(self._fastest[:, None] - self._draws), axis=0)

    def log_time(self, label: str) -> float:
        """The middle of what an arm's log time may be: the lower, the faster."""
        return float(self._fit.arms[self._column[label]])

    def chances(self) -> dict[str, float]:
        """How probable it is of each arm that it is the fastest."""
        counts = np.bincount(self._draws.argmin(axis=1), minlength=len(self._column))
        return {label: float(counts[at]) / DRAWS for label, at in self._column.items()}

    def loss(self, label: str) -> float:
        """What share of its time an arm loses on the fastest, on average: 0 to 1."""
        return float(self._losses[self._column[label]])

    def chance_of_slower(self, label: str, factor: float) -> float:
        """How probable it is that an arm takes more than `factor` times as long as the fastest."""
        return float(np.mean(self._of(label) - self._fastest > log(factor)))

    def ratio(self, label: str, other: str) -> RatioInterval:
        """An arm's time ÷ another's; where either ran only once the bounds are mostly a guess."""
        ran = self._ran[[self._column[label], self._column[other]]]
        return RatioInterval(
            *_likely(self._of(label) - self._of(other)),
            COVERAGE_SHARE if ran.sum(axis=1).min() >= _RUNS_FOR_BOUNDS else None,
            int(ran.all(axis=0).sum()),
        )

    def time(self, label: str) -> Time:
        """How long an arm's loads take."""
        return Time(*_likely(self._of(label)))

    def gain_share(self, label: str) -> float:
        """What share of its time another choice than `label` saves at most in 9 of 10 cases."""
        gains = 1 - np.exp(self._fastest - self._of(label))
        return float(np.quantile(gains, _RARELY_EXCEEDED))

    def prospect(self, label: str, among: Sequence[str], rounds: float) -> Prospect:
        """What is left to gain on the choice of `label` once `among` have run `rounds` more rounds
        and the fastest by then is chosen.

        What these rounds will say is drawn from what is known now: preposterior analysis, as in
        Raiffa and Schlaifer, Applied Statistical Decision Theory, 1961.
        """
        fit = self._fit
        columns = [self._column[each] for each in among]
        told = np.zeros((len(fit.arms), len(fit.arms)))
        told[np.ix_(columns, columns)] = np.eye(len(columns)) - 1 / (
            len(columns) + fit.variance / fit.of_round
        )
        told *= rounds * _INFORMATION / fit.variance
        later: Floats = np.linalg.inv(np.linalg.inv(fit.covariance) + told)
        draw = np.random.default_rng(self._seed)
        learned = fit.arms + self._apart(draw, fit.covariance - later)
        true = learned + self._apart(draw, later)
        chosen = learned.argmin(axis=1)
        gains = 1 - np.exp(true.min(axis=1) - true[np.arange(DRAWS), chosen])
        return Prospect(
            float(np.quantile(gains, _RARELY_EXCEEDED)),
            float(np.mean(chosen != self._column[label])),
        )

    def _apart(self, draw: np.random.Generator, covariance: Floats) -> Floats:
        """Draws of how far all arms are from what is expected, a row for each."""
        freedom = self._fit.freedom
        normal = draw.multivariate_normal(np.zeros(len(covariance)), covariance, DRAWS, "ignore")
        # The noise is itself an estimate: tails of Student's t.
        return normal * np.sqrt(freedom / draw.chisquare(freedom, DRAWS))[:, None]

    def _of(self, label: str) -> Floats:
        return self._draws[:, self._column[label]]


def _likely(logs: Floats) -> tuple[float, float, float]:
    """Middle and bounds of what was drawn as logarithms."""
    middle, low, high = map(float, np.exp(np.quantile(logs, _MIDDLE_AND_BOUNDS)))
    return middle, low, high


class _Fit(NamedTuple):
    """Log times of the arms, their covariance, the degrees of freedom of the noise, its variance,
    and that of the rounds.
    """

    arms: Floats
    covariance: Floats
    freedom: float
    variance: float
    of_round: float


def _fitted(logs: Floats) -> _Fit:
    ran = ~np.isnan(logs)
    arms = np.array([np.median(row[there]) for row, there in zip(logs, ran, strict=True)])
    rounds = np.zeros(logs.shape[1])
    logs = np.where(ran, logs, 0.0)
    variance, of_round = _PRIOR_NOISE**2, _PRIOR_NOISE**2
    inverse = np.eye(len(arms))
    free = 0.0
    for _ in range(_MOST_SWEEPS):
        residuals = logs - arms[:, None] - rounds
        weights = np.where(ran, (_TAILS + 1) / (_TAILS + residuals**2 / variance), 0.0)
        # Rounds are eliminated from the normal equations, which leaves those of the arms.
        in_round = weights.sum(axis=0) + variance / of_round
        shares = weights / in_round
        among = np.diag(weights.sum(axis=1) + _LEAST_WEIGHT) - shares @ weights.T
        inverse = np.linalg.inv(among)
        weighted = weights * logs
        before = arms
        arms = inverse @ (weighted.sum(axis=1) - shares @ weighted.sum(axis=0))
        rounds = (weighted.sum(axis=0) - weights.T @ arms) / in_round
        unsure = 1 / in_round + np.sum((shares.T @ inverse) * shares.T, axis=1)
        # Of the runs, so many are left that tell of noise alone.
        used = len(arms) + len(rounds) - variance / of_round * unsure.sum()
        free = max(0.0, ran.sum() - used)
        seen = np.sum(weights * (logs - arms[:, None] - rounds) ** 2)
        variance = (_PRIOR_RUNS * _PRIOR_NOISE**2 + seen) / (_PRIOR_RUNS + free)
        variance = max(variance, _LEAST_NOISE**2)
        of_round = max(np.mean(rounds**2 + unsure * variance), _LEAST_ROUND_VARIANCE)
        if np.max(np.abs(arms - before)) < _STILL:
            break
    return _Fit(arms, inverse * variance / _INFORMATION, _PRIOR_RUNS + free, variance, of_round)
