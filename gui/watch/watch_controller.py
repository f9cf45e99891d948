"""Watch a program from the question to what came of it, as its card, slot and log show it."""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
from PySide6.QtCore import QObject, QTimer, Signal

from modelmon.core.comparison.commands import command_line, command_of
from modelmon.core.comparison.runner import SingleRun, tests_of
from modelmon.core.doctor.inspection import inspect_at, known_limits
from modelmon.core.errors import ConfigError, ModelmonError
from modelmon.core.explain.program_report import parts_text
from modelmon.core.history.origin import origin_of
from modelmon.core.load.config import PROGRAM, LoadConfig
from modelmon.core.machine.file_users import users_of
from modelmon.core.model.named_models import models_named_by, the_one
from modelmon.core.programs.readiness import ready_sign
from modelmon.core.redaction import recorded_command
from modelmon.core.remote import Place
from modelmon.core.watch.stacks import StackSampler, py_spy
from modelmon.core.worker.command_words import taken_apart
from modelmon.core.worker.events import Job, WatchedProgram
from modelmon.core.worker.record import RunRecord
from modelmon.gui.background.threads import MainThreadQueue, start_thread
from modelmon.gui.language import tr
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.notices import Activity, Choice, Notice, ProgressView, Reading
from modelmon.gui.session.run_controller import Runs
from modelmon.gui.session.run_progress import run_view
from modelmon.gui.session.run_words import with_why_not
from modelmon.gui.session.watched_run import WatchedRun
from modelmon.gui.watch import watch_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from modelmon.core.history.history import History
    from modelmon.core.history.rows import RunRow
    from modelmon.core.machine.file_users import FileUser
    from modelmon.core.programs.known_program import ListedProgram
    from modelmon.core.worker.events import Failed
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.history_access import RunRecorder
    from modelmon.gui.background.worker_process import WorkerProcess
    from modelmon.gui.session.machine import ProgramFinder
    from modelmon.gui.session.run_controller import RunController
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.watched_run import WatchRequest


def version_of(request: WatchRequest, known: Iterable[ListedProgram]) -> str:
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
    try:
        if not path or Path(path).resolve().name.startswith("python"):
            return False
        if request.pid is not None:
            mine: str | None = f"/proc/{request.pid}/exe"
        else:
            mine = shutil.which(request.command[0]) if request.command else None
        return mine is not None and Path(mine).samefile(path)
    except (OSError, RuntimeError):  # gone, or a link in a circle
        return False


class WatchController(Controller):
    """Watches programs for a session.

    `users_found` carries who else has the open model's files open or mapped, a list of FileUser
    with their command lines, `model_wanted` the model that a command names where none is open.
    """

    users_found = Signal(list)
    model_wanted = Signal(str)

    def __init__(
        self,
        session: Session,
        runs: RunController,
        programs: ProgramFinder,
        parent: QObject | None = None,
    ) -> None:
        """`programs` knows which are here."""
        super().__init__(session, parent=parent)
        self._runs = runs
        self._programs = programs
        self._known: tuple[ListedProgram, ...] = ()
        self._answers = MainThreadQueue(self)
        self._looking: Reading | None = None
        """The look for a command's model that is waited for."""
        self._waiting: WatchRequest | None = None
        """What is started once its model is open."""
        programs.programs_found.connect(self._know)
        session.activity_changed.connect(self._on_activity)
        session.program_changed.connect(self._look_for_tests)

    def look_for_users(self) -> None:
        """Ask who has the model's files open or mapped, outside the window's thread."""
        inspection = self._session.inspection
        if inspection is None:
            return
        mine = psutil.Process()
        ignored = {os.getpid(), *(child.pid for child in mine.children(recursive=True))}
        self._answers.expect()
        model, server = inspection.model, inspection.server
        # Where a server doesn't answer, they are as they were when the model was opened.
        before = [(user, user.name) for user in inspection.users] if server else []

        def tell(found: list[tuple[FileUser, str]]) -> None:
            inspection = self._session.inspection
            if inspection is not None and inspection.model is model:
                self.users_found.emit(found)

        def work() -> None:
            found = before
            try:
                if server:  # command lines are not asked for
                    there = inspect_at(Place(model.path, server)).users
                    found = [(user, user.name) for user in there]
                else:
                    here = users_of(model.files, ignored)
                    found = [(user, shlex.join(command_of(user.pid))) for user in here]
            except (OSError, ModelmonError):
                pass  # a model that is gone nobody can have open by that name
            finally:
                self._answers.leave(partial(tell, found))

        start_thread(work)

    def start(
        self, request: WatchRequest, *, allow_busy: bool = False, first: RunResult | None = None
    ) -> None:
        """Watch what was asked for; again after a `first` start where it was asked for two."""
        session, inspection = self._session, self._session.inspection
        if session.busy:
            return
        if inspection is None:
            self._find_model(request)
            return
        named = list(request.command) or command_of(request.pid, inspection.server)
        joins = request.pid is not None
        ready = request.ready or ready_sign(request.command)
        program = WatchedProgram(
            recorded_command(named), ready, request.pid, began_ticks=request.began_ticks
        )
        job = Job(
            path=inspection.model.path,
            config=LoadConfig(library=PROGRAM),
            strategy=command_line(named, inspection.model.files),
            cache="as-is" if joins or first is not None else request.cache,
            sample_hz=session.sample_hz,
            allow_busy=allow_busy or joins,
            condition_memory=not joins,
            most_load_ns=request.limit_s * 10**9,
            program=program,
        )
        single = SingleRun("A", job, known_limits(inspection))
        recorder = self._runs.recorder(single, inspection)
        again = partial(self.start, request, allow_busy=True, first=first)
        samples = request.sample and bool(py_spy()) and not inspection.server
        begun = WatchedRun(
            program,
            RunRecord(),
            first=first,
            request=request,
            limits=single.limits,
            server=inspection.server,
            stacks=StackSampler() if samples else None,
        )

        def start_again(result: RunResult) -> None:
            if request.twice and first is None and result.cut_off is None:
                QTimer.singleShot(0, self, partial(self.start, request, first=result))

        runs = ProgramRuns(session, single, recorder, begun, again, start_again)
        self._runs.start(runs, {single.order[0]: request.command})

    def start_waiting(self) -> None:
        """A model was opened: watch what waited for it."""
        request, self._waiting = self._waiting, None
        if request is not None:
            self.start(request)

    def _find_model(self, request: WatchRequest) -> None:
        """Open the model that the command names, and watch it then."""
        looking = self._looking = Reading()
        headline = tr("Looking for the command's model")
        self._session.begin(Activity.OPENING, looking.view(headline, ""))

        def work() -> None:
            try:
                path = str(the_one(models_named_by(request.command, Path.cwd())))
            except (ConfigError, OSError):
                path = ""
            self._answers.leave(partial(open_model, path))

        def open_model(path: str) -> None:
            if looking is not self._looking:
                return
            self._looking = None
            if path:
                self._session.end()
                self._waiting = request
                self.model_wanted.emit(path)
            else:
                remedy = tr("Open the model, then watch the command.")
                self._session.end(Notice(tr("The command names no single model."), remedy))

        self._answers.expect()
        start_thread(work)

    def _forget(self) -> None:
        self._waiting = None

    def _on_activity(self) -> None:
        """Which version it is is asked when nothing is measured: programs are started for that."""
        session, shown = self._session, self._session.program
        if not session.busy and self._waiting is not None:
            # What was opened says so at once; else it couldn't be.
            QTimer.singleShot(0, self, self._forget)
        if session.busy:
            self._programs.stop()
        elif shown is not None and shown.request is not None and shown.result is not None:
            self._tell_version()
            if shown.engine and not (shown.version or shown.server or self._known):
                self._programs.look_for_programs()

    def _know(self, found: tuple[ListedProgram, ...]) -> None:
        self._known = tuple(found)
        if not self._session.busy:
            self._tell_version()

    def _tell_version(self) -> None:
        shown = self._session.program
        if shown is None or shown.request is None or shown.version or shown.server:
            return
        request, known = shown.request, self._known

        def show(version: str) -> None:
            shown = self._session.program
            if version and shown is not None and shown.request is request:
                self._session.show_program(replace(shown, version=version))

        self._answers.expect()
        start_thread(lambda: self._answers.leave(partial(show, version_of(request, known))))

    def _look_for_tests(self) -> None:
        """Ask the history whether load settings of the program that is shown were tested here."""
        session, shown, history = self._session, self._session.program, self._runs.history
        inspection = session.inspection
        if shown is None or shown.tests is not None or history is None:
            return
        result = shown.result
        if inspection is None or result is None:
            return

        def work(history: History) -> tuple[RunRow, ...]:
            origin = origin_of(inspection)
            here = origin.model.digest, origin.machine.id, origin.storage.id
            return tuple(tests_of(history, result, *here))

        def show(tests: tuple[RunRow, ...]) -> None:
            if session.program is shown:
                session.show_program(replace(shown, tests=tests))

        history.ask(work, show, lambda _: None)

    def again(self) -> None:
        """Watch the program that is shown once more, where it was typed in this window."""
        shown = self._session.program
        if shown is None or shown.request is None:
            return
        self.start(shown.request)

    def stop(self) -> None:
        """Look no more for the model of a command."""
        if self._looking is not None:
            self._looking = None
            self._session.end(Notice(tr("Stopped.")))

    def shut_down(self) -> None:
        """Wait for no answer."""
        super().shut_down()
        self._answers.ignore()


class ProgramRuns(Runs):
    """Shows a program in place of A and B from its start on."""

    activity = Activity.WATCHING

    def __init__(  # noqa: PLR0913, PLR0917  what is shown, and what comes of it
        self,
        session: Session,
        experiment: SingleRun,
        recorder: RunRecorder,
        begun: WatchedRun,
        go_on_busy: Callable[[], None],
        then: Callable[[RunResult], None],
    ) -> None:
        """`begun` is what is known of it before; `go_on_busy` watches it again with files allowed
        that others use, and `then` is called when it is ready.
        """
        super().__init__(session, experiment, recorder)
        self._go_on_busy, self._then = go_on_busy, then
        self._program = taken_apart(begun.program.command).name
        self._seen = RunRecord()
        self._shown = begun

    def view(self, record: RunRecord | None) -> ProgressView:
        """How far it is."""
        if self._session.activity is Activity.STOPPING:
            return ProgressView(tr("Stopping {program}", program=self._program))
        if record is not None:
            self._seen = record
        elif self._seen.finished is not None:
            loaded = tr("{program} has loaded", program=self._program)
            return ProgressView(loaded, 1.0, detail=tr("Saving run: {way}", way=self._program))
        return run_view(self._seen, self._program, self._program)

    def begin(self, label: str, worker: WorkerProcess) -> None:
        """It is about to start."""
        super().begin(label, worker)
        session = self._session
        session.loading_record = worker.record
        self._shown = replace(self._shown, record=worker.record)
        session.show_program(self._shown)
        worker.state_changed.connect(session.load_changed)
        worker.state_changed.connect(self._sample)

    def _sample(self) -> None:
        stacks, record = self._shown.stacks, self._worker.record
        if stacks is not None and record.done:
            stacks.end()
        elif stacks is not None and record.pid:
            stacks.begin(record.pid)

    def end(self, result: RunResult | None) -> None:
        """It is ready."""
        assert result is not None
        session, worker, label = self._session, self._worker, self.experiment.order[0]
        session.add_run(label, worker.record, worker.recording, result)
        self._run = session.runs[-1]
        number, parts = self._run.number, parts_text(result)
        line = tr(
            "Run {number}, {program}: {parts}", number=number, program=self._program, parts=parts
        )
        session.log(with_why_not(line, result))
        session.show_program(replace(self._shown, result=result))

    def conclude(self) -> None:
        """The card and the slot say what came of it, or that it was stopped."""
        if self.experiment.stopped:
            failed = self._worker.record.failed
            self._session.log(tr("Stopped."))
            self._session.end(watch_words.stopped(self._program, failed))
        else:
            self._session.end()
            if self._run.result is not None:
                self._then(self._run.result)

    @property
    def _name(self) -> str:
        return self._program

    def _explained(self, notice: Notice, failed: Failed) -> Notice:
        busy = failed.kind == "busy"
        choices = (Choice(tr("Watch anyway"), self._go_on_busy),) if busy else ()
        return watch_words.failure(failed, self._program, choices)
