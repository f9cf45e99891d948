"""What a folder holds, as a list to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
)

from modelmon.core.units import size_text
from modelmon.gui.language import mark, tr
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import ElidedLabel, label, plain, push_button, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

    from modelmon.core.model.found_models import FolderEntry, Kind
    from modelmon.core.model.sharded import ModelChoice

_PLACE = Qt.ItemDataRole.UserRole
_IS_FOLDER = Qt.ItemDataRole.UserRole + 1
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
_KINDS: dict[Kind, str] = {
    "folder": mark("Folder"),
    "safetensors": mark("safetensors"),
    "gguf": mark("GGUF"),
    "index": mark("Index of a sharded model"),
    "other": mark("File"),
}


class EntryList(QTreeWidget):
    """Rows of name, kind and size, each of which stands for a place."""

    def __init__(self, name: str) -> None:
        """`name` is what a screen reader calls it."""
        super().__init__()
        styled(self, "list")
        self.setAccessibleName(name)
        self.setHeaderLabels([tr("Name"), tr("Kind"), tr("Size")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)

    def add_entry(self, entry: FolderEntry, place: str) -> None:
        """Add what a folder holds."""
        is_folder = entry.kind == "folder"
        self.add(entry.name, place, tr(_KINDS[entry.kind]), entry.size_bytes, is_folder=is_folder)

    def add(
        self, name: str, place: str, kind: str, size_bytes: int | None, *, is_folder: bool = False
    ) -> None:
        """Add a row; a size is shown where there is one."""
        item = QTreeWidgetItem([name, kind, size_text(size_bytes) if size_bytes else ""])
        item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(0, _PLACE, place)
        item.setData(0, _IS_FOLDER, is_folder)
        item.setToolTip(0, plain(place))
        self.addTopLevelItem(item)

    @property
    def rows(self) -> list[QTreeWidgetItem]:
        """All of them, hidden ones too."""
        items = map(self.topLevelItem, range(self.topLevelItemCount()))
        return [item for item in items if item is not None]

    @property
    def chosen(self) -> list[str]:
        """The places of the selected rows that are seen."""
        return [place_of_row(item) for item in self.selectedItems() if not item.isHidden()]


def place_of_row(item: QTreeWidgetItem) -> str:
    """What the row stands for."""
    return str(item.data(0, _PLACE))


def is_folder_row(item: QTreeWidgetItem) -> bool:
    """Whether that is a folder, which can be looked into."""
    return bool(item.data(0, _IS_FOLDER))


class ListField(QLineEdit):
    """Gives the list the keys that move in it."""

    def __init__(self, entries: QAbstractItemView) -> None:
        super().__init__()
        self._entries = entries

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Letters are typed or searched for; arrows move in the list."""
        if event.key() in _LIST_KEYS:
            QApplication.sendEvent(self._entries, event)
        else:
            super().keyPressEvent(event)


_SIZE_PX = (640, 440)


class ChoiceDialog(Dialog):
    """`chosen` carries the path; all models of the folder are listed, and searched as one types."""

    chosen = Signal(str)

    def __init__(self, folder: str, choices: Sequence[ModelChoice], parent: QWidget) -> None:
        super().__init__(tr("Choose what to open"), parent, size_px=_SIZE_PX)
        self.entries = EntryList(tr("Models in this folder"))
        self.entries.hideColumn(1)
        for each in choices:
            self.entries.add(each.name, each.path, "", each.size_bytes)
            if each.size_bytes is None:
                self.entries.rows[-1].setText(2, tr("incomplete"))
        self.search = ListField(self.entries)
        self.search.setPlaceholderText(tr("Search models"))
        self.search.setAccessibleName(tr("Search models"))
        self.state = label("", "hint")
        self.open_button = push_button(tr("Open"), "open", "primary", "ink_text")
        column = in_column(on=self, margins=(16, 16, 16, 16), spacing=8)
        column.addWidget(ElidedLabel("title", folder))
        column.addWidget(self.search)
        column.addWidget(self.entries, 1)
        column.addWidget(self.state)
        buttons = ButtonRow(self, tr("Cancel"), (self.open_button,))
        column.addLayout(buttons)
        for button in (self.open_button, buttons.leave):
            button.setAutoDefault(False)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._open)
        self.open_button.clicked.connect(self._open)
        self.entries.itemActivated.connect(self._choose)
        self._filter("")

    def _filter(self, text: str) -> None:
        words, rows = text.casefold().split(), self.entries.rows
        for row in rows:
            row.setHidden(not all(word in row.text(0).casefold() for word in words))
        shown = [row for row in rows if not row.isHidden()]
        if shown:
            self.entries.setCurrentItem(shown[0])
        self.open_button.setEnabled(bool(shown))
        self.state.setText(tr("{count} of {total} models", count=len(shown), total=len(rows)))

    def _open(self) -> None:
        for row in self.entries.selectedItems():
            if not row.isHidden():
                self._choose(row)

    def _choose(self, row: QTreeWidgetItem) -> None:
        self.accept()
        self.chosen.emit(place_of_row(row))
