"""Draws the list of strategies: a name, and beside it when it wins or why it cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from modelmon.gui.look.theme import manager
from modelmon.gui.panels.item_drawing import draw_ground, draw_line

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QComboBox

BESIDE_ROLE = Qt.ItemDataRole.UserRole + 1
"""What stands beside the name."""
_ROW_PX, _LINE_PX = 24, 9
_LEFT_PX, _GAP_PX = 10, 16
_MOST_BESIDE_PX = 440


class StrategyDelegate(QStyledItemDelegate):
    """For the list of a combo box; a text that is too long is shortened, its tool tip is not."""

    def __init__(self, box: QComboBox) -> None:
        super().__init__(box)
        self._box = box

    @property
    def names_px(self) -> int:
        """The width of the widest name."""
        model, metrics = self._box.model(), self._box.fontMetrics()
        rows = (model.index(row, 0) for row in range(model.rowCount()))
        return max((metrics.horizontalAdvance(str(at.data() or "")) for at in rows), default=0)

    @property
    def width_px(self) -> int:
        """The width in which all names and most of the texts beside them have room."""
        return _LEFT_PX + self.names_px + _GAP_PX + _MOST_BESIDE_PX

    def sizeHint(  # noqa: N802 (Qt's name)
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """One line of text, or of a separator."""
        del option
        return QSize(self.width_px, _ROW_PX if index.data() else _LINE_PX)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw an entry, or the line between two groups."""
        theme, place = manager().theme, QRect(option.rect)
        if not index.data():
            painter.fillRect(
                place.adjusted(8, _LINE_PX // 2, -8, _LINE_PX // 2 + 1 - _LINE_PX), theme.border
            )
            return
        draw_ground(self, painter, option, index)
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
        of_name = theme.text if enabled else theme.text_2
        beside = place.adjusted(_LEFT_PX + self.names_px + _GAP_PX, 0, -8, 0)
        painter.save()
        for text, px, where, colour in (
            (index.data(), 13, place.adjusted(_LEFT_PX, 0, 0, 0), of_name),
            (index.data(BESIDE_ROLE) or "", 12, beside, theme.text_2),
        ):
            draw_line(painter, where, str(text), colour, px=px)
        painter.restore()
