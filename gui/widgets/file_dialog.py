"""Asks for a file or a folder. What a folder holds is looked up by another process, so that a mount
that hangs keeps nobody from typing, choosing elsewhere or leaving.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QPushButton,
    QTreeWidgetItem,
    QWidget,
)

from modelmon.core.worker.look import LIST, decode
from modelmon.gui.background.commands import SILENT_S, CommandQuery, look_process
from modelmon.gui.language import said, sentences, tr
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.entry_list import EntryList, ListField, is_folder_row, place_of_row
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label, push_button, restyle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.worker.look import Seen

Wanted = Literal["model", "file", "files", "folder", "save"]

_SIZE_PX = (720, 480)
_TYPING_MS = 100
"""A name that is being typed is not looked up letter by letter."""
_TICK_MS = 250


class FileDialog(Dialog):
    """`chosen` carries the path, `all_chosen` all of them. The list shows what begins or goes on as
    the path that is typed; whether that is there is for whoever opens it to say.
    """

    chosen = Signal(str)
    all_chosen = Signal(list)

    def __init__(
        self,
        parent: QWidget,
        title: str,
        path: str,
        wanted: Wanted = "file",
        filters: Sequence[str] = (),
    ) -> None:
        """`path` is a folder, or of what is to be saved the file. A filter is `Kind (*.a *.b)`; the
        first pattern of the one that is in force completes the name of what is saved.
        """
        super().__init__(title, parent, size_px=_SIZE_PX)
        self._wanted = wanted
        # The window's: one that waits for storage outlives this dialog.
        self._listing = CommandQuery(look_process, parent.window())
        self._checking = CommandQuery(look_process, parent.window())
        self._folder, self._agreed, self._asked_s = "", "", 0.0
        # Until a folder was listed or typed: that of last time may be gone.
        self._is_new = True
        self.entries = EntryList(tr("Files and folders"))
        if wanted == "files":
            self.entries.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.path = ListField(self.entries)
        self.path.setAccessibleName(tr("Path"))
        self.up = QPushButton(tr("Parent folder"))
        self.state = label("", "hint", wrap=True)
        self.kinds = QComboBox()
        self.kinds.setAccessibleName(tr("Kind of file"))
        self.kinds.addItems(list(filters))
        self.kinds.setVisible(len(filters) > 1)
        saves = wanted == "save"
        text, icon = (tr("Save"), "save") if saves else (tr("Open"), "open")
        self.take = push_button(text, icon, "primary", "ink_text")
        self._lay_out()
        self._waiting = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._ticking = QTimer(self, interval=_TICK_MS)
        self._connect()
        self._start_at(path)

    def _lay_out(self) -> None:
        column = in_column(
            self.path, (self.entries, 1), self.state, on=self, margins=(16, 16, 16, 16), spacing=8
        )
        column.addWidget(self.kinds)
        buttons = ButtonRow(self, tr("Cancel"), (self.take,), (self.up,))
        column.addLayout(buttons)
        for button in (self.take, self.up, buttons.leave):
            button.setAutoDefault(False)

    def _connect(self) -> None:
        self.path.textEdited.connect(self._on_edited)
        self.path.textChanged.connect(self._on_text)
        self.path.returnPressed.connect(self._take)
        self.take.clicked.connect(self._take)
        self.up.clicked.connect(self._go_up)
        self.entries.itemSelectionChanged.connect(self._on_selected)
        self.entries.itemActivated.connect(self._activate)
        self.kinds.currentTextChanged.connect(self._on_kind)
        self._waiting.timeout.connect(self._look)
        self._ticking.timeout.connect(self._tick)
        self.finished.connect(self._stop)

    def _start_at(self, path: str) -> None:
        saves = self._wanted == "save"
        self.path.setText(path if saves else _inside(path))
        if saves:
            name = Path(path).name
            self.path.setSelection(len(path) - len(name), len(Path(name).stem))
        self._look()
        self.path.setFocus()

    def _parts(self) -> tuple[str, str]:
        """The folder that is typed, and the name in it, or the beginning of one."""
        text = self.path.text().strip().replace(os.sep, "/")
        folder, slash, name = text.rpartition("/")
        typed = Path(folder + slash)
        with suppress(RuntimeError):  # nobody is called so
            typed = typed.expanduser()
        return str(Path(self._folder, typed)), name

    def _on_edited(self) -> None:
        self._is_new = False
        self.entries.clearSelection()

    def _on_text(self) -> None:
        self._agreed = ""
        saves = self._wanted == "save"
        self.take.setText(tr("Save") if saves else tr("Open"))
        folder, name = self._parts()
        self.take.setEnabled(bool(name) or self._wanted in ("model", "folder"))
        if folder != self._folder:
            self._waiting.start()
        else:
            self._filter()

    def _look(self) -> None:
        """List the folder that is typed."""
        self._waiting.stop()
        self._folder, name = self._parts()
        if not self.path.text().startswith(("~", "/")):
            # What is typed next is in this folder, not in one of the same name below it.
            self.path.setText(_inside(self._folder) + name)
        self.entries.clear()
        self._say("")
        self._asked_s = time.monotonic()
        self._ticking.start()
        self._listing.follow(
            [LIST, self._folder], decode, self._show, self._ticking.stop, self._on_problem
        )

    def _show(self, seen: Seen) -> None:
        self._ticking.stop()
        chosen = self.entries.chosen
        self.entries.clear()
        found = seen.entries
        if found is None:
            if self._is_new and seen.kind == "absent":
                self._go_up()
            self._say(seen.problem, "bad")
            return
        self._is_new = False
        opens = self._wanted == "model"
        hint = tr("Choose a model file, or open this folder.") if opens else ""
        if found.more:
            hint = tr("Only the first {count} entries are listed.", count=len(found.entries))
        # A question whether to replace a file stands until it is answered.
        if not self._agreed:
            self._say(hint)
        for entry in found.entries:
            if entry.kind == "folder" or self._wanted != "folder":
                self.entries.add_entry(entry, str(Path(self._folder, entry.name)))
        for row in self.entries.rows:
            row.setSelected(place_of_row(row) in chosen)
        self._filter()

    def _filter(self) -> None:
        """Show what goes on as was typed and is of the kind; all of it where a row is chosen."""
        _, name = self._parts()
        patterns = self._patterns
        for row in self.entries.rows:
            text = row.text(0).lower()
            fits = is_folder_row(row) or any(fnmatchcase(text, each) for each in patterns)
            typed = name.lower() in text or self._wanted == "save" or bool(self.entries.chosen)
            row.setHidden(not (fits and typed))

    @property
    def _patterns(self) -> list[str]:
        return re.findall(r"\*[^\s)]*", self.kinds.currentText()) or ["*"]

    def _on_kind(self) -> None:
        """A name that ends as another kind ends as this one."""
        path = Path(self.path.text())
        if self._wanted == "save" and path.suffix and self._patterns != ["*"]:
            self.path.setText(str(path.with_suffix(self._patterns[0].removeprefix("*"))))
        self._filter()

    def _on_selected(self) -> None:
        chosen = self.entries.chosen
        folders = [row for row in self.entries.selectedItems() if is_folder_row(row)]
        if chosen and not (folders and self._wanted == "save"):
            self.path.setText(chosen[0])

    def _activate(self, row: QTreeWidgetItem) -> None:
        if is_folder_row(row):
            self._go_to(place_of_row(row))
        else:
            self._take()

    def _go_up(self) -> None:
        self._go_to(str(Path(self._folder).parent))

    def _go_to(self, folder: str) -> None:
        name = self._parts()[1] if self._wanted == "save" else ""
        self.entries.clearSelection()
        self.path.setText(_inside(folder) + name)
        self._look()
        self.path.setFocus()

    def _take(self) -> None:
        """What is typed or chosen; a folder is looked into where a file is wanted."""
        chosen = self.entries.chosen
        path = str(Path(*self._parts()))
        folders = [place_of_row(row) for row in self.entries.rows if is_folder_row(row)]
        if not self.take.isEnabled():
            return
        if self._wanted == "save":
            self._check(path)
        elif self._wanted != "folder" and path in folders:
            self._go_to(path)
        else:
            self._choose(chosen if len(chosen) > 1 else [path])

    def _check(self, path: str) -> None:
        """Nothing is written where storage doesn't answer, nor over a file unasked."""
        if self._waiting.isActive():
            # The list begins before the question, so that it doesn't wipe it out.
            self._look()
        kinds = " ".join(self.kinds.itemText(at) for at in range(self.kinds.count()))
        # A name may have dots of its own.
        suffixes = tuple(re.findall(r"\*(\.[^\s)]*)", kinds))
        if self._patterns != ["*"] and not path.lower().endswith(suffixes):
            path += self._patterns[0].removeprefix("*")
        if path == self._agreed:
            self._choose([path])
            return

        def judge(seen: Seen) -> None:
            if seen.kind == "folder":
                self._go_to(path)
            elif seen.kind == "absent":
                self._choose([path])
            else:
                self.take.setText(tr("Replace"))
                self._agreed = path
                self._say(
                    tr("{file} exists. Replace writes over it.", file=Path(path).name), "warn"
                )

        self._asked_s = time.monotonic()
        self._ticking.start()
        self._checking.follow([path], decode, judge, self._ticking.stop, self._on_problem)

    def _choose(self, paths: list[str]) -> None:
        self.accept()
        self.chosen.emit(paths[0])
        self.all_chosen.emit(paths)

    def _tick(self) -> None:
        seconds = int(time.monotonic() - self._asked_s)
        if seconds >= SILENT_S:
            self._say(tr("The storage hasn't answered for {seconds} s.", seconds=seconds), "warn")

    def _on_problem(self, message: str, remedy: str) -> None:
        self._ticking.stop()
        self._say(sentences(said(message), said(remedy)), "bad")

    def _say(self, text: str, tone: str = "") -> None:
        self.state.setText(said(text))
        restyle(self.state, tone=tone)

    def _stop(self) -> None:
        """Nobody is waited for."""
        self._ticking.stop()
        for asking in (self._listing, self._checking):
            asking.stop()


def _inside(folder: str) -> str:
    """The folder's path, to which a name can be added."""
    return folder if folder.endswith("/") else f"{folder}/"
