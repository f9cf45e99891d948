"""A program that is watched, as its card, the plots, the slot and the log show it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from modelmon.core.watch.command import program_name
from modelmon.core.worker.record import RunRecord
from modelmon.gui.language import said, tr
from modelmon.gui.session.error_reports import give_up
from modelmon.gui.session.notices import Choice, ProgressView
from modelmon.gui.session.session import Activity
from modelmon.gui.watch import watch_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.errors import ModelmonError
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.history_access import RunRecorder
    from modelmon.gui.background.worker_process import WorkerProcess
    from modelmon.gui.session.run_controller import SingleRun
    from modelmon.gui.session.session import Run, Session
    from modelmon.gui.session.watched_run import WatchedRun


class ProgramRuns:
    """Shows a program in place of A and B from its start on."""

    activity = Activity.WATCHING

    def __init__(
        self,
        session: Session,
        experiment: SingleRun,
        recorder: RunRecorder,
        begun: WatchedRun,
        go_on_busy: Callable[[], None],
    ) -> None:
        """`begun` is what is known of it before; `go_on_busy` watches it again with files allowed
        that others use.
        """
        self.experiment, self.recorder = experiment, recorder
        self._session = session
        self._go_on_busy = go_on_busy
        self._name = program_name(begun.program.command)
        self._seen = RunRecord()
        self._worker: WorkerProcess
        self._shown = begun
        self._run: Run

    def view(self, record: RunRecord | None) -> ProgressView:
        """How far it is."""
        if self._session.activity is Activity.STOPPING:
            return ProgressView(tr("Stopping {program}", program=self._name))
        if record is not None:
            self._seen = record
        elif self._seen.finished is not None:
            return watch_words.keeping(self._name)
        return watch_words.progress(self._name, self._seen)

    def begin(self, label: str, worker: WorkerProcess) -> None:
        """It is about to start."""
        del label
        session = self._session
        self._worker = worker
        session.loading_record = worker.record
        self._shown = replace(self._shown, record=worker.record)
        session.show_program(self._shown)
        worker.state_changed.connect(session.load_changed)

    def show_begun(self) -> None:
        """It is shown already."""

    def end(self, result: RunResult | None) -> None:
        """It is ready."""
        assert result is not None
        session, worker, label = self._session, self._worker, self.experiment.order[0]
        session.add_run(label, worker.record, worker.recording, result)
        self._run = session.runs[-1]
        session.log(watch_words.log_line(self._run.number, self._name, result))
        session.show_program(replace(self._shown, result=result))

    def keep(self, run_id: int) -> None:
        """The history has the run."""
        self._session.note_kept(self._run, run_id)

    def conclude(self) -> None:
        """The card and the slot say what came of it, or that it was stopped."""
        if self.experiment.stopped:
            failed = self._worker.record.failed
            self._session.log(tr("Stopped."))
            self._session.end(watch_words.stopped(self._name, failed))
        else:
            self._session.end()

    def fail(self, error: ModelmonError) -> None:
        """Say why it did not get ready, with what it said last."""
        session, worker = self._session, self._worker
        failed = worker.record.failed
        if failed is None:
            give_up(session, error.message, error.remedy)
            return
        if failed.kind == "cancelled":
            self.conclude()
            return
        session.add_run(self.experiment.order[0], worker.record, worker.recording, None)
        why = f"{said(failed.message)} {said(failed.remedy)}".strip()
        session.log(tr("{arm} failed: {why}", arm=self._name, why=why), "error")
        for more in (failed.details, worker.stderr_text()):
            if more:
                session.log(more, "error")
        busy = failed.kind == "busy"
        choices = (Choice(tr("Watch anyway"), self._go_on_busy),) if busy else ()
        session.end(watch_words.failure(failed, self._name, choices))
