"""What was still to gain while a race ran, and what more time would leave of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QBrush

from modelmon.core.units import percent_text
from modelmon.gui.look.language import tr
from modelmon.gui.look.theme import manager
from modelmon.gui.plots.canvas import Canvas
from modelmon.gui.plots.line import Line
from modelmon.gui.plots.pens import pen
from modelmon.gui.plots.scale import tick_texts, ticks
from modelmon.gui.plots.text_label import TextLabel

if TYPE_CHECKING:
    from modelmon.core.experiment.race.result import Race
    from modelmon.gui.look.theme import Theme

_MINUTE_NS = 60e9
_POINT_PX = 8
_MOST_TICKS = 4
_FIRST_SHARES = 4.0
"""The line begins where so many times as much was left as now, or a fifth of the time."""
_LEAST_TOP_SHARE = 0.2
_BEYOND = 1.04
_ROOM_SHARE = 0.05


class GainPlot(Canvas):
    """A solid line until now, a dashed one of what is expected after it."""

    def __init__(self) -> None:
        super().__init__(tr("minutes of testing"), "%")
        self.setAccessibleName(tr("Gain still possible"))
        self.so_far, self.expected = Line(self, 1), Line(self, 1)
        self._points = pg.ScatterPlotItem(size=_POINT_PX, pxMode=True)
        self._points.setZValue(2)
        self.add(self._points)
        self._now, self._last = TextLabel(self, 3, weight=600), TextLabel(self, 3)
        manager().changed.connect(self._dress)
        self._dress()

    def show_race(self, race: Race) -> None:
        """Show the gains of a race that has some."""
        # Runs after the last of them were not enough to change it.
        last = race.gains[-1]
        times_ns = [gain.spent_ns for gain in race.gains] + [max(last.spent_ns, race.spent_ns)]
        spent = np.array(times_ns) / _MINUTE_NS
        share = np.array([gain.share for gain in (*race.gains, last)]) * 100
        now = share[-1]
        top = min(share.max(), max(now * _FIRST_SHARES, _LEAST_TOP_SHARE * 100))
        later = race.recommendation.more_time
        x = [spent[-1], *(spent[-1] + more.extra_ns / _MINUTE_NS for more in later)]
        y = [now, *(more.gain_share * 100 for more in later)]
        top = max([top, *y])
        self.so_far.set_data(spent, share)
        self.expected.set_data(np.array(x), np.array(y))
        end = x[-1] * _BEYOND
        y_ticks = ticks(0, top, _MOST_TICKS) or [0.0]
        step = y_ticks[1] - y_ticks[0] if len(y_ticks) > 1 else top or 1.0
        if y_ticks[-1] < top:
            y_ticks.append(y_ticks[-1] + step)
        self.set_x_range(0, end)
        # A point at zero is seen whole.
        self.set_y_axis(
            -_ROOM_SHARE * y_ticks[-1],
            y_ticks[-1],
            list(zip(y_ticks, tick_texts(y_ticks), strict=True)),
        )
        self._points.setData(x, y)
        self._now.setText(tr("now {share}", share=percent_text(now / 100)))
        beside = 0.0 if x[0] < end * 0.7 else 1.0
        self._now.place(x[0], y[0], (beside, 1.15))
        self._last.setText(percent_text(y[-1] / 100))
        self._last.place(x[-1], y[-1], (0.9, 1.25))
        self._now.show()
        self._last.setVisible(len(x) > 1)
        told = [percent_text(each / 100) for each in y]
        self.setAccessibleDescription(tr("Now at most {share}", share=told[0]))
        self._dress()

    def _dress(self) -> None:
        theme: Theme = manager().theme
        self.apply_theme(theme)
        self.so_far.set_pen(pen(theme.text, 2), antialiased=True)
        self.expected.set_pen(pen(theme.text, 1.4, (3, 3)), antialiased=True)
        self._points.setPen(pen(theme.focus, 1.5))
        count = len(self._points.data)
        if count:
            filled = [QBrush(theme.focus), *([QBrush(theme.panel)] * (count - 1))]
            self._points.setBrush(filled)
        for words in (self._now, self._last):
            words.set_colours(theme.text, theme.panel)
