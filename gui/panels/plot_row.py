"""Three plots on one time axis, and the switch between A, both and B."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QSplitter

from modelmon.gui.panels.line_samples import SIZE, line_icon
from modelmon.gui.panels.segments import Segments
from modelmon.gui.plots.io_wait import IoWaitPlot
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.throughput import ThroughputPlot
from modelmon.gui.session import LABELS
from modelmon.gui.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from modelmon.gui.plots.overlays import OverlaidRun
    from modelmon.gui.session import Session
    from modelmon.gui.slot import ArmLabel

_VIEWS = ("A", "both", "B")
_STEPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0)
_SHORTEST_S = 0.01
_ROOM_FOR_TITLE_PX = 900
_LEAST_PX = (352, 180, 180)
_STRETCHES = (54, 29, 29)


class PlotRow(QSplitter):
    """Follows the records that the session shows."""

    arms_shown = Signal(set)
    maximise_toggled = Signal(object, bool)

    def __init__(self, session: Session) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._session = session
        self._overlaid: Sequence[OverlaidRun] = ()
        self._held_s: float | None = None
        self.setChildrenCollapsible(False)
        self.setHandleWidth(8)
        self.throughput = ThroughputPlot()
        self.io_wait = IoWaitPlot()
        self.rss = RssPlot()
        self.plots = (self.throughput, self.io_wait, self.rss)
        self.toggle = Segments(
            "Arms shown", (("A", "A"), ("both", "Both"), ("B", "B")), compact=True
        )
        self.toggle.set_value("both")
        self.toggle.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.toggle.setToolTip("Keys A and B, or Tab while a plot has the focus")
        self.toggle.chosen.connect(self.show_arms)
        self._draw_samples()
        manager().changed.connect(self._draw_samples)
        self.throughput.header.set_lead(self.toggle)
        for plot, least_px, stretch in zip(self.plots, _LEAST_PX, _STRETCHES, strict=True):
            plot.setMinimumWidth(least_px)
            self.addWidget(plot)
            self.setStretchFactor(self.indexOf(plot), stretch)
            plot.crosshair_moved.connect(self._on_crosshair)
            plot.view_changed.connect(self._on_view)
            plot.view_changed.connect(self._on_view)
            plot.maximise_toggled.connect(
                lambda on, plot=plot: self.maximise_toggled.emit(plot, on)
            )
        self.setSizes([540, 290, 290])
        session.record_changed.connect(self._on_record)

    def show_arms(self, view: str) -> None:
        """Show `A`, `B` or `both`."""
        self.toggle.set_value(view)
        arms: set[ArmLabel] = {label for label in LABELS if view in (label, "both")}
        for plot in self.plots:
            plot.set_visible_arms(arms)
        self.arms_shown.emit(arms)
        self.refresh()

    def show_overlays(self, runs: Sequence[OverlaidRun]) -> None:
        """Draw these runs beside A and B."""
        self._overlaid = runs
        for plot in self.plots:
            plot.set_overlays(runs)
        self.refresh()

    def hold_time(self, seconds: float | None) -> None:
        """Give the time axis room for this long at least; None lets it follow the runs."""
        self._held_s = seconds
        self.refresh()

    def cycle(self) -> None:
        """From A to both to B and round again."""
        here = _VIEWS.index(self.toggle.value)
        self.show_arms(_VIEWS[(here + 1) % len(_VIEWS)])

    def refresh(self) -> None:
        """Draw what the records hold by now."""
        shown = [
            record
            for label in LABELS
            if self.toggle.value in (label, "both")
            and (record := self._session.record(label)) is not None
        ]
        shown += [run.record for run in self._overlaid]
        lengths_s = [record.t_ns / 1e9 for record in shown]
        seconds = time_range_s([*lengths_s, self._held_s or 0.0])
        for plot in self.plots:
            plot.set_time_range(seconds)
            plot.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 (Qt's name)
        """Where there is little room the switch is worth more than the title beside it."""
        super().resizeEvent(event)
        self.throughput.header.title.setVisible(self.width() >= _ROOM_FOR_TITLE_PX)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 (Qt's signature)
        """Tab switches the arms while a plot has the focus; Shift+Tab leaves it."""
        focused = self.focusWidget()
        if forward and focused is not None and _is_canvas(focused):
            self.cycle()
            return True
        return super().focusNextPrevChild(forward)

    def _on_record(self, label: ArmLabel) -> None:
        for plot in self.plots:
            plot.set_record(label, self._session.record(label))
        self.refresh()

    def _on_crosshair(self, seconds: float) -> None:
        source = self.sender()
        for plot in self.plots:
            if plot is not source:
                plot.show_crosshair(seconds)

    def _on_view(self, first_s: float, last_s: float) -> None:
        source = self.sender()
        for plot in self.plots:
            if plot is not source:
                plot.show_view(first_s, last_s)

    def _draw_samples(self) -> None:
        for label in LABELS:
            button = self.toggle.button(label)
            button.setIcon(line_icon(label, manager().theme))
            button.setIconSize(SIZE)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)


def time_range_s(lengths_s: list[float]) -> float:
    """A round length for the time axis that holds all runs; it grows in steps."""
    longest = max([_SHORTEST_S, *lengths_s]) * 1.02
    power = 1.0
    while power * 10 < longest:
        power *= 10
    while power > longest:
        power /= 10
    return next(step * power for step in _STEPS if step * power >= longest * 0.999999)


def _is_canvas(widget: QWidget) -> bool:
    return bool(widget.property("role") == "canvas")
