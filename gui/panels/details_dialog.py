"""Everything that was seen of the machine and the path, to read and to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import label, push_button
from modelmon.gui.look.theme import manager
from modelmon.gui.machine.doctor_text import page, plain_text

if TYPE_CHECKING:
    from modelmon.core.diagnose.diagnosis import Diagnosis

_SIZE_PX = (760, 600)


class DetailsDialog(QDialog):
    """One look of the doctor; a later look needs another dialog."""

    def __init__(self, found: Diagnosis, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Machine and storage"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE_PX)
        self._found = found
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        self.text = QTextBrowser()
        self.text.setAccessibleName(tr("All findings"))
        column.addWidget(self.text, 1)
        row = QHBoxLayout()
        row.addWidget(label(tr("Same as modelmon doctor in a terminal"), "hint"), 1)
        self.copy = push_button(tr("Copy as text"), "copy")
        self.copy.clicked.connect(self._copy)
        self.close_button = push_button(tr("Close"), "close")
        self.close_button.clicked.connect(self.reject)
        row.addWidget(self.copy)
        row.addWidget(self.close_button)
        column.addLayout(row)
        manager().changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self.text.setHtml(page(self._found, manager().theme))

    def _copy(self) -> None:
        QApplication.clipboard().setText(plain_text(self._found))
