"""Asks before commands are run that a stored file holds: each is shown in full."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import label, push_button, styled
from modelmon.gui.look.theme import mono_font

if TYPE_CHECKING:
    from collections.abc import Mapping

_WIDTH_PX, _COMMAND_PX = 720, 64


class AgreementDialog(QDialog):
    """Accepted only by the button that says so; what is to be read can be copied."""

    def __init__(self, commands: Mapping[str, str], parent: QWidget) -> None:
        """`commands` by the labels of their arms."""
        super().__init__(parent)
        self.setWindowTitle(tr("Resume"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH_PX)
        one = len(commands) == 1
        question = (
            tr("Resuming runs this command again. Run it?")
            if one
            else tr("Resuming runs these commands again. Run them?")
        )
        about = tr("It was saved with the earlier runs. Run only what you know.")
        column = QVBoxLayout(self)
        column.setContentsMargins(24, 16, 24, 16)
        column.setSpacing(12)
        column.addWidget(label(question, "headline", wrap=True))
        column.addWidget(label(about, "hint", wrap=True))
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        self.commands: dict[str, QPlainTextEdit] = {}
        for row, (name, command) in enumerate(commands.items()):
            text = self.commands[name] = styled(QPlainTextEdit(command), "list")
            text.setReadOnly(True)
            text.setFont(mono_font())
            text.setTabChangesFocus(True)
            text.setFixedHeight(_COMMAND_PX)
            text.setAccessibleName(tr("Command of {arm}", arm=name))
            grid.addWidget(label(name, "title"), row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text, row, 1)
        column.addLayout(grid)
        self.cancel = QPushButton(tr("Cancel"))
        self.cancel.clicked.connect(self.reject)
        self.run_again = push_button(tr("Run again"), "run", "primary", "ink_text")
        self.run_again.clicked.connect(self.accept)
        self.run_again.setAutoDefault(False)
        self.cancel.setDefault(True)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.run_again)
        column.addLayout(buttons)
        self.cancel.setFocus()
