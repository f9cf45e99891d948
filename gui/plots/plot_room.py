"""The room of the plots over time: one row, or two where there are more than three, which are
scrolled where they would get too low; and the one that has all the room of the window.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakSet

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.plots.frame import PlotFrame
    from modelmon.gui.plots.plot_row import PlotRow

_GAP_PX, _CLOSE_PX = 8, 2
_MOST_IN_A_ROW = 3
_LEAD_STRETCH, _COLUMN_STRETCH, _STRETCH = 54, 42, 29


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


class MaximizedPlot(QObject):
    """Follows what the plots of the row and those in tabs ask for; `changed` tells the window."""

    changed = Signal()

    def __init__(self, row: PlotRow, in_tabs: Sequence[PlotFrame], parent: QObject) -> None:
        super().__init__(parent)
        self._row = row
        self._frames = (*row.with_access, *in_tabs)
        self._holder: QWidget | None = None
        row.maximise_toggled.connect(self._give)
        for plot in in_tabs:
            plot.maximise_toggled.connect(partial(self._give, plot))

    @property
    def is_taken(self) -> bool:
        """Whether cards, slot and other plots have to go."""
        return self._holder is not None

    @property
    def is_in_row(self) -> bool:
        """Whether it is one of the plots over time, or all of them, that has it."""
        return self._holder is self._row or self._holder in self._row.with_access

    def share(self) -> None:
        """Take the room back from who got it last."""
        for plot in self._frames:
            if plot.is_maximised:
                plot.toggle_maximised()
                return
        self._row.controls.alone.setChecked(False)

    def share_with_all(self) -> None:
        """Take it back, whoever has it."""
        while self.is_taken:
            self.share()

    def _give(self, plot: QWidget, on: bool) -> None:
        if plot in self._row.with_access:
            self._row.show_only(plot if on else None)
        alone = self._row if self._row.controls.alone.isChecked() else None
        self._holder = plot if on else alone
        self.changed.emit()
        focused = plot.window().focusWidget()
        if on and not (focused is not None and plot.isAncestorOf(focused)):
            # Its keys work at once, also the one that takes the room back.
            plot.setFocus()


_awaiting: WeakSet[QWidget] = WeakSet()
"""Windows whose painting was asked for and has not come yet."""


def paint_at_once(part: QWidget) -> None:
    """Let the window around `part` be painted once, after whatever is under way.

    Each graphics scene has its window painted as soon as it knows what has changed in it: six
    plots whose time axis grows took 90 million instructions, 27 ms, instead of 73. So the
    request to paint is taken out of the queue, and the window goes on to believe that it is
    about to be painted; the request is made again when all scenes have looked.
    """
    window = part.window()
    QCoreApplication.removePostedEvents(window, QEvent.Type.UpdateRequest.value)
    if window not in _awaiting:
        _awaiting.add(window)
        QTimer.singleShot(0, window, lambda: _paint(window))


def _paint(window: QWidget) -> None:
    _awaiting.discard(window)
    QCoreApplication.sendEvent(window, QEvent(QEvent.Type.UpdateRequest))
