"""What the parts of a window that do its work have in common: none leaves a process behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.gui.background.commands import Command, CommandQuery

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.gui.session.session import Session


class Controller(QObject):
    """Works for a session; what it asks of a process goes through `_asking`.

    The window ends every one that is below it, and its Stop stops those that somebody waits for.
    """

    looks_around = False
    """Whether nobody waits for it."""

    def __init__(
        self,
        session: Session,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._asking = CommandQuery(make_command, self)

    def stop(self) -> None:
        """Stop what is under way; returns at once."""
        self._asking.stop()

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._asking.shut_down()
