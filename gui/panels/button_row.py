"""The buttons below a dialog, in one order for all dialogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea

from modelmon.gui.look.styling import label, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QDialog, QWidget

_GAP_PX = 8


def scrolled(content: QWidget) -> QScrollArea:
    """An area without frame or ground of its own, as wide as what it scrolls is."""
    area = styled(QScrollArea(), "sheet")
    area.setWidget(content)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return area


def scrolled_form(form: QWidget) -> QScrollArea:
    """One of fields: it follows the field that has the focus, and takes none itself."""
    area = scrolled(form)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    for part in (area.viewport(), form):
        part.setAutoFillBackground(False)
    return area


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
