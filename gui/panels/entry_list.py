"""What a folder holds, as a list to choose from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from modelmon.core.units import size_text
from modelmon.gui.look.language import mark, tr
from modelmon.gui.look.styling import styled
from modelmon.gui.look.tool_tips import plain

if TYPE_CHECKING:
    from modelmon.core.model.folder_entries import Kind

_PLACE = Qt.ItemDataRole.UserRole
_IS_FOLDER = Qt.ItemDataRole.UserRole + 1
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

    def add(self, name: str, place: str, kind: Kind | str, size_bytes: int = 0) -> None:
        """Add a row; `kind` is shown, and `size_bytes` where it is known."""
        is_folder = kind == "folder"
        size = size_text(size_bytes) if size_bytes and not is_folder else ""
        item = QTreeWidgetItem([name, tr(_KINDS.get(kind, kind)), size])
        item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(0, _PLACE, place)
        item.setData(0, _IS_FOLDER, is_folder)
        item.setToolTip(0, plain(place))
        self.addTopLevelItem(item)

    @property
    def rows(self) -> list[QTreeWidgetItem]:
        """All of them, hidden ones too."""
        return [self.topLevelItem(at) for at in range(self.topLevelItemCount())]

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
