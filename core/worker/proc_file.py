"""A file of /proc that is read again and again."""

from __future__ import annotations

import os

_MOST_BYTES = 16384


class ProcFile:
    """Kept open and read from its start each time, which makes the kernel write it anew."""

    def __init__(self, path: str) -> None:
        try:
            self._descriptor: int | None = os.open(path, os.O_RDONLY)
        except OSError:
            self._descriptor = None

    def read(self) -> str | None:
        """The present text, or None where the file or its process is not there."""
        if self._descriptor is None:
            return None
        try:
            return os.pread(self._descriptor, _MOST_BYTES, 0).decode("ascii", "replace")
        except OSError:
            return None

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
