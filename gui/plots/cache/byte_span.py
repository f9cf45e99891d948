"""Two offsets as text, exact enough to be told apart. Pure; no widgets."""

from __future__ import annotations

from math import floor, log10

from modelmon.core.units import data_scale

_FIGURES = 2
"""Significant figures of the distance between the two."""


def span_texts(low_bytes: float, high_bytes: float) -> tuple[str, str]:
    """From and to in the same unit, with as many decimals as their distance needs."""
    base, names = data_scale()
    step = 0
    while step < len(names) - 1 and high_bytes >= base ** (step + 1):
        step += 1
    unit = base**step
    distance = (high_bytes - low_bytes) / unit
    decimals = _FIGURES - 1 - floor(log10(distance)) if distance > 0 else 0
    digits = min(max(decimals, 0), 3 * step)
    low, high = (f"{value / unit:,.{digits}f} {names[step]}" for value in (low_bytes, high_bytes))
    return low, high
