"""All commands in one list that is searched while one types."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from modelmon.gui.language import tr
from modelmon.gui.widgets.dialog import Dialog
from modelmon.gui.widgets.entry_list import ListField
from modelmon.gui.widgets.icons import icon
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label
from modelmon.gui.widgets.tables import dress
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

_SIZE_PX = (720, 440)
_OF_WINDOW_SHARE = 0.12
_NAME, _ABOUT, _KEYS = range(3)


class Entry(NamedTuple):
    """A command with what it does, and the menu or table that it is of."""

    action: QAction
    group: str
    about: str = ""

    @property
    def told(self) -> str:
        """What it does, or why it can't be used now."""
        return self.about if self.action.isEnabled() else self.action.toolTip()

    def place(self, words: Sequence[str]) -> int | None:
        """How early it stands for what was typed; None where it is none of that."""
        name = self.action.text().casefold()
        every = "\n".join((name, self.group, self.told, _keys(self.action))).casefold()
        if not all(word in every for word in words):
            return None
        if words and name.startswith(" ".join(words)):
            return 0
        named = all(word in name for word in words)
        return 1 + 2 * (not self.action.isEnabled()) + (not named)


class CommandPalette(Dialog):
    """Return does the chosen command; one that can't be used says why."""

    def __init__(self, entries: Sequence[Entry], parent: QWidget | None = None) -> None:
        super().__init__(tr("Command palette"), parent, size_px=_SIZE_PX)
        self._entries = entries
        self._shown: list[Entry] = []
        self.table = QTableWidget(0, 3)
        dress(self.table, tr("Commands"))
        self.table.horizontalHeader().hide()
        self.table.horizontalHeader().setMaximumSectionSize(_SIZE_PX[0])
        self.table.horizontalHeader().setStretchLastSection(False)
        self.table.horizontalHeader().setSectionResizeMode(_ABOUT, QHeaderView.ResizeMode.Stretch)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.search = ListField(self.table)
        self.search.setPlaceholderText(tr("Type a command"))
        self.search.setAccessibleName(tr("Search commands"))
        self.nothing = label(tr("No commands match."), "label")
        column = in_column(on=self, margins=(12, 12, 12, 12), spacing=8)
        for part in (self.search, self.nothing):
            column.addWidget(part)
        column.addWidget(self.table, 1)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._do)
        self.table.itemClicked.connect(self._do)
        if parent is not None:
            window = parent.window().geometry()
            down_px = round(window.height() * _OF_WINDOW_SHARE)
            self.move(window.center().x() - _SIZE_PX[0] // 2, window.top() + down_px)
        manager().changed.connect(self._renew)
        self._renew()

    @property
    def shown(self) -> list[str]:
        """The commands that match, in their order."""
        return [entry.action.text() for entry in self._shown]

    def _renew(self) -> None:
        """In the colors of now."""
        self._filter(self.search.text())

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        placed = [(entry.place(words), entry) for entry in self._entries]
        found = [(place, entry) for place, entry in placed if place is not None]
        self._shown = [entry for _, entry in sorted(found, key=lambda pair: pair[0])]
        theme = manager().theme
        self.table.setRowCount(len(self._shown))
        for row, entry in enumerate(self._shown):
            action = entry.action
            cells = (action.text(), entry.told or entry.group, _keys(action))
            items = [QTableWidgetItem(told) for told in cells]
            for column, item in enumerate(items):
                quiet = column != _NAME or not action.isEnabled()
                item.setForeground(theme.text_2 if quiet else theme.text)
                item.setToolTip(entry.told)
                self.table.setItem(row, column, item)
            items[_NAME].setIcon(icon("check") if action.isChecked() else action.icon())
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            items[_KEYS].setTextAlignment(side)
        self.table.selectRow(0)
        self.nothing.setVisible(not self._shown)

    def _do(self) -> None:
        row = self.table.currentRow()
        if 0 <= row < len(self._shown) and self._shown[row].action.isEnabled():
            self.accept()
            self._shown[row].action.trigger()


def _keys(action: QAction) -> str:
    form = QKeySequence.SequenceFormat.NativeText
    return " · ".join(each.toString(form) for each in action.shortcuts())
