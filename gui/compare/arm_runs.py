"""Runs of A and B, as cards, plots and the slot show them: single ones, and those of Compare."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, cast

from modelmon.core.comparison.runner import ExperimentSession
from modelmon.gui.compare import narration
from modelmon.gui.compare.run_progress import RunQueueProgress
from modelmon.gui.language import said, tr
from modelmon.gui.session.notices import Choice, Notice
from modelmon.gui.session.session import Activity

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.comparison.result import Verdict
    from modelmon.core.errors import ModelmonError
    from modelmon.core.probe.probe import Limits
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.history_access import RunRecorder
    from modelmon.gui.background.worker_process import WorkerProcess
    from modelmon.gui.compare.run_progress import Pace
    from modelmon.gui.session.notices import ArmLabel, ProgressView
    from modelmon.gui.session.session import Run, Session


class ArmExperiment(ExperimentSession, Protocol):
    """Runs of A and B in an order that is known; CompareSession is one, SingleRun the other."""

    @property
    def limits(self) -> Limits:
        """What a probe found at the model's place."""

    @property
    def order(self) -> tuple[ArmLabel, ...]:
        """The arms in the order of their runs."""

    @property
    def done_runs(self) -> int:
        """How many runs of the order are done; one that must be repeated is not."""

    @property
    def may_end_early(self) -> bool:
        """Whether runs of the order may turn out not to be needed."""

    def results(self, label: ArmLabel) -> tuple[RunResult, ...]:
        """What the card of an arm shows."""


def _unchanged(notice: Notice) -> Notice:
    return notice


class ArmRuns:
    """Shows the runs of A and B; which they are `experiment` says."""

    def __init__(  # noqa: PLR0913  what tells one experiment from another
        self,
        session: Session,
        experiment: ArmExperiment,
        recorder: RunRecorder,
        *,
        conclude: Callable[[], Verdict | None],
        again: Callable[[], None],
        unfinished: Callable[[Notice], Notice | None] = _unchanged,
        pace: Pace | None = None,
        cost: str = "",
    ) -> None:
        """`conclude` is called when no run is left; a stop or a failure ends them without, and
        `unfinished` may add to what is said of that. `again` starts anew with files allowed that
        others use. `pace` is what a run should take, `cost` what all of them do.
        """
        self.experiment, self.recorder = experiment, recorder
        self.activity = Activity.COMPARING if len(experiment.order) > 1 else Activity.RUNNING
        self._session = session
        self._conclude, self._again, self._unfinished = conclude, again, unfinished
        self._progress = RunQueueProgress(experiment, pace, cost)
        self._label: ArmLabel = "A"
        self._begun = False
        self._worker: WorkerProcess
        self._run: Run

    def view(self, record: RunRecord | None) -> ProgressView:
        """Where they stand now."""
        return self._progress.view(self._session, self._label, record)

    def begin(self, label: str, worker: WorkerProcess) -> None:
        """A run is about to start; what was shown of its arm stays until it loads."""
        session = self._session
        self._label, self._worker, self._begun = cast("ArmLabel", label), worker, False
        worker.state_changed.connect(self._on_state)
        session.loading, session.loading_record = self._label, worker.record
        self._progress.begin(self._label)
        session.load_changed.emit()

    def show_begun(self) -> None:
        """Show the load that has begun, where it is not shown yet: with the next frame.

        At once that would take 20 ms of a processor, of which a short load would have less.
        """
        record = self._worker.record
        if self._begun and self._session.record(self._label) is not record:
            self._session.show_record(self._label, record)

    def end(self, result: RunResult | None) -> None:
        """Show a run that is over."""
        assert result is not None
        session, label, worker = self._session, self._label, self._worker
        self._progress.end(counts=result.counts)
        session.add_run(label, worker.record, worker.recording, result)
        self._run = session.runs[-1]
        session.log(narration.run_line(self._run.number, label, result))
        session.limits = self.experiment.limits
        session.set_results(label, self.experiment.results(label))

    def keep(self, run_id: int) -> None:
        """The history has the run."""
        self._session.note_kept(self._run, run_id)
        if self.experiment.done_runs > 1:
            self._session.resumable.emit()

    def conclude(self) -> Verdict | None:
        """Show what came of them, or that they were stopped."""
        if not self.experiment.stopped:
            return self._conclude()
        failed = self._worker.record.failed
        notice = narration.stopped(self.experiment.place)
        self._session.log(tr("Stopped."))
        self._session.end(self._unfinished(replace(notice, caveat=failed.remedy if failed else "")))
        return None

    def fail(self, error: ModelmonError) -> None:
        """Say why there are no more, and offer what can be done."""
        session, label, worker = self._session, self._label, self._worker
        failed = worker.record.failed
        if failed is not None and failed.kind == "cancelled":
            self.conclude()
            return
        session.add_run(label, worker.record, worker.recording, None)
        if failed is None:
            session.log(said(error.text), "error")
            notice = Notice(said(error.message), said(error.remedy), tone="bad")
            session.end(self._unfinished(notice))
            return
        why = f"{said(failed.message)} {said(failed.remedy)}".strip()
        session.log(tr("{arm} failed: {why}", arm=label, why=why), "error")
        for more in (failed.details, worker.stderr_text()):
            if more:
                session.log(more, "error")
        choices = (Choice(tr("Run anyway"), self._again),) if failed.kind == "busy" else ()
        notice = narration.failure(failed, label, self.experiment.place, choices)
        session.end(self._unfinished(notice))

    def _on_state(self) -> None:
        if self._worker.record.state == "loading":
            self._begun = True
        else:
            self._session.load_changed.emit()
