"""The blocks and tensors of a model: a field to find them by over a tree with shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QHeaderView,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from modelmon.core.units import percent_text
from modelmon.gui.language import tr
from modelmon.gui.model.tensor_tree import (
    BLOCK_ROLE,
    FULL_NAME_ROLE,
    NAME,
    SHAPE,
    SHARE,
    SHARE_ROLE,
    SIZE,
    TYPE,
    TensorTree,
)
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label
from modelmon.gui.widgets.tables import markdown_table
from modelmon.gui.widgets.theme import font, icon, manager, set_icon

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject, SignalInstance
    from PySide6.QtGui import QKeyEvent, QPainter

    from modelmon.core.model.tensors import Model

_TYPING_PAUSE_MS = 120
_MOST_OPENED = 1000
"""Tensors that a search lays open by itself; laying out more would be felt while typing."""
_INDENT_PX = 14
_SHARE_PX, _WIDE_SHARE_PX = 48, 150
_SIZE_PX, _TYPE_PX, _SHAPE_PX = 66, 148, 168
_MOST_EXPANDED = 20_000
INSET_PX, TEXT_INSET_PX = 6, 3
"""Room right of figures and left of texts."""
_ROW_PX = 22
_BAR_PX = 40
_BAR_HEIGHT_PX = 4
_FIGURE_PX = 48
_LEAST_BAR_PX = 2


class ModelTree(QWidget):
    """Tree of shards, blocks and tensors; `wide` ones have all columns.

    `block_selected` follows what the user selects, `block_shown` every other block that the
    tree comes to show, whoever chose it.
    """

    block_selected = Signal(str)
    block_shown = Signal(str)

    def __init__(self, *, wide: bool = False) -> None:
        super().__init__()
        self._block: str | None = None
        self.search = _search_field()
        self.search.installEventFilter(self)
        self.found = label("", "hint")
        self._items = TensorTree(self)
        self.view = TreeView(self._items, wide=wide)
        field = in_column(self.search, self.found, margins=(12, 0, 12, 0), spacing=4)
        in_column(field, (self.view, 1), on=self, margins=(0, 8, 0, 0), spacing=8)
        self._pause = QTimer(self, singleShot=True, interval=_TYPING_PAUSE_MS)
        self._pause.timeout.connect(self.apply_filter)
        self.search.textChanged.connect(lambda _: self._pause.start())
        self.view.selectionModel().currentChanged.connect(self._on_current)
        self._show_count()

    @property
    def block(self) -> str:
        """The selected block; empty without one."""
        return self._block or ""

    def set_model(self, model: Model | None) -> None:
        """Show another model, its first shard open."""
        self._block = None
        self.search.clear()
        self._pause.stop()
        self._items.set_filter("")
        self._items.set_model(model)
        self.view.expand(self._items.index(0, NAME))
        self.view.scrollToTop()
        self._show_count()

    def apply_filter(self) -> None:
        """Show what the field asks for, opened as far as is useful; the selected block stays."""
        self._pause.stop()
        text = self.search.text().strip()
        self._items.set_filter(text)
        if text:
            self.view.expandToDepth(0)
            for index in self._items.searched_blocks(_MOST_OPENED):
                self.view.expand(index)
        else:
            self.view.expand(self._items.index(0, NAME))
        if self._block is not None:
            self._mark(self._block)
        self._show_count()

    def select_block(self, name: str) -> None:
        """Select a block, or with an empty name none, as somebody else's choice: `block_selected`
        stays silent.
        """
        self._select(name, self.block_shown)

    def choose_block(self, name: str) -> None:
        """Select a block as the user's choice, made in another tree."""
        self._select(name, self.block_selected)

    def _select(self, name: str, told: SignalInstance) -> None:
        if name != self._block:
            self._block = name
            self._mark(name)
            told.emit(name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the field: Down and Return go on to what was found, Escape empties it."""
        if watched is self.search and event.type() == QEvent.Type.KeyPress:
            return self._on_key(event)  # type: ignore[arg-type]  # a key's press is a QKeyEvent
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
            self.apply_filter()
            return True
        if event.key() not in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        if self._pause.isActive():
            self.apply_filter()
        first = self.view.first_found()
        if self.search.text() and first.isValid():
            self.view.setCurrentIndex(first)
        self.view.setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _mark(self, name: str) -> None:
        index = self._items.block_index(name)
        selection = self.view.selectionModel()
        if not name or not index.isValid():
            # What the field leaves out must not leave another block marked in its place.
            selection.clear()
            return
        if selection.currentIndex().data(BLOCK_ROLE) == name:
            return
        selection.currentChanged.disconnect(self._on_current)
        self.view.setCurrentIndex(index)
        selection.currentChanged.connect(self._on_current)
        self.view.scrollTo(index)

    def _on_current(self, current: QModelIndex) -> None:
        name = current.data(BLOCK_ROLE) if current.isValid() else None
        if isinstance(name, str) and name != self._block:
            self._block = name
            self.block_selected.emit(name)
            self.block_shown.emit(name)

    def _show_count(self) -> None:
        tensors, blocks = self._items.tensor_count, self._items.block_count
        self.found.setVisible(bool(self.search.text().strip()))
        if not tensors:
            self.found.setText(tr("Nothing matches."))
        elif tensors == 1:
            self.found.setText(tr("1 tensor found"))
        elif blocks == 1:
            self.found.setText(tr("{tensors} tensors found in 1 block", tensors=f"{tensors:,}"))
        else:
            self.found.setText(
                tr(
                    "{tensors} tensors found in {blocks} blocks",
                    tensors=f"{tensors:,}",
                    blocks=f"{blocks:,}",
                )
            )


def _search_field() -> QLineEdit:
    field = QLineEdit()
    field.setPlaceholderText(tr("Find block or tensor"))
    field.setAccessibleName(tr("Find block or tensor"))
    field.setToolTip(tr("Part of a block's or tensor's name, or a type: mlp, layers.7, Q4_K"))
    field.setClearButtonEnabled(True)
    glass = field.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
    set_icon(glass, "search", "text_2")
    return field


class TreeView(QTreeView):
    """Shows names, which have the room that is left, shares and sizes; `wide`, all columns."""

    def __init__(self, items: TensorTree, *, wide: bool) -> None:
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
        self.setHeaderHidden(not wide)
        shown = {SHARE: _WIDE_SHARE_PX if wide else _SHARE_PX, SIZE: _SIZE_PX}
        shown |= {TYPE: _TYPE_PX, SHAPE: _SHAPE_PX} if wide else {}
        for column in (TYPE, SHAPE, SHARE, SIZE):
            header.setSectionHidden(column, column not in shown)
            header.resizeSection(column, round(shown.get(column, 0) * manager().scale))

    def first_found(self) -> QModelIndex:
        """The first tensor in sight, or the first block where none is opened."""
        index = self._items.index(0, NAME)
        while self.isExpanded(index) and index.isValid():
            index = self._items.index(0, NAME, index)
        return index

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
        if self._items.tensor_count <= _MOST_EXPANDED:
            self.expandAll()
        else:
            self.expandToDepth(0)

    def _close_all(self) -> None:
        self.collapseAll()
        self.expandToDepth(0)


class ShareDelegate(QStyledItemDelegate):
    """Paints the share column as a bar, with its figure where the column has room for it."""

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
        if index.column() != SHARE or not isinstance(share, float):
            return
        theme, rect = manager().theme, QRect(option.rect)
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
