"""What pyqtgraph gives a plot: a view with a box for the data between axes of ours, and no more.

Its PlotWidget has a menu, a title, a button and a fourth axis besides. Nobody sees them here,
and eleven of them took a tenth of the time in which the window is made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QGraphicsGridLayout, QGraphicsWidget

from modelmon.gui.plots.axis import Axis, Side

if TYPE_CHECKING:
    from PySide6.QtWidgets import QGraphicsSceneResizeEvent

_PLACES: dict[Side, tuple[int, int]] = {"left": (0, 0), "right": (0, 2), "bottom": (1, 1)}
_BEHIND = -1000


class PlotView:
    """`widget` shows it, `box` holds the items; the axis on the right is hidden at first."""

    def __init__(self) -> None:
        self.widget = pg.GraphicsView()
        self.box = _Box(enableMenu=False)
        self._layout = QGraphicsGridLayout()
        frame = QGraphicsWidget()
        frame.setLayout(self._layout)
        self.widget.setCentralItem(frame)
        self._layout.setSpacing(0)
        # Room for half a tick's text above and to the right of the axes' ends.
        self._layout.setContentsMargins(0, 8, 14, 0)
        self._layout.addItem(self.box, 0, 1)
        self._layout.setRowStretchFactor(0, 1)
        self._layout.setColumnStretchFactor(1, 1)
        self.axes: dict[Side, Axis] = {side: Axis(side, self.box) for side in _PLACES}
        for side, axis in self.axes.items():
            axis.setZValue(_BEHIND)
            self._layout.addItem(axis, *_PLACES[side])
        self.axes["right"].hide()


class _Box(pg.ViewBox):  # type: ignore[misc]  # pyqtgraph has no types
    """Keeps its extent, for which Qt asks several times a frame."""

    _bounds = QRectF()

    def boundingRect(self) -> QRectF:  # noqa: N802 (Qt's name)
        return self._bounds

    def resizeEvent(self, event: QGraphicsSceneResizeEvent) -> None:  # noqa: N802 (Qt's name)
        # As ViewBox has it: half a pixel more, or the last row of them is cut.
        self._bounds = self.rect().adjusted(0, 0, 0.5, 0.5)
        super().resizeEvent(event)
