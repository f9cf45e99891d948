"""Where each run ends, or how far it has come: a vertical line with a word at its foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg

from modelmon.core.units import duration_text, rate_text
from modelmon.gui.language import tr
from modelmon.gui.plots.pens import faded, pen
from modelmon.gui.plots.text_label import TextLabel
from modelmon.gui.session.run_words import time_of_part
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QPen

    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme


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


class EndMark:
    """One arm's line and word."""

    def __init__(self, canvas: Canvas, label: ArmLabel) -> None:
        self.label = label
        self._canvas = canvas
        self._running = False
        self._look: tuple[Theme, QPen] | None = None
        self.line = pg.InfiniteLine()
        self.line.setZValue(5)
        self.line.hide()
        canvas.add(self.line)
        self.word = TextLabel(canvas, z=30, weight=600)

    @property
    def text(self) -> str:
        """What it says."""
        return str(self.word.toPlainText())

    @property
    def visible(self) -> bool:
        """Whether it is shown."""
        return bool(self.line.isVisible())

    @property
    def seconds(self) -> float:
        """Where the line stands."""
        return float(self.line.value())

    def show(self, record: RunRecord | None, theme: Theme, *, with_rate: bool) -> None:
        """Mark how far `record` came; without one, or before its start, nothing."""
        there = record is not None and record.t_ns > 0
        for item in (self.line, self.word):
            item.setVisible(there)
        if record is None or not there:
            return
        self._running = not record.done
        self.line.setValue(record.t_ns / 1e9)
        self.word.setText(end_text(self.label, record, with_rate=with_rate))
        self.apply_theme(theme)

    def place(self, *, to_left: bool, row: int) -> None:
        """Put the word to one side of the line, `row` lines above the foot."""
        anchor = (1.0 if to_left else 0.0, 1.0 + row)
        self.word.place(self.seconds, self._canvas.y_range[0], anchor)

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's colours: a dashed line for an end, a solid one for *now*."""
        colour = theme.arm(self.label)
        line = pen(colour, 1, () if self._running else (3, 3))
        if self._look != (theme, line):
            self._look = theme, line
            self.line.setPen(line)
            self.word.set_colours(colour, faded(theme.panel, 0.8))


class EndMarks:
    """The marks of both arms, with words that do not cover each other."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._marks: dict[ArmLabel, EndMark] = {
            "A": EndMark(canvas, "A"),
            "B": EndMark(canvas, "B"),
        }
        self._named = True
        canvas.laid_out.connect(self._place)

    def set_named(self, *, named: bool) -> None:
        """Have words beside the lines, or lines alone."""
        self._named = named
        self._place()

    def __getitem__(self, label: ArmLabel) -> EndMark:
        return self._marks[label]

    def show(
        self, records: dict[ArmLabel, RunRecord | None], theme: Theme, *, with_rates: bool
    ) -> None:
        """Mark the ends of `records`."""
        for label, mark in self._marks.items():
            mark.show(records.get(label), theme, with_rate=with_rates)
        self._place()

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's colours."""
        for mark in self._marks.values():
            mark.apply_theme(theme)

    def _place(self) -> None:
        width_px = self._canvas.size_px[0]
        low, high = self._canvas.x_range
        taken: tuple[float, float] | None = None
        shown = [mark for mark in self._marks.values() if mark.visible]
        for mark in sorted(shown, key=lambda mark: mark.seconds, reverse=True):
            at = (mark.seconds - low) / (high - low) * width_px
            # A word without its line would stand at the edge, cut.
            in_sight = self._named and 0 <= at <= width_px
            mark.word.setVisible(in_sight)
            if not in_sight:
                continue
            to_left = at + mark.word.width_px > width_px
            start = at - mark.word.width_px if to_left else at
            stop = start + mark.word.width_px
            covers = taken is not None and start < taken[1] and taken[0] < stop
            if covers and not to_left and at > mark.word.width_px and taken and at < taken[1]:
                # Two ends close together: the earlier one's word goes to its other side.
                to_left, start, stop = True, at - mark.word.width_px, at
                covers = taken[0] < stop
            mark.place(to_left=to_left, row=1 if covers else 0)
            taken = (start, stop)
