"""Somebody's terminal, of so many columns."""

from io import StringIO

COLUMNS = 80


class Terminal(StringIO):
    """Keeps what is printed into it."""

    def isatty(self):
        """As a terminal says."""
        return True
