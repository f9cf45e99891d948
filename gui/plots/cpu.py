"""What the kernel counts of the loading processes over time: processor time, and page faults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modelmon.core.units import percent_text
from modelmon.gui.language import tr
from modelmon.gui.plots.explanations import CPU, FAULTS
from modelmon.gui.plots.items import OwnLevels
from modelmon.gui.plots.scale import Unit, YScale, count_text, count_unit, linear
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import TimePlot

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.timeline import Floats, Timeline
    from modelmon.gui.session.notices import ArmLabel

_PERCENT = Unit("%", 0.01)
_LEAST_CORES = 1.0


class CpuPlot(TimePlot):
    """User and system time of the loaders and their sum, as shares of one core.

    Decoders run beside readers in the same processes. Where samples do not tell their part, it
    is known when the run is over, as a mean over it.
    """

    fields = ("cpu_user_ns", "cpu_system_ns", "decode_ns")
    explained = CPU

    def __init__(self) -> None:
        super().__init__(tr("CPU"), tr("Run A or B to see CPU use."))
        self.add_series("total", tr("total"), "thick", _total)
        self.add_series(
            "user",
            tr("user"),
            "thin",
            lambda timeline: timeline.rate("cpu_user_ns") / 1e9,
        )
        self.add_series(
            "system",
            tr("system"),
            "dotted",
            lambda timeline: timeline.rate("cpu_system_ns") / 1e9,
        )
        self.add_series("decode", tr("decode"), "dashed", _decoding, is_optional=True)
        self.decode = OwnLevels(self.canvas)

    def unit_text(self) -> str:
        """Shares may be above 100."""
        return tr("% of one core")

    def wanted_scale(self) -> YScale:
        """One core at least, so that a load that hardly needs any looks like it."""
        return linear(_PERCENT, max(_LEAST_CORES, self.shown_most))

    def value_text(self, value: float) -> str:
        """A share of one core."""
        return percent_text(value)

    def shown_series(self) -> list[str]:
        """The curves; a mean of the decoders is the same at any time and says its value itself."""
        known = any(self._follows_decoding(label) for label in ARMS)
        return [key for key in super().shown_series() if key != "decode" or known]

    def why_missing(self, key: str) -> str:
        """All come from the system's account of each process."""
        del key
        return tr("CPU time is unknown here.")

    def after_draw(self) -> None:
        """Say whether anything was decoded."""
        decoded = any(
            self._follows_decoding(label) or _mean_cores(record)
            for label, record in self.records.items()
        )
        self.entries["decode"].set_available(
            available=decoded, reason=tr("No decoding in these runs, or they haven't finished.")
        )

    def show_visible(self) -> None:
        """Show what the shown arms decoded too, where there is no curve of it."""
        super().show_visible()
        figures = {
            label: (self.scale.height(cores), percent_text(cores))
            for label, record in self.records.items()
            if self.is_shown(label, "decode") and not self._follows_decoding(label)
            if (cores := _mean_cores(record)) is not None
        }
        self.decode.show(tr("decode"), figures)

    def _follows_decoding(self, label: ArmLabel) -> bool:
        """Whether there is a curve of an arm's decoders."""
        return self.traces[label, "decode"].is_known


def _total(timeline: Timeline) -> Floats:
    return (timeline.rate("cpu_user_ns") + timeline.rate("cpu_system_ns")) / 1e9


def _decoding(timeline: Timeline) -> Floats:
    # Both are counted in whole ticks, and not at the very same moment.
    return np.minimum(timeline.rate("decode_ns") / 1e9, _total(timeline))


def _mean_cores(record: RunRecord | None) -> float | None:
    """Cores that decoding kept busy on average, None where nothing was decoded."""
    done = record.finished if record is not None else None
    return done.decode_ns / done.wall_ns if done and done.decode_ns and done.wall_ns else None


class FaultsPlot(TimePlot):
    """Minor faults per second (the page was in memory) and major ones (it had to be read).

    They can be a thousand times apart: hide the one in the legend, and the axis fits the other.
    """

    fields = ("minor_faults", "major_faults")
    explained = FAULTS

    def __init__(self) -> None:
        super().__init__(tr("Page faults"), tr("Run A or B to see page faults."))
        self.add_series(
            "minor", tr("minor"), "thick", lambda timeline: timeline.rate("minor_faults")
        )
        self.add_series(
            "major", tr("major"), "thin", lambda timeline: timeline.rate("major_faults")
        )

    def wanted_scale(self) -> YScale:
        """Up to the most of what is shown."""
        return linear(count_unit(self.shown_most), self.shown_most)

    def value_text(self, value: float) -> str:
        """Faults per second."""
        return count_text(value)

    def why_missing(self, key: str) -> str:
        """Only Linux counts both kinds for a process."""
        del key
        return tr("Page faults are unknown here: only Linux counts them per process.")
