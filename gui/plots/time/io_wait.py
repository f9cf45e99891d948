"""Waiting for storage over time, as three witnesses see it, and the load's own share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.units import percent_text
from modelmon.gui.look.language import mark, tr
from modelmon.gui.look.theme import manager
from modelmon.gui.plots.legend import LegendEntry
from modelmon.gui.plots.pens import dotted_pen, main_pen, thin_pen
from modelmon.gui.plots.scale import Unit, YScale
from modelmon.gui.plots.time.arms import ARMS
from modelmon.gui.plots.time.overlays import Curve
from modelmon.gui.plots.time.own_levels import OwnFigure, OwnLevels
from modelmon.gui.plots.time.timeplot import NOTHING, TimePlot

if TYPE_CHECKING:
    from modelmon.core.worker.events import Sample
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.look.theme import Theme
    from modelmon.gui.plots.time.timeline import Timeline
    from modelmon.gui.window.notices import ArmLabel

_SCALE = YScale(Unit("%", 0.01), 0.0, 100.0, 25.0)
_COLUMNS = {"psi": 0, "iowait": 1, "waiting": 2}


class IoWaitPlot(TimePlot):
    """PSI io (share of time in which tasks stalled for storage), the system's iowait (idle
    CPU with I/O pending) and the share of loader threads in D state.

    After the run a dotted level shows the load's own I/O wait, which is exact and no one
    else's.
    """

    columns = ("psi_io_share", "iowait_share", "waiting_share")
    # The load's own I/O wait has a name, too.
    whole_name = mark("pressure, whole load")

    def __init__(self) -> None:
        super().__init__(tr("I/O wait"), tr("Run A or B to see how much time is spent waiting."))
        self.add_series("psi", LegendEntry(tr("pressure"), "thick"), main_pen)
        self.add_series("iowait", LegendEntry("iowait", "thin"), thin_pen)
        self.add_series(
            "waiting", LegendEntry(tr("waiting"), "dotted", is_optional=True), dotted_pen
        )
        self.add_series("own", LegendEntry(tr("this load"), "dotted", is_optional=True), None)
        self.own = OwnLevels(self.canvas, tr("this load"))
        # Shown when asked for, or when the kernel lacks the first.
        self.entries["waiting"].setChecked(False)
        self._knows_psi = True
        self.canvas.axes.set_title("left", "%")
        self.apply_theme(manager().theme)

    def read(self, sample: Sample) -> tuple[float | None, ...]:
        """The three shares."""
        return (
            sample.psi_io_share,
            sample.iowait_share,
            sample.waiting_share,
        )

    def load_curves(self, label: ArmLabel) -> None:
        """All from samples."""
        few = self.arms.has_few_samples(label)
        timeline = self.arms.timelines[label]
        for key, column in _COLUMNS.items():
            self.traces[label, key].set_curve(timeline.seconds, timeline.mean(column), points=few)

    def main_curve(self, record: RunRecord, timeline: Timeline) -> Curve:
        """PSI io."""
        del record
        return Curve(timeline.seconds, timeline.mean(_COLUMNS["psi"]))

    def range_text(self, label: ArmLabel, record: RunRecord, seconds: tuple[float, float]) -> str:
        """I/O pressure there; where the kernel has none, the share of threads that waited."""
        del label
        found = self.time_range.figures_of(record, *seconds)
        share = found.wait_share if found else None
        return NOTHING if share is None else self.value_text(share)

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

    def after_draw(self) -> None:
        """Let waiting threads step in where the kernel has no PSI."""
        knew, self._knows_psi = self._knows_psi, self.entries["psi"].isEnabled()
        if knew and not self._knows_psi:
            self.entries["waiting"].setChecked(True)

    def show_visible(self) -> None:
        """Show the own I/O wait of the shown arms too."""
        super().show_visible()
        figures: dict[ArmLabel, OwnFigure] = {}
        for label in ARMS:
            record = self.arms.records[label]
            done = record.finished if record is not None else None
            if done and done.io_wait_share is not None and self.is_shown(label, "own"):
                share = done.io_wait_share
                figures[label] = OwnFigure(share * 100, percent_text(share), done.wall_ns / 1e9)
        self.own.show(figures, manager().theme)

    def apply_theme(self, theme: Theme) -> None:
        """Redraw in the theme's colours."""
        super().apply_theme(theme)
        self.show_visible()
