"""What happened in this window, line by line."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from modelmon.gui.language import said, tr
from modelmon.gui.look.theme import manager, mono_font

if TYPE_CHECKING:
    from modelmon.gui.session import Session

_MOST_LINES = 5000
_MARKS = {"info": " ", "warning": "!", "error": "✕"}


class LogView(QPlainTextEdit):
    """Read only; the oldest of several thousand lines go first."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMaximumBlockCount(_MOST_LINES)
        self.setAccessibleName(tr("Log"))
        self.setPlaceholderText(tr("What happens in this window is written here."))
        self.setFont(mono_font())
        self.setTabChangesFocus(True)
        session.logged.connect(self.add)

    def add(self, level: str, text: str) -> None:
        """Add a text at the end; further lines of it are indented."""
        theme = manager().theme
        look = QTextCharFormat()
        colours = {"info": theme.text, "warning": theme.warn, "error": theme.bad}
        look.setForeground(colours.get(level, theme.text))
        lines = said(text).splitlines() or [""]
        clock = time.strftime("%H:%M:%S")
        shown = "\n".join([f"{clock} {_MARKS.get(level, ' ')} {lines[0]}", *_indented(lines[1:])])
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        at_end = self.verticalScrollBar().value() >= self.verticalScrollBar().maximum() - 2
        cursor.insertText(shown if self.document().isEmpty() else f"\n{shown}", look)
        if at_end:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())


def _indented(lines: list[str]) -> list[str]:
    return [f"{'':11}{line}" for line in lines]
