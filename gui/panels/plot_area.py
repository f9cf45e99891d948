"""The room of the plots over time, which scrolls where it is lower than their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea

if TYPE_CHECKING:
    from modelmon.gui.panels.plot_row import PlotRow

_LEAST_PX = 124
"""Lower than a row, so that small windows hold the tabs as well."""


class PlotArea(QScrollArea):
    """Keeps plots legible: they get no lower than they must be, and are scrolled instead."""

    def __init__(self, plots: PlotRow) -> None:
        super().__init__()
        self._plots = plots
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setWidget(plots)
        self.viewport().setAutoFillBackground(False)
        plots.setAutoFillBackground(False)
        plots.arranged.connect(self.updateGeometry)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """The width of the plots with that of the scroll bar beside two rows."""
        bar_px = self.verticalScrollBar().sizeHint().width() if self._plots.row_count > 1 else 0
        return QSize(self._plots.minimumSizeHint().width() + bar_px, _LEAST_PX)
