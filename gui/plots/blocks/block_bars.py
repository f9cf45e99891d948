"""The drawing of one arm's blocks: a bar each, and when each was ready."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QBrush

from modelmon.gui.plots.blocks.block_table import split_where_falling
from modelmon.gui.plots.items import Bars
from modelmon.gui.plots.pens import faded, hatch, pen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from modelmon.gui.look.theme import Theme
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.window.notices import ArmLabel

PAIR_SHARE = 0.72
_GAP_PX = 1.5
_POINT_PX = {"A": 6.5, "B": 8.5}
_DENSE_POINT_PX = 3
DENSE_SLOT_PX = 7
_LEAST_PX = 6


class ArmBars:
    """A plain with round points, B hatched with diamonds.

    Where blocks are too many for two bars side by side, both take the whole slot and one
    shines through the other.
    """

    def __init__(self, canvas: Canvas, label: ArmLabel) -> None:
        self.label = label
        self.bars = Bars(z=1 if label == "A" else 2)
        self._points = pg.PlotDataItem(connect="finite", antialias=True)
        self._line = pg.PlotDataItem(connect="finite", antialias=True)
        self.is_dense = False
        self._look: tuple[Theme, bool] | None = None
        for item, z in ((self._line, 10), (self._points, 11)):
            item.setZValue(z)
            canvas.add(item)
        canvas.add(self.bars)

    def show_bars(
        self, heights: NDArray[np.float64], slot_px: float, *, share_slot: bool, theme: Theme
    ) -> None:
        """One bar per block, beside the other arm's where that is shown too."""
        at = np.arange(len(heights), dtype=float)
        self.is_dense = slot_px < DENSE_SLOT_PX
        if self.is_dense:
            left, width = at - 0.5, 1.0
        elif not share_slot:
            left, width = at - PAIR_SHARE / 2, PAIR_SHARE
        else:
            gap = _GAP_PX / slot_px
            width = (PAIR_SHARE - gap) / 2
            left = at - PAIR_SHARE / 2 if self.label == "A" else at + gap / 2
        self.bars.set_bars(left, width, heights)
        if (theme, self.is_dense) != self._look:
            self.apply_theme(theme)

    def show_ready(self, heights: NDArray[np.float64], *, joined: bool) -> None:
        """A point per block at the height of its ready time, joined in execution order."""
        at = np.arange(len(heights), dtype=float)
        known = np.isfinite(heights)
        self._points.setData(at[known], heights[known])
        self._line.setData(*(split_where_falling(at, heights) if joined else ([], [])))

    @property
    def ready_points(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Slots and heights of the points."""
        x, y = self._points.getOriginalDataset()
        return (np.empty(0), np.empty(0)) if x is None else (x, y)

    def set_visible(self, *, bars: bool, ready: bool) -> None:
        """Show or hide bars and points."""
        self.bars.setVisible(bars)
        self._points.setVisible(ready)
        self._line.setVisible(ready)

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's colours."""
        self._look = theme, self.is_dense
        colour = theme.arm(self.label)
        self.bars.top_pen = pen(colour, 1.6) if self.is_dense else None
        if self.label == "A":
            self.bars.filling = QBrush(faded(colour, 0.35) if self.is_dense else colour)
        elif self.is_dense:
            self.bars.filling = QBrush(faded(colour, 0.25))
        else:
            self.bars.filling = hatch(colour, "A", ground=0.5, line_px=1.8)
        self.bars.update()
        self._line.setPen(pen(colour, 1.2, () if self.label == "A" else (4, 3)))
        self._points.setPen(None)
        self._points.setSymbol("o" if self.label == "A" else "d")
        self._points.setSymbolSize(_DENSE_POINT_PX if self.is_dense else _POINT_PX[self.label])
        self._points.setSymbolBrush(colour)
        self._points.setSymbolPen(None if self.is_dense else pen(theme.panel, 1))


class BlockColumn:
    """Never so narrow that it could not be seen, however many blocks there are."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self._slot: int | None = None
        self.bars = Bars(z=-50)
        canvas.add(self.bars)
        canvas.laid_out.connect(self._draw)

    def show(self, names: Sequence[str], selected: str) -> None:
        """Mark the slot of a block, or none."""
        self._slot = names.index(selected) if selected in names else None
        self._draw()

    def apply_theme(self, theme: Theme) -> None:
        """Take the theme's colour."""
        self.bars.filling = QBrush(theme.focus_soft)
        self.bars.update()

    def _draw(self) -> None:
        low, high = self._canvas.x_range
        width = max(1.0, _LEAST_PX * (high - low) / max(self._canvas.size_px[0], 1.0))
        middle = np.array([] if self._slot is None else [float(self._slot)])
        top = np.full(len(middle), self._canvas.y_range[1])
        self.bars.set_bars(middle - width / 2, width, top)
