"""A text to be copied: its lines are numbered, and those that are a setting stand out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import (
    QFont,
    QPainter,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from modelmon.gui.widgets.theme import manager, mono_font

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from modelmon.core.programs.advice import Language

_LEAST_LINES, _MOST_LINES = 3, 9
"""What the view asks for; further lines are scrolled to, unless there is room."""
_LEAST_DIGITS = 2
_GAP_PX = 12
_PLUS = "+"
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
# A comment starts at a number sign that is not inside a string.
_TOML = re.compile(r'(?P<table>^\[.*\]\s*$)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<comment>#.*$)')
_WITH_COMMENTS = re.compile(r"(?P<comment>^\s*#.*$)")
_PARTS: dict[Language, re.Pattern[str]] = {
    "toml": _TOML,
    **dict.fromkeys(("shell", "env", "yaml", "ini", "python"), _WITH_COMMENTS),
}
_ROLES = {"table": "focus", "string": "good", "comment": "text_2"}

# Of the style sheet, which shows the focus.
_FRAME_PX = 1


class CodeView(QPlainTextEdit):
    """Read only, as high as its text needs up to some lines."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFont(mono_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        # The ground of a line is to reach the numbers.
        self.document().setDocumentMargin(0)
        self.added: frozenset[int] = frozenset()
        self._colours = _Colours(self)
        self._gutter = _Gutter(self)
        self.updateRequest.connect(lambda *_: self._gutter.update())
        manager().changed.connect(self._recolour)

    def show_text(self, text: str, language: Language, added: Collection[int] = ()) -> None:
        """Show this; the lines `added` (from 0) are the setting."""
        self.added = frozenset(added)
        self._colours.parts = _PARTS.get(language)
        self.setPlainText(text)
        self._recolour()
        room = self.fontMetrics().horizontalAdvance("0" * self._digits)
        plus = self.fontMetrics().horizontalAdvance(_PLUS) + _GAP_PX if self.added else 0
        self.setViewportMargins(room + plus + 2 * _GAP_PX, 0, 0, 0)
        self._place_gutter()
        self._fit()

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(super().sizeHint().width(), self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the numbers beside the text."""
        super().resizeEvent(event)
        self._place_gutter()
        self._fit()

    def draw_numbers(self, painter: QPainter, seen: QRect) -> None:
        """Draw what stands before the lines, on the gutter."""
        theme, width = manager().theme, self._gutter.width()
        painter.fillRect(seen, theme.panel)
        plus_px = self.fontMetrics().horizontalAdvance(_PLUS)
        bold = QFont(self.font())
        bold.setBold(True)
        block, number = self.firstVisibleBlock(), self.firstVisibleBlock().blockNumber()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and number < self._lines and top <= seen.bottom():
            height = self.blockBoundingRect(block).height()
            line = QRect(0, round(top), width, round(top + height) - round(top))
            right = _GAP_PX
            if number in self.added:
                painter.fillRect(line, theme.good_soft)
                painter.setFont(bold)
                painter.setPen(theme.good)
                painter.drawText(line.adjusted(0, 0, -right, 0), _RIGHT, _PLUS)
            if self.added:
                right += plus_px + _GAP_PX
            painter.setFont(self.font())
            painter.setPen(theme.text_2)
            painter.drawText(line.adjusted(0, 0, -right, 0), _RIGHT, str(number + 1))
            block, number, top = block.next(), number + 1, top + height

    @property
    def _lines(self) -> int:
        """How many the text has; what follows the last line's end is none."""
        last = self.document().lastBlock()
        return self.blockCount() - (not last.text() and self.blockCount() > 1)

    @property
    def _digits(self) -> int:
        return max(_LEAST_DIGITS, len(str(self._lines)))

    def _fit(self) -> None:
        """Take the height of the whole text, with the scroll bar that a long line needs."""
        bar = self.horizontalScrollBar()
        # A view that is only just as high scrolls by a line.
        beside = 1 + 2 * _FRAME_PX + (bar.sizeHint().height() if bar.maximum() else 0)
        wanted = max(self.blockCount(), _LEAST_LINES)
        line_px = self.fontMetrics().lineSpacing()
        self.setMinimumHeight(min(wanted, _MOST_LINES) * line_px + beside)
        self.setMaximumHeight(wanted * line_px + beside)

    def _place_gutter(self) -> None:
        shown = self.viewport().geometry()
        left = self.contentsRect().left()
        self._gutter.setGeometry(left, shown.top(), shown.left() - left, shown.height())

    def _recolour(self) -> None:
        self._colours.rehighlight()
        self.setExtraSelections([self._ground(line) for line in sorted(self.added)])
        self._gutter.update()

    def _ground(self, line: int) -> QTextEdit.ExtraSelection:
        ground = QTextEdit.ExtraSelection()
        ground.format.setBackground(manager().theme.good_soft)
        ground.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
        ground.cursor = QTextCursor(self.document().findBlockByNumber(line))
        return ground


class _Gutter(QWidget):
    """Numbers and marks; a click beside a line is none on it."""

    def __init__(self, view: CodeView) -> None:
        super().__init__(view)
        self._view = view

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what is seen."""
        painter = QPainter(self)
        self._view.draw_numbers(painter, event.rect())
        painter.end()


class _Colours(QSyntaxHighlighter):
    """Tables, strings and comments in colours; lines that are a setting in bold."""

    def __init__(self, view: CodeView) -> None:
        super().__init__(view.document())
        self._view = view
        self.parts: re.Pattern[str] | None = None

    def highlightBlock(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Colour one line."""
        if self.currentBlock().blockNumber() in self._view.added:
            look = QTextCharFormat()
            look.setFontWeight(QFont.Weight.Bold)
            self.setFormat(0, len(text), look)
            return
        for found in self.parts.finditer(text) if self.parts is not None else ():
            look = QTextCharFormat()
            look.setForeground(getattr(manager().theme, _ROLES[found.lastgroup or "comment"]))
            start, end = found.span()
            self.setFormat(start, end - start, look)
