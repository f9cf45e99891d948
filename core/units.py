"""Quantities as text: three figures, a space, the unit; requests are binary, data as chosen."""

from __future__ import annotations

import os
import re
from math import ceil, floor
from typing import TYPE_CHECKING, Literal

from modelmon.core.errors import ConfigError
from modelmon.core.messages import Message

if TYPE_CHECKING:
    from collections.abc import Callable

KIB = 1024
MIB = 1024**2
GIB = 1024**3

_DECIMAL = ("B", "kB", "MB", "GB", "TB", "PB")
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_MOST_DIGITS = 18
_VARIABLE = "MODELMON_UNITS"
_SIZE = r"\s*([0-9]{1,18}(?:\.[0-9]{1,18})?)\s*([kKmMgGtTpP]?i?[bB]?)\s*"


SizeUnits = Literal["decimal", "binary"]
"""Whether amounts of data are told in powers of 1000 (GB) or of 1024 (GiB)."""


def size_units() -> SizeUnits:
    """The units of this process: decimal, unless `MODELMON_UNITS` is `binary`."""
    return "binary" if os.environ.get(_VARIABLE) == "binary" else "decimal"


def use_size_units(units: SizeUnits) -> None:
    """Tell amounts of data in these units from now on, in the processes started here as well."""
    os.environ[_VARIABLE] = units


def data_scale() -> tuple[int, tuple[str, ...]]:
    """The factor between two units of data, and their names from bytes upwards."""
    return (1024, _BINARY) if size_units() == "binary" else (1000, _DECIMAL)


def three_figures(value: float) -> str:
    """`value` with three significant figures and no exponent, thousands with commas."""
    return f"{value:,.{_decimals(value)}f}" if value else "0"


def _decimals(value: float) -> int:
    size = abs(value)
    if size < 0.00995:
        return 4
    return 2 if size < 9.995 else 1 if size < 99.95 else 0


def range_texts(low: float, high: float) -> tuple[str, str]:
    """The bounds of a range of factors with three significant figures, rounded away from its
    middle; with one more where a bound that isn't 1 would be told as 1.
    """
    return _outward(low, floor), _outward(high, ceil)


def _outward(bound: float, rounded: Callable[[float], int]) -> str:
    least = _decimals(bound)
    for decimals in (least, least + 1):
        # Without the noise of the last bits, which would cost a whole unit.
        told = rounded(round(bound * 10**decimals, 9)) / 10**decimals
        if told != 1 or bound == 1:
            return f"{told:,.{decimals}f}"
    return "1"


def two_figures(value: float) -> str:
    """A factor with two significant figures: `1.2`, `16`; above 99.5 with three."""
    return f"{value:.1f}" if value < 9.95 else f"{value:,.0f}"


def _scaled(value: float, base: int, names: tuple[str, ...]) -> str:
    step = 0
    while abs(value) >= base * 0.9995 and step < len(names) - 1:
        value /= base
        step += 1
    text = f"{value:,.0f}" if step == 0 or value == int(value) else three_figures(value)
    return f"{text} {names[step]}"


def size_text(nbytes: float) -> str:
    """Bytes of data: `16.1 GB`, or `15.0 GiB` in binary units."""
    return _scaled(nbytes, *data_scale())


def request_text(nbytes: float) -> str:
    """Bytes of one request, readahead or limit in binary units: `1 MiB`."""
    return _scaled(nbytes, 1024, _BINARY)


def counted(number: int, noun: str) -> str:
    """A number of things: `1 run`, `12 runs`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def rate_text(bytes_per_s: float) -> str:
    """A throughput: `3.07 GB/s`."""
    return f"{size_text(bytes_per_s)}/s"


def duration_text(ns: float) -> str:
    """A duration: `840 ms` below one second, then `5.23 s`, `1 min 32 s`, `2 h 5 min`, `3 h`."""
    seconds = ns / 1e9
    if seconds < 0.9995:
        return f"{three_figures(seconds * 1e3)} ms" if seconds else "0 s"
    if seconds < 99.5:
        return f"{three_figures(seconds)} s"
    return _clock_text(round(seconds))


def rough_text(ns: float) -> str:
    """A duration that is only estimated: whole seconds, from 2 min on in steps of 10 s."""
    seconds = max(1, round(ns / 1e9))
    if seconds < 60:
        return f"{seconds} s"
    return _clock_text(seconds if seconds < 120 else round(seconds, -1))


def limit_text(ns: float) -> str:
    """A time that somebody has chosen, in whole seconds from ten on: `1.5 s`, `45 s`, `1 min`."""
    seconds = round(ns / 1e9)
    if ns < 1e9:
        return duration_text(ns)
    if ns < 10e9:
        return f"{ns / 1e9:.3g} s"
    return f"{seconds} s" if seconds < 60 else _clock_text(seconds)


def _clock_text(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    if minutes < 100:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def wait_text(ns: float) -> str:
    """What one request took: `21.3 µs` below a millisecond, then as any duration."""
    return f"{three_figures(ns / 1e3)} µs" if 0 < ns < 999_500 else duration_text(ns)


def percent_text(share: float) -> str:
    """A share between 0 and 1 as `81%`; small ones keep a decimal, so that 0 means none."""
    value = share * 100
    if 0 < abs(value) < 0.05:
        return "<0.1%"
    return f"{value:.1f}%" if 0 < abs(value) < 0.95 else f"{value:.0f}%"


def whole_number(text: str) -> int | None:
    """The number that `text` writes in digits; None where it is none, or too long to be one."""
    return int(text) if text.isdecimal() and len(text) <= _MOST_DIGITS else None


_UNITS_S = {"us": 1e-6, "ms": 1e-3, "": 1.0, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}


def parse_duration(text: str) -> float:
    """Seconds meant by `50ms`, `0.1 s`, `90`, `5m` or `1h`. Raises ConfigError if `text` is no
    duration.
    """
    match = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in _UNITS_S:
        raise ConfigError(
            Message("{text} isn't a duration.", text=repr(text)),
            Message("Write for example 50ms, 90s, 5m or 1h."),
        )
    return float(match[1]) * _UNITS_S[match[2]]


def parse_size(text: str) -> int:
    """Bytes meant by `512MiB`, `8G`, `16.1 GB` or `1048576`.

    A lone letter (`8G`) is binary, as in the tools people know; `GB` is decimal.
    Raises ConfigError if `text` is not a size.
    """
    match = re.fullmatch(_SIZE, text)
    if match is None:
        raise ConfigError(
            Message("{text} is not a size.", text=repr(text)),
            Message("Write for example 512MiB or 8GiB."),
        )
    number, unit = float(match[1]), match[2].lower()
    if unit in ("", "b"):
        factor = 1
    else:
        base = 1000 if unit.endswith("b") and "i" not in unit else 1024
        factor = base ** ("kmgtp".index(unit[0]) + 1)
    return int(number * factor)
