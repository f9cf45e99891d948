"""Lines of text to read and to copy."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QApplication, QDialog, QTextBrowser, QWidget

from modelmon.gui.look.language import tr
from modelmon.gui.look.layout import in_column
from modelmon.gui.look.screen_room import resize_on_screen
from modelmon.gui.look.styling import push_button
from modelmon.gui.panels.button_row import ButtonRow

_SIZE_PX = (680, 360)


class TextDialog(QDialog):
    """What stands behind a verdict, a line for each figure."""

    def __init__(self, title: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        resize_on_screen(self, *_SIZE_PX)
        self.column = column = in_column(on=self, margins=(16, 16, 16, 16), spacing=8)
        self.text = QTextBrowser()
        self.text.setAccessibleName(title)
        self.text.setPlainText(text)
        column.addWidget(self.text, 1)
        self.copy = push_button(tr("Copy as text"), "copy")
        self.copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text.toPlainText()))
        self.row = ButtonRow(self, tr("Close"), besides=(self.copy,))
        column.addLayout(self.row)

    def select(self, about: str) -> None:
        """Select the first line that has a line of `about` in it, so that it is seen."""
        exactly = QTextDocument.FindFlag.FindCaseSensitively
        for line in filter(None, about.splitlines()):
            found = self.text.document().find(line, 0, exactly)
            if not found.isNull():
                found.movePosition(QTextCursor.MoveOperation.StartOfBlock)
                end = QTextCursor.MoveOperation.EndOfBlock
                found.movePosition(end, QTextCursor.MoveMode.KeepAnchor)
                self.text.setTextCursor(found)
                return
