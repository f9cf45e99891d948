"""Starts, follows and stops runs, one worker process at a time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.core.errors import ModelmonError
from modelmon.core.units import duration_text
from modelmon.core.worker.events import Job
from modelmon.gui import narration
from modelmon.gui.pace import Pace
from modelmon.gui.session import Activity
from modelmon.gui.slot import Choice, Notice, ProgressView, Square, SquareState
from modelmon.gui.trial import SingleRun
from modelmon.gui.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.gui.session import Session
    from modelmon.gui.slot import ArmLabel
    from modelmon.gui.trial import Trial


class RunControl(QObject):
    """Works a Trial off: starts its runs, hands their records back, shows where it stands."""

    def __init__(
        self,
        session: Session,
        make_worker: Callable[[Job], WorkerProcess] = WorkerProcess,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._make_worker = make_worker
        self._worker: WorkerProcess | None = None
        self._trial: Trial | None = None
        self._done: Callable[[], None] = _nothing
        self._again: Callable[[], None] = _nothing
        self._pace = Pace()
        self._label: ArmLabel = "A"
        self._discarded: set[int] = set()
        self._cost = ""

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
            allow_busy=allow_busy,
        )
        self.start(
            SingleRun(label, job),
            done=self._end_single,
            again=lambda: self.run(label, allow_busy=True),
        )

    def start(
        self,
        trial: Trial,
        *,
        done: Callable[[], None],
        again: Callable[[], None],
        pace: Pace | None = None,
        cost: str = "",
    ) -> None:
        """Work `trial` off and call `done`; a stop or a failure ends it without.

        `again` starts it anew with files allowed that others use; `cost` says what it takes.
        """
        self._trial = trial
        self._done = done
        self._again = again
        self._pace = pace or Pace()
        self._cost = cost
        self._discarded = set()
        activity = Activity.COMPARING if len(trial.order) > 1 else Activity.RUNNING
        self._session.begin(activity, self.progress)
        self._next_run()

    def stop(self) -> None:
        """Ask the run under way to stop; returns at once."""
        if self._worker is not None:
            self._session.stopping()
            self._worker.cancel()

    def shut_down(self) -> None:
        """Stop and wait until no worker is left, for some two seconds at the most."""
        if self._worker is not None:
            self._worker.ended.disconnect(self._on_run_over)
            self._worker.shut_down()
            self._worker = None

    def progress(self) -> ProgressView:
        """Where the trial stands now."""
        if self._worker is None or self._trial is None:
            return ProgressView("Starting")
        if self._session.activity is Activity.STOPPING:
            return ProgressView(f"Stopping {self._label}", arm=self._label, squares=self.squares)
        order = self._trial.order
        left_ns = self._pace.left_ns(order[self._trial.done_runs + 1 :], time.monotonic_ns())
        most = "At most about" if self._trial.may_end_early else "About"
        return narration.run_progress(
            self._worker.record,
            self._label,
            self._session.cache,
            narration.TrialView(
                self._trial.place,
                f"{most} {duration_text(left_ns)} left in all" if left_ns else "",
                self._cost,
                self.squares if len(order) > 1 else (),
            ),
        )

    @property
    def squares(self) -> tuple[Square, ...]:
        """All runs of the trial in order, and what became of each."""
        if self._trial is None:
            return ()
        here = self._trial.done_runs
        return tuple(
            Square(label, self._square_state(place, here))
            for place, label in enumerate(self._trial.order)
        )

    def _square_state(self, place: int, here: int) -> SquareState:
        if place > here:
            return "to-do"
        if place == here:
            return "now"
        return "discarded" if place in self._discarded else "done"

    def _next_run(self) -> None:
        assert self._trial is not None
        following = self._trial.next_job()
        if following is None:
            self._done()
            return
        self._label, job = following
        self._session.loading = self._label
        worker = self._make_worker(job)
        worker.setParent(self)
        worker.warned.connect(self._on_warned)
        worker.state_changed.connect(self._on_state)
        worker.ended.connect(self._on_run_over)
        self._worker = worker
        self._pace.begin(self._label, time.monotonic_ns())
        self._session.activity_changed.emit()
        worker.start()

    def _on_warned(self, text: str) -> None:
        self._session.log(f"{self._label}: {text}", "warning")

    def _on_state(self) -> None:
        if self._worker is not None and self._worker.record.state == "loading":
            self._session.show_record(self._label, self._worker.record)
        self._session.activity_changed.emit()

    def _on_run_over(self) -> None:
        worker, trial, label = self._worker, self._trial, self._label
        assert worker is not None
        assert trial is not None
        self._worker = None
        worker.deleteLater()
        self._pace.end(time.monotonic_ns())
        record = worker.record
        if record.failed is not None:
            self._give_up(worker, trial)
            return
        place = trial.done_runs
        try:
            result = trial.add(record)
        except ModelmonError as error:
            self._session.log(str(error), "error")
            self._session.end(Notice(error.message, error.remedy, tone="bad"))
            return
        if trial.done_runs > place and not result.counts:
            self._discarded.add(place)
        self._session.add_run(label, record, worker.recording, result)
        self._session.log(narration.run_line(len(self._session.runs), label, result))
        self._session.set_results(label, trial.results(label))
        self._next_run()

    def _give_up(self, worker: WorkerProcess, trial: Trial) -> None:
        session, failed = self._session, worker.record.failed
        assert failed is not None
        if failed.kind == "cancelled":
            session.log("Stopped.")
            session.end(narration.stopped(trial.place))
            return
        session.add_run(self._label, worker.record, worker.recording, None)
        session.log(f"{self._label} failed: {failed.message} {failed.remedy}".strip(), "error")
        if worker.stderr_text():
            session.log(worker.stderr_text(), "error")
        choices: tuple[Choice, ...] = ()
        if failed.kind == "busy":
            choices = (Choice("Run anyway", self._again),)
        session.end(narration.failure(failed, self._label, trial.place, choices))

    def _end_single(self) -> None:
        run = self._session.runs[-1]
        assert run.result is not None
        self._session.end(narration.single_result(run.label, run.result))


def _nothing() -> None:
    pass
