"""The view of the model tree: columns for its width, rows of one height, shares as bars beside
their figures; copying, opening and closing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from modelmon.core.units import percent_text
from modelmon.gui.language import tr
from modelmon.gui.model.tensor_rows import NAME, SHAPE, SHARE, SIZE, TYPE
from modelmon.gui.model.tensor_tree import FULL_NAME_ROLE, SHARE_ROLE, TensorTree
from modelmon.gui.widgets.icons import set_icon
from modelmon.gui.widgets.markdown import markdown_table
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPainter, QResizeEvent

_INDENT_PX = 14
_SHARE_PX, _WIDE_SHARE_PX = 48, 150
_SIZE_PX, _TYPE_PX, _SHAPE_PX = 66, 148, 168
_TYPE_FROM_PX, _SHAPE_FROM_PX = 420, 600
"""Widths of the view from which on columns are shown."""
_MOST_OPENED = 20_000
INSET_PX, TEXT_INSET_PX = 6, 3
"""Room right of figures and left of texts."""
_ROW_PX = 22
_BAR_PX = 40
_BAR_HEIGHT_PX = 4
_LINE_HEIGHT_PX = 2
_FIGURE_PX = 48
_LEAST_BAR_PX = 2


class TreeView(QTreeView):
    """Shows as many columns as there is room for; names have what is left."""

    def __init__(self, items: TensorTree) -> None:
        super().__init__()
        self._items = items
        self.setModel(items)
        self.setAccessibleName(tr("Blocks and tensors"))
        self.setUniformRowHeights(True)
        self.setIndentation(_INDENT_PX)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setItemDelegate(ShareDelegate(self))
        self.setAllColumnsShowFocus(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.copy_name = self._action(
            tr("Copy name"), self._copy_name, QKeySequence(QKeySequence.StandardKey.Copy), "copy"
        )
        self.copy_row = self._action(
            tr("Copy name, type, shape and bytes"), self._copy_row, QKeySequence("Ctrl+Shift+C")
        )
        self.copy_markdown = self._action(
            tr("Copy as Markdown"), self._copy_markdown, QKeySequence()
        )
        self.open_all = self._action(tr("Expand all"), self._open_all, QKeySequence())
        self.close_all = self._action(tr("Collapse all"), self._close_all, QKeySequence())
        header = self.header()
        header.setStyleSheet(
            f"QHeaderView::section {{ padding: 4px {INSET_PX}px 4px {TEXT_INSET_PX}px; }}"
        )
        header.setStretchLastSection(False)
        header.setSectionsMovable(False)
        header.setMinimumSectionSize(_SHARE_PX)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        items.model_changed.connect(self._fit_columns)
        self._fit_columns()

    def first_found(self) -> QModelIndex:
        """The first tensor in sight, or the first block where none is opened."""
        index = self._items.index(0, NAME)
        while self.isExpanded(index) and index.isValid():
            index = self._items.index(0, NAME, index)
        return index

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show the columns that the new width has room for."""
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        scale = manager().scale
        with_type = self.width() >= _TYPE_FROM_PX * scale
        with_shape = self.width() >= _SHAPE_FROM_PX * scale
        header = self.header()
        self.setHeaderHidden(not with_type)
        header.setSectionHidden(TYPE, not with_type)
        header.setSectionHidden(SHAPE, not with_shape)
        header.setSectionHidden(SHARE, not with_type and not self._names_leave_room())
        wide = _WIDE_SHARE_PX if with_shape else _SHARE_PX
        for column, width in (
            (TYPE, _TYPE_PX),
            (SHAPE, _SHAPE_PX),
            (SHARE, wide),
            (SIZE, _SIZE_PX),
        ):
            header.resizeSection(column, round(width * scale))

    def _names_leave_room(self) -> bool:
        """Whether all blocks can be read beside a column of bars."""
        advance = self.fontMetrics().horizontalAdvance
        longest_px = max(map(advance, self._items.block_names()), default=0)
        around_px = round((_SHARE_PX + _SIZE_PX) * manager().scale) + 2 * _INDENT_PX + TEXT_INSET_PX
        bar_px = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return longest_px + around_px + bar_px <= self.width()

    def _action(
        self, text: str, do: Callable[[], None], keys: QKeySequence, icon_name: str = ""
    ) -> QAction:
        action = QAction(text, self)
        action.setShortcut(keys)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        action.triggered.connect(do)
        if icon_name:
            set_icon(action, icon_name)
        self.addAction(action)
        return action

    def _copy_name(self) -> None:
        if self.currentIndex().isValid():
            QApplication.clipboard().setText(str(self.currentIndex().data(FULL_NAME_ROLE)))

    def _copy_row(self) -> None:
        if self.currentIndex().isValid():
            QApplication.clipboard().setText(self._items.row_text(self.currentIndex()))

    def _copy_markdown(self) -> None:
        """All that is unfolded."""
        items, columns, rows = self._items, (TYPE, SHAPE, SIZE), []
        index = items.index(0, NAME)
        while index.isValid():
            told = [str(index.siblingAtColumn(at).data() or "") for at in columns]
            rows.append([str(index.data(FULL_NAME_ROLE)), *told])
            index = self.indexBelow(index)
        across = Qt.Orientation.Horizontal
        headings = [str(items.headerData(at, across)) for at in (NAME, *columns)]
        QApplication.clipboard().setText(markdown_table(headings, rows, (len(columns),)))

    def _open_all(self) -> None:
        """Everything, or all blocks where tensors are too many to lay out at once."""
        if self._items.tensor_count <= _MOST_OPENED:
            self.expandAll()
        else:
            self.expandToDepth(0)

    def _close_all(self) -> None:
        self.collapseAll()
        self.expandToDepth(0)


class ShareDelegate(QStyledItemDelegate):
    """Paints the share column as a bar, with its figure where the column has room for it."""

    def __init__(self, view: QTreeView) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(
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
