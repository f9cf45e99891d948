"""The lines of one run as its worker wrote them, kept small until somebody saves them."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from modelmon.core.export.atomic import write_text_atomic

if TYPE_CHECKING:
    from pathlib import Path


_MOST_LOOSE_BYTES = 1024**2


class Recording:
    """Event lines of a run, compressed by the MiB; about a tenth of their size in memory.

    `nbytes` is their size. A short load is over before anything of it is compressed: that takes
    processor time, which it may want for itself.
    """

    def __init__(self) -> None:
        self._packer = zlib.compressobj(1)
        self._packed = bytearray()
        self._loose = bytearray()
        self.nbytes = 0

    def append(self, line: bytes) -> None:
        """Add one line; a missing newline at its end is added."""
        whole = line if line.endswith(b"\n") else line + b"\n"
        self.nbytes += len(whole)
        self._loose += whole
        if len(self._loose) >= _MOST_LOOSE_BYTES:
            self.pack()

    def pack(self) -> None:
        """Compress what is not yet: no more is to come soon."""
        self._packed += self._packer.compress(bytes(self._loose))
        self._loose.clear()

    def content(self) -> bytes:
        """All lines so far, as they are saved."""
        packed = bytes(self._packed) + self._packer.copy().flush()
        return zlib.decompress(packed) + bytes(self._loose)

    def save(self, path: Path) -> None:
        """Write the lines to `path`, whole or not at all. Raises WriteError."""
        write_text_atomic(path, self.content().decode())
