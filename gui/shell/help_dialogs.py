"""The sheet of shortcuts, all commands in one list, and what this program is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import platformdirs
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from modelmon.core.crash_log import crash_log
from modelmon.core.data_folder import data_folder
from modelmon.gui.language import mark, tr
from modelmon.gui.runs.run_actions import RUN_ACTIONS
from modelmon.gui.session.actions import ACTIONS, MENUS
from modelmon.gui.shell.crash_reporter import versions
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.entry_list import ListField
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label, styled
from modelmon.gui.widgets.tables import dress
from modelmon.gui.widgets.theme import font, icon, manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

_SHEET_PX = (640, 720)
ABOUT_PX = (560, 300)


class ShortcutsDialog(Dialog):
    """Groups of shortcuts below each other; those that match while one types."""

    def __init__(
        self, groups: list[tuple[str, list[Shortcut]]], parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Keyboard shortcuts"), parent, size_px=_SHEET_PX)
        self._groups = groups
        self._shown: list[Shortcut] = []
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search by action or key"))
        self.search.setAccessibleName(tr("Search shortcuts"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._show)
        self.sheet = styled(QTreeWidget(), "list")
        self.sheet.setAccessibleName(tr("Keyboard shortcuts"))
        self.sheet.setColumnCount(2)
        self.sheet.setHeaderHidden(True)
        self.sheet.setRootIsDecorated(False)
        self.sheet.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self._nothing = label(tr("No shortcuts match."), "label")
        column = in_column(self.search, on=self, margins=(24, 16, 24, 16), spacing=12)
        column.addWidget(self._nothing)
        column.addWidget(self.sheet, 1)
        column.addLayout(ButtonRow(self, tr("Close")))
        self._show("")

    def shown(self) -> list[Shortcut]:
        """What matches the search."""
        return self._shown

    def _show(self, wanted: str) -> None:
        wanted = wanted.casefold().strip()
        self.sheet.clear()
        self._shown = []
        for title, rows in self._groups:
            found = [row for row in rows if wanted in f"{row.keys} {row.text}".casefold()]
            if found:
                group = QTreeWidgetItem(self.sheet, [title])
                group.setFirstColumnSpanned(True)
                group.setFont(0, font(13, 600))
                group.addChildren([QTreeWidgetItem(list(row)) for row in found])
                self._shown += found
        self.sheet.expandAll()
        self._nothing.setVisible(not self._shown)


class Shortcut(NamedTuple):
    """What is pressed, as the platform writes it, and what that does."""

    keys: str
    text: str


PLOT_KEYS = (
    ("Tab", mark("Switch between A, both, and B")),
    ("Shift+Tab", mark("Leave the plot")),
    ("F", mark("Follow the load on or off")),
    ("+", mark("Zoom in")),
    ("-", mark("Zoom out")),
    ("PgUp", mark("Move to the previous")),
    ("PgDown", mark("Move to the next")),
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
RANKING_KEYS = (
    ("Return", mark("Expand or collapse a group")),
    ("Ctrl+C", mark("Copy table")),
)
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


def shortcut_groups() -> list[tuple[str, list[Shortcut]]]:
    """Commands with a key by menu, then what parts of the window do with keys."""
    groups = [
        (tr(menu), [_made(s.shortcut, s.text) for s in ACTIONS if s.menu == menu and s.shortcut])
        for menu in MENUS
    ]
    groups.append((tr("In a plot"), [_made(keys, text) for keys, text in PLOT_KEYS]))
    gestures = [Shortcut(tr(gesture), tr(text)) for gesture, text in GESTURES]
    groups.append((tr("With the mouse in a time plot"), gestures))
    runs = [_made(action.shortcut, action.text) for action in RUN_ACTIONS if action.shortcut]
    groups.append((tr("In the runs table"), runs))
    elsewhere = (
        (tr("In the model tree"), TREE_KEYS),
        (tr("In the Find best ranking"), RANKING_KEYS),
        (tr("In a replay"), REPLAY_KEYS),
        (tr("In the list of recent models"), RECENTS_KEYS),
    )
    groups += [(title, [_made(keys, text) for keys, text in table]) for title, table in elsewhere]
    return [(title, rows) for title, rows in groups if rows]


def _made(keys: str, text: str) -> Shortcut:
    form = QKeySequence.SequenceFormat.NativeText
    each = [one.toString(form) for one in QKeySequence.listFromString(keys)]
    return Shortcut(" · ".join(each), tr(text).rstrip("…"))


_SIZE_PX = (720, 440)
_DOWN_SHARE = 0.12
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
            down_px = round(window.height() * _DOWN_SHARE)
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
