"""How far two states of a curve are the same, so that only what is new is painted."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def changed_stretch(before: Sequence[Floats], now: Sequence[Floats]) -> tuple[float, float] | None:
    """Between which x two states of a curve differ; None where they do not.

    The first column of each is x, which ascends. Strokes join neighbours, so the point before
    the first that differs counts as changed.
    """
    lengths = len(before[0]), len(now[0])
    common = min(lengths)
    differs = np.zeros(common, dtype=np.bool_)
    for old, new in zip(before, now, strict=True):
        here, there = old[:common], new[:common]
        differs |= (here != there) & ~(np.isnan(here) & np.isnan(there))
    first = int(np.argmax(differs)) if differs.any() else common
    if first == max(lengths):
        return None
    ends = [float(columns[0][-1]) for columns in (before, now) if len(columns[0])]
    return (float(now[0][first - 1]) if first else -inf), max(ends)
