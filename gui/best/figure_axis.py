"""The one axis on which a ranking shows the figures of a column."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from modelmon.gui.best.race_rows import memory_name
from modelmon.gui.language import tr
from modelmon.gui.plots.scale import data_unit, tick_texts, ticks, wait_unit

if TYPE_CHECKING:
    from PySide6.QtCore import QRectF

    from modelmon.gui.best.race_rows import Ranking

_MOST_STEPS = 5
_FEWEST_TICKS = 4
_MARGIN_SHARE = 0.05
# Of the highest figure: ranges that are next to nothing are no reason to tell billionths apart.
_LEAST_MARGIN_SHARE = 0.005
# What is ruled out is on the axis only where those with a place stay apart on it.
_FAR_RATIO, _FAR_SPREADS = 1.5, 3.0


@dataclass(frozen=True, slots=True)
class FigureAxis:
    """From `low` to `high`, in ns or bytes, with `ticks` and their texts in the title's unit."""

    title: str
    unit: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def x(self, area: QRectF, value: float) -> float:
        """Where a value stands; one beyond the axis at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return area.left() + share * area.width()


def axis_of(ranking: Ranking, limit_ns: float | None = None) -> FigureAxis | None:
    """An axis that holds the range of all with a place, and what else is near; None without any."""
    by = ranking.by
    placed = [row.figures[by] for row in ranking.rows if by in row.figures]
    out = [row.figures[by] for group in ranking.rows for row in group.members if by in row.figures]
    if not placed:
        return None
    low, high = min(figure.low for figure in placed), max(figure.high for figure in placed)
    far = max(low * _FAR_RATIO, low + (high - low) * _FAR_SPREADS)
    near = [figure.high for figure in out if figure.high <= far]
    high = max([high, *near])
    if by == "memory":
        low = 0.0
    elif limit_ns is not None and limit_ns >= low - (high - low):
        low = min(low, limit_ns)
    margin = max((high - low) * _MARGIN_SHARE, (high or 1.0) * _LEAST_MARGIN_SHARE)
    low, high = max(0.0, low - margin), high + margin
    unit = data_unit(high) if by == "memory" else wait_unit(high)
    most = _MOST_STEPS
    values = ticks(low / unit.size, high / unit.size, most)
    while len(values) < _FEWEST_TICKS and most < 2 * _MOST_STEPS:
        most += 1
        values = ticks(low / unit.size, high / unit.size, most)
    titles = {
        "cold": tr("Expected cold start, {unit}", unit=unit.name),
        "warm": tr("Expected warm start, {unit}", unit=unit.name),
        "memory": f"{memory_name(ranking.portion_bytes)}, {unit.name}",
    }
    # In the last bits a tick at an end may lie beyond it.
    places = (min(max(value * unit.size, low), high) for value in values)
    texts = zip(places, tick_texts(values), strict=True)
    return FigureAxis(titles[by], unit.name, low, high, tuple(texts))
