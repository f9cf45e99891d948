"""Export: the exact text of modelmon.toml, and where to save it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
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
from modelmon.core.export.atomic import write_text_atomic
from modelmon.gui.export_sources import source_of
from modelmon.gui.panels.segments import Segments
from modelmon.gui.styling import IconLabel, label, push_button
from modelmon.gui.theme import mono_font
from modelmon.gui.toml_colours import TomlColours

if TYPE_CHECKING:
    from modelmon.core.experiment.race_result import Race
    from modelmon.core.experiment.result import Comparison

FILE_NAME = "modelmon.toml"


class ExportDialog(QDialog):
    """Shows what will be written of a comparison or a race, and writes exactly that."""

    def __init__(self, result: Comparison | Race, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export")
        self.resize(860, 640)
        self._source = source_of(result)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        column.addLayout(self._choice_row())
        self.preview = QPlainTextEdit()
        self.preview.setReadOnly(True)
        self.preview.setFont(mono_font())
        self.preview.setAccessibleName(f"Text of {FILE_NAME}")
        self.preview.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._colours = TomlColours(self.preview.document())
        column.addWidget(self.preview, 1)
        column.addLayout(self._note_row())
        column.addLayout(self._save_row())
        self.arm.set_value(self._source.best)
        self._show_text()
        self.save.setFocus()

    @property
    def text(self) -> str:
        """What will be written."""
        return self._text

    def save_now(self) -> bool:
        """Write the file; on failure say why and stay open."""
        path = Path(self.path.text()).expanduser()
        try:
            write_text_atomic(path, self._text)
        except ModelmonError as error:
            self._say(str(error), "bad")
            return False
        self.saved_path = path
        self.accept()
        return True

    def _choice_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(label("Strategy to export", "title"))
        self.arm = Segments("Strategy to export", self._source.options)
        self.arm.chosen.connect(self._show_text)
        row.addWidget(self.arm)
        row.addStretch(1)
        self.copy = push_button("Copy", "copy")
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._text))
        row.addWidget(self.copy)
        return row

    def _note_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self._note_icon = IconLabel("info", "focus")
        self.note = label("", "value", wrap=True)
        row.addWidget(self._note_icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.note, 1)
        return row

    def _save_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.path = QLineEdit(str(default_path(self._source.path)))
        self.path.setAccessibleName("Save to")
        browse = QPushButton("Browse…")
        browse.clicked.connect(self._browse)
        cancel = QPushButton("Cancel")
        cancel.clicked.connect(self.reject)
        self.save = push_button("Save", "save", "primary", "ink_text")
        self.save.setDefault(True)
        self.save.clicked.connect(self.save_now)
        row.addWidget(label("Save to", "label"))
        row.addWidget(self.path, 1)
        row.addWidget(browse)
        row.addSpacing(16)
        row.addWidget(cancel)
        row.addWidget(self.save)
        return row

    def _show_text(self) -> None:
        chosen = self.arm.value
        try:
            self._text = self._source.text(chosen)
        except ModelmonError as error:
            self._text = ""
            self._say(str(error), "bad")
        else:
            self._say(self._source.says(chosen), "focus")
        self.preview.setPlainText(self._text)
        for button in (self.save, self.copy):
            button.setEnabled(bool(self._text))

    def _say(self, text: str, role: str) -> None:
        self.note.setText(text)
        self._note_icon.show_icon("warn" if role == "bad" else "info", role)

    def _browse(self) -> None:
        dialog = QFileDialog(self, "Save to", self.path.text(), "modelmon configuration (*.toml)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("toml")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.path.setText)
        dialog.open()


def default_path(model_path: str) -> Path:
    """Beside the model, or in the model's folder where that was opened."""
    path = Path(model_path)
    folder = path if path.is_dir() else path.parent
    return (folder if folder.is_dir() else Path.home()) / FILE_NAME
