"""Looks for a model on a server: its folders, and what lies in its usual caches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from modelmon.core.errors import ConfigError
from modelmon.core.messages import from_wire
from modelmon.core.model.folder_entries import FolderEntries
from modelmon.core.model.found_models import FoundModel
from modelmon.core.remote.address import SCHEME, Place, is_remote, place_of
from modelmon.core.remote.connection import asks_for_copy
from modelmon.core.units import size_text
from modelmon.gui.background.command_query import CommandQuery
from modelmon.gui.background.commands import (
    install_arguments,
    list_arguments,
    models_there_arguments,
)
from modelmon.gui.look.language import mark, said, tr
from modelmon.gui.look.screen_room import resize_on_screen
from modelmon.gui.look.styling import label, push_button, styled
from modelmon.gui.look.tool_tips import plain
from modelmon.gui.panels.button_row import ButtonRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.model.folder_entries import Kind
    from modelmon.gui.background.commands import Command

_WIDTH_PX, _HEIGHT_PX = 720, 520
_PLACE = Qt.ItemDataRole.UserRole
_IS_FOLDER = Qt.ItemDataRole.UserRole + 1
_MODELS: frozenset[Kind] = frozenset({"safetensors", "gguf", "index"})
_KINDS: dict[Kind, str] = {
    "folder": mark("Folder"),
    "safetensors": mark("safetensors"),
    "gguf": mark("GGUF"),
    "index": mark("Index of a sharded model"),
}


class _FoundLine(msgspec.Struct):
    """One line of `modelmon models --json`."""

    model: FoundModel | None = None


_decode_found = msgspec.json.Decoder(_FoundLine, dec_hook=from_wire).decode


class ServerDialog(QDialog):
    """`chosen` carries the `ssh://...` of what is to be opened; nothing is opened by it."""

    chosen = Signal(str)

    def __init__(
        self,
        make_command: Callable[[list[str]], Command],
        servers: Sequence[str],
        parent: QWidget | None = None,
    ) -> None:
        """`servers` were used before, the latest first."""
        super().__init__(parent)
        self.setWindowTitle(tr("Open on a server"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_on_screen(self, _WIDTH_PX, _HEIGHT_PX)
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
        self.entries = self._list(tr("Folder on the server"))
        self.found = self._list(tr("Models in the usual caches there"))
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
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(12)
        asked = QHBoxLayout()
        asked.setSpacing(8)
        asked.addWidget(self.address, 1)
        asked.addWidget(self.connect_button)
        column.addLayout(asked)
        told = QHBoxLayout()
        told.addWidget(self.state, 1)
        told.addWidget(self.copy)
        column.addLayout(told)
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

    def _list(self, name: str) -> QTreeWidget:
        made = styled(QTreeWidget(), "list")
        made.setAccessibleName(name)
        made.setHeaderLabels([tr("Name"), tr("Kind"), tr("Size")])
        made.setRootIsDecorated(False)
        made.setUniformRowHeights(True)
        header = made.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        return made

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
        self._listing.ask(
            list_arguments(str(place)), FolderEntries, self._show_entries, self._show_problem
        )

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
            self._add(self.entries, "..", folder.rpartition("/")[0] or "/", tr("Folder"), "", True)
        for entry in found.entries:
            if entry.kind != "folder" and entry.kind not in _MODELS:
                continue
            is_folder = entry.kind == "folder"
            size = "" if is_folder else size_text(entry.size_bytes)
            path = f"{folder}/{entry.name}"
            self._add(self.entries, entry.name, path, tr(_KINDS[entry.kind]), size, is_folder)
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
            size = size_text(model.size_bytes) if model.size_bytes is not None else ""
            self._add(self.found, model.name, model.path, model.source, size, False)
            self.found_title.show()
            self.found.show()

        self._finding.follow(
            models_there_arguments(server), _decode_found, take, lambda: None, lambda *_: None
        )

    def _add(  # noqa: PLR0913, PLR0917  the columns of a row
        self, tree: QTreeWidget, name: str, path: str, kind: str, size: str, is_folder: bool
    ) -> None:
        item = QTreeWidgetItem([name, kind, size])
        item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        item.setData(0, _PLACE, str(Place(path, self._place.server)))
        item.setData(0, _IS_FOLDER, is_folder)
        item.setToolTip(0, plain(path))
        tree.addTopLevelItem(item)

    def _show_problem(self, message: str, remedy: str) -> None:
        self.state.setText(f"{said(message)} {said(remedy)}".strip())
        self.copy.setVisible(asks_for_copy(remedy))
        self._judge()

    def _copy(self) -> None:
        server = self._place.server
        self.copy.hide()
        self.state.setText(tr("Copying modelmon to {server}", server=server))
        self._listing.follow(
            install_arguments(server),
            bytes,
            lambda _: None,
            lambda: self._look_at(self._place),
            self._show_problem,
        )

    def _selected(self) -> QTreeWidgetItem | None:
        for tree in (self.found, self.entries):
            if tree.selectedItems() and tree.hasFocus():
                return tree.selectedItems()[0]
        chosen = [*self.entries.selectedItems(), *self.found.selectedItems()]
        return chosen[0] if chosen else None

    def _activate(self, item: QTreeWidgetItem) -> None:
        place = str(item.data(0, _PLACE))
        if item.data(0, _IS_FOLDER):
            self._look_at(place_of(place))
        else:
            self._choose(place)

    def _open_selected(self) -> None:
        item = self._selected()
        self._choose(str(item.data(0, _PLACE)) if item is not None else str(self._place))

    def _choose(self, place: str) -> None:
        self.chosen.emit(place)
        self.accept()

    def _judge(self) -> None:
        self.open_button.setEnabled(bool(self.entries.topLevelItemCount()))

    def _stop(self) -> None:
        for asking in (self._listing, self._finding):
            asking.shut_down()
