"""Export: what is to be written, its exact text, and where to."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from modelmon.core.errors import ModelmonError
from modelmon.core.export.atomic import WriteError, check_target, write_text_atomic
from modelmon.core.messages import Message, verbatim
from modelmon.gui.export.sources import LOAD_CONFIG, source_of
from modelmon.gui.look.language import said, tr
from modelmon.gui.look.styling import IconLabel, label, push_button, styled
from modelmon.gui.look.theme import manager, mono_font
from modelmon.gui.panels.export_list import ExportList
from modelmon.gui.panels.segments import Segments

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QTextDocument

    from modelmon.core.experiment.race.result import Race
    from modelmon.core.experiment.result import Comparison
    from modelmon.gui.export.sources import ExportEntry
    from modelmon.gui.settings.settings import Settings

_SIZE_PX = (960, 640)
_LIST_PX = 264
# A comment starts at a number sign that is not inside a string.
_TOML_PARTS = re.compile(r'(?P<table>^\[.*\]\s*$)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<comment>#.*$)')
_TOML_ROLES = {"table": "focus", "string": "good", "comment": "text_2"}


class ExportDialog(QDialog):
    """Shows what will be written of a comparison or a race, and writes exactly that.

    Which entries were written is remembered in `settings`; each keeps the place that was
    given to it while the dialog is open.
    """

    def __init__(
        self,
        result: Comparison | Race,
        parent: QWidget | None = None,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Export"))
        self.resize(*_SIZE_PX)
        self.saved_paths: tuple[Path, ...] = ()
        self._source = source_of(result)
        self._settings = settings
        self._entries: dict[str, ExportEntry] = {}
        self._shown = LOAD_CONFIG
        self._places: dict[str, str] = {}
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
        """The text of the entry that is looked at."""
        return self._entries[self._shown].text

    def save_now(self) -> bool:
        """Write what is ticked; on failure say why and stay open."""
        ticked = self.entries.ticked_ids
        try:
            files = [(_in_full(self._places[each]), self._entries[each].text) for each in ticked]
            write_all(files)
        except ModelmonError as error:
            self._say(error.text, "bad")
            return False
        self.saved_paths = tuple(path for path, _ in files)
        if self._settings is not None:
            self._settings.exported = ticked
        self.accept()
        return True

    def _make_parts(self) -> None:
        self.entries = ExportList()
        self.entries.setFixedWidth(_LIST_PX)
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
        self._note_icon = IconLabel("info", "focus")
        self.note = label("", "value", wrap=True)
        self.path = QLineEdit()
        self.path.setAccessibleName(tr("Save to"))
        self.path.textChanged.connect(self._on_place)
        self.save.setDefault(True)
        self.save.clicked.connect(self.save_now)

    def _choice_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(label(tr("Strategy to export"), "title"))
        row.addWidget(self.arm)
        row.addStretch(1)
        row.addWidget(self.copy)
        return row

    def _middle_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.entries)
        row.addWidget(self.preview, 1)
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
        cancel = QPushButton(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        row.addWidget(label(tr("Save to"), "label"))
        row.addWidget(self.path, 1)
        row.addWidget(browse)
        row.addSpacing(16)
        row.addWidget(cancel)
        row.addWidget(self.save)
        return row

    def _list_entries(self, ticked: tuple[str, ...]) -> None:
        entries = self._source.entries(self.arm.value)
        self._entries = {entry.id: entry for entry in entries}
        for entry in entries:
            place = default_path(self._source.path).with_name(entry.file_name)
            self._places.setdefault(entry.id, str(place))
        self.entries.show_entries(entries, ticked)
        self._look_at(self._shown)

    def _look_at(self, entry_id: str) -> None:
        self._shown = entry_id
        entry = self._entries[entry_id]
        is_toml = entry.file_name.endswith(".toml")
        self._colours.setDocument(self.preview.document() if is_toml else None)
        self.preview.setPlainText(entry.text)
        self.preview.setAccessibleName(tr("Text of {file}", file=entry.file_name))
        self.path.setText(self._places[entry_id])
        if entry.obstacle:
            self._say(entry.obstacle, "bad")
        else:
            self._say(self._source.says(self.arm.value), "focus")
        self.copy.setEnabled(bool(entry.text))
        self._judge()

    def _judge(self) -> None:
        places = [self._places[each] for each in self.entries.ticked_ids]
        there = tr(", ").join(filter(_is_file, places))
        self.save.setEnabled(bool(places))
        self.save.setText(tr("Replace") if there else tr("Save"))
        tip = tr("Replaces existing: {files}", files=there) if there else ""
        self.save.setToolTip(tip if places else tr("Choose what to write"))

    def _on_place(self, text: str) -> None:
        self._places[self._shown] = text
        self._judge()

    def _say(self, text: str, role: str) -> None:
        self.note.setText(said(text))
        self._note_icon.show_icon("warn" if role == "bad" else "info", role)

    def _browse(self) -> None:
        suffix = Path(self._entries[self._shown].file_name).suffix
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
    """Beside the model, or in the model's folder where that was opened."""
    path = Path(model_path)
    folder = path if path.is_dir() else path.parent
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
