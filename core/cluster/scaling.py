"""What storage gives so many nodes at once: a rate per node, up to a limit that all share."""

from __future__ import annotations

from math import exp, log, sqrt
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.bounded import Number, Positive
from modelmon.core.compare.spread import COVERAGE_SHARE, t_quantile

if TYPE_CHECKING:
    from collections.abc import Sequence

# Two runs' worth of a noise of 8% is taken for granted, as in Find best: a few runs that happen to
# agree would else claim to know the limit exactly.
_PRIOR_FREEDOM = 2
_PRIOR_NOISE = 0.08
_MOST_EFFICIENCY = 0.9
"""Nodes that get so much of what one alone gets are not said to share a limit, nor are those whose
runs differ by as much anyway."""
_LEAST_LOST = 0.8
"""Storage that gives all nodes less than this of what it gave fewer is said to lose by them."""


class Between(msgspec.Struct, frozen=True):
    """A figure and its likely range (95%)."""

    value: Number
    low: Number
    high: Number


class Scaling(msgspec.Struct, frozen=True, omit_defaults=True):
    """The curve through the rates of all nodes together: n × `per_node`, at most `shared`.

    Rates are in bytes per second. `shared` is None where so many nodes did not reach a limit, which
    is then at least `reached`, the rate of all of them; so is `knee`, the number of nodes from
    which on they share it. `falls`: more nodes got less together than fewer.
    """

    nodes: Positive
    per_node: Between
    reached: Number
    shared: Between | None = None
    knee: Between | None = None
    falls: bool = False


class Together(NamedTuple):
    """What so many nodes got together in one run, in bytes per second."""

    nodes: int
    bytes_per_s: float


class _Split(NamedTuple):
    """Logarithms: of runs of up to some number of nodes what each gets, of others what all get."""

    each: list[float]
    all_of_them: list[float]

    @property
    def squares(self) -> float:
        """Sum of squared residuals."""
        return sum(
            (value - fmean(part)) ** 2 for part in (self.each, self.all_of_them) for value in part
        )


def scaling_of(runs: Sequence[Together]) -> Scaling | None:
    """The curve of runs with one node and with several; None without either.

    Rates of n nodes are n × r up to the knee and X from there on, with the same relative noise
    everywhere; the knee lies between those measured numbers that leave the least squares.
    """
    runs = [run for run in runs if run.bytes_per_s >= 1]
    sizes = sorted({run.nodes for run in runs})
    if len(sizes) < 2 or sizes[0] != 1:
        return None
    splits = [_split(runs, last) for last in sizes]
    best = min(splits, key=lambda split: split.squares)
    freedom = max(0, len(runs) - 2)
    noise = sqrt((best.squares + _PRIOR_FREEDOM * _PRIOR_NOISE**2) / (freedom + _PRIOR_FREEDOM))
    reach = t_quantile(1 - COVERAGE_SHARE, freedom + _PRIOR_FREEDOM) * noise
    linear = splits[-1]
    means = {size: fmean(log(r.bytes_per_s) for r in runs if r.nodes == size) for size in sizes}
    reached = exp(means[sizes[-1]])
    efficiency = means[sizes[-1]] - log(sizes[-1]) - fmean(best.each)
    of_r = reach / sqrt(len(best.each))
    of_x = reach / sqrt(max(1, len(best.all_of_them)))
    if best is linear or efficiency > min(log(_MOST_EFFICIENCY), -sqrt(of_r**2 + of_x**2)):
        per_node = _between(fmean(linear.each), reach / sqrt(len(linear.each)))
        return Scaling(sizes[-1], per_node, reached)
    r, x = fmean(best.each), fmean(best.all_of_them)
    return Scaling(
        nodes=sizes[-1],
        per_node=_between(r, of_r),
        reached=reached,
        shared=_between(x, of_x),
        knee=_between(x - r, sqrt(of_r**2 + of_x**2)),
        falls=means[sizes[-1]] - max(means.values()) < log(_LEAST_LOST),
    )


def expected_ns(scaling: Scaling, nodes: int, all_bytes: float) -> Between:
    """How long so many nodes take for `all_bytes` together, beyond what was measured as well.

    Where no limit was reached it may begin right behind that: from there it lasts in proportion.
    """
    alone = scaling.per_node
    ways = [
        max(all_bytes / (nodes * rate), all_bytes / limit if limit else 0.0) * 1e9
        for rate, limit in zip(
            (alone.value, alone.high, alone.low),
            _limits(scaling),
            strict=True,
        )
    ]
    value, low, high = ways
    return Between(value, min(low, value), max(high, value))


def _limits(scaling: Scaling) -> tuple[float | None, float | None, float]:
    """The shared limit as expected, at best and at worst; None is *no limit*."""
    if scaling.shared is None:
        return None, None, scaling.reached
    return scaling.shared.value, scaling.shared.high, scaling.shared.low


def _split(runs: Sequence[Together], last: int) -> _Split:
    return _Split(
        [log(run.bytes_per_s / run.nodes) for run in runs if run.nodes <= last],
        [log(run.bytes_per_s) for run in runs if run.nodes > last],
    )


def _between(middle: float, half: float) -> Between:
    return Between(exp(middle), exp(middle - half), exp(middle + half))
