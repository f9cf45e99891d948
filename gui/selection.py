"""One selected block for the whole window: whoever selects it, all others show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import SignalInstance
    from PySide6.QtWidgets import QWidget


class ShowsBlock(Protocol):
    """A part of the window that marks a block; an empty name stands for none.

    `block_selected` is emitted when the user selects one there, and only then.
    """

    block_selected: SignalInstance

    def select_block(self, name: str) -> None:
        """Mark a block as somebody else's choice."""


class BlockSelection(QObject):
    """Passes the choice on. Escape clears it, where nothing else in the window takes the key."""

    def __init__(self, window: QWidget, parts: Iterable[ShowsBlock]) -> None:
        super().__init__(window)
        self.block = ""
        self._parts = tuple(parts)
        for part in self._parts:
            part.block_selected.connect(self.select)
        window.installEventFilter(self)

    def select(self, name: str) -> None:
        """Select a block everywhere, or none."""
        self.block = name
        for part in self._parts:
            part.select_block(name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 (Qt's name)
        """Keys come up to the window when the widget with the focus has no use for them."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Escape
            and self.block
        ):
            self.select("")
            return True
        return super().eventFilter(watched, event)
