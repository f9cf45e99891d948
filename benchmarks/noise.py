"""Kinds of noise that times of loads can have: made up, and recorded from real ones."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.random import Generator
    from numpy.typing import NDArray

    Times = Callable[[Generator, int], NDArray[np.float64]]

RECORDED = Path(__file__).parent / "data" / "load-noise.json"

# Runs that stay neighbours when a recorded series is shuffled: two pairs.
_BLOCK = 4


class Noise(NamedTuple):
    """Times of runs in a row, around 1; `only_a` multiplies those of A's runs."""

    name: str
    times: Times
    only_a: Times | None = None


class Series(msgspec.Struct, frozen=True):
    """Wall times of one strategy's loads, in the order in which they ran."""

    strategy: str
    cache: str
    wall_ns: tuple[int, ...]


class Recorded(msgspec.Struct, frozen=True):
    """What benchmarks/data keeps: real loads and where they were measured."""

    about: str
    series: tuple[Series, ...]


def _normal(draw: Generator, runs: int, sd: float) -> NDArray[np.float64]:
    return np.exp(draw.normal(0, sd, runs))


def normal(scatter: float) -> Noise:
    """Runs that scatter by so much, one independent of the other."""
    return Noise(f"normal, {scatter:.0%}", partial(_normal, sd=scatter))


def _student(draw: Generator, runs: int) -> NDArray[np.float64]:
    return np.exp(0.05 * draw.standard_t(3, runs))


def _long_tailed(draw: Generator, runs: int) -> NDArray[np.float64]:
    return 1 + 0.1 * draw.lognormal(0, 1, runs)


def _outliers(draw: Generator, runs: int) -> NDArray[np.float64]:
    """One run in ten takes 1.3 to 3 times as long."""
    return np.where(draw.random(runs) < 0.1, draw.uniform(1.3, 3, runs), 1.0)


def _with_outliers(draw: Generator, runs: int) -> NDArray[np.float64]:
    return _normal(draw, runs, 0.05) * _outliers(draw, runs)


def _drift(draw: Generator, runs: int) -> NDArray[np.float64]:
    """Each run takes 3% longer than the one before."""
    return _normal(draw, runs, 0.03) * 1.03 ** np.arange(runs)


def _autocorrelated(draw: Generator, runs: int) -> NDArray[np.float64]:
    """Neighbours correlate by 0.7."""
    steps = draw.normal(0, 0.08, runs)
    for run in range(1, runs):
        steps[run] = 0.7 * steps[run - 1] + np.sqrt(1 - 0.7**2) * steps[run]
    return np.exp(steps)


def _two_states(draw: Generator, runs: int) -> NDArray[np.float64]:
    """Quick and slow spells of five runs on average, a factor of 1.65 apart."""
    switches = np.cumsum(draw.random(runs) < 0.2) + draw.integers(2)
    return _normal(draw, runs, 0.03) * np.where(switches % 2, 1.65, 1.0)


def _in_step(draw: Generator, runs: int) -> NDArray[np.float64]:
    """Two quick runs, two slow ones, and so on: in step with the order of the runs."""
    slow = (np.arange(runs) + draw.integers(4)) // 2 % 2
    return _normal(draw, runs, 0.03) * np.where(slow, 1.2, 1.0)


def shuffled(draw: Generator, runs: int, walls: NDArray[np.float64]) -> NDArray[np.float64]:
    """Recorded times, four neighbours at a time from places drawn at random."""
    places = draw.integers(0, len(walls) - _BLOCK + 1, -(-runs // _BLOCK))
    shuffled: NDArray[np.float64] = walls[places[:, None] + np.arange(_BLOCK)].ravel()
    return shuffled[:runs]


def all_noise() -> tuple[Noise, ...]:
    """Every kind; the last is the one that interleaved runs cannot stand."""
    kept = msgspec.json.decode(RECORDED.read_bytes(), type=Recorded)
    real = [
        Noise(
            f"recorded: {series.cache}, {series.strategy}",
            partial(shuffled, walls=np.array(series.wall_ns) / np.median(series.wall_ns)),
        )
        for series in kept.series
    ]
    return (
        normal(0.02),
        normal(0.08),
        Noise("Student's t3, 5%", _student),
        Noise("lognormal tail", _long_tailed),
        Noise("normal, 5%, outliers", _with_outliers),
        Noise("normal, 5%, outliers of A", partial(_normal, sd=0.05), _outliers),
        Noise("drift of 3% a run", _drift),
        Noise("autocorrelated, 8%", _autocorrelated),
        Noise("two states", _two_states),
        *real,
        Noise("every four runs alike", _in_step),
    )
