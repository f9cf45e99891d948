"""The plots over one time axis, and what steers them together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import Qt, Signal, SignalInstance

from modelmon.core.worker.wait_parts import wait_parts
from modelmon.gui.plots.cpu import CpuPlot, FaultsPlot
from modelmon.gui.plots.device import DevicePlot
from modelmon.gui.plots.io_wait import IoWaitPlot
from modelmon.gui.plots.items import Phases
from modelmon.gui.plots.plot_controls import PlotControls
from modelmon.gui.plots.plot_room import PlotGrid, paint_at_once
from modelmon.gui.plots.rss import RssPlot
from modelmon.gui.plots.scale import range_end
from modelmon.gui.plots.throughput import ThroughputPlot
from modelmon.gui.plots.time_range import TimeChart, TimeRange
from modelmon.gui.session.session import LABELS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.wait_parts import WaitPart
    from modelmon.gui.plots.chart import Chart
    from modelmon.gui.plots.timeplot import TimePlot
    from modelmon.gui.plots.traces import OverlaidRun
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

_SHORTEST_S = 0.01
_BEYOND_END = 1.05
_LEAST_PX = 172
_LEAST_ROW_PX = 112
_LEAST_STACKED_PX = 60
_STACKED_PX = {"throughput": 118, "io_wait": 74, "rss": 92}
_USUAL_STACKED_PX, _LAST_PX = 74, 140
USUAL = ("throughput", "io_wait", "rss")
_OF_PROGRAM = ("throughput", "io_wait", "cpu", "rss")
_FOLLOWED_S = 10.0
_SAME_SHARE = 1e-6

Range = tuple[float, float]


class OnTimeAxis(Protocol):
    """What shares time axis, crosshair and the selected range with the plots of the row."""

    canvas: TimeChart
    crosshair_moved: SignalInstance
    view_changed: SignalInstance

    def follow_range(self, time_range: TimeRange) -> None:
        """Select and show ranges of time together with the plots."""

    def show_crosshair(self, seconds: float | None) -> None:
        """Put the crosshair there; None takes it away."""


class Following:
    """Keeps a stretch of constant width before the end in view, once it is switched on.

    Zooming changes the width; moving to another moment ends it.
    """

    def __init__(self) -> None:
        self.on = False
        self._width_s = _FOLLOWED_S

    def start(self, zoomed: Range | None) -> None:
        """Follow, as wide as the user had zoomed, or ten seconds."""
        self.on = True
        self._width_s = zoomed[1] - zoomed[0] if zoomed is not None else _FOLLOWED_S

    def stop(self) -> None:
        """Leave the view where it is."""
        self.on = False

    def on_user_view(self, first_s: float, last_s: float) -> None:
        """The user has zoomed or moved the time axis."""
        width_s = last_s - first_s
        if abs(width_s - self._width_s) <= _SAME_SHARE * self._width_s:
            self.on = False
        self._width_s = width_s

    def view(self, end_s: float) -> Range | None:
        """What to show now; None is the whole axis, while the load is shorter than that."""
        return (end_s - self._width_s, end_s) if end_s > self._width_s else None


class PlotRow(PlotGrid):
    """Follows the records that the session shows. `moment_shown` carries where the crosshair is, in
    seconds, and None where it is nowhere.

    `arranged` tells that other plots are shown than before: their keys are in `shown`. Those of a
    program can be `stacked` on one time axis, with its access map below.
    """

    arms_shown = Signal(set)
    moment_shown = Signal(object)
    arranged = Signal()
    maximise_toggled = Signal(object, bool)

    def __init__(self, session: Session, access: TimePlot | None = None) -> None:
        """`access` is the access map, of another slice."""
        super().__init__()
        self._session = session
        self._overlaid: Sequence[OverlaidRun] = ()
        self._held_s: float | None = None
        self._arms_before = "both"
        self._following = Following()
        self._linked: list[OnTimeAxis] = []
        self.time_range = TimeRange(self)
        self._alone: TimePlot | None = None
        self.stacked = False
        self.chosen: tuple[str, ...] = ()
        self.throughput = ThroughputPlot()
        self.io_wait = IoWaitPlot()
        self.rss = RssPlot()
        self.cpu = CpuPlot()
        self.faults = FaultsPlot()
        self.device = DevicePlot()
        self.by_key: dict[str, TimePlot] = {
            "throughput": self.throughput,
            "io_wait": self.io_wait,
            "rss": self.rss,
            "cpu": self.cpu,
            "faults": self.faults,
            "device": self.device,
        }
        self.access = access
        self.plots = tuple(self.by_key.values())
        self.with_access = self.plots if access is None else (*self.plots, access)
        self._phases = {plot: Phases(plot.canvas) for plot in self.with_access}
        names = {key: plot.name for key, plot in self.by_key.items()}
        self.controls = PlotControls(names)
        self.toggle = self.controls.arms
        self.toggle.chosen.connect(self.show_arms)
        self.controls.shown_wanted.connect(self.show_plots)
        self.controls.alone.toggled.connect(self._take_room)
        self.controls.follow.toggled.connect(self._follow)
        self.controls.chip.clicked.connect(self.time_range.clear)
        self.controls.zoom.clicked.connect(self._zoom_to_range)
        self.controls.reset.clicked.connect(self._reset)
        for plot in self.with_access:
            self._adopt(plot)
        for key, plot in self.by_key.items():
            plot.hide_wanted.connect(partial(self._hide, key))
        self._place()
        session.record_changed.connect(self._on_record)
        session.model_changed.connect(self._forget_range)
        self.time_range.changed.connect(self._name_range)

    def link(self, part: OnTimeAxis) -> None:
        """Let `part` share time axis, crosshair and the selected range."""
        self._linked.append(part)
        part.follow_range(self.time_range)
        part.crosshair_moved.connect(self._on_crosshair)
        part.view_changed.connect(self._on_view)

    @property
    def shown(self) -> tuple[str, ...]:
        """The keys of the plots that the user chose, or of the usual ones."""
        return self.chosen or (_OF_PROGRAM if self.stacked else USUAL)

    def show_plots(self, keys: Collection[str]) -> None:
        """Show these plots and hide the others; the usual ones where none of the keys is known."""
        wanted = tuple(key for key in self.by_key if key in keys)
        if wanted != self.chosen:
            self.chosen = wanted
            self._place()
            self.arranged.emit()

    def set_stacked(self, *, stacked: bool) -> None:
        """Show all below each other on one time axis, and the access map; or as before."""
        if stacked != self.stacked:
            self.stacked = stacked
            self._place()
            self.arranged.emit()

    @property
    def is_stack(self) -> bool:
        """Whether they stand below each other now, none of them alone."""
        return self.stacked and self._alone is None

    @property
    def axis(self) -> Chart | None:
        """Whose time axis all that stands above or below has; None for several in a row."""
        visible = self._visible()
        return visible[0].canvas if self.is_stack or len(visible) == 1 else None

    def show_only(self, plot: QWidget | None) -> None:
        """Give one plot all the room; None gives it back to those that were shown."""
        self._alone = next((mine for mine in self.with_access if mine is plot), None)
        self._place()

    def show_arms(self, view: str) -> None:
        """Show `A`, `B` or `both`."""
        self.toggle.set_value(view)
        arms: set[ArmLabel] = {label for label in LABELS if view in (label, "both")}
        for plot in self.with_access:
            plot.set_visible_arms(arms)
        self.arms_shown.emit(arms)
        self.refresh()

    def show_alone(self, *, alone: bool) -> None:
        """Show what stands in A's place alone, or the arms as before."""
        if alone == self.controls.arms.isHidden():
            return
        self.controls.arms.setHidden(alone)
        if alone:
            self._arms_before = self.toggle.value
        self.show_arms("A" if alone else self._arms_before)

    @property
    def x_range(self) -> Range:
        """The stretch of time that is shown, in seconds."""
        return self._visible()[0].canvas.x_range

    def reveal(self, label: ArmLabel) -> None:
        """Show both arms where only the other one is shown."""
        if not self._shows(label) and self._session.program is None:
            self.show_arms("both")

    def show_overlays(self, runs: Sequence[OverlaidRun]) -> None:
        """Draw these runs beside A and B."""
        self._overlaid = runs
        for plot in self.with_access:
            plot.set_overlays(runs)
        self.refresh()

    def hold_time(self, seconds: float | None) -> None:
        """Give the time axis room for this long at least; None lets it follow the runs."""
        self._held_s = seconds
        self.refresh()

    def refresh(self) -> None:
        """Draw what the records hold by now; hidden plots cost nothing."""
        records = self._shown_records()
        records += [run.record for run in self._overlaid]
        ended_s = [record.t_ns / 1e9 for record in records if record.done]
        growing_s = [record.t_ns / 1e9 for record in records if not record.done]
        seconds = time_range_s([*ended_s, self._held_s or 0.0], growing_s)
        if self.is_stack and ended_s and not growing_s:
            # Beside the tabs there is no width to give away.
            seconds = max(*ended_s, self._held_s or 0.0, _SHORTEST_S) * _BEYOND_END
        parts, ended = self._parts_of_program()
        followed = self._following.view(self._end_s()) if self._following.on else None
        visible = self._visible()
        for part in self._on_axis(visible):
            part.canvas.end_at(seconds)
            if self._following.on:
                part.canvas.show_x(*(followed or (0.0, seconds)))
        for plot in visible:
            plot.refresh()
            self._phases[plot].show(parts, ended=ended)
        paint_at_once(self)

    def renew(self) -> None:
        """Draw all anew, after the units have changed."""
        for plot in self.with_access:
            plot.renew()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """F follows the end of the load, or stops that."""
        if event.key() == Qt.Key.Key_F and not event.modifiers():
            self.controls.follow.toggle()
        else:
            super().keyPressEvent(event)

    def _adopt(self, plot: TimePlot) -> None:
        # Those that are never shown come into no layout, and would outlive the window.
        plot.setParent(self)
        plot.setMinimumSize(_LEAST_PX, _LEAST_ROW_PX)
        plot.hide()
        plot.follow_range(self.time_range)
        plot.crosshair_moved.connect(self._on_crosshair)
        plot.view_changed.connect(self._on_view)
        plot.maximise_toggled.connect(lambda on: self.maximise_toggled.emit(plot, on))

    def _visible(self) -> list[TimePlot]:
        if self._alone:
            return [self._alone]
        shown = [self.by_key[key] for key in self.shown]
        return [*shown, self.access] if self.stacked and self.access is not None else shown

    def _on_axis(self, plots: Iterable[TimePlot]) -> list[OnTimeAxis]:
        """These plots, and what shares their time axis."""
        return [*plots, *self._linked]

    def _place(self) -> None:
        visible = self._visible()
        # Hidden ones do not hear of it when what was zoomed into is gone.
        before = next((plot.canvas for plot in self.with_access if not plot.isHidden()), None)
        stack = self.is_stack
        self.controls.check(self.shown)
        self.controls.show_layout(stacked=stack)
        for plot in self.with_access:
            plot.setVisible(plot in visible)
            plot.set_stacked(stacked=stack, is_last=not stack or plot is visible[-1])
            plot.setMinimumSize(_LEAST_PX, _LEAST_STACKED_PX if stack else _LEAST_ROW_PX)
            is_one_of_several = self._alone is None and len(self.shown) > 1
            plot.can_hide = is_one_of_several and plot in map(self.by_key.get, self.shown)
            if before is not None and before.is_zoomed:
                plot.canvas.show_x(*before.x_range)
            elif plot.canvas.is_zoomed:
                plot.canvas.reset_view()
        if stack:
            keys = {plot: key for key, plot in self.by_key.items()}
            heights = [_STACKED_PX.get(keys.get(plot, ""), _USUAL_STACKED_PX) for plot in visible]
            heights[-1] = _LAST_PX
            self.stack(visible, heights)
        else:
            self.arrange(visible, self.throughput)
        self._name_range()
        self.refresh()

    def _reset(self) -> None:
        canvas = self._visible()[0].canvas
        canvas.zoom_to(*canvas.whole_x_range)

    def _forget_range(self) -> None:
        """Another model is open: it was selected in loads of the one before."""
        if self._session.inspection is not None:
            self.time_range.clear()

    def _name_range(self) -> None:
        self.controls.show_range(self.time_range.short_text)

    def _zoom_to_range(self) -> None:
        if self.time_range.seconds is not None:
            self._visible()[0].canvas.zoom_to(*self.time_range.seconds)

    def _take_room(self, on: bool) -> None:
        if self._alone is not None:
            self._alone.toggle_maximised()
        self.maximise_toggled.emit(self, on)

    def _hide(self, key: str) -> None:
        self.show_plots([other for other in self.shown if other != key])

    def _parts_of_program(self) -> tuple[tuple[WaitPart, ...], bool]:
        """The parts of a watched program's wait, and whether the last of them is over."""
        record = self._session.record("A") if self._session.program is not None else None
        return (wait_parts(record), record.done) if record is not None else ((), False)

    def _shown_records(self) -> list[RunRecord]:
        records = [self._session.record(label) for label in LABELS if self._shows(label)]
        return [record for record in records if record is not None]

    def _shows(self, label: ArmLabel) -> bool:
        return self.toggle.value in (label, "both")

    def _end_s(self) -> float:
        """Where the load under way is, or where the longest ended."""
        records = self._shown_records()
        running = [record for record in records if not record.done]
        return max((record.t_ns / 1e9 for record in running or records), default=0.0)

    def _follow(self, on: bool) -> None:
        canvas = self._visible()[0].canvas
        if on:
            self._following.start(canvas.x_range if canvas.is_zoomed else None)
        else:
            self._following.stop()
        self.refresh()

    def _on_record(self, label: ArmLabel) -> None:
        for plot in self.with_access:
            plot.records[label] = self._session.record(label)
        # Of a load under way it is drawn with the frames.
        if not self._session.busy:
            self.refresh()

    def _on_crosshair(self, seconds: float) -> None:
        source: object = self.sender()
        for part in self._on_axis(self._visible()):
            if part is not source:
                part.show_crosshair(seconds)
        self.moment_shown.emit(seconds)
        paint_at_once(self)

    def _on_view(self, first_s: float, last_s: float) -> None:
        source: object = self.sender()
        for part in self._on_axis(self.with_access):
            if part is not source:
                part.canvas.show_x(first_s, last_s)
        if self._following.on:
            self._following.on_user_view(first_s, last_s)
            self.controls.follow.setChecked(self._following.on)


def time_range_s(ended_s: list[float], growing_s: Sequence[float] = ()) -> float:
    """A round length for the time axis that holds runs that are over and such as still grow."""
    least_s = range_end(max([_SHORTEST_S, *ended_s]) * 1.02)
    most_s = max(growing_s, default=0.0) * 1.02
    return range_end(most_s, growing=True) if most_s > least_s else least_s
