"""The language of the window: text is written in English and looked up when it is shown."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

_CONTEXT = ""  # lupdate names no context for plain functions


def mark(text: str) -> str:
    """Names a text that `tr` translates later: for tables that are made at import."""
    return text


def tr(text: str, **values: object) -> str:
    """The text in the window's language, with `{name}` replaced by the value of that name.

    `text` must be a literal, or one that was named by `mark`: translations are looked up by
    it, so that values have to come after.
    """
    found = QCoreApplication.translate(_CONTEXT, text)
    return found.format(**values) if values else found
