"""How all tables of the window look: rows, headings and room between columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
)
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
)

from modelmon.gui.language import tr
from modelmon.gui.widgets.markdown import markdown_of_model
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

Index = QModelIndex | QPersistentModelIndex

ROW_PX = 28
_LEFT_PX, _RIGHT_PX = 8, 18
_MEASURED_ROWS = 16
_WIDEST_COLUMN_PX = 260


def dress(table: QTableView, accessible_name: str, *, close: bool = False) -> None:
    """Give a table the look and the keys of all others; one that is not sorted may have its
    columns `close` together.
    """
    table.setAccessibleName(accessible_name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setShowGrid(False)
    right_px = _LEFT_PX if close else _RIGHT_PX
    table.setItemDelegate(Padded(table, right_px))
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(round(ROW_PX * manager().scale))
    dress_header(table, table.horizontalHeader(), right_px)


def dress_header(
    table: QTableView | QTreeView, header: QHeaderView, right_px: int = _RIGHT_PX
) -> None:
    """Give the headings of a table or a tree the look of all others."""
    # The arrow of the sorted column has its place right of the text.
    margin_px = text_margin_px(table)
    sides = f"4px {right_px + margin_px}px 4px {_LEFT_PX + margin_px}px"
    header.setStyleSheet(f"QHeaderView::section {{ padding: {sides}; }}")
    header.setHighlightSections(False)
    header.setStretchLastSection(True)
    header.setMaximumSectionSize(_WIDEST_COLUMN_PX)
    # Measuring all rows for the width of a column would take longer than a frame.
    header.setResizeContentsPrecision(_MEASURED_ROWS)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)


def keep_narrow(table: QTreeView, header: QHeaderView, column: int) -> None:
    """Give a column of marks no more room than its heading takes; Qt adds an arrow's width."""
    title = table.model().headerData(column, Qt.Orientation.Horizontal)
    header.ensurePolished()
    text_px = header.fontMetrics().horizontalAdvance(title)
    sides_px = _LEFT_PX + _RIGHT_PX + 2 * text_margin_px(table)
    header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
    header.resizeSection(column, text_px + sides_px)


def offer_markdown(table: QTableView) -> None:
    """Let the menu of a table put its columns that are seen onto the clipboard."""

    def copy() -> None:
        columns = [at for at in range(table.model().columnCount()) if not table.isColumnHidden(at)]
        QGuiApplication.clipboard().setText(markdown_of_model(table.model(), columns))

    action = QAction(tr("Copy as Markdown"), table)
    action.triggered.connect(copy)
    table.addAction(action)
    table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)


def text_margin_px(table: QTableView | QTreeView) -> int:
    """How far Qt keeps a cell's text from its edges, and not that of a heading."""
    return table.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1


class Padded(QStyledItemDelegate):
    """Keeps figures and words of neighbouring columns apart."""

    def __init__(self, parent: QObject | None = None, right_px: int = _RIGHT_PX) -> None:
        super().__init__(parent)
        self._right_px = right_px

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Text and padding."""
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + _LEFT_PX + self._right_px, hint.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the ground of the whole cell, and the text within the padding."""
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, manager().theme.focus_soft)
        super().paint(painter, self._inset(option), index)

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """A check box takes its clicks where it is drawn."""
        return super().editorEvent(event, model, self._inset(option), index)

    def _inset(self, option: QStyleOptionViewItem) -> QStyleOptionViewItem:
        inset = QStyleOptionViewItem(option)
        inset.rect = option.rect.adjusted(_LEFT_PX, 0, -self._right_px, 0)
        return inset
