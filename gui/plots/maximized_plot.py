"""Which plot has all the room of the window, and how it gets and gives it back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.plots.frame import PlotFrame
    from modelmon.gui.plots.plot_row import PlotRow


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
