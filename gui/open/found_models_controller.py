"""Looks for models on this machine while nothing is open, in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from modelmon.core.messages import from_wire
from modelmon.core.model.found_models import FoundModel, SearchedPlace
from modelmon.gui.background.commands import Command, CommandQuery

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.gui.session.session import Session
    from modelmon.gui.session.settings import Settings

_GATHER_MS = 100
"""Models that come in quick succession are shown together."""


class _Line(msgspec.Struct):
    """One line of `modelmon models --json`."""

    model: FoundModel | None = None
    searched: list[SearchedPlace] | None = None


_decode = msgspec.json.Decoder(_Line, dec_hook=from_wire).decode


class FoundModelsController(QObject):
    """Brings `models` as they are found; `searched` is known when the look is over.

    A look ends as soon as anything else starts, since it reads from the disks that are measured
    next, and goes on when that is over and still nothing is open.
    """

    changed = Signal()

    def __init__(
        self,
        session: Session,
        settings: Settings,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.models: list[FoundModel] = []
        self.searched: list[SearchedPlace] = []
        self.failure = ""
        self._session = session
        self._settings = settings
        self._asking = CommandQuery(make_command, self)
        self._due = False
        self._gathering = QTimer(self, singleShot=True, interval=_GATHER_MS)
        self._gathering.timeout.connect(self.changed)
        session.activity_changed.connect(self._on_activity)

    @property
    def looking(self) -> bool:
        """Whether more may come."""
        return self._asking.under_way

    def look(self) -> None:
        """Look anew, as soon as nothing is under way and if nothing is open."""
        self._due = True
        self._look_if_idle()

    def stop(self) -> None:
        """Give up the look under way; return at once."""
        if self._asking.stop() is not None:
            self.changed.emit()

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self.stop()
        self._asking.shut_down()

    def _look_if_idle(self) -> None:
        if not self._due or self._session.busy or not self._session.empty:
            return
        self.stop()
        self._due = False
        self.models, self.searched, self.failure = [], [], ""
        arguments = models_arguments(self._settings.model_folders)
        self._asking.follow(arguments, _decode, self._on_line, self._end, self._on_failed)
        self.changed.emit()

    def _on_activity(self) -> None:
        if self._session.busy:
            self._due = self._due or self.looking
            self.stop()
        else:
            self._look_if_idle()

    def _on_line(self, found: _Line) -> None:
        if found.model is not None:
            self.models.append(found.model)
        if found.searched is not None:
            self.searched = found.searched
            # The process may wait for a mount that hangs; all that it can tell has come.
            self._asking.forget()
            self._end()
        elif not self._gathering.isActive():
            self._gathering.start()

    def _on_failed(self, message: str, remedy: str) -> None:
        failure = f"{message} {remedy}".strip()
        self._session.log(failure, "warning")
        self._end(failure)

    def _end(self, failure: str = "") -> None:
        self.failure = failure
        self.changed.emit()


def models_arguments(folders: tuple[str, ...]) -> list[str]:
    """List the models in the usual caches and in these folders: answers with a line for each."""
    return ["models", "--json", "--", *folders]
