"""Watch a program from the question to what came of it."""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from PySide6.QtCore import QObject, Signal

from modelmon.core.comparison.commands import command_line, command_of
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.machine.file_users import users_of
from modelmon.core.worker.events import Job, WatchedProgram
from modelmon.core.worker.record import RunRecord
from modelmon.gui.background.main_thread_queue import MainThreadQueue
from modelmon.gui.background.threads import start_thread
from modelmon.gui.session.run_controller import SingleRun
from modelmon.gui.session.watched_run import WatchedRun
from modelmon.gui.watch.program_runs import ProgramRuns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.machine.file_users import FileUser
    from modelmon.gui.session.found_programs import FoundProgram, ProgramFinder
    from modelmon.gui.session.run_controller import RunController
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.watched_run import WatchRequest


def version_of(request: WatchRequest, known: Iterable[FoundProgram]) -> str:
    """`llama.cpp b10388`; empty where none of `known` is started by that command or runs as that
    process. Of what Python runs, only the command of a preset tells which program it is.
    """
    command = shlex.join(request.command)
    for each in known:
        offered = any(command and command == variant.command for variant in each.variants)
        if each.version and (offered or _is_same(request, each.path)):
            return f"{each.title} {each.version}"
    return ""


def _is_same(request: WatchRequest, path: str) -> bool:
    if not path or Path(path).resolve().name.startswith("python"):
        return False
    if request.pid is not None:
        mine: str | None = f"/proc/{request.pid}/exe"
    else:
        mine = shutil.which(request.command[0]) if request.command else None
    try:
        return mine is not None and Path(mine).samefile(path)
    except OSError:
        return False


class WatchController(QObject):
    """Watches programs for a session.

    `users_found` carries who else has the open model's files open or mapped, a list of FileUser
    with their command lines.
    """

    users_found = Signal(list)

    def __init__(
        self,
        session: Session,
        runs: RunController,
        programs: ProgramFinder,
        parent: QObject | None = None,
    ) -> None:
        """`programs` knows which are here."""
        super().__init__(parent)
        self._session = session
        self._runs = runs
        self._programs = programs
        self._known: tuple[FoundProgram, ...] = ()
        self._answers = MainThreadQueue(self)
        programs.programs_found.connect(self._know)
        session.activity_changed.connect(self._on_activity)

    def look_for_users(self) -> None:
        """Ask who has the model's files open or mapped, outside the window's thread."""
        inspection = self._session.inspection
        if inspection is None or self._answers.looking:
            return
        if inspection.server:
            # As they were when the model was opened; their command lines are not asked for.
            self.users_found.emit([(user, user.name) for user in inspection.users])
            return
        mine = psutil.Process()
        ignored = {os.getpid(), *(child.pid for child in mine.children(recursive=True))}
        self._answers.expect()
        files = inspection.model.files

        def work() -> None:
            found: list[tuple[FileUser, str]] = []
            try:
                found = [
                    (user, shlex.join(command_of(user.pid))) for user in users_of(files, ignored)
                ]
            except OSError:
                pass  # the model is gone, and nobody can have it open by that name
            finally:
                self._answers.leave(partial(self.users_found.emit, found))

        start_thread(work)

    def start(self, request: WatchRequest, *, allow_busy: bool = False) -> None:
        """Watch what was asked for."""
        session, inspection = self._session, self._session.inspection
        if inspection is None or session.busy:
            return
        named = list(request.command) or command_of(request.pid, inspection.server)
        joins = request.pid is not None
        program = WatchedProgram(
            shlex.join(named), request.ready, request.pid, began_ticks=request.began_ticks
        )
        job = Job(
            path=inspection.model.path,
            config=LoadConfig(library=PROGRAM),
            strategy=command_line(named, inspection.model.files),
            cache="as-is" if joins else request.cache,
            sample_hz=session.sample_hz,
            allow_busy=allow_busy or joins,
            condition_memory=not joins,
            most_load_ns=request.limit_s * 10**9,
            program=program,
        )
        single = SingleRun("A", job, known_limits(inspection))
        recorder = self._runs.recorder(single, inspection)
        again = partial(self.start, request, allow_busy=True)
        begun = WatchedRun(
            program, RunRecord(), request=request, limits=single.limits, server=inspection.server
        )
        runs = ProgramRuns(session, single, recorder, begun, again)
        self._runs.start(runs, {single.order[0]: request.command})

    def _on_activity(self) -> None:
        """Which version it is is asked when nothing is measured: programs are started for that."""
        session, shown = self._session, self._session.program
        if session.busy:
            self._programs.stop()
        elif shown is not None and shown.request is not None and shown.result is not None:
            self._tell_version()
            unknown = session.program is not None and not session.program.version
            if unknown and shown.engine and not shown.server and not self._known:
                self._programs.look_for_programs()

    def _know(self, found: tuple[FoundProgram, ...]) -> None:
        self._known = tuple(found)
        if not self._session.busy:
            self._tell_version()

    def _tell_version(self) -> None:
        shown = self._session.program
        if shown is None or shown.request is None or shown.version or shown.server:
            return
        version = version_of(shown.request, self._known)
        if version:
            self._session.show_program(replace(shown, version=version))

    def again(self) -> None:
        """Watch the program that is shown once more, where it was typed in this window."""
        shown = self._session.program
        if shown is None or shown.request is None:
            return
        self.start(shown.request)

    def stop(self) -> None:
        """The run is stopped by RunController."""

    def shut_down(self) -> None:
        """Wait for no answer."""
        self._answers.ignore()
