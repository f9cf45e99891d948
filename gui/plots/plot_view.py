"""What pyqtgraph gives a plot: a view with a box for the data between axes of ours, and no more.

Its PlotWidget has a menu, a title, a button and a fourth axis besides. Nobody sees them here,
and eleven of them took a tenth of the time in which the window is made.
"""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtWidgets import QGraphicsGridLayout

from modelmon.gui.plots.axis import Axis, Side

_PLACES: dict[Side, tuple[int, int]] = {"left": (0, 0), "right": (0, 2), "bottom": (1, 1)}
_BEHIND = -1000


class PlotView:
    """`widget` shows it, `box` holds the items; the axis on the right is hidden at first."""

    def __init__(self) -> None:
        self.widget = pg.GraphicsView()
        self.box = pg.ViewBox(enableMenu=False)
        self._layout = QGraphicsGridLayout()
        frame = pg.GraphicsWidget()
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
