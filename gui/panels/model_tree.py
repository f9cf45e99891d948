"""The blocks and tensors of a model: a field to find them by over a tree with size bars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, QTimer, Signal
from PySide6.QtWidgets import (
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from modelmon.gui.icons import icon, set_icon
from modelmon.gui.models.tensor_tree import BLOCK_ROLE, NAME, SHARE_ROLE, SIZE, TensorTree
from modelmon.gui.styling import styled
from modelmon.gui.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from modelmon.core.model.tensors import Model

_ROW_PX = 22
_BAR_PX = 40
_INSET_PX = 6
_SIZE_COLUMN_PX = 112
_TYPING_PAUSE_MS = 150


class ModelTree(QWidget):
    """Tree of shards, blocks and tensors; `block_selected` follows the selection."""

    block_selected = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(8)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find block or tensor")
        self.search.setAccessibleName("Find block or tensor")
        self.search.setClearButtonEnabled(True)
        self._glass = self.search.addAction(
            icon("search"), QLineEdit.ActionPosition.LeadingPosition
        )
        set_icon(self._glass, "search", "text_2")
        for button in self.search.findChildren(QToolButton):
            styled(button, "icon")
        framed = QVBoxLayout()
        framed.setContentsMargins(12, 0, 12, 0)
        framed.addWidget(self.search)
        column.addLayout(framed)
        self._items = TensorTree(self)
        self.view = QTreeView()
        self.view.setModel(self._items)
        self.view.setAccessibleName("Blocks and tensors")
        self.view.setHeaderHidden(True)
        self.view.setUniformRowHeights(True)
        self.view.setIndentation(14)
        self.view.setItemDelegate(_ShareDelegate(self.view))
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(SIZE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(SIZE, _SIZE_COLUMN_PX)
        column.addWidget(self.view, 1)
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._pause.timeout.connect(self.apply_filter)
        self.search.textChanged.connect(lambda _: self._pause.start())
        self.view.selectionModel().currentChanged.connect(self._on_current)

    def set_model(self, model: Model | None) -> None:
        """Show another model, its first shard open."""
        self.search.clear()
        self._items.set_filter("")
        self._items.set_model(model)
        self.view.expand(self._items.index(0, NAME))

    def apply_filter(self) -> None:
        """Show what the field asks for, opened as far as is useful."""
        text = self.search.text().strip()
        self._items.set_filter(text)
        self.view.expandToDepth(0) if text else self.view.expand(self._items.index(0, NAME))

    def select_block(self, name: str) -> None:
        """Select a block without telling anybody."""
        index = self._items.block_index(name)
        if not index.isValid():
            return
        selection = self.view.selectionModel()
        blocked = selection.blockSignals(True)
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        selection.blockSignals(blocked)
        self.view.viewport().update()

    def _on_current(self, current: QModelIndex) -> None:
        name = current.data(BLOCK_ROLE) if current.isValid() else None
        if isinstance(name, str):
            self.block_selected.emit(name)


class _ShareDelegate(QStyledItemDelegate):
    """Rows of one height; the size column shows its share of the parent as a bar."""

    def sizeHint(  # noqa: N802 (Qt's name)
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width(), round(_ROW_PX * manager().scale))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        share = index.data(SHARE_ROLE)
        if index.column() != SIZE or not isinstance(share, float):
            super().paint(painter, option, index)
            return
        rect = QRect(option.rect)
        inset = QStyleOptionViewItem(option)
        inset.rect = rect.adjusted(0, 0, -_INSET_PX, 0)
        super().paint(painter, inset, index)
        width = max(2, round(share * _BAR_PX))
        bar = QRect(rect.left(), rect.center().y() - 1, width, 4)
        painter.fillRect(bar, manager().theme.neutral_3)
