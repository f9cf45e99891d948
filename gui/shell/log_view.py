"""What happened in this window, line by line."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit

from modelmon.gui.language import said, tr
from modelmon.gui.session.session import MOST_LOG_LINES
from modelmon.gui.widgets.theme import manager, mono_font

if TYPE_CHECKING:
    from modelmon.gui.session.session import Session

_MARKS = {"info": " ", "warning": "!", "error": "✕"}
_ROLES = ("text", "warn", "bad")
"""Colours of the theme, in the order of the levels; the number of its own is kept in each line."""


class LogView(QPlainTextEdit):
    """Read only; the oldest of several thousand lines go first."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setMaximumBlockCount(MOST_LOG_LINES)
        self.setAccessibleName(tr("Log"))
        self.setPlaceholderText(tr("Events in this window appear here."))
        self.setFont(mono_font())
        self.setTabChangesFocus(True)
        for level, text in session.log_lines:
            self.add(level, text)
        session.logged.connect(self.add)
        manager().changed.connect(self._recolour)

    def add(self, level: str, text: str) -> None:
        """Add a text at the end; further lines of it are indented."""
        number = list(_MARKS).index(level)
        lines = said(text).splitlines() or [""]
        clock = time.strftime("%H:%M:%S")
        shown = [f"{clock} {_MARKS[level]} {lines[0]}", *_indented(lines[1:])]
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        at_end = self.verticalScrollBar().value() >= self.verticalScrollBar().maximum() - 2
        for line in shown:
            if not self.document().isEmpty():
                cursor.insertBlock()
            cursor.insertText(line, _look(number))
            cursor.block().setUserState(number)
        if at_end:
            self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _recolour(self) -> None:
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        while True:
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            cursor.setCharFormat(_look(max(cursor.block().userState(), 0)))
            if not cursor.movePosition(QTextCursor.MoveOperation.NextBlock):
                break
        cursor.endEditBlock()


def _look(number: int) -> QTextCharFormat:
    look = QTextCharFormat()
    look.setForeground(getattr(manager().theme, _ROLES[number]))
    return look


def _indented(lines: list[str]) -> list[str]:
    return [f"{'':11}{line}" for line in lines]
