"""How plots and tabs divide the height that they have together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QObject

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QSplitter

_PLOTS_PX = 256
_LOW_PLOTS_PX = 168
_MOST_PLOTS_SHARE = {1: 0.48, 2: 0.66}
"""Of the height that plots and tabs have together, by rows of plots."""


class Division(QObject):
    """Gives the plots above their usual height until the user moves the handle."""

    def __init__(
        self, splitter: QSplitter, rows: Callable[[], int], tab_needs_room: Callable[[], bool]
    ) -> None:
        """`rows` is how many rows of plots there are."""
        super().__init__(splitter)
        self._splitter = splitter
        self._rows = rows
        self._tab_needs_room = tab_needs_room
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

    def share(self) -> None:
        """Give the plots their height, unless the user has chosen another."""
        if self._chosen:
            return
        height, rows = self._splitter.height(), self._rows()
        wanted = rows * (_LOW_PLOTS_PX if self._tab_needs_room() else _PLOTS_PX)
        plots_px = min(wanted, int(height * _MOST_PLOTS_SHARE[rows]))
        self._splitter.setSizes([plots_px, max(1, height - plots_px)])

    def start_anew(self) -> None:
        """Another number of rows needs another height, whatever was chosen for the one before."""
        self._chosen = False
        self.share()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Share anew when both together get another height."""
        if event.type() == QEvent.Type.Resize:
            self.share()
        return super().eventFilter(watched, event)

    def _on_moved(self) -> None:
        self._chosen = True
