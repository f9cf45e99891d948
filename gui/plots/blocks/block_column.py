"""The soft column behind the selected block's bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtGui import QBrush

from modelmon.gui.plots.items import Bars

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.gui.look.theme import Theme
    from modelmon.gui.plots.canvas import Canvas

_LEAST_PX = 6


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
