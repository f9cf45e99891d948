"""A button of a few words with an arrow behind them, which unfolds more below itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QStyle, QStyleOptionToolButton, QStylePainter, QToolButton

from modelmon.gui.widgets.icons import set_icon
from modelmon.gui.widgets.styling import styled

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

_ARROW_PX, _GAP_PX = 12, 4


class UnfoldButton(QToolButton):
    """Draws words and arrow close together, as a tool button by itself doesn't."""

    def __init__(self, role: str) -> None:
        super().__init__()
        styled(self, role)
        self.setIconSize(QSize(_ARROW_PX, _ARROW_PX))
        set_icon(self, "collapse", "text_2")

    def sizeHint(self) -> QSize:
        """Words, arrow, and what the style sheet puts around them."""
        inner = QSize(self._content_px(), max(self.fontMetrics().height(), _ARROW_PX))
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        kind = QStyle.ContentsType.CT_ToolButton
        return self.style().sizeFromContents(kind, option, inner, self)

    def minimumSizeHint(self) -> QSize:
        """All of it."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button as the style has it, and its content in the middle."""
        del event
        painter, option = QStylePainter(self), QStyleOptionToolButton()
        self.initStyleOption(option)
        text, option.text = option.text, ""
        arrow = option.icon
        option.toolButtonStyle = Qt.ToolButtonStyle.ToolButtonTextOnly
        painter.drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option)
        left = (self.width() - self._content_px()) // 2
        text_px = self.fontMetrics().horizontalAdvance(text)
        place = QRect(left, 0, text_px, self.height())
        painter.drawItemText(
            place, Qt.AlignmentFlag.AlignVCenter, self.palette(), self.isEnabled(), text
        )
        corner = QPoint(left + text_px + _GAP_PX, (self.height() - _ARROW_PX) // 2)
        arrow.paint(painter, QRect(corner, self.iconSize()))

    def _content_px(self) -> int:
        return self.fontMetrics().horizontalAdvance(self.text()) + _GAP_PX + _ARROW_PX
