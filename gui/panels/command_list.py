"""Commands to be read in full before they are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextOption
from PySide6.QtWidgets import QTextEdit

from modelmon.core.shown import without_controls
from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import styled
from modelmon.gui.look.theme import manager, mono_font

if TYPE_CHECKING:
    from collections.abc import Iterable

_GAP_PX = 8


class CommandList(QTextEdit):
    """Each below its name, wrapped wherever there is no room; all of it can be copied."""

    def __init__(self) -> None:
        super().__init__()
        styled(self, "list")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setAccessibleName(tr("Commands"))
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self._commands: tuple[tuple[str, str, str], ...] = ()
        # Text keeps the colours that it was written in.
        manager().changed.connect(self._write)

    def show_commands(self, commands: Iterable[tuple[str, str, str]]) -> None:
        """Name, meaning and text of each; the meaning may be empty."""
        self._commands = tuple(commands)
        self._write()

    def _write(self) -> None:
        self.clear()
        named, quiet, typed = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        named.setFontWeight(QFont.Weight.DemiBold)
        quiet.setForeground(manager().theme.text_2)
        typed.setFont(mono_font())
        cursor = self.textCursor()
        for number, (name, meaning, text) in enumerate(self._commands):
            apart = QTextBlockFormat()
            apart.setTopMargin(_GAP_PX if number else 0)
            if number:
                cursor.insertBlock(apart)
            cursor.insertText(name, named)
            if meaning:
                cursor.insertText(f"  {meaning}", quiet)
            cursor.insertBlock(QTextBlockFormat())
            cursor.insertText(without_controls(text), typed)
        self.moveCursor(cursor.MoveOperation.Start)
