"""Fits how the rate of all nodes grows with their number: a rate per node, up to a shared limit."""

from __future__ import annotations

from math import exp, hypot, inf, log, sqrt
from operator import itemgetter
from statistics import NormalDist, fmean
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.limited_numbers import Number, Positive

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEAST_NOISE = 0.08
"""A few runs that happen to agree would else claim to know the limit exactly."""
_REACH = NormalDist().inv_cdf(0.975)
"""A likely range is one of 95%."""
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


def scaling_of(runs: Sequence[tuple[int, float]]) -> Scaling | None:
    """The curve of runs, each a number of nodes and the bytes per second that these got together;
    None without runs of one node and of several.

    Rates of n nodes are n × r up to the knee and X from there on, with the same relative noise
    everywhere; the knee lies between those measured numbers that leave the least squares.
    """
    runs = [(size, rate) for size, rate in runs if rate >= 1]
    sizes = sorted({size for size, _ in runs})
    if len(sizes) < 2 or sizes[0] != 1:
        return None
    alone, shared, squares = min((_split(runs, last) for last in sizes), key=itemgetter(2))
    noise = max(_LEAST_NOISE, sqrt(squares / max(1, len(runs) - 2)))
    of_r, of_x = (_REACH * noise / sqrt(max(1, len(part))) for part in (alone, shared))
    means = {size: fmean(log(rate) for each, rate in runs if each == size) for size in sizes}
    most, reached = sizes[-1], means[sizes[-1]]
    efficiency = reached - log(most) - fmean(alone)
    if not shared or efficiency > min(log(_MOST_EFFICIENCY), -hypot(of_r, of_x)):
        each, _, _ = _split(runs, most)
        per_node = _between(fmean(each), _REACH * noise / sqrt(len(each)))
        return Scaling(most, per_node, exp(reached))
    r, x = fmean(alone), fmean(shared)
    return Scaling(
        nodes=most,
        per_node=_between(r, of_r),
        reached=exp(reached),
        shared=_between(x, of_x),
        knee=_between(x - r, hypot(of_r, of_x)),
        falls=reached - max(means.values()) < log(_LEAST_LOST),
    )


def expected_ns(scaling: Scaling, nodes: int, all_bytes: float) -> Between:
    """How long so many nodes take for `all_bytes` together, beyond what was measured as well.

    Where no limit was reached it may begin right behind that: from there it lasts in proportion.
    """
    if scaling.shared is not None:
        limits = (scaling.shared.value, scaling.shared.high, scaling.shared.low)
    else:
        limits = (inf, inf, scaling.reached)
    alone = scaling.per_node
    value, low, high = (
        max(all_bytes / (nodes * rate), all_bytes / limit) * 1e9
        for rate, limit in zip((alone.value, alone.high, alone.low), limits, strict=True)
    )
    return Between(value, min(low, value), max(high, value))


def _split(runs: Sequence[tuple[int, float]], last: int) -> tuple[list[float], list[float], float]:
    """Logarithms: of runs of up to `last` nodes what each gets, of others what all get; and their
    squared residuals.
    """
    alone = [log(rate / size) for size, rate in runs if size <= last]
    shared = [log(rate) for size, rate in runs if size > last]
    squares = sum((each - fmean(part)) ** 2 for part in (alone, shared) for each in part)
    return alone, shared, squares


def _between(middle: float, half: float) -> Between:
    return Between(exp(middle), exp(middle - half), exp(middle + half))
