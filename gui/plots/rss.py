"""Resident memory of the loaders over time, by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush

from modelmon.core.units import size_text
from modelmon.gui.language import tr
from modelmon.gui.plots.explanations import MEMORY
from modelmon.gui.plots.items import Area, LabelLine
from modelmon.gui.plots.pens import faded, hatch
from modelmon.gui.plots.scale import YScale, data_unit, highest, linear
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import NOTHING, TimePlot
from modelmon.gui.plots.traces import Curve
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.timeline import Floats, Timeline
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

_KINDS = ("anon", "file", "shared")
_ANON_OPACITY = 0.32
_NOTEWORTHY_SHARE = 0.01
_LIMIT_IN_SIGHT = 2.0


class RssPlot(TimePlot):
    """Anonymous memory (plain), pages of files (hatched) and shared memory, stacked, under a
    line for their sum; the model's size and the machine's memory as levels.
    """

    fields = ("rss_anon_bytes", "rss_file_bytes", "rss_shared_bytes")
    explained = MEMORY

    def __init__(self) -> None:
        super().__init__(tr("Memory"), tr("Run A or B to see memory use."))
        self.add_series("total", tr("total"), "thick", _total)
        self.add_series("anon", tr("private"), "fill")
        self.add_series("file", tr("mapped"), "hatch")
        self.add_series("shared", tr("shared"), "dots")
        for key in ("total", "shared"):
            self.header.set_entry_shown(self.entries[key], shown=False)
        self.areas = {
            (label, kind): self.canvas.add(Area(z=1)) for label in ARMS for kind in _KINDS
        }
        self.model_size = LabelLine(self.canvas, at=0.0)
        self.limit = LabelLine(self.canvas, at=1.0)
        self._limit_bytes: int | None = None
        self._limit_text = ""

    def set_limit(self, nbytes: int | None, text: str = "") -> None:
        """Show what memory there is, in words such as `cgroup limit 8.59 GB`; drawn where what
        is loaded comes near it.
        """
        if (nbytes, text) != (self._limit_bytes, self._limit_text):
            self._limit_bytes, self._limit_text = nbytes, text
            self.renew()

    def range_text(self, label: ArmLabel, record: RunRecord, seconds: tuple[float, float]) -> str:
        """How much it grew there."""
        del label
        found = self.time_range.figures_of(record, *seconds)
        grown = found.memory_growth_bytes if found else None
        return NOTHING if grown is None else self.difference_text(grown)

    def wanted_scale(self) -> YScale:
        """Up to the highest sum or the model's size."""
        most = self._most()
        limit = self._limit_bytes
        if limit is not None and limit <= _LIMIT_IN_SIGHT * most:
            most = max(most, limit)
        return linear(data_unit(most), most)

    def _most(self) -> float:
        traces = (trace.most for trace in self.traces.values())
        return max(*traces, self.overlays.most, self._loaded()[1])

    def value_text(self, value: float) -> str:
        """An amount of memory."""
        return size_text(value)

    def draw_areas(self, label: ArmLabel) -> None:
        """Stack the kinds of memory."""
        timeline = self.timeline(label)
        seconds = timeline.seconds
        low = np.zeros(len(seconds))
        for kind in _KINDS:
            part = timeline.most(_column(kind))
            known = np.isfinite(part) & (part > 0)
            high = low + np.where(known, part, 0.0)
            top = np.where(known, high, np.nan)
            size = self.scale.unit.size
            self.areas[label, kind].filling = _brush(kind, label, manager().theme)
            self.areas[label, kind].set_curves(seconds, low / size, top / size)
            low = high

    def after_draw(self) -> None:
        """Draw the model's size and the limit."""
        self._show_shared_entry()
        colour = manager().theme.text_2
        text, nbytes = self._loaded()
        self.model_size.show_at(nbytes / self.scale.unit.size if nbytes else None, text, colour)
        limit = self._limit_bytes
        near = limit is not None and limit <= _LIMIT_IN_SIGHT * self._most()
        height = limit / self.scale.unit.size if limit is not None and near else None
        self.limit.show_at(height, self._limit_text, colour)

    def _show_shared_entry(self) -> None:
        """A legend entry for shared memory where there is some; a page or two are our own."""
        column = _column("shared")
        most = max(highest(self.timeline(label).most(column)) for label in ARMS)
        matters = bool(most > _NOTEWORTHY_SHARE * self.scale.high * self.scale.unit.size)
        if matters == self.entries["shared"].isHidden():
            self.header.set_entry_shown(self.entries["shared"], shown=matters)

    def show_visible(self) -> None:
        """Show or hide the areas like the rest."""
        super().show_visible()
        for (label, kind), area in self.areas.items():
            area.setVisible(self.is_shown(label, kind))
            area.setOpacity(self.opacity(label))

    def shown_series(self) -> list[str]:
        """The sum, then the kinds."""
        kinds = [kind for kind in _KINDS if not self.entries[kind].isHidden()]
        return ["total", *(kind for kind in kinds if self.entries[kind].isChecked())]

    def value(self, label: ArmLabel, key: str, seconds: float) -> float:
        """The sum from its curve, a kind from its column."""
        if key == "total":
            return super().value(label, key, seconds)
        timeline = self.timeline(label)
        return Curve(timeline.seconds, timeline.most(_column(key))).at(seconds)

    def _loaded(self) -> tuple[str, int]:
        plans = [record.planned for record in self.records.values() if record is not None]
        known = [plan for plan in plans if plan is not None]
        if not known:
            return "", 0
        plan = max(known, key=lambda plan: plan.planned_bytes)
        whole = plan.planned_bytes == plan.model_bytes
        size = size_text(plan.planned_bytes)
        text = tr("Model {size}", size=size) if whole else tr("Part {size}", size=size)
        return text, plan.planned_bytes


def _total(timeline: Timeline) -> Floats:
    """The sum of all kinds that are known."""
    parts = [timeline.most(_column(kind)) for kind in _KINDS]
    known = np.isfinite(parts).any(axis=0)
    return np.where(known, np.nansum(parts, axis=0), np.nan)


def _column(kind: str) -> str:
    return f"rss_{kind}_bytes"


def _brush(kind: str, label: ArmLabel, theme: Theme) -> QBrush:
    colour = theme.arm(label)
    if kind == "anon":
        return QBrush(faded(colour, _ANON_OPACITY))
    if kind == "file":
        return hatch(faded(colour, 0.55), label, ground=0.1)
    return QBrush(faded(colour, 0.55), Qt.BrushStyle.Dense6Pattern)
