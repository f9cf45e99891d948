"""The room of the plots over time: one row, or two where there are more than three, which are
scrolled where they would get too low.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.plots.plot_row import PlotRow

_GAP_PX, _CLOSE_PX = 8, 2
_MOST_IN_A_ROW = 3
_LEAD_STRETCH, _COLUMN_STRETCH, _STRETCH = 54, 42, 29
_LEAST_PX = 124
"""Lower than a row, so that low windows hold the tabs as well."""


class PlotGrid(QSplitter):
    """Two rows whose parts can be dragged; the lower one is there when it is needed."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(_GAP_PX)
        self._rows = (QSplitter(), QSplitter())
        for row in self._rows:
            row.setChildrenCollapsible(False)
            row.setHandleWidth(_GAP_PX)
            self.addWidget(row)

    @property
    def row_count(self) -> int:
        """How many rows are in use."""
        return 2 if self._rows[1].isVisibleTo(self) else 1

    def stack(self, widgets: Sequence[QWidget], heights_px: Sequence[int]) -> None:
        """Show these below each other, with these heights for each other's measure."""
        column, other = self._rows
        other.hide()
        column.setOrientation(Qt.Orientation.Vertical)
        column.setHandleWidth(_CLOSE_PX)
        for at, widget in enumerate(widgets):
            column.insertWidget(at, widget)
            column.setStretchFactor(at, heights_px[at])
            widget.show()
        column.setSizes([*heights_px, *[0] * (column.count() - len(heights_px))])
        self.setSizes([1, 0])

    def arrange(self, widgets: Sequence[QWidget], wide_first: QWidget) -> None:
        """Show these in this order; `wide_first` gets more room at the head of a single row.

        Of two rows both give some more to what stands first, where the controls of all are.
        """
        self._rows[0].setOrientation(Qt.Orientation.Horizontal)
        self._rows[0].setHandleWidth(_GAP_PX)
        count = len(widgets)
        upper = count if count <= _MOST_IN_A_ROW else (count + 1) // 2
        for row, mine in zip(self._rows, (widgets[:upper], widgets[upper:]), strict=True):
            for at, widget in enumerate(mine):
                row.insertWidget(at, widget)
                widget.show()
            row.setVisible(bool(mine))
            is_wide = count == upper and bool(mine) and mine[0] is wide_first
            first = _LEAD_STRETCH if is_wide else _COLUMN_STRETCH if count > upper else _STRETCH
            _share(row, len(mine), first)
        self.setSizes([1, 1] if count > upper else [1, 0])


def _share(row: QSplitter, count: int, first: int) -> None:
    stretches = [first, *[_STRETCH] * (row.count() - 1)]
    for at, stretch in enumerate(stretches):
        row.setStretchFactor(at, stretch)
    # Sizes are shared out in proportion; hidden widgets behind the shown ones get none.
    row.setSizes([100 * stretch if at < count else 0 for at, stretch in enumerate(stretches)])


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

    def minimumSizeHint(self) -> QSize:
        """The width of the plots with that of the scroll bar beside two rows."""
        bar_px = self.verticalScrollBar().sizeHint().width() if self._plots.row_count > 1 else 0
        return QSize(self._plots.minimumSizeHint().width() + bar_px, _LEAST_PX)
