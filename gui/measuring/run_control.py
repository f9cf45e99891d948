"""Starts, follows and stops runs, one worker process at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.core.errors import ModelmonError
from modelmon.core.worker.events import Job
from modelmon.gui.complaints import give_up
from modelmon.gui.history.keeping import Keeper, single_recorder
from modelmon.gui.language import said, tr
from modelmon.gui.measuring import narration
from modelmon.gui.measuring.trial import Assignment, SingleRun
from modelmon.gui.measuring.trial_progress import TrialProgress
from modelmon.gui.session import Activity
from modelmon.gui.slot import Choice, ProgressView
from modelmon.gui.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.experiment.history.history import History
    from modelmon.core.experiment.history.recorder import Recorder
    from modelmon.core.experiment.result import RunResult
    from modelmon.gui.history.access import HistoryAccess
    from modelmon.gui.session import Session
    from modelmon.gui.slot import ArmLabel


class RunControl(QObject):
    """Works a Trial off: starts its runs, hands their records back, shows where it stands."""

    def __init__(
        self,
        session: Session,
        make_worker: Callable[[Job], WorkerProcess] = WorkerProcess,
        history: HistoryAccess | None = None,
        parent: QObject | None = None,
    ) -> None:
        """Without `history` no run is kept."""
        super().__init__(parent)
        self._session = session
        self._history = history
        self._make_worker = make_worker
        self._worker: WorkerProcess | None = None
        self._now: Assignment | None = None
        self._progress: TrialProgress | None = None
        self._label: ArmLabel = "A"
        self._begun = False
        self._unkept = ""

    def run(self, label: ArmLabel, *, allow_busy: bool = False) -> None:
        """Load the model once as this arm says."""
        preflight = self._session.preflight
        if preflight is None or self._session.busy:
            return
        config = self._session.config(label)
        job = Job(
            path=preflight.model.path,
            config=config,
            strategy=self._session.strategy_name(label),
            cache=self._session.cache,
            sample_hz=self._session.sample_hz,
            allow_busy=allow_busy,
        )
        self.start(
            Assignment(
                SingleRun(label, job),
                self.keeper(lambda history: single_recorder(history, preflight, label, job)),
                done=self._end_single,
                again=lambda: self.run(label, allow_busy=True),
            )
        )

    def start(self, assignment: Assignment) -> None:
        """Work a trial off."""
        trial = assignment.trial
        self._now = assignment
        self._progress = TrialProgress(trial, assignment.pace, assignment.cost)
        activity = Activity.COMPARING if len(trial.order) > 1 else Activity.RUNNING
        self._session.begin(activity, self.progress)
        self._next_run()

    def keeper(
        self, make: Callable[[History], Recorder], recorder: Recorder | None = None
    ) -> Keeper:
        """What hands an experiment's runs to the history; its recorder, or what makes one."""
        self._unkept = ""
        return Keeper(self._history, make, self._complain, recorder)

    def stop(self) -> None:
        """Ask the run under way to stop; returns at once."""
        if self._worker is not None:
            self._session.stopping()
            self._worker.cancel()
        elif self._session.loading is not None and self._now is not None:
            self._end_stopped(self._now)

    def shut_down(self) -> None:
        """Stop and wait until no worker is left, for some two seconds at the most."""
        if self._worker is not None:
            self._worker.ended.disconnect(self._on_run_over)
            self._worker.shut_down()
            self._worker = None
        if self._session.loading is not None and self._now is not None:
            self._now.keeper.end("stopped")
            self._now = None

    def progress(self) -> ProgressView:
        """Where the trial stands now."""
        if self._progress is None:
            return ProgressView(tr("Starting"))
        record = self._worker.record if self._worker is not None else None
        return self._progress.view(self._session, self._label, record)

    def take_in(self) -> None:
        """Read what the load under way has told until now, and show it."""
        if self._worker is not None:
            self._worker.take_in()
        self.show_begun()

    def show_begun(self) -> None:
        """Show the load that has begun, where it is not shown yet: with the next frame.

        At once that would take 20 ms of a processor, of which a short load would have less.
        """
        worker = self._worker
        if worker is None or not self._begun:
            return
        if self._session.record(self._label) is not worker.record:
            self._session.show_record(self._label, worker.record)
            self._session.activity_changed.emit()

    def _next_run(self) -> None:
        assert self._now is not None
        assert self._progress is not None
        following = self._now.trial.next_job()
        if following is None:
            self._now.done()
            return
        self._label, job = following
        self._session.loading = self._label
        worker = self._make_worker(job)
        worker.setParent(self)
        worker.warned.connect(self._on_warned)
        worker.state_changed.connect(self._on_state)
        worker.ended.connect(self._on_run_over)
        self._worker, self._begun = worker, False
        self._session.loading_record = worker.record
        self._progress.begin(self._label)
        self._session.activity_changed.emit()
        worker.start()

    def _on_warned(self, text: str) -> None:
        self._session.log(tr("{arm}: {warning}", arm=self._label, warning=text), "warning")

    def _on_state(self) -> None:
        worker = self._worker
        if worker is not None and worker.record.state == "loading":
            self._begun = True
        else:
            self._session.activity_changed.emit()

    def _on_run_over(self) -> None:
        worker, now, progress = self._worker, self._now, self._progress
        assert worker is not None
        assert now is not None
        assert progress is not None
        self.show_begun()
        self._worker = None
        worker.deleteLater()
        progress.end()
        if worker.record.failed is not None:
            self._give_up(worker, now)
            return
        place = now.trial.done_runs
        try:
            result = now.trial.add(worker.record)
        except ModelmonError as error:
            self._put_away(now)
            give_up(self._session, error.message, error.remedy)
            return
        if now.trial.done_runs > place and not result.counts:
            progress.discard(place)
        self._keep(worker, now, result)

    def _keep(self, worker: WorkerProcess, now: Assignment, result: RunResult) -> None:
        """Show a run that is over and enter it into the history; then comes the next one.

        It waits so that no disk is busy with the history beside a measurement.
        """
        session, label = self._session, self._label
        session.add_run(label, worker.record, worker.recording, result)
        run = session.runs[-1]
        session.log(narration.run_line(run.number, label, result))
        session.set_results(label, now.trial.results(label))

        def go_on(run_id: int | None) -> None:
            if run_id is not None and run in session.runs:
                session.note_kept(run, run_id)
            if self._now is now:
                self._next_run()

        now.keeper.add(label, result, worker.recording, go_on)

    def _put_away(self, now: Assignment) -> None:
        self._now = None
        now.keeper.end("stopped")

    def _end_stopped(self, now: Assignment) -> None:
        self._put_away(now)
        self._session.log(tr("Stopped."))
        self._session.end(now.unfinished(narration.stopped(now.trial.place)))

    def _give_up(self, worker: WorkerProcess, now: Assignment) -> None:
        session, failed = self._session, worker.record.failed
        assert failed is not None
        if failed.kind == "cancelled":
            self._end_stopped(now)
            return
        self._put_away(now)
        session.add_run(self._label, worker.record, worker.recording, None)
        why = f"{failed.message} {failed.remedy}".strip()
        session.log(tr("{arm} failed: {why}", arm=self._label, why=why), "error")
        if worker.stderr_text():
            session.log(worker.stderr_text(), "error")
        choices: tuple[Choice, ...] = ()
        if failed.kind == "busy":
            choices = (Choice(tr("Run anyway"), now.again),)
        notice = narration.failure(failed, self._label, now.trial.place, choices)
        session.end(now.unfinished(notice))

    def _complain(self, problem: str) -> None:
        self._unkept = said(problem)
        self._session.log(self._unkept, "warning")

    def _end_single(self) -> None:
        run = self._session.runs[-1]
        assert run.result is not None
        assert self._now is not None
        self._now.keeper.end("done")
        notice = narration.single_result(run.label, run.result)
        self._session.end(replace(notice, caveat=self._unkept or notice.caveat))
