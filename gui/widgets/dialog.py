"""What dialogs share: how they begin and end, their buttons in one order, and texts to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QTextBrowser,
    QWidget,
)

from modelmon.gui.language import tr
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.screen_room import resize_on_screen
from modelmon.gui.widgets.styling import label, push_button, styled

if TYPE_CHECKING:
    from collections.abc import Sequence

_GAP_PX = 8
_SIZE_PX = (680, 360)
_MARGIN_PX = 12
_MARKDOWN = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
"""Without HTML: a name is no link, and loads no picture."""


class Dialog(QDialog):
    """Of this size where its screen has room, or at least so wide."""

    def __init__(
        self,
        title: str,
        parent: QWidget | None,
        *,
        size_px: tuple[int, int] | None = None,
        least_width_px: int = 0,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(least_width_px)
        if size_px is not None:
            resize_on_screen(self, *size_px)

    def open(self) -> None:
        """Show it until it is closed, which ends it."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        super().open()


class TextDialog(Dialog):
    """What stands behind a verdict: a line for each figure, or Markdown that can be copied."""

    def __init__(
        self,
        title: str,
        text: str,
        parent: QWidget,
        size_px: tuple[int, int] = _SIZE_PX,
        *,
        is_markdown: bool = False,
    ) -> None:
        super().__init__(title, parent, size_px=size_px)
        self.column = column = in_column(on=self, margins=(16, 16, 16, 16), spacing=8)
        self.text = QTextBrowser()
        self.text.setAccessibleName(title)
        column.addWidget(self.text, 1)
        self.copy = push_button(tr("Copy as text"), "copy")
        self.copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text.toPlainText()))
        self.markdown = push_button(tr("Copy as Markdown"), "copy")
        self.markdown.clicked.connect(lambda: QApplication.clipboard().setText(text))
        if is_markdown:
            self.text.document().setMarkdown(text, _MARKDOWN)
            self.text.document().setDocumentMargin(_MARGIN_PX)
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
        else:
            self.text.setPlainText(text)
        copies = (self.markdown, self.copy) if is_markdown else (self.copy,)
        self.row = ButtonRow(self, tr("Close"), besides=copies)
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
