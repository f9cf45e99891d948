"""Colours for TOML in a text field: tables, strings and comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat

from modelmon.gui.look.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument

# A comment starts at a number sign that is not inside a string.
_PARTS = re.compile(r'(?P<table>^\[.*\]\s*$)|(?P<string>"(?:[^"\\]|\\.)*")|(?P<comment>#.*$)')
_ROLES = {"table": "focus", "string": "good", "comment": "text_2"}


class TomlColours(QSyntaxHighlighter):
    """Follows the theme."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        manager().changed.connect(self.rehighlight)

    def highlightBlock(self, text: str) -> None:  # noqa: N802 (Qt's name)
        """Colour one line."""
        for found in _PARTS.finditer(text):
            look = QTextCharFormat()
            look.setForeground(getattr(manager().theme, _ROLES[found.lastgroup or "comment"]))
            start, end = found.span()
            self.setFormat(start, end - start, look)
