"""Export: what is to be written, its exact text, and where to."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import NOTHING, Message
from modelmon.core.programs.registry import PROGRAMS
from modelmon.core.remote import SCHEME, Place, parts_of
from modelmon.gui.background.askpass import let_ssh_ask
from modelmon.gui.background.commands import Presence
from modelmon.gui.background.threads import MainThreadQueue, start_thread
from modelmon.gui.export.entry_page import EntryPage, ExportList, Legend
from modelmon.gui.export.sources import (
    LOAD_CONFIG,
    OWN_NAME,
    ExportSource,
    default_path,
    files_at,
    folder_of,
    in_full,
    replaced,
    write_all,
)
from modelmon.gui.language import said, tr
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.dialog import Dialog
from modelmon.gui.widgets.file_dialog import FileDialog
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, IconLabel, label, push_button, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.export.outcomes import Result
    from modelmon.core.machine.storage import StorageStack
    from modelmon.core.programs.known_program import ListedProgram
    from modelmon.gui.export.sources import ExportEntry, File
    from modelmon.gui.session.machine import ProgramFinder
    from modelmon.gui.session.settings import Settings

_SIZE_PX = (1104, 772)
_LIST_PX, _LEAST_LIST_PX = 320, 200


class ExportDialog(Dialog):
    """Shows what will be written of a result, and writes exactly that.

    Which entries were written is remembered in `settings`; each keeps the place that was
    given to it while the dialog is open.
    """

    def __init__(
        self,
        result: Result,
        parent: QWidget | None = None,
        settings: Settings | None = None,
        stack: StorageStack | None = None,
        programs: ProgramFinder | None = None,
    ) -> None:
        """`programs` is asked which are installed, where nothing is measured meanwhile."""
        super().__init__(tr("Export"), parent, size_px=_SIZE_PX)
        self.saved: tuple[Place, ...] = ()
        self._source = ExportSource(result, stack)
        # Where the model is; "" is this machine.
        self._server = parts_of(self._source.path).server
        self._answers = MainThreadQueue(self)
        self._busy = False
        # The window's: what it waits for outlives this dialog.
        self._seen = Presence(parent.window() if parent else QCoreApplication.instance())
        self._seen.changed.connect(self._judge)
        # Places on servers that have such a file, as they said.
        self._there: frozenset[str] = frozenset()
        self._settings = settings
        self._entries: dict[str, ExportEntry] = {}
        self._programs: dict[str, ListedProgram] = {}
        self._shown = LOAD_CONFIG
        # By entry: which of its forms is looked at; by entry and form: where it goes to.
        self._forms: dict[str, int] = {}
        self._places: dict[tuple[str, int], str] = {}
        self.save = push_button(tr("Save"), "save", "primary", "ink_text")
        self._make_parts()
        column = in_column(self._choice_row(), on=self, margins=(16, 16, 16, 16), spacing=12)
        column.addLayout(self._middle_row(), 1)
        column.addLayout(self._save_row())
        self.arm.set_value(self._source.best)
        self.finished.connect(lambda _: self._answers.ignore())
        self._list_entries((settings.exported if settings else ()) or (LOAD_CONFIG,))
        self.save.setFocus()
        if programs is not None and programs.server == self._server:
            programs.programs_found.connect(self._on_programs)
            programs.look_for_programs()

    @property
    def text(self) -> str:
        """The text that is looked at."""
        return self._text(self._shown)

    @property
    def chosen_ids(self) -> tuple[str, ...]:
        """What is written: all that is ticked where that is several, else what is looked at."""
        ticked = self.entries.ticked_ids
        if len(ticked) > 1:
            return ticked
        return (self._shown,) if self.text else ()

    def save_now(self) -> bool:
        """Write what is chosen, each in the form it was last looked at; on failure say why and stay
        open. Whether it is done, or at least begun: a server takes its time.
        """
        try:
            files = [(in_full(self._place(each)), self._text(each)) for each in self.chosen_ids]
            if any(place.server for place, _ in files):
                self._save_there(files)
                return True
            paths = (place.path for place, _ in files)
            # The button did not know yet of some; it does then.
            if there := files_at(path for path in paths if not self._seen.has_file(path)):
                self._seen.look(there)
                self._on_there(frozenset(there))
                return False
            write_all(files)
        except ModelmonError as error:
            self._on_problem(error)
            return False
        self._on_saved(files)
        return True

    def _save_there(self, files: Sequence[File]) -> None:
        """The same outside the window's thread; a file there is only replaced once that is agreed
        to.
        """
        self._busy = True
        self._judge()
        self._say(tr("Connecting to {server}", server=_server_of(files)), "focus")
        let_ssh_ask()
        self._answers.expect()
        agreed = self._there

        def work() -> None:
            try:
                there = replaced(files)
                if there <= agreed:
                    write_all(files)
                    answer = partial(self._on_saved, files)
                else:
                    answer = partial(self._on_there, there)
            except ModelmonError as error:
                answer = partial(self._on_problem, error)
            self._answers.leave(answer)

        start_thread(work)

    def _on_problem(self, error: ModelmonError) -> None:
        self._busy = False
        self._judge()
        self._say(error.text, "bad")

    def _on_there(self, there: frozenset[str]) -> None:
        self._busy, self._there = False, there
        self._judge()
        files = tr(", ").join(sorted(there))
        self._say(tr("{files} exists. Replace writes over it.", files=files), "bad")

    def _on_saved(self, files: Sequence[File]) -> None:
        self._busy = False
        self.saved = tuple(place for place, _ in files)
        if self._settings is not None:
            self._settings.exported = self.entries.ticked_ids
        self.accept()

    def _form(self, entry_id: str) -> int:
        return self._forms.get(entry_id, 0)

    def _text(self, entry_id: str) -> str:
        forms = self._entries[entry_id].forms
        return forms[self._form(entry_id)].text if forms else ""

    def _place(self, entry_id: str) -> str:
        return self._places[entry_id, self._form(entry_id)]

    def _make_parts(self) -> None:
        self.entries = ExportList()
        self.entries.setMinimumWidth(_LEAST_LIST_PX)
        self.entries.setMaximumWidth(_LIST_PX)
        self.entries.selected.connect(self._look_at)
        self.entries.ticked.connect(self._judge)
        self.arm = Segments(tr("Strategy to export"), self._source.options)
        self.arm.chosen.connect(lambda _: self._list_entries(self.entries.wanted_ids))
        self.page = EntryPage()
        self.page.form_chosen.connect(self._choose_form)
        self.note_panel = styled(QFrame(), "panel")
        """What else is to be known, or why something isn't written; gone where nothing is."""
        self._note_icon = IconLabel("info", "focus")
        self.note = label("", "value", wrap=True)
        here = ("", tr("This computer"))
        there = (self._server, self._server.removeprefix(SCHEME))
        self.machine = Segments(tr("Save on"), [here, there] if self._server else [here])
        self.machine.set_value("")
        self.machine.setVisible(bool(self._server))
        self.machine.chosen.connect(self._choose_machine)
        self.path = QLineEdit()
        self.path.setAccessibleName(tr("Save to"))
        self.path.textChanged.connect(self._on_place)
        self.save.setDefault(True)
        self.save.clicked.connect(self.save_now)

    def _choice_row(self) -> QHBoxLayout:
        row = in_row(label(tr("Strategy to export"), "title"), self.arm, spacing=12)
        options = self._source.options
        if len(options) == 1:
            # Nothing to choose, and a command line may be longer than the dialog is wide.
            self.arm.hide()
            row.addWidget(ElidedLabel("value", options[0][1]), 1)
        else:
            row.addStretch(1)
        return row

    def _middle_row(self) -> QHBoxLayout:
        left, right = QVBoxLayout(), QVBoxLayout()
        for column in (left, right):
            column.setSpacing(8)
        left.addWidget(label(tr("Who will load the model?"), "title"))
        left.addWidget(self.entries, 1)
        left.addWidget(Legend())
        right.addWidget(self.page, 1)
        row = in_row(on=self.note_panel, margins=(12, 8, 12, 8), spacing=8)
        row.addWidget(self._note_icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.note, 1)
        right.addWidget(self.note_panel)
        return in_row((left, _LIST_PX), (right, _SIZE_PX[0] - _LIST_PX), spacing=16)

    def _save_row(self) -> QHBoxLayout:
        self.browse = QPushButton(tr("Browse…"))
        self.browse.clicked.connect(self._browse)
        close = QPushButton(tr("Close"))
        close.clicked.connect(self.reject)
        row = in_row(label(tr("Save to"), "label"), self.machine, (self.path, 1), spacing=8)
        row.addWidget(self.browse)
        row.addSpacing(16)
        row.addWidget(close)
        row.addWidget(self.save)
        return row

    def _list_entries(self, ticked: tuple[str, ...]) -> None:
        entries = self._source.entries(self.arm.value)
        self._entries = {entry.id: entry for entry in entries}
        self._forms = {
            entry.id: at
            for entry in entries
            if (at := self._form(entry.id)) < max(1, len(entry.forms))
        }
        self._set_places()
        # Of a program there is no modelmon.toml, and of a strategy no command.
        first = entries[0].id
        possible = {entry.id for entry in entries if not entry.obstacle}
        self.entries.show_entries(entries, ticked if possible & {*ticked} else (*ticked, first))
        self._look_at(self._shown if self._shown in self._entries else first)

    def _set_places(self) -> None:
        """A place for each text that has none yet, on the machine that is chosen."""
        start = str(default_path(self._source.path)).removesuffix(OWN_NAME)
        if self.machine.value:
            start = f"{Place(folder_of(self._source.path), self._server)}/"
        for entry in self._entries.values():
            for at in range(max(1, len(entry.forms))):
                self._places.setdefault((entry.id, at), f"{start}{entry.file_name(at)}")

    def _choose_machine(self, server: str) -> None:
        self.browse.setEnabled(not server)
        self._places.clear()
        self._set_places()
        self.path.setText(self._place(self._shown))

    def _look_at(self, entry_id: str) -> None:
        self._shown = entry_id
        entry, value = self._entries[entry_id], self.arm.value
        self.page.show_entry(entry, self._form(entry_id))
        facts, note = entry.facts(self._installed(entry)), self._source.says(value)
        self.page.show_facts(facts)
        if entry.obstacle:
            self._say(entry.obstacle, "bad")
        else:
            # The facts mostly begin with it.
            self._say("" if any(note in text for _, text in facts) else note, "focus")
        self._show_place()

    def _on_programs(self, found: Sequence[ListedProgram]) -> None:
        self._programs = {each.name: each for each in found}
        entry = self._entries[self._shown]
        self.page.show_facts(entry.facts(self._installed(entry)))

    def _installed(self, entry: ExportEntry) -> Message:
        """What is known of the program that an entry is for, on the machine of the model."""
        found = self._programs.get(entry.id)
        if found is None or entry.advice is None or not entry.forms:
            return NOTHING
        host = self._server.removeprefix(SCHEME)
        where = Message("Found on {host}", host=host) if host else Message("Found here")
        # Of one that can't load the model here all settings are listed that there can be.
        settings = None if found.obstacle else [each.setting for each in found.variants]
        summary = entry.advice.summary
        return PROGRAMS[entry.id].installed_text(summary, where, found.version, settings)

    def _choose_form(self, at: int) -> None:
        self._forms[self._shown] = at
        self._show_place()

    def _show_place(self) -> None:
        self.path.setText(self._place(self._shown))
        self._judge()

    def _judge(self) -> None:
        """Let the button say what it writes or replaces; it is disabled where that is nothing."""
        chosen = self.chosen_ids
        there = tr(", ").join(filter(self._is_file, map(self._place, chosen)))
        several = tr("Save {number} selected", number=len(chosen))
        self.save.setEnabled(bool(chosen) and not self._busy)
        self.save.setText(tr("Replace") if there else several if len(chosen) > 1 else tr("Save"))
        tip = tr("Replaces existing: {files}", files=there) if there else ""
        self.save.setToolTip(tip if chosen else tr("Choose what to write"))

    def _is_file(self, place: str) -> bool:
        with suppress(ModelmonError):
            found = in_full(place)
            if found.server:
                return str(found) in self._there
            return self._seen.has_file(found.path)
        return False

    def _on_place(self, text: str) -> None:
        self._places[self._shown, self._form(self._shown)] = text
        with suppress(ModelmonError):
            self._seen.look([str(in_full(text))])
        self._judge()

    def _say(self, text: str, role: str) -> None:
        self.note_panel.setVisible(bool(text))
        self.note.setText(said(text))
        self._note_icon.show_icon("warn" if role == "bad" else "info", role)

    def _browse(self) -> None:
        suffix = Path(self._place(self._shown)).suffix
        kinds = [f"*{suffix}"] if suffix else []
        dialog = FileDialog(self, tr("Save to"), self.path.text(), "save", kinds)
        dialog.chosen.connect(self.path.setText)
        dialog.open()


def _server_of(files: Sequence[File]) -> str:
    return next(place.server for place, _ in files if place.server)
