"""The blocks and tensors of a model: a field to find them by over a tree with shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from modelmon.gui.language import tr
from modelmon.gui.model.tensor_rows import NAME
from modelmon.gui.model.tensor_tree import BLOCK_ROLE, TensorTree
from modelmon.gui.model.tree_view import TreeView
from modelmon.gui.widgets.icons import icon, set_icon
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label

if TYPE_CHECKING:
    from PySide6.QtCore import QObject
    from PySide6.QtGui import QKeyEvent

    from modelmon.core.model.tensors import Model

_TYPING_PAUSE_MS = 120
_MOST_OPENED = 1000
"""Tensors that a search lays open by itself; laying out more would be felt while typing."""


class ModelTree(QWidget):
    """Tree of shards, blocks and tensors.

    `block_selected` follows what the user selects, `block_shown` every other block that the
    tree comes to show, whoever chose it.
    """

    block_selected = Signal(str)
    block_shown = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._block: str | None = None
        self.search = _search_field()
        self.search.installEventFilter(self)
        self.found = label("", "hint")
        self._items = TensorTree(self)
        self.view = TreeView(self._items)
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
        if name != self._block:
            self._block = name
            self._mark(name)
            self.block_shown.emit(name)

    def choose_block(self, name: str) -> None:
        """Select a block as the user's choice, made in another tree."""
        if name != self._block:
            self._block = name
            self._mark(name)
            self.block_selected.emit(name)

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
