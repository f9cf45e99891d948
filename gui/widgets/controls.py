"""Controls that Qt has not: exclusive choices, a command in a box, a button that unfolds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QSizePolicy,
    QToolButton,
)

from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import label, plain, styled
from modelmon.gui.widgets.theme import mono_font, set_icon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

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


_HEIGHT_PX = 24


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


_ARROW_PX = 12


class UnfoldButton(QToolButton):
    """Words with an arrow after them."""

    def __init__(self, role: str) -> None:
        super().__init__()
        styled(self, role)
        self.setIconSize(QSize(_ARROW_PX, _ARROW_PX))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        # Of text and icon it is the icon that comes last then.
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        set_icon(self, "collapse", "text_2")
