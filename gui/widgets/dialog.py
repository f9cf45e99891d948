"""What dialogs share: how they begin and end, their buttons in one order, and texts to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import (
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
)
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLayout,
    QPushButton,
    QScrollArea,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from modelmon.core.terminal_safe import without_controls
from modelmon.gui.language import tr
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import label, push_button, styled
from modelmon.gui.widgets.theme import manager, mono_font

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_GAP_PX = 8
_SIZE_PX = (680, 360)
_MARGIN_PX = 12
_MOST_TITLE_PX = 32
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

    def __init__(  # noqa: PLR0913  how it looks, each by its name
        self,
        title: str,
        text: str,
        parent: QWidget,
        size_px: tuple[int, int] = _SIZE_PX,
        *,
        is_markdown: bool = False,
        hint: str = "",
    ) -> None:
        super().__init__(title, parent, size_px=size_px)
        self._markdown = text
        self.column = column = in_column(on=self, margins=(16, 16, 16, 16), spacing=8)
        self.text = QTextBrowser()
        self.text.setAccessibleName(title)
        column.addWidget(self.text, 1)
        self.copy = push_button(tr("Copy as text"), "copy")
        self.copy.clicked.connect(lambda: QApplication.clipboard().setText(self.text.toPlainText()))
        self.markdown = push_button(tr("Copy as Markdown"), "copy")
        self.markdown.clicked.connect(lambda: QApplication.clipboard().setText(self._markdown))
        if is_markdown:
            self.show_markdown(text)
            self.text.document().setDocumentMargin(_MARGIN_PX)
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
        else:
            self.text.setPlainText(text)
        copies = (self.markdown, self.copy) if is_markdown else (self.copy,)
        self.row = ButtonRow(self, tr("Close"), besides=copies, hint=hint)
        column.addLayout(self.row)

    def show_markdown(self, text: str) -> None:
        """Show this, and copy it."""
        self._markdown = text
        self.text.document().setMarkdown(text, _MARKDOWN)

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


def scrolled_form(content: QWidget) -> QScrollArea:
    """One of parts that take the focus, which it follows, and has none itself."""
    area = scrolled(content)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    for part in (area.viewport(), content):
        part.setAutoFillBackground(False)
    return area


class Form(QFormLayout):
    """Names, and beside each what is typed or chosen, which a screen reader calls by that name."""

    def __init__(self, row_gap_px: int = 8) -> None:
        super().__init__()
        self.setHorizontalSpacing(16)
        self.setVerticalSpacing(row_gap_px)
        self.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)

    def add(self, name: str, field: QWidget | QLayout) -> None:
        """Add a row."""
        title = label(name, "title")
        if isinstance(field, QWidget):
            field.setAccessibleName(field.accessibleName() or name)
            title.setMinimumHeight(min(field.sizeHint().height(), _MOST_TITLE_PX))
        self.addRow(title, field)


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


TITLE_BAR_PX = 40
"""What a desktop draws above a window."""


def screen_room(window: QWidget) -> QSize:
    """The largest size that a window can have on its screen, in which it is seen whole."""
    return window.screen().availableSize() - QSize(0, TITLE_BAR_PX)


def resize_on_screen(window: QWidget, width_px: int, height_px: int) -> None:
    """Give a window this size, or as much of it as its screen has room for."""
    window.resize(QSize(width_px, height_px).boundedTo(screen_room(window)))


_WIDTH_PX = 720
_COMMANDS_PX, _MOST_COMMANDS_PX = 72, 288


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
