"""A row of exclusive choices, moved through with the arrow keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QToolButton

from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

_PADDING_PX = 8
"""What the checked text may take of the room around it."""


class _Segment(QToolButton):
    """A button whose text has room when it is checked, too, and bold."""

    def sizeHint(self) -> QSize:
        """As wide as either takes."""
        plain, bold = QFont(self.font()), QFont(self.font())
        plain.setWeight(QFont.Weight.Normal)
        bold.setWeight(QFont.Weight.DemiBold)
        plain_px, bold_px = (
            QFontMetrics(font).horizontalAdvance(self.text()) for font in (plain, bold)
        )
        return super().sizeHint() + QSize(max(0, bold_px - plain_px - _PADDING_PX), 0)


class Segments(QFrame):
    """Exclusive buttons in one frame. `options` are pairs of value and text."""

    chosen = Signal(str)

    def __init__(
        self, name: str, options: Sequence[tuple[str, str]], *, compact: bool = False
    ) -> None:
        super().__init__()
        styled(self, "segments")
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        row = in_row(on=self, spacing=0)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QToolButton] = {}
        for value, text in options:
            button = styled(_Segment(), "segment", last=value == options[-1][0])
            if compact:
                button.setProperty("compact", True)
            button.setText(text)
            button.setCheckable(True)
            button.setAccessibleName(f"{name}: {text}")
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, value=value: self.chosen.emit(value))
            self._group.addButton(button)
            self._buttons[value] = button
            row.addWidget(button)

    @property
    def value(self) -> str:
        """The chosen value."""
        return next((v for v, button in self._buttons.items() if button.isChecked()), "")

    def set_value(self, value: str) -> None:
        """Check a value without telling anybody."""
        self._buttons[value].setChecked(True)

    def button(self, value: str) -> QToolButton:
        """The button of a value, for its tool tip or icon."""
        return self._buttons[value]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right choose the neighbour."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        values = [value for value, button in self._buttons.items() if button.isEnabled()]
        following = values[(values.index(self.value) + step) % len(values)]
        self._buttons[following].setFocus()
        self._buttons[following].click()
