"""Ranges, ticks and units of axes: ends that grow in steps, few ticks, figures without units."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from modelmon.core.units import KIB, data_scale, three_figures
from modelmon.gui.language import mark, tr

if TYPE_CHECKING:
    from numpy.typing import NDArray

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_ENDS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0)
_FAR_ENDS = (1.0, 1.5, 2.5, 4.0, 6.0, 10.0)
_TICK_STEPS = (1.0, 2.0, 3.0, 5.0, 10.0)
_FEWEST_STEPS, _MOST_STEPS = 4, 6
_ROUNDING = 1e-9
_BINARY = ("B", "KiB", "MiB", "GiB")
_PLAIN_BELOW = 10_000


class Unit(NamedTuple):
    """What a value is divided by before it is drawn, and what the axis then says."""

    name: str
    size: float


def data_unit(most_bytes: float) -> Unit:
    """The unit in which `most_bytes` has one to three (binary: four) figures before the point."""
    factor, names = data_scale()
    power = floor(log(most_bytes, factor) + _ROUNDING) if most_bytes >= 1 else 0
    power = min(max(power, 0), len(names) - 1)
    return Unit(names[power], float(factor) ** power)


@dataclass(frozen=True)
class YScale:
    """How values become heights: divided by the unit, on a linear or a logarithmic axis.

    `low`, `high` and `step` are axis positions; on a logarithmic axis powers of ten.
    """

    unit: Unit
    low: float
    high: float
    step: float
    logarithmic: bool = False

    def place(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Axis positions of `values`; what a logarithm cannot show lies on the lower end."""
        scaled = values / self.unit.size
        if not self.logarithmic:
            return scaled
        placed: NDArray[np.float64] = np.log10(np.maximum(scaled, 10.0**self.low))
        return placed

    def height(self, value: float) -> float:
        """The axis position of one value."""
        return float(self.place(np.array([value]))[0])

    def ticks(self) -> list[tuple[float, str]]:
        """Positions and texts of the ticks."""
        count = round((self.high - self.low) / self.step)
        values = [self.low + self.step * index for index in range(count + 1)]
        if self.logarithmic:
            return [(power, f"{10.0**power:,g}") for power in values]
        return list(zip(values, tick_texts(values), strict=True))


def linear(unit: Unit, most: float) -> YScale:
    """From zero to a round figure at or above `most`, which is in base units."""
    step = value_step(most / unit.size)
    count = max(_FEWEST_STEPS, ceil(most / unit.size / step - _ROUNDING))
    return YScale(unit, 0.0, float(f"{count * step:.6g}"), step)


def logarithmic(unit: Unit, least: float, most: float) -> YScale:
    """Whole decades: one below `least`, up to `most`; both in base units.

    `most` may be 0, where all is hidden that reaches above `least`.
    """
    low = floor(log10(least / unit.size)) - 1
    high = ceil(log10(max(most, least) / unit.size))
    step = max(1, ceil((high - low) / _MOST_STEPS))
    return YScale(unit, low, low + step * ceil((high - low) / step), step, logarithmic=True)


def _round_up(value: float, mantissas: tuple[float, ...]) -> float:
    if value <= 0:
        return 1.0
    decade = 10.0 ** floor(log10(value))
    fitting = next(m for m in (*mantissas, 10.0) if m * decade >= value * (1 - _ROUNDING))
    return float(f"{fitting * decade:.6g}")


def highest(values: NDArray[np.float64]) -> float:
    """The highest finite value, 0 without any."""
    finite = values[np.isfinite(values)]
    return float(finite.max()) if len(finite) else 0.0


def value_step(most: float) -> float:
    """A round tick step that reaches `most` in four to six steps."""
    return _round_up(most / _MOST_STEPS, _STEPS)


def range_end(most: float, *, growing: bool = False) -> float:
    """A round end of an axis at or a little above `most`; in longer steps while that grows, for
    at each of them all is drawn anew.
    """
    return _round_up(most, _FAR_ENDS if growing else _ENDS)


def ticks(low: float, high: float, at_most: int) -> list[float]:
    """Round positions in [low, high], at most `at_most` of them."""
    span = high - low
    if span <= 0 or at_most < 1:
        return [low]
    step = _round_up(span / at_most, _TICK_STEPS)
    first, last = ceil(low / step - 1e-6), floor(high / step + 1e-6)
    return [float(f"{index * step:.12g}") for index in range(first, last + 1)]


def tick_texts(values: list[float]) -> list[str]:
    """The ticks as text, all with as many decimals as the finest of them needs."""
    decimals = max((_decimals(value) for value in values), default=0)
    return [f"{value:,.{decimals}f}" if value else "0" for value in values]


def _decimals(value: float) -> int:
    text = f"{value:.6f}".rstrip("0")
    return len(text) - text.index(".") - 1


_PER_S = (mark("per s"), mark("thousand/s"), mark("million/s"))
_TIMES = (Unit("µs", 1e3), Unit("ms", 1e6), Unit("s", 1e9))


def count_unit(most: float) -> Unit:
    """Ones, thousands or millions per second; small counts stay whole."""
    power = 0 if most < _PLAIN_BELOW else 1 if most < _PLAIN_BELOW * 100 else 2
    return Unit(tr(_PER_S[power]), 1000.0**power)


def count_text(per_s: float) -> str:
    """Things per second: `1,280/s`."""
    return tr("{count}/s", count=three_figures(per_s))


def request_unit(most_bytes: float) -> Unit:
    """The binary unit in which requests are told, as everywhere."""
    power = int(log(max(most_bytes, 1.0), KIB) + 1e-9)
    power = min(power, len(_BINARY) - 1)
    return Unit(_BINARY[power], float(KIB) ** power)


def wait_unit(most_ns: float) -> Unit:
    """Microseconds, milliseconds or seconds."""
    return next((unit for unit in reversed(_TIMES) if most_ns >= unit.size), _TIMES[0])
