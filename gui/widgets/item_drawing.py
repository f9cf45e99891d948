"""What lists draw of an item: its ground as the style has it, and lines of text upon that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem

from modelmon.gui.widgets.theme import font

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect
    from PySide6.QtGui import QColor, QPainter
    from PySide6.QtWidgets import QStyledItemDelegate


def draw_ground(
    delegate: QStyledItemDelegate,
    painter: QPainter,
    option: QStyleOptionViewItem,
    index: QModelIndex | QPersistentModelIndex,
) -> None:
    """Draw all of an item but its text: ground, tick and focus."""
    shown = QStyleOptionViewItem(option)
    delegate.initStyleOption(shown, index)
    shown.text = ""
    QApplication.style().drawControl(
        QStyle.ControlElement.CE_ItemViewItem, shown, painter, shown.widget
    )


def draw_line(  # noqa: PLR0913  how a line looks, each by its name
    painter: QPainter,
    place: QRect,
    text: str,
    colour: QColor,
    *,
    px: int,
    weight: int = 400,
    side: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> None:
    """Draw one line in the middle of `place`, cut where it is too long."""
    painter.setFont(font(px, weight))
    painter.setPen(colour)
    cut = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, place.width())
    painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, cut)
