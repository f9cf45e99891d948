"""Rows of one height in the model tree, and shares as bars beside their figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem, QTreeView

from modelmon.core.units import percent_text
from modelmon.gui.look.theme import font, manager
from modelmon.gui.models.tensor_cells import SHARE, SIZE
from modelmon.gui.models.tensor_tree import SHARE_ROLE

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

INSET_PX, TEXT_INSET_PX = 6, 3
"""Room right of figures and left of texts."""
_ROW_PX = 22
_BAR_PX = 40
_BAR_HEIGHT_PX = 4
_LINE_HEIGHT_PX = 2
_FIGURE_PX = 48
_LEAST_BAR_PX = 2


class ShareDelegate(QStyledItemDelegate):
    """Paints the share column as a bar, with its figure where the column has room for it."""

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(  # noqa: N802 (Qt's name)
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        """As wide as the text, and as high as every row."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), round(_ROW_PX * manager().scale))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint a cell; its text keeps away from the scroll bar."""
        inset = QStyleOptionViewItem(option)
        if index.column() == SIZE:
            inset.rect = QRect(option.rect).adjusted(0, 0, -INSET_PX, 0)
        super().paint(painter, inset, index)
        share = index.data(SHARE_ROLE)
        if not isinstance(share, float):
            return
        if index.column() == SHARE:
            self._paint_share(painter, QRect(option.rect), share)
        elif index.column() == SIZE and self._view.isColumnHidden(SHARE):
            self._underline(painter, inset.rect, share)

    def _paint_share(self, painter: QPainter, rect: QRect, share: float) -> None:
        theme = manager().theme
        figure_px = round(_FIGURE_PX * manager().scale)
        with_figure = rect.width() >= _BAR_PX + figure_px
        room = rect.width() - figure_px - INSET_PX if with_figure else _BAR_PX
        top = rect.center().y() - _BAR_HEIGHT_PX // 2 + 1
        width = max(_LEAST_BAR_PX, round(share * room))
        bar = QRect(rect.left() + TEXT_INSET_PX, top, width, _BAR_HEIGHT_PX)
        painter.fillRect(bar, theme.neutral_3)
        if with_figure:
            painter.setFont(font(12))
            painter.setPen(theme.text_2)
            place = rect.adjusted(0, 0, -INSET_PX, 0)
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(place, side, percent_text(share))

    def _underline(self, painter: QPainter, rect: QRect, share: float) -> None:
        """Where there is no room for a column of its own, the bar lies under the size.

        Bars too short to tell anything would only look like dirt there.
        """
        width = round(share * (rect.width() - INSET_PX))
        if width <= _LEAST_BAR_PX:
            return
        bar = QRect(rect.right() - width, rect.bottom() - 1, width, _LINE_HEIGHT_PX)
        painter.fillRect(bar, manager().theme.neutral_2)
