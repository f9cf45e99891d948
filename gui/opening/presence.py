"""Which of some files are there, seen beside the window: a mount that hangs holds nothing up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.remote.address import is_remote
from modelmon.core.worker.look import decode
from modelmon.gui.background.commands import look_process

if TYPE_CHECKING:
    from collections.abc import Iterable


class Presence(QObject):
    """`gone` are the paths at which nothing was found; `changed` follows every answer."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.gone: set[str] = set()
        self._awaited: set[str] = set()

    def look(self, paths: Iterable[str]) -> None:
        """Look for these; what has not been answered yet is not asked again."""
        # A server is not called for a list.
        new = {path for path in paths if not is_remote(path)} - self._awaited
        if new:
            self._awaited |= new
            command = look_process(sorted(new))
            command.setParent(self)
            command.line_read.connect(self._take)
            command.start()

    def _take(self, line: bytes) -> None:
        seen = decode(line)
        self._awaited.discard(seen.path)
        if seen.kind == "absent":
            self.gone.add(seen.path)
        else:
            self.gone.discard(seen.path)
        self.changed.emit()
