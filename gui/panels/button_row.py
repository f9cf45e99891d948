"""The buttons below a dialog, in one order for all dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QPushButton

from modelmon.gui.look.styling import label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QDialog

_GAP_PX = 8


class ButtonRow(QHBoxLayout):
    """From the left: a `hint`, what can be done `besides`, `leave`, which rejects the dialog, and
    what the dialog is for.
    """

    def __init__(
        self,
        dialog: QDialog,
        leave: str,
        does: Sequence[QPushButton] = (),
        besides: Sequence[QPushButton] = (),
        hint: str = "",
    ) -> None:
        super().__init__()
        self.setSpacing(_GAP_PX)
        self.leave = QPushButton(leave)
        self.leave.clicked.connect(dialog.reject)
        self.hint = label(hint, "hint", wrap=True)
        if hint:
            self.addWidget(self.hint, 1)
        else:
            self.addStretch(1)
        for button in (*besides, self.leave, *does):
            self.addWidget(button)
