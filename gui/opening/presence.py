"""Which of some files are there, seen beside the window: a mount that hangs holds nothing up."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.remote.address import is_remote
from modelmon.gui.background.main_thread_queue import MainThreadQueue
from modelmon.gui.background.threads import start_thread

if TYPE_CHECKING:
    from collections.abc import Iterable


class Presence(QObject):
    """`gone` are the paths at which nothing was found; `changed` follows every answer."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.gone: set[str] = set()
        self._awaited: set[str] = set()
        self._answers = MainThreadQueue(self)

    def look(self, paths: Iterable[str]) -> None:
        """Look for these; what has not been answered yet is not asked again."""
        # A server is not called for a list.
        for path in {path for path in paths if not is_remote(path)} - self._awaited:
            self._awaited.add(path)
            self._answers.expect()
            start_thread(partial(self._see, path))

    def _see(self, path: str) -> None:
        try:
            there = Path(path).exists()
        except OSError:
            # What cannot be looked at may well be there; opening it will tell.
            there = True
        self._answers.leave(partial(self._take, path, there))

    def _take(self, path: str, there: bool) -> None:
        self._awaited.discard(path)
        if there:
            self.gone.discard(path)
        else:
            self.gone.add(path)
        self.changed.emit()
