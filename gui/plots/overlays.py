"""Further runs in a plot over time: one thin line each, beside those of A and B."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pyqtgraph as pg

from modelmon.gui.plots.pens import overlay_pen
from modelmon.gui.plots.readout import Row, row_texts
from modelmon.gui.plots.scale import highest
from modelmon.gui.plots.timeline import timeline_of
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.plots.scale import YScale
    from modelmon.gui.plots.timeline import Floats, Timeline
    from modelmon.gui.widgets.theme import Theme

_NOTHING: Floats = np.empty(0)
_MOST_ROWS = 4


@dataclass(frozen=True, slots=True, eq=False)
class OverlaidRun:
    """A run to be drawn beside A and B; `style` counts its colour and dashes from 0."""

    name: str
    record: RunRecord
    style: int


class Curve(NamedTuple):
    """Values in base units at seconds since the start."""

    seconds: Floats
    values: Floats


class Overlays:
    """The lines of overlaid runs in one plot; each shows what the plot is mainly about."""

    def __init__(
        self,
        canvas: Canvas,
        curve_of: Callable[[RunRecord, Timeline], Curve],
    ) -> None:
        """`curve_of` reads the curve of a run from its record and its samples as columns."""
        self._canvas = canvas
        self._curve_of = curve_of
        self._items: dict[OverlaidRun, pg.PlotDataItem] = {}
        self.curves: dict[OverlaidRun, Curve] = {}
        self.visible = True

    @property
    def most(self) -> float:
        """The highest value of all, 0 without any."""
        return max((highest(curve.values) for curve in self.curves.values()), default=0.0)

    @property
    def end_s(self) -> float:
        """The time that the longest run covers."""
        return max((run.record.t_ns / 1e9 for run in self.curves), default=0.0)

    def set_runs(self, runs: Sequence[OverlaidRun]) -> None:
        """Show these runs; those that were there before are not read again."""
        for run in [run for run in self.curves if run not in runs]:
            self._canvas.remove(self._items.pop(run))
            del self.curves[run]
        for run in runs:
            if run not in self.curves:
                timeline = timeline_of(run.record)
                timeline.take(run.record.samples)
                self.curves[run] = self._curve_of(run.record, timeline)
                item = self._items[run] = pg.PlotDataItem(connect="finite", clipToView=True)
                # Under A and B, over areas.
                item.setZValue(5)
                self._canvas.add(item)
        self.apply_theme(manager().theme)

    def draw(self, scale: YScale) -> None:
        """Show the curves on `scale`."""
        for run, curve in self.curves.items():
            known = bool(np.isfinite(curve.values).any())
            seconds, values = curve if known else (_NOTHING, _NOTHING)
            self._items[run].setData(seconds, scale.place(values))
            self._items[run].setVisible(self.visible)

    def set_visible(self, *, visible: bool) -> None:
        """Show or hide them all."""
        self.visible = visible
        for item in self._items.values():
            item.setVisible(visible)

    def drawn(self, run: OverlaidRun) -> tuple[Floats, Floats]:
        """What the line of a run shows, in axis units."""
        x, y = self._items[run].getOriginalDataset()
        return (_NOTHING, _NOTHING) if x is None else (x, y)

    def rows(
        self, keys: list[str], main: str, seconds: float, text: Callable[[float], str]
    ) -> list[Row]:
        """Values at a moment, in the column of `main`; the box has no room for many runs."""
        if main not in keys:
            return []
        rows, colours = [], manager().theme.overlays
        for run, curve in list(self.curves.items())[:_MOST_ROWS]:
            value = _at(curve, seconds)
            texts = row_texts([value if key == main else np.nan for key in keys], text)
            rows.append(Row(run.name, texts, colours[run.style % len(colours)].name()))
        return rows

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's pens."""
        for run, item in self._items.items():
            item.setPen(overlay_pen(theme, run.style))


def _at(curve: Curve, seconds: float) -> float:
    if not len(curve.seconds):
        return float("nan")
    outside = float("nan")
    return float(np.interp(seconds, curve.seconds, curve.values, left=outside, right=outside))
