"""What the slot's pages with a verdict have in common: badge, texts, buttons, in two heights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QWidget

from modelmon.gui.shell.slot_texts import SlotTexts
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import restyle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QPushButton

BUTTONS_PX = 144
_MARGINS_PX, _SLIM_MARGINS_PX = (16, 7, 16, 7), (12, 3, 8, 3)
_GAP_PX, _BUTTONS_GAP_PX = 16, 4


class SlotPage(QWidget):
    """A badge, the texts, what the page has beside them, and a column of buttons. A slim page
    takes one row, its buttons beside each other.
    """

    def __init__(
        self,
        badge: QWidget,
        beside: Sequence[QWidget],
        buttons: Sequence[QPushButton],
        small: Sequence[QPushButton],
    ) -> None:
        """Of the `buttons` the `small` ones are compact where they stand below each other."""
        super().__init__()
        self.is_slim = False
        self.texts = SlotTexts()
        self._every, self._small = buttons, small
        self._words: dict[QPushButton, str] = {}
        self._buttons = in_column(STRETCH, spacing=_BUTTONS_GAP_PX)
        for button in buttons:
            self._buttons.addWidget(button)
        self._buttons.addStretch(1)
        self._row = in_row(on=self, margins=None, spacing=_GAP_PX)
        self._row.addWidget(badge, 0, Qt.AlignmentFlag.AlignVCenter)
        self._row.addWidget(self.texts, 1)
        for part in beside:
            self._row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        self._row.addLayout(self._buttons)
        self._lay_out()

    def set_slim(self, *, slim: bool) -> None:
        """Take one row: the rest is behind Details."""
        self.is_slim = slim
        self.texts.set_slim(slim=slim)
        self._lay_out()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show what there is room for at this width: where a slim headline would be cut, small
        buttons leave their words out.
        """
        for worded in (True, False):
            for button in self._small:
                self._show_words(button, worded)
            self._row.activate()
            if not self.texts.is_cut:
                return

    def _show_words(self, button: QPushButton, shown: bool) -> None:
        words = self._words[button] = button.text() or self._words[button]
        button.setText(words if shown else "")
        if not shown:
            button.setToolTip(button.toolTip() or words.strip())
        elif button.toolTip() == words.strip():
            button.setToolTip("")

    def _lay_out(self) -> None:
        slim = self.is_slim
        self._row.setContentsMargins(*(_SLIM_MARGINS_PX if slim else _MARGINS_PX))
        along = QBoxLayout.Direction
        self._buttons.setDirection(along.LeftToRight if slim else along.TopToBottom)
        for button in self._every:
            button.setMinimumWidth(0 if slim else BUTTONS_PX)
        for button in self._small:
            restyle(button, compact=not slim)
