"""The sheet of shortcuts, all commands in one list, and what this program is."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import platformdirs
import PySide6
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHeaderView,
    QLineEdit,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

import modelmon
from modelmon.core.data_folder import data_folder
from modelmon.gui.language import mark, tr
from modelmon.gui.runs.run_actions import RUN_ACTIONS
from modelmon.gui.session.actions import ACTIONS, MENUS
from modelmon.gui.shell.crash_reporter import log_path
from modelmon.gui.widgets.dialog import ButtonRow, Dialog, resize_on_screen, scrolled
from modelmon.gui.widgets.entry_list import ListField
from modelmon.gui.widgets.icons import icon
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import label
from modelmon.gui.widgets.tables import dress
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QAction

_KEYS_PX = 112
_COLUMNS = 2
_WIDTH_PX, _LEAST_HEIGHT_PX = 760, 640
_OF_WINDOW_SHARE = 0.9


class ShortcutsDialog(Dialog):
    """Groups of shortcuts in two columns; those without a match are hidden while one types."""

    def __init__(
        self, groups: list[tuple[str, list[Shortcut]]], parent: QWidget | None = None
    ) -> None:
        super().__init__(tr("Keyboard shortcuts"), parent)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search by action or key"))
        self.search.setAccessibleName(tr("Search shortcuts"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self._nothing = label(tr("No shortcuts match."), "label")
        self._nothing.hide()
        self.groups = [_Group(title, rows) for title, rows in groups]
        column = in_column(self.search, on=self, margins=(24, 16, 24, 16), spacing=12)
        column.addWidget(self._nothing)
        self._sheet = self._make_sheet()
        self._area = scrolled(self._sheet)
        self._area.setAccessibleName(tr("Keyboard shortcuts"))
        column.addWidget(self._area, 1)
        column.addLayout(ButtonRow(self, tr("Close")))
        self._fit(parent)

    def shown(self) -> list[Shortcut]:
        """What matches the search."""
        return [row for group in self.groups for row in group.shown()]

    def _fit(self, parent: QWidget | None) -> None:
        """As high as the sheet, so that nothing is hidden, as far as the window is."""
        self.resize(_WIDTH_PX, _LEAST_HEIGHT_PX)
        self.ensurePolished()
        if (layout := self.layout()) is not None:
            layout.activate()
        view = self._area.viewport()
        hidden_px = max(0, self._sheet.heightForWidth(view.width()) - view.height())
        room_px = round(parent.window().height() * _OF_WINDOW_SHARE) if parent is not None else 0
        height_px = min(self.height() + hidden_px, max(room_px, _LEAST_HEIGHT_PX))
        resize_on_screen(self, _WIDTH_PX, height_px)

    def _make_sheet(self) -> QWidget:
        sheet = QWidget()
        row = in_row(on=sheet, spacing=32)
        lengths = [0] * _COLUMNS
        columns = [QVBoxLayout() for _ in range(_COLUMNS)]
        half = sum(group.lines for group in self.groups) / _COLUMNS
        at = 0
        for group in self.groups:
            if lengths[at] + group.lines / 2 > half and at < _COLUMNS - 1:
                at += 1
            columns[at].addWidget(group)
            lengths[at] += group.lines
        for column in columns:
            column.setSpacing(16)
            column.addStretch(1)
            row.addLayout(column, 1)
        return sheet

    def _filter(self, text: str) -> None:
        for group in self.groups:
            group.filter(text.casefold().strip())
        self._nothing.setVisible(not self.shown())


class _Group(QWidget):
    """One menu's shortcuts under its name."""

    def __init__(self, title: str, rows: list[Shortcut]) -> None:
        super().__init__()
        self.lines = len(rows) + 1
        self._rows = [
            (row, label(row.keys, "value"), label(row.text, "label", wrap=True)) for row in rows
        ]
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        grid.setColumnMinimumWidth(0, _KEYS_PX)
        grid.setColumnStretch(1, 1)
        grid.addWidget(label(title, "heading"), 0, 0, 1, 2)
        for at, (_, keys, text) in enumerate(self._rows, start=1):
            grid.addWidget(keys, at, 0)
            grid.addWidget(text, at, 1)

    def shown(self) -> list[Shortcut]:
        return [row for row, keys, _ in self._rows if not (self.isHidden() or keys.isHidden())]

    def filter(self, wanted: str) -> None:
        for row, keys, text in self._rows:
            found = wanted in f"{row.keys} {row.text}".casefold()
            keys.setVisible(found)
            text.setVisible(found)
        self.setVisible(any(not keys.isHidden() for _, keys, _ in self._rows))


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


class AboutDialog(Dialog):
    """What this is, its version, and where it keeps what it writes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("About modelmon"), parent)
        column = in_column(on=self, margins=(24, 16, 24, 16), spacing=8)
        column.addWidget(label(f"modelmon {modelmon.__version__}", "headline"))
        column.addWidget(label(tr("See why a model loads slowly, and load it faster."), "value"))
        settings = Path(platformdirs.user_config_path("modelmon", appauthor=False))
        cache = Path(platformdirs.user_cache_path("modelmon", appauthor=False))
        lines = (
            f"Python {platform.python_version()}, PySide6 {PySide6.__version__}",
            tr("Settings: {path}", path=settings),
            tr("Run history: {path}", path=data_folder()),
            tr("Sample models: {path}", path=cache),
            tr("Program errors: {path}", path=log_path()),
            tr("Nothing is ever sent anywhere."),
        )
        for line in lines:
            text = label(line, "label")
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            column.addWidget(text)
        column.addLayout(ButtonRow(self, tr("Close")))
