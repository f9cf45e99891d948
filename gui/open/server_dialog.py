"""Looks for a model on a server: its folders, and what lies in its usual caches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QLineEdit,
    QTreeWidgetItem,
    QWidget,
)

from modelmon.core.errors import ConfigError
from modelmon.core.messages import from_wire
from modelmon.core.model.found_models import FolderEntries, FolderEntry, FoundModel
from modelmon.core.remote import SCHEME, Place, is_remote, place_of
from modelmon.core.remote.connection import asks_for_copy
from modelmon.gui.background.commands import CommandQuery
from modelmon.gui.language import said, sentences, tr
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.entry_list import EntryList, is_folder_row, place_of_row
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import label, push_button

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.gui.background.commands import Command

_WIDTH_PX, _HEIGHT_PX = 720, 520


class _FoundLine(msgspec.Struct):
    """One line of `modelmon models --json`."""

    model: FoundModel | None = None


_decode_found = msgspec.json.Decoder(_FoundLine, dec_hook=from_wire).decode


class ServerDialog(Dialog):
    """`chosen` carries the `ssh://...` of what is to be opened; nothing is opened by it."""

    chosen = Signal(str)

    def __init__(
        self,
        make_command: Callable[[list[str]], Command],
        servers: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        """`servers` were used before, the latest first."""
        super().__init__(tr("Open on a server"), parent, size_px=(_WIDTH_PX, _HEIGHT_PX))
        self._listing = CommandQuery(make_command, self)
        self._finding = CommandQuery(make_command, self)
        self._searched = ""
        self._place = Place("")
        self.address = QLineEdit(servers[0] if servers else "")
        self.address.setPlaceholderText(tr("ssh://user@host/path"))
        self.address.setAccessibleName(tr("Address of the server"))
        self.connect_button = push_button(tr("Connect"), "cloud")
        self.state = label(
            tr("Connects with ssh, with your keys and settings. Reads folders only."),
            "hint",
            wrap=True,
        )
        self.copy = push_button(tr("Copy modelmon there"), "export", "primary", "ink_text")
        self.entries = EntryList(tr("Folder on the server"))
        self.found = EntryList(tr("Models in the usual caches there"))
        self.open_button = push_button(tr("Open"), "open", "primary", "ink_text")
        self._lay_out()
        self.connect_button.clicked.connect(self._connect)
        self.address.returnPressed.connect(self._connect)
        self.copy.clicked.connect(self._copy)
        self.open_button.clicked.connect(self._open_selected)
        for each in (self.entries, self.found):
            each.itemActivated.connect(self._activate)
            each.itemSelectionChanged.connect(self._judge)
        self.finished.connect(self._stop)
        self._judge()

    def _lay_out(self) -> None:
        asked = in_row((self.address, 1), self.connect_button, spacing=8)
        told = in_row((self.state, 1), self.copy)
        column = in_column(asked, told, on=self, margins=(24, 16, 24, 16), spacing=12)
        column.addWidget(self.entries, 2)
        self.found_title = label(tr("Models in the usual caches there"), "title")
        column.addWidget(self.found_title)
        column.addWidget(self.found, 1)
        buttons = ButtonRow(self, tr("Cancel"), (self.open_button,))
        column.addLayout(buttons)
        for button in (self.connect_button, self.copy, self.open_button, buttons.leave):
            button.setAutoDefault(False)
        for part in (self.copy, self.found_title, self.found):
            part.hide()

    def _connect(self) -> None:
        text = self.address.text().strip()
        try:
            place = place_of(text if is_remote(text) else f"{SCHEME}{text}")
        except ConfigError as error:
            self._show_problem(error.message, error.remedy)
            return
        self._look_at(place if place.path else Place("./", place.server))

    def _look_at(self, place: Place) -> None:
        self._place = place
        self.copy.hide()
        self.state.setText(tr("Connecting to {server}", server=place.server))
        listed = ["remote", "list", "--json", "--", str(place)]
        self._listing.ask(listed, FolderEntries, self._show_entries, self._show_problem)

    def _show_entries(self, found: FolderEntries) -> None:
        server = self._place.server
        self._place = Place(found.path, server)
        self.address.setText(str(self._place))
        self.state.setText(
            tr("Only the first {count} entries are listed.", count=len(found.entries))
            if found.more
            else tr("Choose a model file, or open this folder.")
        )
        self.entries.clear()
        folder = found.path.rstrip("/")
        if folder:
            above = self._there(folder.rpartition("/")[0] or "/")
            self.entries.add_entry(FolderEntry("..", "folder"), above)
        for entry in found.entries:
            if entry.kind != "other":
                place = self._there(f"{folder}/{entry.name}")
                self.entries.add_entry(entry, place)
        self.entries.setFocus()
        self._judge()
        if self._searched != server:
            self._find(server)

    def _find(self, server: str) -> None:
        self._searched = server
        self.found.clear()
        self.found_title.hide()
        self.found.hide()

        def take(line: _FoundLine) -> None:
            if (model := line.model) is None or model.problem:
                return
            place = str(Place(model.path, server))
            self.found.add(model.name, place, model.source, model.size_bytes)
            self.found_title.show()
            self.found.show()

        models = ["models", "--json", "--", server]
        self._finding.follow(models, _decode_found, take, lambda: None, lambda *_: None)

    def _there(self, path: str) -> str:
        return str(Place(path, self._place.server))

    def _show_problem(self, message: str, remedy: str) -> None:
        self.state.setText(sentences(said(message), said(remedy)))
        self.copy.setVisible(asks_for_copy(remedy))
        self._judge()

    def _copy(self) -> None:
        server = self._place.server
        self.copy.hide()
        self.state.setText(tr("Copying modelmon to {server}", server=server))
        self._listing.follow(
            ["remote", "install", "--yes", "--", server],
            bytes,
            lambda _: None,
            lambda: self._look_at(self._place),
            self._show_problem,
        )

    def _activate(self, item: QTreeWidgetItem) -> None:
        if is_folder_row(item):
            self._look_at(place_of(place_of_row(item)))
        else:
            self._choose(place_of_row(item))

    def _open_selected(self) -> None:
        trees = sorted((self.entries, self.found), key=lambda tree: not tree.hasFocus())
        self._choose(next((each.chosen[0] for each in trees if each.chosen), str(self._place)))

    def _choose(self, place: str) -> None:
        self.chosen.emit(place)
        self.accept()

    def _judge(self) -> None:
        self.open_button.setEnabled(bool(self.entries.topLevelItemCount()))

    def _stop(self) -> None:
        for asking in (self._listing, self._finding):
            asking.shut_down()
