"""How plots and tabs divide the height that they have together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QSplitter

_ROW_PX = 256
_LEAST_TABS_PX = 190
_MOST_PLOTS_SHARE = {1: 0.46, 2: 0.6}
"""Of the height that plots and tabs have together, by rows of plots."""


class Division(QObject):
    """Gives the plots above their usual height until the user moves the handle.

    What the tabs show has no part in it: a handle that moves by itself is in nobody's hand.
    """

    def __init__(self, splitter: QSplitter, rows: Callable[[], int]) -> None:
        """`rows` is how many rows of plots there are."""
        super().__init__(splitter)
        self._splitter = splitter
        self._rows = rows
        self._shared_rows = rows()
        self._chosen = False
        splitter.splitterMoved.connect(self._on_moved)
        splitter.installEventFilter(self)

    @property
    def state(self) -> QByteArray:
        """What the user has chosen; empty where that was nothing."""
        return self._splitter.saveState() if self._chosen else QByteArray()

    def restore(self, state: QByteArray) -> None:
        """Divide as the user has chosen before."""
        self._chosen = self._splitter.restoreState(state)

    def follow_rows(self) -> None:
        """Another number of rows needs another height, whatever was chosen for the one before."""
        if self._rows() != self._shared_rows:
            self._chosen = False
            self._share()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Share anew when both together get another height."""
        if event.type() == QEvent.Type.Resize and not self._chosen:
            self._share()
        return super().eventFilter(watched, event)

    def _share(self) -> None:
        splitter, rows = self._splitter, self._rows()
        self._shared_rows = rows
        gap_px = splitter.handleWidth()
        height = splitter.height() - gap_px
        wanted = rows * (_ROW_PX + gap_px) - gap_px
        most = min(int(height * _MOST_PLOTS_SHARE[rows]), height - _LEAST_TABS_PX)
        plots_px = max(1, min(wanted, most))
        splitter.setSizes([plots_px, max(1, height - plots_px)])

    def _on_moved(self) -> None:
        self._chosen = True
