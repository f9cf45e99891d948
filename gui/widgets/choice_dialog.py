"""Asks which of several models is to be opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from modelmon.gui.language import tr
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.entry_list import EntryList, ListField, place_of_row
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import ElidedLabel, label, push_button

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QTreeWidgetItem, QWidget

    from modelmon.core.model.sharded import ModelChoice

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
