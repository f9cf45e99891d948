"""Plain statistics of noisy durations, and gains in time as people say them.

Spreads, outliers, quantiles, and a step in the times of all strategies alike: a throttle, another
reader or a drive whose fast cache is full show like this, and neighbors on both sides of it are no
neighbors.
"""

from __future__ import annotations

from math import ceil, exp, expm1, floor, log, sqrt
from statistics import NormalDist, fmean, median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.messages import Message
from modelmon.core.units import percent_text, range_texts, two_figures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from modelmon.core.worker.result import RunResult


MIN_PAIRS_FOR_INTERVAL = 5
"""Below this no interval holds what it promises and is narrow enough to say anything."""

COVERAGE_SHARE = 0.95
"""How often a range holds what it is of; there is no other."""

OUTLIER_SCORE = 3.5
"""A modified Z-score beyond this marks an outlier."""

_MOST_EXPONENT = 600.0


class Ratio(NamedTuple):
    """How many times as long one strategy takes as another: the logarithm of that is Student's t
    around `middle`.

    `pairs` are the rounds in which both ran, `coverage_share` is how often the bounds hold the true
    ratio (0 to 1); None where they are mostly a guess.
    """

    middle: float
    scale: float
    freedom: float
    pairs: int
    coverage_share: float | None = COVERAGE_SHARE

    def reach(self, wrong_share: float = 1 - COVERAGE_SHARE) -> float:
        """How far from the middle it is with a probability of `wrong_share`, at the most."""
        return t_quantile(wrong_share, self.freedom) * self.scale

    @property
    def ratio(self) -> float:
        """As it most likely is."""
        return exp(self.middle)

    @property
    def low(self) -> float:
        """Its lower bound."""
        return exp(self.middle - self.reach())

    @property
    def high(self) -> float:
        """Its upper bound."""
        return exp(min(self.middle + self.reach(), _MOST_EXPONENT))


def median_of_known(values: Iterable[float | None]) -> float | None:
    """Median of the values that are known; None if none is."""
    known = [value for value in values if value is not None]
    return median(known) if known else None


def whole_median_of_known(values: Iterable[int | None]) -> int | None:
    """The same of bytes and other things that come whole, rounded."""
    middle = median_of_known(values)
    return None if middle is None else round(middle)


def mad(values: Sequence[float]) -> float:
    """Median absolute deviation from the median, unscaled.

    Source: Hampel, The Influence Curve and Its Role in Robust Estimation, 1974.
    """
    middle = median(values)
    return median(abs(value - middle) for value in values)


def modified_z_scores(values: Sequence[float]) -> list[float]:
    """How far each value is from the median, in robust standard deviations.

    Where more than half of the values are equal, so that their MAD is 0, the mean absolute
    deviation takes its place. Beyond OUTLIER_SCORE a value is an outlier. Source: Iglewicz and
    Hoaglin, How to Detect and Handle Outliers, 1993; IBM, Modified z score, for a MAD of 0.
    """
    middle = median(values)
    scale = mad(values) / 0.6745
    if not scale:
        scale = 1.253314 * fmean(abs(value - middle) for value in values)
    return [(value - middle) / scale if scale else 0.0 for value in values]


def t_quantile(wrong_share: float, freedom: float) -> float:
    """What |T| exceeds with a probability of `wrong_share`: Student's t with `freedom` degrees, 2
    or more; within 4% of it, with 5 or more within 1%.

    Source: Wallace, Bounds on Normal Approximations to Student's and the Chi-Square
    Distributions, 1959.
    """
    z = NormalDist().inv_cdf(1 - wrong_share / 2) * (8 * freedom + 3) / (8 * freedom + 1)
    return sqrt(freedom * expm1(min(z * z / freedom, _MOST_EXPONENT)))


WORTH_A_FACTOR = 1.1
"""Below it a gain is told as a share of the time."""
_TWICE = 1.95
"""From here on, which is told as 2.0, a loss is told as a factor."""


def speed(ratio: float) -> Message:
    """Of what takes the other's time ÷ `ratio`: `1.2× as fast`, `6% less time`, `4% longer` or
    `2.5× as long`.
    """
    if ratio >= WORTH_A_FACTOR:
        return Message("{ratio}× as fast", ratio=two_figures(ratio))
    if ratio >= 1:
        return Message("{share} less time", share=percent_text(1 - 1 / ratio))
    if ratio > 1 / _TWICE:
        return Message("{share} longer", share=percent_text(1 / ratio - 1))
    return Message("{factor}× as long", factor=two_figures(1 / ratio))


def faster_than(other: str, ratio: float) -> Message:
    """What is `ratio` times as fast as the other: `1.2× as fast as mmap`."""
    if ratio >= WORTH_A_FACTOR:
        return Message("{times}× as fast as {other}", times=two_figures(ratio), other=other)
    return Message("{share} less time than {other}", share=percent_text(1 - 1 / ratio), other=other)


def likely_gain(found: Ratio) -> Message:
    """The likely range of such a gain, in the same unit: `likely 1.1× to 1.4×`."""
    least, most = range_texts(found.low, found.high)
    if found.ratio < WORTH_A_FACTOR:
        least, most = _share_outward(found.low, floor), _share_outward(found.high, ceil)
        if least == most:
            return Message("likely {share} less", share=least)
        return Message("likely {low} to {high} less", low=least, high=most)
    if least == most:
        return Message("likely {ratio}×", ratio=least)
    return Message("likely {low}× to {high}×", low=least, high=most)


def likely_time(name: str, found: Ratio) -> Message:
    """What another's time ÷ its own, within its bounds, means for its time."""
    low, high = found.low, found.high
    if low <= 1 <= high:
        figures = {"less": percent_text(1 - 1 / high), "more": percent_text(1 / low - 1)}
        return Message(
            "{name} takes between {less} less and {more} more time.", name=name, **figures
        )
    if low > 1:
        figures = {"low": _share_outward(low, floor), "high": _share_outward(high, ceil)}
        return Message("{name} likely takes {low} to {high} less time.", name=name, **figures)
    figures = {"low": percent_text(1 / high - 1), "high": percent_text(1 / low - 1)}
    return Message("{name} likely takes {low} to {high} more time.", name=name, **figures)


def by_chance(pairs: int) -> Message:
    """That a range which names the faster one decides nothing yet."""
    return Message("{pairs} pairs could still show that by chance.", pairs=pairs)


def _share_outward(bound: float, rounded: Callable[[float], int]) -> str:
    """The time that a ratio saves, in whole percents away from the middle; below one in tenths."""
    share = 1 - 1 / bound
    steps = 100 if share >= 0.01 else 1000
    told = rounded(round(share * steps, 9)) / steps
    return percent_text(told or share)


_LEAST_ARMS = 2
_LEAST_RUNS = 4
"""On each side; of noise that a machine really has fewer are parted by chance."""
_LEAST_GAP = log(1.25)
"""Between the slowest run of the faster side and the fastest of the slower one: runs resemble
their neighbors, so that chance parts them more often than it does days."""


class LevelShift(NamedTuple):
    """From run number `run` on (from 1, of all runs) loads took `factor` times as long."""

    factor: float
    run: int
    since: tuple[int, float]

    def is_before(self, run: RunResult) -> bool:
        """Whether a run belongs to the time before it."""
        return _place(run) < self.since

    @property
    def text(self) -> Message:
        """What happened, as a sentence."""
        return Message(
            "The storage or the machine changed. All loads from run {run} on: {change}.",
            change=speed(1 / self.factor),
            run=self.run,
        )


def level_shift(arms: Sequence[Sequence[RunResult]]) -> LevelShift | None:
    """The clearest step that the runs of all arms have in common; None where there is none.

    Runs that do not count are left out. An arm that has runs on one side only tells nothing of it.
    """
    runs = sorted(
        ((arm, run) for arm, results in enumerate(arms) for run in results),
        key=lambda each: _place(each[1]),
    )
    logs = {n: (arm, log(run.timed_ns)) for n, (arm, run) in enumerate(runs) if run.timed_ns}
    logs = {n: each for n, each in logs.items() if runs[n][1].counts}
    gap, at, shift = max((_step(logs, at) for at in logs), default=(0.0, 0, 0.0))
    if gap < _LEAST_GAP:
        return None
    return LevelShift(exp(shift), at + 1, _place(runs[at][1]))


def _place(run: RunResult) -> tuple[int, float]:
    """Its place in the order of time: the clock orders a pair alone, as somebody may set it."""
    return run.pair, run.started_unix_s


def _step(logs: Mapping[int, tuple[int, float]], at: int) -> tuple[float, int, float]:
    """How far all runs from `at` on are from all earlier ones, `at`, and the step between them; by
    the arm and log time of each run.
    """
    before, since = [], []
    shared = 0
    for arm in {arm for arm, _ in logs.values()}:
        early = [value for n, (of, value) in logs.items() if of == arm and n < at]
        late = [value for n, (of, value) in logs.items() if of == arm and n >= at]
        if early and late:
            middle = (median(early) + median(late)) / 2
            before += [value - middle for value in early]
            since += [value - middle for value in late]
            shared += 1
    if shared < _LEAST_ARMS or min(len(before), len(since)) < _LEAST_RUNS:
        return 0.0, at, 0.0
    gap = max(min(since) - max(before), min(before) - max(since))
    return gap, at, median(since) - median(before)
