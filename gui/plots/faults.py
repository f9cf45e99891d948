"""Page faults of the loaders over time: those that found their page, those that had to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.gui.language import tr
from modelmon.gui.plots.explanations import FAULTS
from modelmon.gui.plots.legend import LegendEntry
from modelmon.gui.plots.overlays import Curve
from modelmon.gui.plots.pens import main_pen, thin_pen
from modelmon.gui.plots.scale import YScale, count_text, count_unit, linear
from modelmon.gui.plots.timeplot import TimePlot
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.timeline import Timeline
    from modelmon.gui.session.notices import ArmLabel

_COLUMNS = {"minor": "minor_faults", "major": "major_faults"}


class FaultsPlot(TimePlot):
    """Minor faults per second (the page was in memory) and major ones (it had to be read).

    They can be a thousand times apart: hide the one in the legend, and the axis fits the other.
    """

    fields = ("minor_faults", "major_faults")
    explained = FAULTS

    def __init__(self) -> None:
        super().__init__(tr("Page faults"), tr("Run A or B to see page faults."))
        self.add_series("minor", LegendEntry(tr("minor"), "thick"), main_pen)
        self.add_series("major", LegendEntry(tr("major"), "thin"), thin_pen)
        self.apply_theme(manager().theme)

    def load_curves(self, label: ArmLabel) -> None:
        """Both from samples."""
        few, timeline = self.arms.has_few_samples(label), self.arms.timelines[label]
        for key, column in _COLUMNS.items():
            self.traces[label, key].set_curve(timeline.seconds, timeline.rate(column), points=few)

    def main_curve(self, record: RunRecord, timeline: Timeline) -> Curve:
        """Minor faults."""
        del record
        return Curve(timeline.seconds, timeline.rate("minor_faults"))

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

    def after_draw(self) -> None:
        """Say in which unit."""
        self.canvas.axes.set_title("left", self.scale.unit.name)
