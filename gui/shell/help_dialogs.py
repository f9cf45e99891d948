"""All commands and keys in one list, and what this program is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import platformdirs
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from modelmon.core.crash_log import crash_log
from modelmon.core.data_folder import data_folder
from modelmon.gui.language import mark, tr
from modelmon.gui.shell.crash_reporter import versions
from modelmon.gui.widgets.dialog import Dialog
from modelmon.gui.widgets.entry_list import ListField
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label
from modelmon.gui.widgets.tables import dress
from modelmon.gui.widgets.theme import icon, manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

ABOUT_PX = (560, 300)


PLOT_KEYS = (
    ("Tab; Shift+Tab", mark("Leave the plot")),
    ("F", mark("Follow the load on or off")),
    ("+", mark("Zoom in")),
    ("-", mark("Zoom out")),
    ("PgUp", mark("Move back")),
    ("PgDown", mark("Move forward")),
    ("0", mark("Reset zoom")),
    ("Left", mark("Move block or crosshair left")),
    ("Right", mark("Move block or crosshair right")),
    ("Up", mark("Move to the block above")),
    ("Down", mark("Move to the block below")),
    ("Esc", mark("Clear the range, hide the crosshair, deselect the block, show everything")),
    ("Return", mark("Maximize or restore the plot")),
    ("Ctrl+C", mark("Copy figures")),
)
"""What the plots do with keys while one of them has the focus."""

TREE_KEYS = (
    ("Return", mark("Go to the first match of the search")),
    ("Esc", mark("Clear the search")),
    ("Right", mark("Expand")),
    ("Left", mark("Collapse")),
    ("Ctrl+C", mark("Copy name")),
    ("Ctrl+Shift+C", mark("Copy name, type, shape and bytes")),
)
RANKING_KEYS = (("Ctrl+C", mark("Copy table")),)
REPLAY_KEYS = (
    ("Space", mark("Play or pause")),
    ("Left; PgDown", mark("Move back")),
    ("Right; PgUp", mark("Move forward")),
    ("Home", mark("Go to the start")),
    ("End", mark("Go to the end")),
    ("Esc", mark("Close replay")),
)
RECENTS_KEYS = (
    ("Return", mark("Open")),
    ("Del", mark("Remove from the list")),
)
"""What other parts of the window do with keys while they have the focus."""

GESTURES = (
    (mark("Drag"), mark("Select a time range, or move its edge")),
    (mark("Shift+drag"), mark("Zoom to a time range")),
    (mark("Drag the axis"), mark("Move in time (or drag with the middle button)")),
    (mark("Wheel"), mark("Zoom (in the waterfall: scroll)")),
    (mark("Ctrl+wheel"), mark("Zoom in the waterfall")),
    (mark("Shift+wheel"), mark("Move in time")),
    (mark("Double-click"), mark("Reset zoom")),
)
"""What the mouse does in plots over time."""


_SIZE_PX = (720, 440)
_DOWN_SHARE = 0.12
_NAME, _ABOUT, _KEYS = range(3)


class Entry(NamedTuple):
    """A command with what it does, or what a part of the window does with keys; `group` is the
    menu, table or part that it is of.
    """

    text: str
    keys: str
    group: str
    about: str = ""
    action: QAction | None = None

    @property
    def is_possible(self) -> bool:
        """Whether it can be done from here."""
        return self.action is not None and self.action.isEnabled()

    @property
    def told(self) -> str:
        """What it does, or why it can't be used now."""
        if self.action is None or self.is_possible:
            return self.about or self.group
        return self.action.toolTip()

    def place(self, words: Sequence[str]) -> int | None:
        """How early it stands for what was typed; None where it is none of that."""
        name = self.text.casefold()
        every = "\n".join((name, self.group, self.told, self.keys)).casefold()
        if not all(word in every for word in words):
            return None
        if words and name.startswith(" ".join(words)) and self.action is not None:
            return 0
        named = all(word in name for word in words)
        return 1 + 2 * (not self.is_possible) + 2 * (self.action is None) + (not named)


def entry_of(action: QAction, group: str, about: str = "") -> Entry:
    """A command of the window, or of a table."""
    return Entry(action.text(), _native(action.shortcuts()), group, about, action)


def key_entries() -> list[Entry]:
    """What parts of the window do with keys, and plots with the mouse."""
    tables = (
        (tr("In a plot"), PLOT_KEYS),
        (tr("In the model tree"), TREE_KEYS),
        (tr("In the Find best ranking"), RANKING_KEYS),
        (tr("In a replay"), REPLAY_KEYS),
        (tr("In the list of recent models"), RECENTS_KEYS),
    )
    mouse = tr("With the mouse in a time plot")
    return [
        *(
            Entry(tr(text), _native(QKeySequence.listFromString(keys)), group)
            for group, table in tables
            for keys, text in table
        ),
        *(Entry(tr(text), tr(gesture), mouse) for gesture, text in GESTURES),
    ]


def _native(keys: Sequence[QKeySequence]) -> str:
    """Keys as the platform writes them."""
    return " · ".join(each.toString(QKeySequence.SequenceFormat.NativeText) for each in keys)


class CommandPalette(Dialog):
    """Return does the chosen command; one that can't be used says why. Keys are listed below."""

    def __init__(self, entries: Sequence[Entry], parent: QWidget | None = None) -> None:
        super().__init__(tr("Commands and keys"), parent, size_px=_SIZE_PX)
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
        self.search.setPlaceholderText(tr("Type a command or a key"))
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
            down_px = round(window.height() * _DOWN_SHARE)
            self.move(window.center().x() - _SIZE_PX[0] // 2, window.top() + down_px)
        manager().changed.connect(self._renew)
        self._renew()

    @property
    def shown(self) -> list[str]:
        """The commands that match, in their order."""
        return [entry.text for entry in self._shown]

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
            action, cells = entry.action, (entry.text, entry.told, entry.keys)
            items = [QTableWidgetItem(told) for told in cells]
            for column, item in enumerate(items):
                quiet = column != _NAME or not entry.is_possible
                item.setForeground(theme.text_2 if quiet else theme.text)
                item.setToolTip(entry.told)
                self.table.setItem(row, column, item)
            if action is not None:
                items[_NAME].setIcon(icon("check") if action.isChecked() else action.icon())
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            items[_KEYS].setTextAlignment(side)
        self.table.selectRow(0)
        self.nothing.setVisible(not self._shown)

    def _do(self) -> None:
        row = self.table.currentRow()
        action = self._shown[row].action if 0 <= row < len(self._shown) else None
        if action is not None and action.isEnabled():
            self.accept()
            action.trigger()


def about_text() -> str:
    """What this is, its version, and where it keeps what it writes."""
    settings = Path(platformdirs.user_config_path("modelmon", appauthor=False))
    cache = Path(platformdirs.user_cache_path("modelmon", appauthor=False))
    lines = (
        tr("See why a model loads slowly, and load it faster."),
        "",
        versions(),
        tr("Settings: {path}", path=settings),
        tr("Run history: {path}", path=data_folder()),
        tr("Sample models: {path}", path=cache),
        tr("Program errors: {path}", path=crash_log()),
        tr("Nothing is ever sent anywhere."),
    )
    return "\n".join(lines)
