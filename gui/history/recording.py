"""The lines of one run as its worker wrote them, kept small until somebody saves them."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from modelmon.core.export.atomic import write_text_atomic

if TYPE_CHECKING:
    from pathlib import Path


class Recording:
    """Event lines of a run, compressed as they come; about a tenth of their size in memory.

    `nbytes` is their size.
    """

    def __init__(self) -> None:
        self._packer = zlib.compressobj(1)
        self._packed = bytearray()
        self.nbytes = 0

    def append(self, line: bytes) -> None:
        """Add one line; a missing newline at its end is added."""
        whole = line if line.endswith(b"\n") else line + b"\n"
        self.nbytes += len(whole)
        self._packed += self._packer.compress(whole)

    def content(self) -> bytes:
        """All lines so far, as they are saved."""
        return zlib.decompress(bytes(self._packed) + self._packer.copy().flush())

    def save(self, path: Path) -> None:
        """Write the lines to `path`, whole or not at all. Raises WriteError."""
        write_text_atomic(path, self.content().decode())
