"""Tool tips that are shown letter by letter, whatever they quote."""

from __future__ import annotations

import re
from html import escape

from modelmon.core.shown import without_controls

_LIKE_HTML = re.compile("<[A-Za-z/!?]|&lt;")


def plain(text: str) -> str:
    """The text as a tool tip, where Qt would take what looks like HTML for that: a name on a server
    must not choose how a sentence looks, nor which files are read for its pictures.
    """
    text = without_controls(text)
    if not _LIKE_HTML.search(text):
        return text
    return f"<p style='white-space: pre-wrap'>{escape(text)}</p>"
