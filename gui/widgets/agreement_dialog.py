"""Asks before commands are run that a stored file holds: each is shown in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QFont, QTextBlockFormat, QTextCharFormat, QTextOption
from PySide6.QtWidgets import QTextEdit, QWidget

from modelmon.core.terminal_safe import without_controls
from modelmon.gui.language import tr
from modelmon.gui.widgets.dialog import ButtonRow, Dialog
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label, push_button, styled
from modelmon.gui.widgets.theme import manager, mono_font

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_WIDTH_PX = 720
_COMMANDS_PX, _MOST_COMMANDS_PX = 72, 288
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


class AgreementDialog(Dialog):
    """Accepted only by the button that says so; what is to be read can be copied."""

    def __init__(self, commands: Mapping[str, str], parent: QWidget) -> None:
        """`commands` by the labels of their arms."""
        super().__init__(tr("Resume"), parent, least_width_px=_WIDTH_PX)
        if len(commands) == 1:
            question = tr("Resuming runs this command again. Run it?")
            about = tr("It was saved with the earlier runs. Run only what you know.")
        else:
            question = tr("Resuming runs these commands again. Run them?")
            about = tr("They were saved with the earlier runs. Run only what you know.")
        column = in_column(on=self, margins=(24, 16, 24, 16), spacing=12)
        column.addWidget(label(question, "headline", wrap=True))
        column.addWidget(label(about, "hint", wrap=True))
        self.commands = CommandList()
        self.commands.show_commands((name, "", text) for name, text in commands.items())
        self.commands.setFixedHeight(min(_COMMANDS_PX * len(commands), _MOST_COMMANDS_PX))
        column.addWidget(self.commands)
        self.run_again = push_button(tr("Run again"), "run", "primary", "ink_text")
        self.run_again.clicked.connect(self.accept)
        self.run_again.setAutoDefault(False)
        buttons = ButtonRow(self, tr("Cancel"), (self.run_again,))
        self.cancel = buttons.leave
        self.cancel.setDefault(True)
        column.addLayout(buttons)
        self.cancel.setFocus()
