"""The range of time that is selected in all plots: what it is, its figures, how it is drawn."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING, Any

import pyqtgraph as pg
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QBrush

from modelmon.core.worker.curves import range_figures
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.plots.scale import range_end
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.worker.curves import RangeFigures
    from modelmon.core.worker.record import RunRecord

_MOST_KEPT = 16
_GROUND_SHARE = 0.13
_EDGE_PX, _HANDLE_PX = 1.2, 9
_LEAST_PX = 3.0
_BEHIND = -40


class TimeRange(QObject):
    """The range that is selected, in seconds since the start, if there is one."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.seconds: tuple[float, float] | None = None
        self._known: dict[object, tuple[object, RangeFigures | None]] = {}

    def select(self, first_s: float, last_s: float) -> None:
        """Select what lies between."""
        if (seconds := (first_s, last_s)) != self.seconds:
            self.seconds = seconds
            self.changed.emit()

    def clear(self) -> None:
        """Select nothing."""
        if self.seconds is not None:
            self.seconds = None
            self.changed.emit()

    @property
    def short_text(self) -> str:
        """`1.30–1.50 s` or `300–500 ms`: as many figures as tell the two moments apart; empty
        without a range.
        """
        if self.seconds is None:
            return ""
        unit, size_s = ("ms", 1e-3) if self.seconds[1] < 1 else ("s", 1.0)
        first, last = (each / size_s for each in self.seconds)
        decimals = max(0, 1 - floor(log10(last - first)))
        return f"{first:.{decimals}f}–{last:.{decimals}f} {unit}"

    def figures(self, record: RunRecord) -> RangeFigures | None:
        """The figures of a run in the range; None where it was not under way there."""
        return self.figures_of(record, *self.seconds) if self.seconds else None

    def figures_of(self, record: RunRecord, first_s: float, last_s: float) -> RangeFigures | None:
        """The figures between two moments, which several plots ask for in the same frame."""
        key = (id(record), first_s, last_s)
        stamp = (record, len(record.chunks), len(record.samples), record.t_ns, record.blocks)
        kept = self._known.get(key)
        if kept is None or kept[0] != stamp:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            found = range_figures(record, round(first_s * 1e9), round(last_s * 1e9))
            kept = self._known[key] = (stamp, found)
        return kept[1]


class TimeChart(Chart):
    """A chart over seconds since the start, on which ranges can be selected. It ends where it is
    asked to, or after what it shows.
    """

    def __init__(self, x_title: str = "", **options: Any) -> None:
        super().__init__(x_title, selects_ranges=True, **options)
        self._asked_s: float | None = None
        self._own_s = 0.0

    def end_at(self, seconds: float | None) -> None:
        """Make the time axis end there; None lets it follow what is shown."""
        self._asked_s = seconds
        self.fit(self._own_s)

    def fit(self, own_s: float) -> None:
        """What is shown ends there."""
        self._own_s = own_s
        self.set_x_range(0.0, self._asked_s or range_end(own_s))


class RangeSelector(QObject):
    """Selects by dragging over a chart, and shows there what is selected: a band whose edges can
    be dragged, with handles where there is room for them. With Shift a drag zooms.
    """

    def __init__(self, chart: Chart, time_range: TimeRange, *, has_handles: bool = True) -> None:
        super().__init__(chart)
        self._chart = chart
        self._range = time_range
        self._has_handles = has_handles
        self.band = pg.LinearRegionItem(movable=False)
        self.band.setZValue(_BEHIND)
        for edge in self.band.lines:
            edge.setMovable(True)
            edge.setCursor(Qt.CursorShape.SizeHorCursor)
        chart.add(self.band)
        chart.dragged.connect(self._on_dragged)
        self.band.sigRegionChanged.connect(self._on_edge)
        time_range.changed.connect(self._show)
        manager().changed.connect(self.apply_theme)
        self.apply_theme()
        self._show()

    @property
    def span(self) -> tuple[float, float] | None:
        """What the band covers; None while there is none."""
        return self.band.getRegion() if self.band.isVisible() else None

    def apply_theme(self) -> None:
        """Take the theme's colours."""
        theme = manager().theme
        self.band.setBrush(QBrush(faded(theme.focus, _GROUND_SHARE)))
        for edge in self.band.lines:
            edge.setPen(pen(theme.focus, _EDGE_PX))
            edge.setHoverPen(pen(theme.focus, 2 * _EDGE_PX))
            edge.clearMarkers()
            if self._has_handles:
                edge.addMarker("o", size=_HANDLE_PX)

    def _show(self) -> None:
        self._show_span(self._range.seconds)

    def _show_span(self, span: tuple[float, float] | None) -> None:
        self.band.setVisible(span is not None)
        if span is not None and span != self.band.getRegion():
            self.band.blockSignals(True)
            self.band.setRegion(span)
            self.band.blockSignals(False)

    def _on_edge(self) -> None:
        """An edge was dragged, by whom it matters not."""
        low, high = self._chart.whole_x_range
        first_s, last_s = (min(max(each, low), high) for each in self.band.getRegion())
        if last_s - first_s >= self._least_s():
            self._range.select(first_s, last_s)

    def _on_dragged(self, first_s: float, now_s: float, zooms: bool, is_over: bool) -> None:
        low, high = self._chart.whole_x_range
        first_s, last_s = sorted(min(max(each, low), high) for each in (first_s, now_s))
        wide_enough = last_s - first_s >= self._least_s()
        if zooms and is_over:
            self._show()
            if wide_enough:
                self._chart.zoom_to(first_s, last_s)
        elif zooms:
            self._show_span((first_s, last_s))
        elif wide_enough:
            self._range.select(first_s, last_s)

    def _least_s(self) -> float:
        low, high = self._chart.x_range
        return _LEAST_PX * (high - low) / max(self._chart.size_px[0], 1.0)
