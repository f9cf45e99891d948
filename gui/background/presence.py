"""Which of some files are there, seen beside the window: a mount that hangs holds nothing up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from modelmon.core.remote import is_remote
from modelmon.core.worker.look import decode
from modelmon.gui.background.commands import look_process

if TYPE_CHECKING:
    from collections.abc import Iterable

_GATHER_MS = 50
"""A path that is being typed is not looked for letter by letter."""


class Presence(QObject):
    """`gone` are the paths at which nothing was found; `changed` follows every answer."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.gone: set[str] = set()
        self._files: set[str] = set()
        self._asked: set[str] = set()
        self._awaited: set[str] = set()
        self._wanted: set[str] = set()
        self._soon = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._soon.timeout.connect(self._ask)
        self._is_over = False

    def shut_down(self) -> None:
        """Ask no more: who asks now would leave a process behind."""
        self._is_over = True
        self._soon.stop()

    def look(self, paths: Iterable[str]) -> None:
        """Look for these; what has not been answered yet is not asked again."""
        # A server is not called for a list.
        self._wanted |= {path for path in paths if not is_remote(path)} - self._awaited
        self._asked |= self._wanted
        if self._wanted and not self._is_over:
            self._soon.start()

    def has_file(self, path: str) -> bool:
        """Whether a file was seen there; one that was not looked for is, and `changed` follows."""
        if path not in self._asked:
            self.look([path])
        return path in self._files

    def _ask(self) -> None:
        command = look_process(sorted(self._wanted))
        self._awaited |= self._wanted
        self._wanted.clear()
        command.setParent(self)
        command.line_read.connect(self._take)
        command.start()

    def _take(self, line: bytes) -> None:
        seen = decode(line)
        self._awaited.discard(seen.path)
        for kind, paths in (("absent", self.gone), ("file", self._files)):
            (paths.add if seen.kind == kind else paths.discard)(seen.path)
        self.changed.emit()
