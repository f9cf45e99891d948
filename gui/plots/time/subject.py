"""What each plot over time says of itself: its figures, curves, scale and words."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np

from modelmon.gui.language import tr
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.time.overlays import Curve

if TYPE_CHECKING:
    from modelmon.core.worker.events import Sample
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.scale import YScale
    from modelmon.gui.plots.time.timeline import Timeline
    from modelmon.gui.slot import ArmLabel


class Subject(PlotFrame):
    """`columns` names the figures of a sample that the plot is made of, with their units."""

    columns: ClassVar[tuple[str, ...]]
    tells_few_samples: ClassVar[bool] = False

    def read(self, sample: Sample) -> tuple[float | None, ...]:
        """The `columns` that the plot needs of a sample, in base units; None if absent."""
        raise NotImplementedError

    def load_curves(self, label: ArmLabel) -> None:
        """Give the traces of one arm their curves."""
        raise NotImplementedError

    def main_curve(self, record: RunRecord, timeline: Timeline) -> Curve:
        """What the plot is about, of any run: the first of its series, if it has one for all."""
        del record, timeline
        return Curve(np.empty(0), np.empty(0))

    def wanted_scale(self) -> YScale:
        """The y axis that the curves need."""
        raise NotImplementedError

    def value_text(self, value: float) -> str:
        """A value with its unit."""
        raise NotImplementedError

    def difference_text(self, value: float) -> str:
        """A difference with sign and unit."""
        return f"{'−' if value < 0 else '+'}{self.value_text(abs(value))}"

    def why_missing(self, key: str) -> str:
        """Why a series has no figures here."""
        return tr("{series} is not known here.", series=self.entries[key].text())

    def draw_areas(self, label: ArmLabel) -> None:
        """Draw what of an arm is not a curve, after its samples or the scale have changed."""

    def after_draw(self) -> None:
        """Draw what is not a curve."""
