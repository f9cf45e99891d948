"""Makes the runs of an experiment, one worker process at a time, and takes up stopped ones."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from modelmon.core.comparison.commands import (
    NO_COMMANDS,
    Commands,
    command_for,
    recorded_commands,
)
from modelmon.core.comparison.runner import AGAIN_S, RECONNECT_S, resume, unfinished
from modelmon.core.doctor.inspection import Inspection
from modelmon.core.errors import ModelmonError
from modelmon.core.worker.child_process import GRACE_S, GRACE_THERE_S
from modelmon.core.worker.client import watch_command, worker_command
from modelmon.core.worker.command_words import recorded_words
from modelmon.gui.background.child_process import Standby
from modelmon.gui.background.history_access import RunRecorder
from modelmon.gui.background.worker_process import WorkerProcess
from modelmon.gui.language import said, sentences, tr
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.notices import Activity, Notice, ProgressView, give_up

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from PySide6.QtCore import QObject

    from modelmon.core.comparison.result import Verdict
    from modelmon.core.comparison.runner import ExperimentRun, ExperimentSession, SomeSession
    from modelmon.core.find_best.result import Recommendation
    from modelmon.core.history.history import History
    from modelmon.core.history.recorder import Recorder
    from modelmon.core.worker.events import Failed, Job
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Run, Session

_LONGEST_ENTRY_MS = 1000
"""Stop waits no longer until the history has the run before it."""


class Runs:
    """The runs of one experiment: where they are kept, and how the window shows them."""

    activity: Activity
    """What the window does while they are made."""
    experiment: Any
    """Which run is next, an ExperimentSession."""

    def __init__(
        self, session: Session, experiment: ExperimentSession[Any], recorder: RunRecorder
    ) -> None:
        """`recorder` hands them to the history."""
        self.experiment, self.recorder = experiment, recorder
        self._session = session
        self._label = ""
        self._worker: WorkerProcess
        self._run: Run

    def view(self, record: RunRecord | None) -> ProgressView:
        """Where the experiment stands; `record` is None while a run is being kept."""
        raise NotImplementedError

    def begin(self, label: str, worker: WorkerProcess) -> None:
        """A run of this arm is about to start."""
        self._label, self._worker = label, worker

    def show_begun(self) -> None:
        """Show the load that has begun, where it is not shown yet."""

    def end(self, result: RunResult | None) -> None:
        """The run is over; None for an arm that cannot be run."""
        raise NotImplementedError

    def keep(self, run_id: int) -> None:
        """The history has the run."""
        self._session.note_kept(self._run, run_id)

    def conclude(self) -> Verdict | Recommendation | None:
        """No run is left, or they were stopped; returns what the history keeps of it."""
        raise NotImplementedError

    def fail(self, error: ModelmonError) -> None:
        """The run has ended the experiment with an error: say why, with what was said last."""
        session, worker, failed = self._session, self._worker, self._worker.record.failed
        if failed is not None and failed.kind == "cancelled":
            self.conclude()
            return
        session.add_run(self._arm, worker.record, worker.recording, None)
        if failed is None:
            session.log(said(error.text), "error")
        else:
            why = sentences(said(failed.message), said(failed.remedy))
            session.log(tr("{arm} failed: {why}", arm=self._name, why=why), "error")
        for more in (failed.details if failed is not None else "", worker.stderr_text()):
            if more:
                session.log(more, "error")
        told = failed or error
        notice = Notice(said(told.message), said(told.remedy), tone="bad")
        self._end(self._explained(notice, failed) if failed is not None else notice)

    @property
    def _arm(self) -> ArmLabel:
        """In whose place the run under way is shown."""
        return "B" if self._label == "B" else "A"

    @property
    def _name(self) -> str:
        """What the log calls what is run."""
        return self._label

    def _explained(self, notice: Notice, failed: Failed) -> Notice:
        """What to know, and what can be done, after a run that did not end well."""
        raise NotImplementedError

    def _end(self, notice: Notice) -> None:
        """Nothing is under way any more."""
        self._session.end(notice)


class RunController(Controller):
    """Works off what is measured: single runs, comparisons and races; goes on with stopped ones."""

    def __init__(
        self,
        session: Session,
        make_worker: Callable[[Job], WorkerProcess] | None = None,
        history: HistoryAccess | None = None,
        parent: QObject | None = None,
    ) -> None:
        """Without `history` no run is kept."""
        super().__init__(session, parent=parent)
        self.history = history
        self._standby = Standby(self)
        self._make_worker = make_worker or self._worker_for
        self._runs: Runs | None = None
        self._worker: WorkerProcess | None = None
        self._label = ""
        self._ticket: object | None = None
        """Which experiment is being taken up; what comes of one that was given up is too late."""
        self._commands: Commands = NO_COMMANDS
        self._stopping = False
        self._deadline = QTimer(self, singleShot=True)
        self._deadline.timeout.connect(self._on_deadline)
        self._lost_s: float | None = None
        self._again = QTimer(self, singleShot=True, interval=round(AGAIN_S * 1000))
        self._again.timeout.connect(self._next_run)

    def recorder(
        self,
        experiment: ExperimentSession[Any],
        inspection: Inspection,
        recorder: Recorder | None = None,
    ) -> RunRecorder:
        """What hands an experiment's runs to the history; `recorder` where it is gone on with."""
        return RunRecorder(self.history, experiment, inspection, self._complain, recorder)

    def start(self, runs: Runs, commands: Commands = NO_COMMANDS) -> None:
        """Make these runs; nothing else is under way. `commands` are those of their arms that the
        person gave, or agreed to.
        """
        self._runs, self._stopping, self._lost_s = runs, False, None
        self._commands = commands
        inspection = self._session.inspection
        self._standby.server = inspection.server if inspection is not None else ""
        self._session.begin(runs.activity, self.progress)
        self._next_run()

    def stop(self) -> None:
        """Ask the run under way to stop, or give up going on; returns at once."""
        if self._ticket is not None:
            self._ticket = None
            self._asking.stop()
            self._session.end(Notice(tr("Resuming stopped."), tr("Nothing was loaded.")))
        if self._worker is not None:
            waits = self._session.progress is not None and self._session.progress().is_silent
            self._session.stopping()
            if waits:
                self._worker.give_up()
            self._stop_run()
        elif self._runs is not None:
            # Once the history has the run that is over, it can say how to go on.
            self._session.stopping()
            self._stopping = True
            self._deadline.start(_LONGEST_ENTRY_MS)

    def shut_down(self) -> None:
        """Stop and wait until no worker is left, for some two seconds at the most."""
        self._deadline.stop()
        self._again.stop()
        self._standby.shut_down()
        self._ticket = None
        super().shut_down()
        if self._worker is not None:
            self._worker.ended.disconnect(self._on_run_over)
            self._worker.shut_down()
            self._worker = None
        if self._runs is not None:
            self._runs.recorder.end("stopped")
            self._runs = None

    def progress(self) -> ProgressView:
        """Where the experiment stands now."""
        if self._runs is None:
            return ProgressView(tr("Starting"))
        worker = self._worker
        if worker is None:
            return self._runs.view(None)
        view = self._runs.view(worker.record)
        return replace(
            view,
            detail=worker.awaited or view.detail,
            answered=None if self._stopping else worker.answered,
            server=self._standby.server,
        )

    def show_begun(self) -> None:
        """Show the load that has begun."""
        if self._worker is not None and self._runs is not None:
            self._runs.show_begun()

    def _next_run(self) -> None:
        runs = self._runs
        assert runs is not None
        following = None if self._stopping else runs.experiment.next_job()
        if following is None:
            self._conclude()
            return
        self._label, job = following
        worker = self._worker = self._make_worker(job)
        worker.setParent(self)
        worker.warned.connect(self._on_warned)
        worker.ended.connect(self._on_run_over)
        self._watch_time()
        runs.begin(self._label, worker)
        worker.start()

    def _worker_for(self, job: Job) -> WorkerProcess:
        server = self._standby.server
        if job.program is not None:
            command = command_for(self._label, self._commands)
            return WorkerProcess(job, watch_command(server, *command))
        single = self._runs is None or self._runs.experiment.kind == "single"
        standby = None if single else self._standby
        return WorkerProcess(job, worker_command(server), standby=standby)

    def _watch_time(self) -> None:
        # A way that is much slower than predicted must not break the budget.
        left_ns = self._runs.experiment.run_left_ns if self._runs is not None else None
        if left_ns is not None:
            self._deadline.start(max(0, left_ns) // 1_000_000 + 1)

    def _on_deadline(self) -> None:
        if self._worker is None:
            if self._runs is not None:
                self._conclude()
            return
        left_ns = self._runs.experiment.run_left_ns if self._runs is not None else None
        if left_ns is None or left_ns > 0:
            # Qt's timers may be early.
            self._watch_time()
        else:
            self._stop_run(GRACE_THERE_S if self._standby.server else GRACE_S)

    def _stop_run(self, grace_s: float | None = None) -> None:
        self._stopping = True
        if self._worker is not None:
            self._worker.cancel(grace_s)

    def _on_warned(self, text: str) -> None:
        program = self._session.program
        label = self._label if program is None else program.name
        self._session.log(tr("{arm}: {warning}", arm=label, warning=text), "warning")

    def _on_run_over(self) -> None:
        worker, runs = self._worker, self._runs
        assert worker is not None
        assert runs is not None
        runs.show_begun()
        self._worker = None
        self._deadline.stop()
        worker.deleteLater()
        failed = worker.record.failed
        if self._stopping and failed is not None and failed.kind == "cancelled":
            if worker.stderr_text():
                self._session.log(worker.stderr_text(), "warning")
            self._conclude()
            return
        if failed is not None and failed.kind == "disconnected" and self._connects_again():
            again = tr("Trying again.")
            self._session.log(sentences(said(failed.message), again), "warning")
            self._again.start()
            return
        self._lost_s = None
        try:
            result = runs.experiment.add(worker.record)
        except ModelmonError as error:
            self._runs = None
            self._standby.end()
            runs.recorder.end("stopped")
            runs.fail(error)
            return
        runs.end(result)
        if result is None:
            self._next_run()
            return

        def go_on(run_id: int | None) -> None:
            if run_id is not None:
                self._session.note_unsaved("history", "")
                runs.keep(run_id)
            if self._runs is runs:
                self._next_run()

        # The next one waits, so that no disk is busy with the history beside a measurement.
        runs.recorder.add(self._label, result, worker.recording, go_on)

    def _connects_again(self) -> bool:
        """Whether a run that a lost connection cut off is made again."""
        assert self._runs is not None
        if self._stopping or self._runs.experiment.kind == "single":
            return False
        now_s = time.monotonic()
        self._lost_s = now_s if self._lost_s is None else self._lost_s
        return now_s - self._lost_s < RECONNECT_S

    def _conclude(self) -> None:
        runs, self._runs = self._runs, None
        assert runs is not None
        self._deadline.stop()
        self._again.stop()
        self._standby.end()
        if self._stopping:
            runs.experiment.stop()
        verdict = runs.conclude()
        runs.recorder.end("stopped" if runs.experiment.stopped else "done", verdict)

    def _complain(self, problem: str) -> None:
        self._session.log(problem, "warning")
        self._session.note_unsaved("history", problem)

    def take_up(  # noqa: PLR0913  what it is, and what was agreed to
        self,
        reference: str,
        kind: type[SomeSession],
        go_on_with: Callable[[ExperimentRun[SomeSession], Callable[[], None]], None],
        budget_ns: int | None = None,
        *,
        busy_agreed: bool = False,
        commands: Commands = NO_COMMANDS,
    ) -> None:
        """Go on with the stopped experiment `x12` of this machine; why it cannot be is said in the
        slot. `go_on_with` gets it, and what takes it up again where others' use of
        the file does not matter. Commands other than those that were agreed to are shown first.

        The model is opened in a process of its own: on the history's thread a mount that hangs
        would keep all later runs from being kept.
        """
        if self._session.busy or self.history is None:
            return
        history, ticket = self.history, object()
        self._ticket = ticket
        view = ProgressView(
            tr("Resuming {reference}", reference=reference),
            detail=tr("The model, disk, and machine must be the same as in the earlier runs."),
        )
        self._session.begin(
            Activity.OPENING, lambda: replace(view, answered=self._asking.worked_ticks)
        )
        agreed = dict(commands)

        def read(history: History) -> tuple[str, dict[str, str]]:
            experiment = unfinished(history, reference, kind.kind, done_too=True)
            return experiment.path, recorded_commands(experiment.arms)

        def ask(found: tuple[str, dict[str, str]]) -> None:
            path, recorded = found

            def answer(yes: bool) -> None:
                if ticket is not self._ticket:
                    return
                if yes:
                    agreed.update({at: recorded_words(text) for at, text in recorded.items()})
                    open_model(path)
                else:
                    self.stop()

            if recorded.keys() == agreed.keys():
                open_model(path)
            elif ticket is self._ticket:
                self._ask_to_agree(recorded, answer)

        def open_model(path: str) -> None:
            if ticket is self._ticket:
                self._asking.ask(["inspect", path, "--json"], Inspection, look_up, refuse)

        def look_up(inspection: Inspection) -> None:
            def work(history: History) -> ExperimentRun[SomeSession]:
                return resume(kind, history, reference, inspection, agreed, budget_ns=budget_ns)

            history.ask(work, go_on, fail)

        def go_on(underway: ExperimentRun[SomeSession]) -> None:
            if ticket is not self._ticket:
                # It came too late.
                history.ask(
                    lambda _: underway.recorder.end("stopped"), lambda _: None, lambda _: None
                )
                return
            self._ticket = None
            self._session.log(tr("Resumed {reference}.", reference=reference))
            self._session.end()
            opened, inspection = self._session.inspection, underway.inspection
            if opened is None or opened.reference != inspection.reference:
                self._session.set_inspection(inspection)
            if busy_agreed:
                underway.session.go_on_busy()
            again = partial(self.take_up, reference, kind, go_on_with, budget_ns)
            go_on_with(underway, partial(again, busy_agreed=True, commands=agreed))

        def fail(error: ModelmonError) -> None:
            refuse(error.message, error.remedy)

        def refuse(message: str, remedy: str) -> None:
            if ticket is self._ticket:
                self._ticket = None
                give_up(self._session, message, remedy)

        history.ask(read, ask, fail)

    def _ask_to_agree(self, commands: dict[str, str], answer: Callable[[bool], None]) -> None:
        """Show commands that would be run again, by the labels of their arms, and ask."""
        from modelmon.gui.widgets.dialog import (  # noqa: PLC0415  start sooner without it
            AgreementDialog,
        )

        window = self.parent()
        assert isinstance(window, QWidget)
        dialog = AgreementDialog(commands, window)
        dialog.finished.connect(lambda result: answer(result == dialog.DialogCode.Accepted))
        dialog.open()
