"""How often intervals of a ratio hold the true one: the program's, and two bootstraps'."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from simulation import paired

from modelmon.core.compare.spread import log_bounds

if TYPE_CHECKING:
    from noise import Noise
    from simulation import Floats

ALPHA = 0.05
_RESAMPLES = 1000
_NORMAL = NormalDist()


class Coverage(NamedTuple):
    """Shares of nominal 95% intervals that hold the truth."""

    percentile_median: float
    bca_mean: float
    program: float


def coverage(noise: Noise, pairs: int, comparisons: int, seed: int) -> Coverage:
    """Over `comparisons` comparisons of an arm with itself."""
    draw = np.random.default_rng(seed)
    hits = np.zeros(3)
    for _ in range(comparisons):
        times_a, times_b = paired(noise, 1.0, pairs, draw)
        logs = np.log(times_a / times_b)
        resampled = logs[draw.integers(0, pairs, (_RESAMPLES, pairs))]
        bounds = (
            np.quantile(np.median(resampled, axis=1), (ALPHA / 2, 1 - ALPHA / 2)),
            _bca_of_mean(logs, resampled.mean(axis=1)),
            log_bounds(logs.tolist(), ALPHA),
        )
        hits += [low <= 0 <= high for low, high in bounds]
    return Coverage(*(hits / comparisons))


def _bca_of_mean(values: Floats, means: Floats) -> Floats:
    """Bias-corrected and accelerated bounds from the means of resamples.

    Source: Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section 14.3.
    """
    below = np.clip((means < values.mean()).mean(), 1 / _RESAMPLES, 1 - 1 / _RESAMPLES)
    bias = _NORMAL.inv_cdf(float(below))
    from_mean = values - values.mean()
    skew = (from_mean**3).sum() / (6 * (from_mean**2).sum() ** 1.5)
    ends = [bias + _NORMAL.inv_cdf(share) for share in (ALPHA / 2, 1 - ALPHA / 2)]
    return np.quantile(means, [_NORMAL.cdf(bias + end / (1 - skew * end)) for end in ends])
