"""Export: what is to be written, its exact text, and where to."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QGuiApplication,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from modelmon.core.errors import ModelmonError
from modelmon.core.export.atomic import WriteError, check_target, write_text_atomic
from modelmon.core.messages import Message, verbatim
from modelmon.gui.export.sources import LOAD_CONFIG, source_of
from modelmon.gui.look.language import said, tr
from modelmon.gui.look.screen_room import resize_on_screen
from modelmon.gui.look.styling import IconLabel, label, push_button, restyle, styled
from modelmon.gui.look.theme import manager, mono_font
from modelmon.gui.panels.export_list import ExportList
from modelmon.gui.panels.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QTextDocument

    from modelmon.core.cluster.result import ClusterResult
    from modelmon.core.experiment.race.result import Race
    from modelmon.core.experiment.result import Comparison
    from modelmon.core.machine.storage_stack import StorageStack
    from modelmon.gui.export.sources import ExportEntry, OneRun
    from modelmon.gui.settings.settings import Settings

_SIZE_PX = (1104, 736)
_LIST_PX, _LEAST_LIST_PX = 320, 200
_FACT_PX = 96
# A comment starts at a number sign that is not inside a string.
_TOML_PARTS = re.compile(r'(?P<table>^\[.*\]\s*$)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<comment>#.*$)')
_TOML_ROLES = {"table": "focus", "string": "good", "comment": "text_2"}


class ExportDialog(QDialog):
    """Shows what will be written of a comparison, a race or a run, and writes exactly that.

    Which entries were written is remembered in `settings`; each keeps the place that was
    given to it while the dialog is open.
    """

    def __init__(
        self,
        result: Comparison | Race | ClusterResult | OneRun,
        parent: QWidget | None = None,
        settings: Settings | None = None,
        stack: StorageStack | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Export"))
        resize_on_screen(self, *_SIZE_PX)
        self.saved_paths: tuple[Path, ...] = ()
        self._source = source_of(result, stack)
        self._settings = settings
        self._entries: dict[str, ExportEntry] = {}
        self._shown = LOAD_CONFIG
        # By entry: which of its forms is looked at; by entry and form: where it goes to.
        self._forms: dict[str, int] = {}
        self._places: dict[tuple[str, int], str] = {}
        self.save_ticked = QPushButton()
        self.save = push_button(tr("Save"), "save", "primary", "ink_text")
        self._make_parts()
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addLayout(self._choice_row())
        column.addLayout(self._middle_row(), 1)
        column.addLayout(self._note_row())
        column.addLayout(self._save_row())
        self.arm.set_value(self._source.best)
        self._list_entries((settings.exported if settings else ()) or (LOAD_CONFIG,))
        self.save.setFocus()

    @property
    def text(self) -> str:
        """The text that is looked at."""
        return self._text(self._shown)

    def save_now(self) -> bool:
        """Write what is looked at; on failure say why and stay open."""
        return self._save((self._shown,))

    def save_all_ticked(self) -> bool:
        """Write what is ticked, each in the form it was last looked at; the same on failure."""
        return self._save(self.entries.ticked_ids)

    def _save(self, chosen: Sequence[str]) -> bool:
        try:
            write_all([(_in_full(self._place(each)), self._text(each)) for each in chosen])
        except ModelmonError as error:
            self._say(error.text, "bad")
            return False
        self.saved_paths = tuple(_in_full(self._place(each)) for each in chosen)
        if self._settings is not None:
            self._settings.exported = self.entries.ticked_ids
        self.accept()
        return True

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
        self.preview = styled(QPlainTextEdit(), "list")
        self.preview.setReadOnly(True)
        self.preview.setFont(mono_font())
        self.preview.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._colours = TomlColours(self.preview.document())
        self.copy = push_button(tr("Copy"), "copy")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text))
        self._name = label("", "headline")
        self._standing = styled(QLabel(), "pill")
        self._standing.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self._form_row = QHBoxLayout()
        self.forms: Segments | None = None
        self._facts = QGridLayout()
        self._facts.setContentsMargins(0, 0, 0, 0)
        self._facts.setHorizontalSpacing(12)
        self._facts.setVerticalSpacing(8)
        self._facts.setColumnMinimumWidth(0, _FACT_PX)
        self._facts.setColumnStretch(1, 1)
        self._note_icon = IconLabel("info", "focus")
        self.note = label("", "value", wrap=True)
        self.path = QLineEdit()
        self.path.setAccessibleName(tr("Save to"))
        self.path.textChanged.connect(self._on_place)
        self.save.setDefault(True)
        self.save.clicked.connect(self.save_now)
        self.save_ticked.clicked.connect(self.save_all_ticked)

    def _choice_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(label(tr("Strategy to export"), "title"))
        row.addWidget(self.arm)
        row.addStretch(1)
        return row

    def _middle_row(self) -> QHBoxLayout:
        left, right = QVBoxLayout(), QVBoxLayout()
        for column in (left, right):
            column.setSpacing(8)
        left.addWidget(label(tr("Who will load the model?"), "title"))
        left.addWidget(self.entries, 1)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._name)
        head.addWidget(self._standing, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addStretch(1)
        head.addLayout(self._form_row)
        head.addWidget(self.copy)
        right.addLayout(head)
        right.addWidget(self.preview, 1)
        right.addLayout(self._facts)
        row = QHBoxLayout()
        row.setSpacing(16)
        row.addLayout(left, _LIST_PX)
        row.addLayout(right, _SIZE_PX[0] - _LIST_PX)
        return row

    def _note_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self._note_icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.note, 1)
        return row

    def _save_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        browse = QPushButton(tr("Browse…"))
        browse.clicked.connect(self._browse)
        close = QPushButton(tr("Close"))
        close.clicked.connect(self.reject)
        row.addWidget(label(tr("Save to"), "label"))
        row.addWidget(self.path, 1)
        row.addWidget(browse)
        row.addSpacing(16)
        row.addWidget(close)
        row.addWidget(self.save_ticked)
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
        folder = default_path(self._source.path).parent
        for entry in entries:
            for at in range(max(1, len(entry.forms))):
                self._places.setdefault((entry.id, at), str(folder / entry.file_name(at)))
        # Of a program there is no modelmon.toml, and of a strategy no command.
        first = entries[0].id
        possible = {entry.id for entry in entries if not entry.obstacle}
        self.entries.show_entries(entries, ticked if possible & {*ticked} else (*ticked, first))
        self._look_at(self._shown if self._shown in self._entries else first)

    def _look_at(self, entry_id: str) -> None:
        self._shown = entry_id
        entry = self._entries[entry_id]
        self._name.setText(entry.title)
        texts = {
            "measured": tr("Measured here"),
            "mapped": tr("Nearest setting"),
            "cannot": tr("Not possible"),
        }
        self._standing.setVisible(entry.standing is not None)
        self._standing.setText(texts.get(entry.standing or "", ""))
        restyle(self._standing, tone="good" if entry.standing == "measured" else None)
        self._show_forms(entry)
        self._show_facts(entry)
        if entry.obstacle:
            self._say(entry.obstacle, "bad")
        else:
            self._say(self._source.says(self.arm.value), "focus")
        self._show_text()

    def _show_forms(self, entry: ExportEntry) -> None:
        """One button for each form, where there are several."""
        if self.forms is not None:
            self.forms.hide()
            self.forms.deleteLater()
            self.forms = None
        if len(entry.forms) > 1:
            options = [(str(at), said(form.label)) for at, form in enumerate(entry.forms)]
            self.forms = Segments(tr("Form"), options, compact=True)
            self.forms.set_value(str(self._form(entry.id)))
            self.forms.chosen.connect(self._choose_form)
            self._form_row.addWidget(self.forms)

    def _choose_form(self, value: str) -> None:
        self._forms[self._shown] = int(value)
        self._show_text()

    def _show_facts(self, entry: ExportEntry) -> None:
        while (item := self._facts.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for row, (name, text) in enumerate(entry.facts):
            self._facts.addWidget(label(name, "label"), row, 0, Qt.AlignmentFlag.AlignTop)
            value = label(text, "value", wrap=True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._facts.addWidget(value, row, 1)

    def _show_text(self) -> None:
        entry, at = self._entries[self._shown], self._form(self._shown)
        is_toml = bool(entry.forms) and entry.forms[at].language == "toml"
        self._colours.setDocument(self.preview.document() if is_toml else None)
        self.preview.setPlainText(self.text)
        added = entry.forms[at].added if entry.forms else ()
        self.preview.setExtraSelections([self._line_ground(line) for line in added])
        self.preview.setAccessibleName(tr("Text of {file}", file=entry.file_name(at)))
        self.path.setText(self._place(self._shown))
        self.copy.setEnabled(bool(self.text))
        self._judge()

    def _line_ground(self, line: int) -> QTextEdit.ExtraSelection:
        """The ground of a line that is a setting."""
        ground = QTextEdit.ExtraSelection()
        ground.format.setBackground(manager().theme.good_soft)
        ground.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        ground.cursor = QTextCursor(self.preview.document().findBlockByNumber(line))
        return ground

    def _judge(self) -> None:
        ticked = self.entries.ticked_ids
        self.save_ticked.setVisible(ticked != (self._shown,))
        self._warn(self.save, (self._shown,) if self.text else (), tr("Save"))
        self._warn(self.save_ticked, ticked, tr("Save {number} selected", number=len(ticked)))

    def _warn(self, button: QPushButton, chosen: Sequence[str], text: str) -> None:
        """Let a button say what it would replace; it is disabled where nothing is chosen."""
        there = tr(", ").join(filter(_is_file, map(self._place, chosen)))
        button.setEnabled(bool(chosen))
        button.setText(tr("Replace") if there and button is self.save else text)
        tip = tr("Replaces existing: {files}", files=there) if there else ""
        button.setToolTip(tip if chosen else tr("Choose what to write"))

    def _on_place(self, text: str) -> None:
        self._places[self._shown, self._form(self._shown)] = text
        self._judge()

    def _say(self, text: str, role: str) -> None:
        self.note.setText(said(text))
        self._note_icon.show_icon("warn" if role == "bad" else "info", role)

    def _browse(self) -> None:
        suffix = Path(self._place(self._shown)).suffix
        dialog = QFileDialog(self, tr("Save to"), self.path.text(), f"*{suffix}")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix.removeprefix("."))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.path.setText)
        dialog.open()


def _in_full(place: str) -> Path:
    """A path with the home folder that `~` stands for; raises WriteError without such a home."""
    try:
        return Path(place).expanduser()
    except RuntimeError as error:
        message = tr("Couldn't write {path}: there is no such home folder.", path=place)
        raise WriteError(verbatim(message), verbatim(tr("Choose another folder."))) from error


def _is_file(place: str) -> bool:
    with suppress(WriteError, OSError):
        return _in_full(place).is_file()
    return False


def default_path(model_path: str) -> Path:
    """Beside the model, or in the model's folder where that was opened; not among cached files,
    where nobody looks: the sample lies there.
    """
    path = Path(model_path)
    folder = path if path.is_dir() else path.parent
    if folder == platformdirs.user_cache_path("modelmon", appauthor=False):
        folder = Path.home()
    return (folder if folder.is_dir() else Path.home()) / "modelmon.toml"


def write_all(files: Sequence[tuple[Path, str]]) -> None:
    """Write each text to its path, whole or not at all; first every place is looked at.

    Raises WriteError; where some files were written already, it says which.
    """
    if len({path.resolve() for path, _ in files}) < len(files):
        raise WriteError(
            verbatim(tr("Two files have the same path.")),
            verbatim(tr("Give each file its own name.")),
        )
    for path, _ in files:
        check_target(path)
    written: list[str] = []
    for path, text in files:
        try:
            write_text_atomic(path, text)
        except WriteError as error:
            if not written:
                raise
            kept = tr("Already written: {files}.", files=", ".join(written))
            raise WriteError(
                Message("{message} {kept}", message=error.message, kept=kept), error.remedy
            ) from error
        written.append(path.name)


class TomlColours(QSyntaxHighlighter):
    """Colours for TOML in the preview: tables, strings and comments; follows the theme."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        manager().changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Colour one line."""
        for found in _TOML_PARTS.finditer(text):
            look = QTextCharFormat()
            look.setForeground(getattr(manager().theme, _TOML_ROLES[found.lastgroup or "comment"]))
            start, end = found.span()
            self.setFormat(start, end - start, look)
