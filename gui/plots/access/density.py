"""Many points as an image: the fuller a cell, the more opaque."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QColor

    from modelmon.gui.plots.canvas import Canvas

_COLUMNS, _ROWS = 320, 160
_FAINTEST = 0.25


class Density:
    """How many points lie in each cell of a window, on a logarithmic scale."""

    def __init__(self, canvas: Canvas) -> None:
        self.counts: NDArray[np.int64] = np.zeros((_ROWS, _COLUMNS), dtype=np.int64)
        self.pixels: NDArray[np.uint8] = np.zeros((_ROWS, _COLUMNS, 4), dtype=np.uint8)
        self._item = pg.ImageItem(axisOrder="row-major")
        self._item.setZValue(5)
        self._item.hide()
        canvas.add(self._item)

    @property
    def visible(self) -> bool:
        """Whether it is shown."""
        return bool(self._item.isVisible())

    def hide(self) -> None:
        """Take it away."""
        self._item.hide()

    def show(
        self,
        x: NDArray[np.float64],
        y: NDArray[np.float64],
        window: QRectF,
        numbers: NDArray[np.int64],
        colours: Sequence[QColor],
    ) -> None:
        """Count the points in `window`; every cell with a point can be seen.

        `numbers` say which of `colours` each point has; a cell takes that of its last point.
        """
        column = ((x - window.left()) / window.width() * _COLUMNS).astype(np.int64)
        row = ((y - window.top()) / window.height() * _ROWS).astype(np.int64)
        inside = (column >= 0) & (column < _COLUMNS) & (row >= 0) & (row < _ROWS)
        cells = row[inside] * _COLUMNS + column[inside]
        self.counts = np.bincount(cells, minlength=_ROWS * _COLUMNS).reshape(_ROWS, _COLUMNS)
        most = np.log1p(max(int(self.counts.max()), 1))
        share = _FAINTEST + (1 - _FAINTEST) * np.log1p(self.counts) / most
        pixels = np.empty((_ROWS, _COLUMNS, 4), dtype=np.uint8)
        last = np.zeros(_ROWS * _COLUMNS, dtype=np.int64)
        last[cells] = numbers[inside]
        palette = np.array(
            [(colour.red(), colour.green(), colour.blue()) for colour in colours], dtype=np.uint8
        )
        pixels[..., :3] = palette[last.reshape(_ROWS, _COLUMNS)]
        pixels[..., 3] = np.where(self.counts > 0, share * 255, 0)
        self.pixels = pixels
        self._item.setImage(pixels, autoLevels=False, levels=(0, 255))
        self._item.setRect(window)
        self._item.show()
