"""A command in a card, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSizePolicy

from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import label, plain, styled
from modelmon.gui.widgets.theme import mono_font

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

_HEIGHT_PX, _PADDING_PX = 24, 8


class CommandBox(QFrame):
    """A command in a box; where there is no room it lacks its middle. The tool tip is the whole."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "command")
        self.setFixedHeight(_HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.whole = self._short = ""
        self._text = label("", "value")
        self._text.setFont(mono_font())
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        in_row(self._text, on=self, margins=(_PADDING_PX, 0, _PADDING_PX, 0))

    def set_whole(self, command: str, short: str = "") -> None:
        """Show this command, or a short form of it."""
        if (command, short or command) != (self.whole, self._short):
            self.whole, self._short = command, short or command
            self.setToolTip(plain(command))
            self.setAccessibleName(command)
            self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave out as much as there is no room for by now."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room_px = self.width() - 2 * (_PADDING_PX + 1)
        middle = Qt.TextElideMode.ElideMiddle
        self._text.ensurePolished()
        self._text.setText(self._text.fontMetrics().elidedText(self._short, middle, room_px))
