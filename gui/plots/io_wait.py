"""Waiting for storage over time, as three witnesses see it, and the load's own share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.units import percent_text
from modelmon.core.worker.curves import averaged
from modelmon.gui.language import tr
from modelmon.gui.plots.explanations import IO_WAIT
from modelmon.gui.plots.items import OwnLevels
from modelmon.gui.plots.scale import Unit, YScale
from modelmon.gui.plots.timeplot import NOTHING, TimePlot, sampled_text
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.worker.curves import RangeFigures
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.session.notices import ArmLabel

_SCALE = YScale(Unit("%", 0.01), 0.0, 100.0, 25.0)
_SYSTEMS = ("psi", "iowait")


class IoWaitPlot(TimePlot):
    """The share of the loader's threads that wait (state D): the load's own, and after the run
    its exact I/O wait as a dotted level.

    Two more witnesses are there when asked for, which other programs have a part in: PSI io (share
    of time in which tasks stalled for storage) and the system's iowait (idle CPU with I/O pending).
    """

    fields = ("psi_io_share", "iowait_share", "waiting_share")
    explained = IO_WAIT

    def __init__(self) -> None:
        super().__init__(tr("I/O wait"), tr("Run A or B to see how much time is spent waiting."))
        self.add_series(
            "waiting",
            tr("waiting"),
            "thick",
            lambda timeline: averaged(timeline.mean("waiting_share")),
        )
        self.add_series("own", tr("this load"), "dotted", is_optional=True)
        self.add_series(
            "psi",
            tr("pressure"),
            "dashed",
            lambda timeline: timeline.mean("psi_io_share"),
            is_optional=True,
        )
        self.add_series(
            "iowait",
            "iowait",
            "thin",
            lambda timeline: timeline.mean("iowait_share"),
            is_optional=True,
        )
        self.own = OwnLevels(self.canvas)
        self._knows_waiting = True
        for key in _SYSTEMS:
            self.entries[key].setChecked(False)

    def range_text(self, label: ArmLabel, record: RunRecord, seconds: tuple[float, float]) -> str:
        """The share of threads that waited there; where that is not known, I/O pressure."""
        del label
        return waiting_text(self.time_range.figures_of(record, *seconds))

    def whole_text(self, label: ArmLabel, record: RunRecord) -> str:
        """The load's own share once it is over; a program's is of its reading alone."""
        share = None if manager().alone else self._own_share(record)
        return super().whole_text(label, record) if share is None else percent_text(share)

    def wanted_scale(self) -> YScale:
        """Always 0 to 100."""
        return _SCALE

    def value_text(self, value: float) -> str:
        """A share in percent."""
        return percent_text(value)

    def why_missing(self, key: str) -> str:
        """All three are the kernel's, and PSI is not in every Linux."""
        if key == "psi":
            return tr(
                "I/O pressure is unknown here: it needs Linux 4.20 or later with PSI enabled."
            )
        return tr("{series}: unknown here, only Linux reports it.", series=self.entries[key].text())

    def after_draw(self) -> None:
        """Let PSI step in where the threads' states are not known."""
        knew, self._knows_waiting = self._knows_waiting, self.entries["waiting"].isEnabled()
        if knew and not self._knows_waiting:
            self.entries["psi"].setChecked(True)

    def show_visible(self) -> None:
        """Show the own shares of the shown arms too."""
        super().show_visible()
        figures = {
            label: (share * 100, percent_text(share))
            for label, record in self.records.items()
            if self.is_shown(label, "own") and (share := self._own_share(record)) is not None
        }
        self.own.show(tr("while reading") if manager().alone else tr("this load"), figures)

    @staticmethod
    def _own_share(record: RunRecord | None) -> float | None:
        """The I/O wait of a run that is over."""
        done = record.finished if record is not None else None
        return done.io_wait_share if done else None


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
