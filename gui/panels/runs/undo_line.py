"""The line that says what was deleted, with a button that brings it back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import label

_GAP_PX = 8


class UndoLine(QWidget):
    """Shown from a deletion on, until it is undone."""

    undo_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.said = label("", "hint")
        self.button = QPushButton(tr("Undo"))
        self.button.setProperty("compact", True)
        self.button.clicked.connect(self.undo_wanted)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP_PX)
        row.addWidget(self.said)
        row.addWidget(self.button)
        self.hide()

    def show_count(self, count: int) -> None:
        """Say how many runs were deleted; 0 hides the line."""
        text = tr("1 run deleted") if count == 1 else tr("{count} runs deleted", count=f"{count:,}")
        self.said.setText(text)
        self.button.setAccessibleName(
            tr("Undo: restore the deleted run")
            if count == 1
            else tr("Undo: restore {count} deleted runs", count=f"{count:,}")
        )
        self.setVisible(count > 0)
