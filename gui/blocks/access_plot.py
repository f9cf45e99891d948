"""Where in its files a program read the model, on the time axis of the other plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from modelmon.core.explain.evidence import least_reading_ns
from modelmon.core.explain.program_report import has_headroom
from modelmon.core.units import duration_text, size_text
from modelmon.gui.blocks.requests import RequestPoints, requests_of
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.explanations import ACCESS_MAP, PLOT
from modelmon.gui.plots.items import Line, TextLabel
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.plots.scale import data_unit, linear
from modelmon.gui.plots.timeplot import NOTHING, TimePlot
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.blocks.requests import Requests
    from modelmon.gui.plots.scale import YScale
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

_ABOUT = {
    PLOT: ACCESS_MAP[PLOT],
    "read": mark("Each point is a part of the model as it came into memory: when, and its offset."),
    "possible": mark("From its first byte on, as fast as this disk and memory can give the model."),
}


class AccessPlot(TimePlot):
    """Offsets over time, of the one program that is watched; and how fast it could have been."""

    # A sample with more of it is news.
    fields = ("delivered_bytes",)
    explained = _ABOUT

    def __init__(self, session: Session) -> None:
        super().__init__(tr("Access map"), tr("Watch a program to see where and when it reads."))
        self.points = RequestPoints(self.canvas, "A")
        self._session = session
        self._requests: Requests | None = None
        self._possible: tuple[float, float] | None = None
        self.possible_line = Line(self.canvas, z=8)
        self.possible_word = TextLabel(self.canvas, z=25, weight=600)
        self.add_series("read", tr("read"), "round")
        self.add_series("possible", tr("possible"), "dashed", is_optional=True)
        self.canvas.laid_out.connect(self._place)

    @property
    def draws(self) -> bool:
        """Whether there are points to see."""
        return self._requests is not None and len(self._requests) > 0

    @property
    def has_table(self) -> bool:
        """The access map's tab has one."""
        return False

    def load_curves(self, label: ArmLabel) -> None:
        """What it requested so far."""
        record = self.records[label]
        if label == "A":
            self._requests = requests_of(record) if record is not None else None

    def refresh(self) -> None:
        """Take in what the record has gained, and how soon all of it could have been read."""
        possible = self._how_soon()
        if possible != self._possible:
            self._possible = possible
            self._place()
        super().refresh()

    def _how_soon(self) -> tuple[float, float] | None:
        """When a watched program began to read, and in how many seconds it could have read the
        model here; None where that isn't known, or is no less than it took.
        """
        run = self._session.program
        result = run.result if run is not None else None
        least_ns = least_reading_ns(result, run.limits) if run and result else None
        if result is None or not least_ns or not has_headroom(result, least_ns):
            return None
        return (result.first_byte_ns or 0) / 1e9, least_ns / 1e9

    def wanted_scale(self) -> YScale:
        """All of the model's files."""
        total = float(self._requests.total_bytes) if self._requests is not None else 1e6
        return linear(data_unit(total), total)

    def value_text(self, value: float) -> str:
        """An offset."""
        return size_text(value)

    def value(self, label: ArmLabel, key: str, seconds: float) -> float:
        """Where it read last before a moment."""
        requests = self._requests
        if label != "A" or key != "read" or requests is None or not len(requests):
            return float("nan")
        at = int(np.searchsorted(requests.seconds, seconds, side="right")) - 1
        return float(requests.positions[at]) if at >= 0 else float("nan")

    def shown_series(self) -> list[str]:
        """The offset; what is possible says its time itself."""
        return ["read"] if self.entries["read"].isChecked() else []

    def range_text(self, label: ArmLabel, record: RunRecord, seconds: tuple[float, float]) -> str:
        """How much came there."""
        del label
        found = self.time_range.figures_of(record, *seconds)
        return self.value_text(found.loaded_bytes) if found else NOTHING

    def unit_text(self) -> str:
        """Offsets in the file or files."""
        return tr("offset, {unit}", unit=self.scale.unit.name)

    def show_visible(self) -> None:
        """Draw the points and the line, or hide them like the rest."""
        super().show_visible()
        self._place()

    def _say_what_is_missing(self) -> None:
        self.show_empty(empty=not self.draws)

    def _place(self) -> None:
        requests = self._requests
        if requests is None or not len(requests):
            return
        record, hidden = self.records["A"], not self.entries["read"].isChecked()
        live = record is not None and not record.done
        self.points.show(requests, self.scale, live=live, hidden=hidden)
        self._place_possible(requests.total_bytes / self.scale.unit.size)

    def _place_possible(self, top: float) -> None:
        possible = self._possible if self.entries["possible"].isChecked() else None
        self.entries["possible"].set_available(
            available=self._possible is not None,
            reason=tr("Measure the disk to see how fast it could read."),
        )
        self.possible_line.setVisible(possible is not None)
        self.possible_word.setVisible(possible is not None)
        if possible is None:
            return
        first_s, took_s = possible
        end_s, theme = first_s + took_s, manager().theme
        self.possible_line.set_pen(pen(theme.good, 1.6, (5, 3)))
        self.possible_word.set_colours(theme.good, faded(theme.panel, 0.8))
        self.possible_line.set_data(np.array([first_s, end_s]), np.array([0.0, top]))
        self.possible_word.setText(tr("possible: {time}", time=duration_text(took_s * 1e9)))
        low, high = self.canvas.x_range
        # What was comes later, and lies to the right.
        room_px = (end_s - low) / (high - low) * self.canvas.size_px[0]
        before = room_px > self.possible_word.width_px
        self.possible_word.setVisible(low <= end_s <= high)
        self.possible_word.place(end_s, top, (1.0 if before else 0.0, 0.0))
