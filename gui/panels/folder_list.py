"""A short list of folders that can be added to and taken from."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QWidget

from modelmon.gui.look.language import tr
from modelmon.gui.look.layout import STRETCH, in_column, in_row
from modelmon.gui.look.styling import icon_button, label, styled
from modelmon.gui.look.tool_tips import plain
from modelmon.gui.panels.file_dialog import FileDialog

_HEIGHT_PX = 72


class FolderList(QWidget):
    """`changed` carries all folders, in their order."""

    changed = Signal(tuple)

    def __init__(self, name: str) -> None:
        """`name` is what the list is called by a screen reader."""
        super().__init__()
        self.list = styled(QListWidget(), "list")
        self.list.setAccessibleName(name)
        self.list.setFixedHeight(_HEIGHT_PX)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.add = icon_button("open", tr("Add a folder…"))
        self.remove = icon_button("remove", tr("Remove the selected folder"))
        texts = in_column(self.list, spacing=2)
        texts.addWidget(label(tr("Searched in addition to the usual model caches"), "hint"))
        buttons = in_column(self.add, self.remove, STRETCH)
        in_row((texts, 1), buttons, on=self)
        self.add.clicked.connect(self._ask)
        self.remove.clicked.connect(self._remove)
        self.list.itemSelectionChanged.connect(self._judge)
        self._judge()

    @property
    def folders(self) -> tuple[str, ...]:
        """What is listed."""
        return tuple(self.list.item(row).text() for row in range(self.list.count()))

    def show_folders(self, folders: tuple[str, ...]) -> None:
        """List these, without telling anybody."""
        if folders != self.folders:
            self.list.clear()
            for folder in folders:
                self.list.addItem(folder)
                self.list.item(self.list.count() - 1).setToolTip(plain(folder))
            self._judge()

    def add_folder(self, folder: str) -> None:
        """List one more; one that is listed already stays where it is."""
        path = str(Path(folder))
        if path not in self.folders:
            self.show_folders((*self.folders, path))
            self.changed.emit(self.folders)

    def _ask(self) -> None:
        dialog = FileDialog(self, tr("Add a folder"), str(Path.home()), "folder")
        dialog.chosen.connect(self.add_folder)
        dialog.open()

    def _remove(self) -> None:
        for item in self.list.selectedItems():
            self.list.takeItem(self.list.row(item))
        self.changed.emit(self.folders)
        self._judge()

    def _judge(self) -> None:
        chosen = bool(self.list.selectedItems())
        self.remove.setEnabled(chosen)
        self.remove.setToolTip(
            tr("Remove the selected folder") if chosen else tr("Select a folder first.")
        )
