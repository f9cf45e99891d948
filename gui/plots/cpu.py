"""Processor time of the loaders over time, and what of it went into decoding."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modelmon.core.units import percent_text
from modelmon.gui.language import tr
from modelmon.gui.plots.arms import ARMS
from modelmon.gui.plots.explanations import CPU
from modelmon.gui.plots.legend import LegendEntry
from modelmon.gui.plots.overlays import Curve
from modelmon.gui.plots.own_levels import OwnFigure, OwnLevels
from modelmon.gui.plots.pens import dashed_pen, dotted_pen, main_pen, thin_pen
from modelmon.gui.plots.scale import Unit, YScale, linear
from modelmon.gui.plots.timeplot import TimePlot
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.timeline import Floats, Timeline
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

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
        self.add_series("total", LegendEntry(tr("total"), "thick"), main_pen)
        self.add_series("user", LegendEntry(tr("user"), "thin"), thin_pen)
        self.add_series("system", LegendEntry(tr("system"), "dotted"), dotted_pen)
        self.add_series("decode", LegendEntry(tr("decode"), "dashed", is_optional=True), dashed_pen)
        self.decode = OwnLevels(self.canvas, tr("decode"))
        self.canvas.axes.set_title("left", tr("% of one core"))
        self.apply_theme(manager().theme)

    def load_curves(self, label: ArmLabel) -> None:
        """All from samples."""
        few, timeline = self.arms.has_few_samples(label), self.arms.timelines[label]
        curves = {
            "total": _total(timeline),
            "user": timeline.rate("cpu_user_ns") / 1e9,
            "system": timeline.rate("cpu_system_ns") / 1e9,
            # Both are counted in whole ticks, and not at the very same moment.
            "decode": np.minimum(timeline.rate("decode_ns") / 1e9, _total(timeline)),
        }
        for key, values in curves.items():
            self.traces[label, key].set_curve(timeline.seconds, values, points=few)

    def main_curve(self, record: RunRecord, timeline: Timeline) -> Curve:
        """User and system time together."""
        del record
        return Curve(timeline.seconds, _total(timeline))

    def wanted_scale(self) -> YScale:
        """One core at least, so that a load that hardly needs any looks like it."""
        return linear(_PERCENT, max(_LEAST_CORES, self.shown_most))

    def value_text(self, value: float) -> str:
        """A share of one core."""
        return percent_text(value)

    def difference_text(self, value: float) -> str:
        """A difference of shares, in points of percent."""
        return tr("{points} points", points=f"{value * 100:+.0f}".replace("-", "−"))

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
            self._follows_decoding(label) or (record is not None and _mean_cores(record))
            for label, record in self.arms.records.items()
        )
        self.entries["decode"].set_available(
            available=decoded, reason=tr("No decoding in these runs, or they haven't finished.")
        )

    def show_visible(self) -> None:
        """Show what the shown arms decoded too, where there is no curve of it."""
        super().show_visible()
        figures: dict[ArmLabel, OwnFigure] = {}
        for label in ARMS:
            record = self.arms.records[label]
            if record is None or self._follows_decoding(label):
                continue
            cores = _mean_cores(record)
            if cores is not None and self.is_shown(label, "decode"):
                y = self.scale.height(cores)
                figures[label] = OwnFigure(y, percent_text(cores), record.t_ns / 1e9)
        self.decode.show(figures, manager().theme)

    def apply_theme(self, theme: Theme) -> None:
        """Redraw in the theme's colours."""
        super().apply_theme(theme)
        self.show_visible()

    def _follows_decoding(self, label: ArmLabel) -> bool:
        """Whether there is a curve of an arm's decoders."""
        return self.traces[label, "decode"].is_known


def _total(timeline: Timeline) -> Floats:
    return (timeline.rate("cpu_user_ns") + timeline.rate("cpu_system_ns")) / 1e9


def _mean_cores(record: RunRecord) -> float | None:
    """Cores that decoding kept busy on average, None where nothing was decoded."""
    done = record.finished
    return done.decode_ns / done.wall_ns if done and done.decode_ns and done.wall_ns else None
