"""The one model of run times: what runs in rounds say of each strategy, log time = strategy +
round + noise.

Runs of a round were neighbors, so what slows a whole round is taken off; a round in which few ran
says little and is shrunk towards none. The noise is Student's t with 4 degrees of freedom, so that
an outlier weighs little (Lange, Little and Taylor, Robust Statistical Modeling Using the t
Distribution, 1989); the rounds are random effects (Laird and Ware, Random-Effects Models for
Longitudinal Data, 1982). Both are fitted by expectation and maximization. What is left unsure is a
t distribution around the fit, as with a vague prior and some knowledge of the noise (Gelman and
others, Bayesian Data Analysis, 2013, chapter 14). `benchmarks/trust.py --simulate` shows how often
its ranges hold. They don't where the noise keeps step with the order of the runs, and are too
narrow where a run resembles its neighbors far more than the other runs of its round.
"""

from __future__ import annotations

from functools import cached_property
from math import e, log, nan, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from modelmon.core.comparison.spread import COVERAGE_SHARE, Ratio

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]

DRAWS = 2000

_RUNS_FOR_BOUNDS = 2
_MOST_SWEEPS = 40
_STILL = 1e-4
_STILL_SHARE = 0.02
# Student's t with so many degrees of freedom: one run far off says little.
_TAILS = 4.0
# Information of a run ÷ that of a normal one of the same scale: 0.71 if the noise has such tails,
# 0.58 if it is normal.
_INFORMATION = 0.6
# Noise that is taken for granted before anything was seen, as so many runs would show it.
_PRIOR_NOISE = 0.02
_PRIOR_RUNS = 1.0
_LEAST_NOISE = 0.01
_LEAST_ROUND_VARIANCE = 1e-6
_LEAST_WEIGHT = 1e-9


class TimedRun(NamedTuple):
    """A run of a strategy in a round, which has at most one of it."""

    label: str
    round: int
    time_ns: float
    started_unix_s: float


class Time(NamedTuple):
    """Time of a strategy in a round as they usually are, with bounds of COVERAGE_SHARE; ns."""

    middle_ns: float
    low_ns: float
    high_ns: float


class Posterior:
    """What runs say of each strategy's time. `seed` makes the draws the same each time."""

    def __init__(self, runs: Iterable[TimedRun], seed: int = 0) -> None:
        ordered = sorted(runs, key=lambda run: run.started_unix_s)
        self._column: dict[str, int] = {}
        for run in ordered:
            self._column.setdefault(run.label, len(self._column))
        columns = {number: at for at, number in enumerate(sorted({run.round for run in ordered}))}
        # A row for each strategy and a column for each round; NaN where none was measured.
        table = [[nan] * len(columns) for _ in self._column]
        for run in ordered:
            table[self._column[run.label]][columns[run.round]] = log(run.time_ns)
        self._fit = _fitted(table)
        self._seed = seed

    @cached_property
    def _behind(self) -> Floats:
        """How far the log times that strategies may have are behind the fastest, a row for each
        draw.
        """
        import numpy as np  # noqa: PLC0415  slow, and most commands need none

        fit, draw = self._fit, np.random.default_rng(self._seed)
        normal = draw.multivariate_normal(np.zeros(len(fit.arms)), fit.covariance, DRAWS, "ignore")
        # The noise is itself an estimate: tails of Student's t.
        tails = np.sqrt(fit.freedom / draw.chisquare(fit.freedom, DRAWS))
        drawn = fit.arms + normal * tails[:, None]
        behind: Floats = drawn - drawn.min(axis=1, keepdims=True)
        return behind

    def log_time(self, label: str) -> float:
        """The middle of what a strategy's log time may be: the lower, the faster."""
        return float(self._fit.arms[self._column[label]])

    def chances(self) -> dict[str, float]:
        """How probable it is of each strategy that it is the fastest."""
        return {label: float((self._of(label) == 0).mean()) for label in self._column}

    def loss(self, label: str) -> float:
        """What share of its time a strategy loses on the fastest, on average: 0 to 1."""
        return float((1 - e ** -self._of(label)).mean())

    def chance_of_slower(self, label: str, factor: float) -> float:
        """How probable it is that a strategy takes more than `factor` times as long as the
        fastest.
        """
        return float((self._of(label) > log(factor)).mean())

    def ratio(self, label: str, other: str) -> Ratio:
        """A strategy's time ÷ another's; where either ran only once the bounds are a guess."""
        one, two = self._column[label], self._column[other]
        cov, ran = self._fit.covariance, self._fit.ran[[one, two]]
        variance = cov[one, one] + cov[two, two] - 2 * cov[one, two]
        return Ratio(
            self.log_time(label) - self.log_time(other),
            sqrt(max(0.0, variance)),
            self._fit.freedom,
            int(ran.all(axis=0).sum()),
            COVERAGE_SHARE if ran.sum(axis=1).min() >= _RUNS_FOR_BOUNDS else None,
        )

    def time(self, label: str) -> Time:
        """How long a strategy's loads take; of two, the quotient is their ratio."""
        at = self._column[label]
        scale = sqrt(self._fit.covariance[at, at])
        # Like a ratio to one nanosecond.
        found = Ratio(self.log_time(label), scale, self._fit.freedom, 0)
        return Time(found.ratio, found.low, found.high)

    def _of(self, label: str) -> Floats:
        return self._behind[:, self._column[label]]


class _Fit(NamedTuple):
    """Log times of the strategies, their covariance, and the degrees of freedom of the noise; and
    which of them `ran` in which round.
    """

    arms: Floats
    covariance: Floats
    freedom: float
    ran: NDArray[np.bool_]


def _fitted(table: Sequence[Sequence[float]]) -> _Fit:
    import numpy as np  # noqa: PLC0415  as above

    logs = np.array(table)
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
        # Rounds are eliminated from the normal equations, which leaves those of the strategies.
        in_round = weights.sum(axis=0) + variance / of_round
        shares = weights / in_round
        among = np.diag(weights.sum(axis=1) + _LEAST_WEIGHT) - shares @ weights.T
        inverse = np.linalg.inv(among)
        weighted = weights * logs
        before = np.array([*arms, log(variance), log(of_round)])
        arms = inverse @ (weighted.sum(axis=1) - shares @ weighted.sum(axis=0))
        rounds = (weighted.sum(axis=0) - weights.T @ arms) / in_round
        unsure = 1 / in_round + np.sum((shares.T @ inverse) * shares.T, axis=1)
        # Of the runs, so many are left that tell of noise alone.
        used = len(arms) + len(rounds) - variance / of_round * unsure.sum()
        free = max(0.0, ran.sum() - used)
        seen = np.sum(weights * (logs - arms[:, None] - rounds) ** 2)
        prior = (_PRIOR_RUNS * _PRIOR_NOISE**2 + seen) / (_PRIOR_RUNS + free)
        # Where runs scatter more than is taken for granted, that makes nobody surer.
        variance = max(prior, _LEAST_NOISE**2, seen / free if free > 1 else 0.0)
        of_round = max(np.mean(rounds**2 + unsure * variance), _LEAST_ROUND_VARIANCE)
        moved = np.abs(np.array([*arms, log(variance), log(of_round)]) - before)
        if np.max(moved[:-2]) < _STILL and np.max(moved) < _STILL_SHARE:
            break
    freedom = float(_PRIOR_RUNS + free)
    return _Fit(arms, inverse * variance / _INFORMATION, freedom, ran)


def of_pairs(times_a: Sequence[float], times_b: Sequence[float]) -> Posterior:
    """What times of A and of B say, in the order in which they were measured; those of the same
    number were neighbors.
    """
    return Posterior(
        TimedRun(label, number, time_ns, number)
        for label, times in (("A", times_a), ("B", times_b))
        for number, time_ns in enumerate(times)
    )


def usual_ratio(times_a: Sequence[float], times_b: Sequence[float]) -> float:
    """A's usual time ÷ B's, by times of pairs."""
    return of_pairs(times_a, times_b).ratio("A", "B").ratio


def of_one(times: Sequence[float]) -> Time:
    """What times of one strategy say of what it usually takes; at least one, none of them 0."""
    return Posterior(TimedRun("", *each, each[0]) for each in enumerate(times)).time("")
