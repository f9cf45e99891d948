"""Lines of text to read and to copy."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog, QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import push_button

_SIZE_PX = (680, 360)


class TextDialog(QDialog):
    """What stands behind a verdict, a line for each figure."""

    def __init__(self, title: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*_SIZE_PX)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(8)
        self.text = QTextBrowser()
        self.text.setAccessibleName(title)
        self.text.setPlainText(text)
        column.addWidget(self.text, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        self.copy = push_button(tr("Copy as text"), "copy")
        self.copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text.toPlainText()))
        close = push_button(tr("Close"), "close")
        close.clicked.connect(self.reject)
        row.addWidget(self.copy)
        row.addWidget(close)
        column.addLayout(row)
