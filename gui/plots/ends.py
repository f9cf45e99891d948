"""Where each run ends, or how far it has come: a vertical line with a word at its foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtGui import QBrush

from modelmon.core.units import duration_text, rate_text
from modelmon.gui.language import tr
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.session.run_words import time_of_part
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.chart import Chart
    from modelmon.gui.session.notices import ArmLabel


def end_text(label: ArmLabel, record: RunRecord, *, with_rate: bool = False) -> str:
    """`B done 5.23 s`, or what else became of the run; with its mean rate if asked for."""
    text = _end(label, record, time_of_part(duration_text(record.t_ns), record))
    if not with_rate:
        return text
    return tr("{end}, {rate}", end=text, rate=rate_text(record.bytes_per_s))


def _end(label: ArmLabel, record: RunRecord, time: str) -> str:
    if record.finished is not None and manager().alone:
        late = any(warning.kind == "cut-off" for warning in record.warnings)
        return tr("not ready, {time}", time=time) if late else tr("ready {time}", time=time)
    arm = manager().arm_text(label)
    if record.finished is not None:
        return tr("{arm} done {time}", arm=arm, time=time)
    if record.failed is None:
        return tr("{arm}, {time}", arm=arm, time=time)
    if record.failed.kind == "cancelled":
        return tr("{arm} stopped {time}", arm=arm, time=time)
    return tr("{arm} failed {time}", arm=arm, time=time)


class EndMark(pg.InfiniteLine):  # type: ignore[misc]  # pyqtgraph has no types
    """One arm's line: dashed at an end, solid for *now*. Its word stands at its foot, or above the
    word of `other` where that would cover it.
    """

    def __init__(self, chart: Chart, label: ArmLabel, other: EndMark | None = None) -> None:
        super().__init__(pen=pen(manager().theme.arm(label), 1))
        self.arm = label
        self.named = True
        self._chart = chart
        self._other = other
        self.word = pg.InfLineLabel(self, position=0.0, anchors=[(0.0, 1.0), (1.0, 1.0)])
        self.word.setZValue(30)
        self.setZValue(5)
        self.hide()
        chart.add(self)
        chart.laid_out.connect(self._show_word)

    @property
    def text(self) -> str:
        """What it says."""
        return str(self.word.format)

    def show_end(self, record: RunRecord | None, *, with_rate: bool) -> None:
        """Mark how far `record` came; without one, or before its start, nothing."""
        there = record is not None and record.t_ns > 0
        self.setVisible(there)
        if record is None or not there:
            return
        theme = manager().theme
        colour = theme.arm(self.arm)
        self.setValue(record.t_ns / 1e9)
        self.setPen(pen(colour, 1, (3, 3) if record.done else ()))
        self.word.setColor(colour)
        self.word.fill = QBrush(faded(theme.panel, 0.8))
        self.word.setFont(font(11, 600))
        self.word.format = end_text(self.arm, record, with_rate=with_rate)
        self._show_word()

    def _show_word(self) -> None:
        """A word without its line would stand at the edge, cut."""
        low, high = self._chart.x_range
        self.word.setVisible(self.named and low <= self.value() <= high)
        self.word.valueChanged()
        row, other = 1.0, self._other
        if other is not None and other.isVisible() and other.word.isVisible():
            (start, stop), (first, last) = self.covers_px(), other.covers_px()
            row = 2.0 if start < last and first < stop else 1.0
        self.word.anchors = [(0.0, row), (1.0, row)]
        self.word.updatePosition()

    def covers_px(self) -> tuple[float, float]:
        """From where to where the word reaches; on the right half it is left of its line."""
        at, width = self._chart.to_px(self.value(), 0.0).x(), self.word.boundingRect().width()
        is_left = self.value() < sum(self._chart.x_range) / 2
        return (at, at + width) if is_left else (at - width, at)
