"""What of the disk's rate a watched program left unused: a band up to the limit, and words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtGui import QBrush

from modelmon.core.units import rate_text
from modelmon.gui.look.language import tr
from modelmon.gui.look.theme import manager
from modelmon.gui.plots.items import Area
from modelmon.gui.plots.pens import faded
from modelmon.gui.plots.text_label import TextLabel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.plots.level import Level

_BEHIND_CURVES = -10
_WORTH_A_BAND = 0.05
"""Of the limit: less is not called unused."""
_LINE_PX = 18


class Unused(NamedTuple):
    """Between which seconds it read, its curve and the disk's limit in axis units, and both rates
    in bytes per second.
    """

    reading_s: tuple[float, float]
    curve: tuple[NDArray[np.float64], NDArray[np.float64]]
    limit_y: float
    rate: float
    limit: float


class UnusedRate:
    """The band of one plot."""

    def __init__(self, canvas: Canvas, limit: Level) -> None:
        """`limit` says its rate at the right end."""
        self.text = self._short = ""
        self._canvas, self._limit = canvas, limit
        self._found: Unused | None = None
        self._area = Area(z=_BEHIND_CURVES)
        self._words = TextLabel(canvas, z=26, weight=600)
        canvas.add(self._area)
        canvas.laid_out.connect(self._place)

    def hide(self) -> None:
        """Nothing is known to have been left."""
        self._found, self.text = None, ""
        self._area.hide()
        self._words.hide()

    def show(self, found: Unused) -> None:
        """Fill what lies between the curve and the limit while it read."""
        if found.rate > (1 - _WORTH_A_BAND) * found.limit:
            self.hide()
            return
        self._found = found
        (first_s, last_s), (seconds, heights) = found.reading_s, found.curve
        inside = (seconds > first_s) & (seconds < last_s)
        x = np.concatenate([[first_s], seconds[inside], [last_s]])
        y = np.concatenate([[0.0], heights[inside], [0.0]])
        if inside.any():
            y[0], y[-1] = y[1], y[-2]
        low = np.minimum(np.nan_to_num(y), found.limit_y)
        theme = manager().theme
        self._area.filling = QBrush(theme.warn_soft)
        self._area.set_curves(x, low, np.full(len(x), found.limit_y))
        self._area.show()
        self._area.update()
        rate, limit = rate_text(found.rate), rate_text(found.limit)
        if rate.split()[1:] == limit.split()[1:]:
            rate = rate.split()[0]
        self.text = tr("{rate} of {limit} used while reading", rate=rate, limit=limit)
        self._short = tr("{rate} of {limit} used", rate=rate, limit=limit)
        self._words.set_colours(theme.warn, faded(theme.warn_soft, 0.85))
        self._place()

    def _place(self) -> None:
        """In the band where that is wide and high enough, else beside it."""
        if self._found is None:
            return
        first_s, last_s = self._found.reading_s
        left, right = self._canvas.x_range
        bottom, top = self._canvas.y_range
        width_px, height_px = self._canvas.size_px
        per_s, per_y = width_px / (right - left), height_px / (top - bottom)
        mean_y = self._found.limit_y * self._found.rate / self._found.limit
        free_px = (self._found.limit_y - mean_y) * per_y
        seen = max(first_s, left), min(last_s, right)
        # The limit's words stand at the right end of its line, and may hang from it.
        free = right - self._limit.words_px / per_s
        middle_y = (self._found.limit_y + mean_y) / 2
        middle, before = (seen[0] + min(seen[1], free)) / 2, min(seen[0], free)
        rooms_px = (
            (2 * (middle - seen[0]) * per_s if free_px >= _LINE_PX else 0.0, middle, 0.5),
            ((free - seen[1]) * per_s, seen[1], 0.0),
            ((before - left) * per_s, before, 1.0),
        )
        self._words.setVisible(seen[0] < seen[1])
        for text in (self.text, self._short):
            self._words.setText(text)
            for room_px, x, side in rooms_px:
                if room_px >= self._words.width_px:
                    self._words.place(x, middle_y, (side, 0.5))
                    return
        self._words.hide()
