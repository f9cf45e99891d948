"""Which programs that modelmon knows are installed where the open model is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from modelmon.core.comparison.commands import check_watchable
from modelmon.core.errors import ModelmonError
from modelmon.core.messages import Message
from modelmon.gui.background.commands import Command, CommandQuery, engines_arguments
from modelmon.gui.language import said, tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.gui.session.session import Session


class FoundVariant(msgspec.Struct, frozen=True):
    """A load setting of a program: the command that loads the model with it, and its sign;
    `setting` is what is written to have it.
    """

    name: str
    meaning: Message
    command: str = ""
    ready: str = ""
    setting: str = ""


class FoundProgram(msgspec.Struct, frozen=True):
    """A program that modelmon knows, as `modelmon programs` lists it; `obstacle` is empty where it
    can load the model here. `movable`: one at another place may be named.
    """

    name: str
    title: str
    version: str
    obstacle: Message
    path: str = ""
    movable: bool = False
    variants: tuple[FoundVariant, ...] = ()


class _Engines(msgspec.Struct):
    programs: tuple[FoundProgram, ...]


class ProgramFinder(QObject):
    """Looks for programs. `programs_found` carries FoundPrograms, `no_programs` why there can be
    none.
    """

    programs_found = Signal(object)
    no_programs = Signal(str)

    def __init__(
        self,
        session: Session,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._looking = CommandQuery(make_command, self)

    @property
    def server(self) -> str:
        """The server of the open model; "" where it is on this machine."""
        inspection = self._session.inspection
        return inspection.server if inspection is not None else ""

    def look_for_programs(self, python: str = "") -> None:
        """Ask which programs are here, those of Python in the environment of `python` if one is
        named: each says its version, which takes seconds.
        """
        inspection = self._session.inspection
        if inspection is None:
            self.no_programs.emit(tr("Open a model first."))
            return
        try:
            check_watchable(server=inspection.server)
        except ModelmonError as error:
            self.no_programs.emit(said(error.message))
            return
        self._ask(engines_arguments(inspection.reference, python))

    def look_without_model(self) -> None:
        """Ask which programs are here while no model is open."""
        self._ask(engines_arguments())

    def stop(self) -> None:
        """Nobody waits for the programs any more."""
        self._looking.stop()

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._looking.shut_down()

    def _ask(self, arguments: list[str]) -> None:
        def fail(message: str, remedy: str) -> None:
            self.no_programs.emit(f"{said(message)} {said(remedy)}".strip())

        def take(found: _Engines) -> None:
            self.programs_found.emit(found.programs)

        self._looking.ask(arguments, _Engines, take, fail)
