"""Somebody's terminal, of so many columns."""

from __future__ import annotations

from io import StringIO

COLUMNS = 80


class Terminal(StringIO):
    """Keeps what is printed into it."""

    def isatty(self) -> bool:
        """As a terminal says."""
        return True
