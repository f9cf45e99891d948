"""Units for axes that count things or time single requests."""

from __future__ import annotations

from math import log

from modelmon.core.units import KIB, three_figures
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.scale import Unit

_PER_S = (mark("per s"), mark("thousand/s"), mark("million/s"))
_BINARY = ("B", "KiB", "MiB", "GiB")
_TIMES = (Unit("µs", 1e3), Unit("ms", 1e6), Unit("s", 1e9))
_PLAIN_BELOW = 10_000


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
