"""Waiting for storage over time, as three witnesses see it, and the load's own share."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker

from modelmon.core.units import percent_text
from modelmon.core.worker.curves import averaged
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.arms import ARMS
from modelmon.gui.plots.explanations import IO_WAIT
from modelmon.gui.plots.legend import LegendEntry
from modelmon.gui.plots.overlays import Curve
from modelmon.gui.plots.own_levels import OwnFigure, OwnLevels
from modelmon.gui.plots.pens import dashed_pen, main_pen, thin_pen
from modelmon.gui.plots.scale import Unit, YScale
from modelmon.gui.plots.timeplot import NOTHING, TimePlot, sampled_text
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.worker.curves import RangeFigures
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.timeline import Timeline
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

_SCALE = YScale(Unit("%", 0.01), 0.0, 100.0, 25.0)
_COLUMNS = {"psi": "psi_io_share", "iowait": "iowait_share", "waiting": "waiting_share"}
_SYSTEMS = ("psi", "iowait")


class IoWaitPlot(TimePlot):
    """The share of the loader's threads that wait (state D): the load's own, and after the run
    its exact I/O wait as a dotted level.

    Two more witnesses are there when asked for, which other programs have a part in: PSI io (share
    of time in which tasks stalled for storage) and the system's iowait (idle CPU with I/O pending).
    """

    fields = ("psi_io_share", "iowait_share", "waiting_share")
    explained = IO_WAIT
    # The load's own I/O wait has a name, too.
    whole_name = mark("readers waiting, whole load")

    def __init__(self) -> None:
        super().__init__(tr("I/O wait"), tr("Run A or B to see how much time is spent waiting."))
        self.add_series("waiting", LegendEntry(tr("waiting"), "thick"), main_pen)
        # Both of the system by one click, where each has no place of its own.
        self.system = LegendEntry(tr("system"), "dashed")
        self.system.explain(tr(IO_WAIT["system"]))
        self.system.setChecked(False)
        self.header.add_entry(self.system)
        self.add_series("own", LegendEntry(tr("this load"), "dotted", is_optional=True), None)
        self.add_series("psi", LegendEntry(tr("pressure"), "dashed", is_optional=True), dashed_pen)
        self.add_series("iowait", LegendEntry("iowait", "thin", is_optional=True), thin_pen)
        self.own = OwnLevels(self.canvas, tr("this load"))
        self._knows_waiting = True
        for key in _SYSTEMS:
            entry = self.entries[key]
            entry.toggled.connect(partial(self._tell_of, entry))
            entry.setChecked(False)
        self.system.toggled.connect(self._show_systems)
        self.canvas.axes.set_title("left", "%")
        self.apply_theme(manager().theme)

    def load_curves(self, label: ArmLabel) -> None:
        """All from samples."""
        few = self.arms.has_few_samples(label)
        timeline = self.arms.timelines[label]
        for key, column in _COLUMNS.items():
            values = timeline.mean(column)
            shown = averaged(values) if key == "waiting" else values
            self.traces[label, key].set_curve(timeline.seconds, shown, points=few)

    def main_curve(self, record: RunRecord, timeline: Timeline) -> Curve:
        """Waiting threads."""
        del record
        return Curve(timeline.seconds, averaged(timeline.mean(_COLUMNS["waiting"])))

    def range_text(self, label: ArmLabel, record: RunRecord, seconds: tuple[float, float]) -> str:
        """The share of threads that waited there; where that is not known, I/O pressure."""
        del label
        return waiting_text(self.time_range.figures_of(record, *seconds))

    def whole_text(self, label: ArmLabel, record: RunRecord) -> str:
        """What was sampled, unless the exact share of the load is known and shown."""
        own = self._own_share(label)
        return "" if own is not None else super().whole_text(label, record)

    def _own_share(self, label: ArmLabel) -> float | None:
        """The I/O wait of a run that is over, where it is shown."""
        record = self.arms.records[label]
        done = record.finished if record is not None else None
        return done.io_wait_share if done and self.is_shown(label, "own") else None

    def wanted_scale(self) -> YScale:
        """Always 0 to 100."""
        return _SCALE

    def value_text(self, value: float) -> str:
        """A share in percent."""
        return percent_text(value)

    def difference_text(self, value: float) -> str:
        """A difference of shares, in points of percent."""
        return tr("{points} points", points=f"{value * 100:+.0f}".replace("-", "−"))

    def shown_series(self) -> list[str]:
        """The curves; a run's own share is the same at any time and says its value itself."""
        return [key for key in super().shown_series() if key != "own"]

    def why_missing(self, key: str) -> str:
        """All three are the kernel's, and PSI is not in every Linux."""
        if key == "psi":
            return tr(
                "I/O pressure is unknown here: it needs Linux 4.20 or later with PSI enabled."
            )
        return tr("{series}: unknown here, only Linux reports it.", series=self.entries[key].text())

    def _show_systems(self, shown: bool) -> None:
        for entry in self._systems():
            entry.setChecked(shown)

    def _systems(self) -> list[LegendEntry]:
        """Those of the system that are known here."""
        return [entry for key in _SYSTEMS if (entry := self.entries[key]).isEnabled()]

    def _tell_of(self, entry: LegendEntry, shown: bool) -> None:
        """What is only in the menu has a place in the legend once it is shown, or all there is."""
        self.header.set_entry_shown(entry, shown=shown or not self._knows_waiting)
        with QSignalBlocker(self.system):
            self.system.setChecked(any(each.isChecked() for each in self._systems()))

    def after_draw(self) -> None:
        """Let PSI step in where the threads' states are not known."""
        knew, self._knows_waiting = self._knows_waiting, self.entries["waiting"].isEnabled()
        if knew and not self._knows_waiting:
            self.entries["psi"].setChecked(True)
        known = bool(self._systems())
        if known != self.system.isEnabled():
            self.system.set_available(available=known, reason=self.why_missing("iowait"))

    def show_visible(self) -> None:
        """Show the own I/O wait of the shown arms too."""
        super().show_visible()
        figures: dict[ArmLabel, OwnFigure] = {}
        for label in ARMS:
            record = self.arms.records[label]
            done = record.finished if record is not None else None
            share = self._own_share(label)
            if done and share is not None:
                first_ns, last_ns = done.first_byte_ns, done.last_byte_ns
                reads = first_ns is not None and last_ns is not None
                figures[label] = OwnFigure(
                    share * 100,
                    percent_text(share),
                    ((last_ns if reads else None) or done.wall_ns) / 1e9,
                    (first_ns or 0) / 1e9 if reads else 0.0,
                )
        self.own.name = tr("while reading") if manager().alone else tr("this load")
        self.own.show(figures, manager().theme)

    def apply_theme(self, theme: Theme) -> None:
        """Redraw in the theme's colours."""
        super().apply_theme(theme)
        self.show_visible()


def waiting_text(found: RangeFigures | None) -> str:
    """The share of readers that waited in a range, by samples; where that's unknown, I/O pressure,
    which says that it is.
    """
    if found is None:
        return NOTHING
    if found.waiting_share is not None:
        return sampled_text(percent_text(found.waiting_share))
    if found.io_pressure_share is None:
        return NOTHING
    return tr("{share} (PSI)", share=percent_text(found.io_pressure_share))
