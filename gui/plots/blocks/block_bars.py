"""The drawing of one arm's blocks: a bar each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush

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
_DENSE_SLOT_PX = 7
_LEAST_PX = 6


class ArmBars:
    """A plain, B hatched; what decoding took of a block is the darker foot of its bar, and waiting
    for that is dotted above it.

    Where blocks are too many for two bars side by side, both take the whole slot and one
    shines through the other.
    """

    def __init__(self, canvas: Canvas, label: ArmLabel) -> None:
        self.label = label
        self.bars = Bars(z=1 if label == "A" else 2)
        self.is_dense = False
        self.decoding = Bars(z=3)
        self.waiting = Bars(z=3)
        self._look: tuple[Theme, bool] | None = None
        for bars in (self.bars, self.decoding, self.waiting):
            canvas.add(bars)

    def show_bars(
        self,
        times: Sequence[NDArray[np.float64]],
        slot_px: float,
        *,
        share_slot: bool,
        theme: Theme,
    ) -> None:
        """One bar per block, beside the other arm's where that is shown too: its time, and what of
        that was decoding and waiting.
        """
        heights, decoding, waiting = times
        at = np.arange(len(heights), dtype=float)
        self.is_dense = slot_px < _DENSE_SLOT_PX
        if self.is_dense:
            left, width = at - 0.5, 1.0
        elif not share_slot:
            left, width = at - PAIR_SHARE / 2, PAIR_SHARE
        else:
            gap = _GAP_PX / slot_px
            width = (PAIR_SHARE - gap) / 2
            left = at - PAIR_SHARE / 2 if self.label == "A" else at + gap / 2
        self.bars.set_bars(left, width, heights)
        self.decoding.set_bars(left, width, decoding)
        self.waiting.set_bars(left, width, decoding + waiting, decoding)
        if (theme, self.is_dense) != self._look:
            self.apply_theme(theme)

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
        self.decoding.filling = QBrush(faded(theme.text, 0.4))
        self.waiting.filling = QBrush(faded(theme.text, 0.6), Qt.BrushStyle.Dense5Pattern)
        self.bars.update()
        self.decoding.update()
        self.waiting.update()


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
