"""Asks before commands are run that a stored file holds: each is shown in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from modelmon.gui.look.language import tr
from modelmon.gui.look.layout import in_column
from modelmon.gui.look.styling import label, push_button
from modelmon.gui.panels.button_row import ButtonRow
from modelmon.gui.panels.command_list import CommandList

if TYPE_CHECKING:
    from collections.abc import Mapping

_WIDTH_PX = 720
_COMMANDS_PX, _MOST_COMMANDS_PX = 72, 288


class AgreementDialog(QDialog):
    """Accepted only by the button that says so; what is to be read can be copied."""

    def __init__(self, commands: Mapping[str, str], parent: QWidget) -> None:
        """`commands` by the labels of their arms."""
        super().__init__(parent)
        self.setWindowTitle(tr("Resume"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH_PX)
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
