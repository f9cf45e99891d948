"""Runs of A and B, as cards, plots and the slot show them: single ones, and those of Compare."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from modelmon.core.units import rate_text, rough_text
from modelmon.gui.language import tr
from modelmon.gui.session.notices import Choice, Notice, ProgressView, Square
from modelmon.gui.session.run_controller import Runs
from modelmon.gui.session.run_progress import run_view
from modelmon.gui.session.run_words import cache_text, time_text, with_why_not
from modelmon.gui.session.session import LABELS, Activity

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.comparison.compare import CompareSession
    from modelmon.core.comparison.result import Verdict
    from modelmon.core.comparison.runner import SingleRun
    from modelmon.core.worker.events import Failed
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.history_access import RunRecorder
    from modelmon.gui.background.worker_process import WorkerProcess
    from modelmon.gui.session.notices import ArmLabel, SquareState
    from modelmon.gui.session.session import Session

    ArmExperiment = CompareSession | SingleRun
    """Runs of A and B in an order that is known."""


class ArmRuns(Runs):
    """Shows the runs of A and B; which they are `experiment` says."""

    def __init__(  # noqa: PLR0913  what tells one experiment from another
        self,
        session: Session,
        experiment: ArmExperiment,
        recorder: RunRecorder,
        *,
        conclude: Callable[[], Verdict | None],
        again: Callable[[], None],
        unfinished: Callable[[Notice], Notice | None] = lambda notice: notice,
        expected_ns: float | None = None,
        cost: str = "",
    ) -> None:
        """`conclude` is called when no run is left; a stop or a failure ends them without, and
        `unfinished` may add to what is said of that. `again` starts anew with files allowed that
        others use. `expected_ns` is what a run should take, `cost` what all of them
        do.
        """
        super().__init__(session, experiment, recorder)
        self.activity = Activity.COMPARING if len(experiment.order) > 1 else Activity.RUNNING
        self._conclude, self._again, self._unfinished = conclude, again, unfinished
        self._progress = RunQueue(experiment, expected_ns, cost)
        self._begun = False

    def view(self, record: RunRecord | None) -> ProgressView:
        """Where they stand now."""
        return self._progress.view(self._session, self._arm, record)

    def begin(self, label: str, worker: WorkerProcess) -> None:
        """A run is about to start; what was shown of its arm stays until it loads."""
        super().begin(label, worker)
        session, self._begun = self._session, False
        worker.state_changed.connect(self._on_state)
        session.loading, session.loading_record = self._arm, worker.record
        self._progress.begin(self._arm)
        session.load_changed.emit()

    def show_begun(self) -> None:
        """Show the load that has begun, where it is not shown yet: with the next frame.

        At once that would take 20 ms of a processor, of which a short load would have less.
        """
        record = self._worker.record
        if self._begun and self._session.record(self._arm) is not record:
            self._session.show_record(self._arm, record)

    def end(self, result: RunResult | None) -> None:
        """Show a run that is over."""
        assert result is not None
        session, label, worker = self._session, self._arm, self._worker
        self._progress.end(counts=result.counts)
        session.add_run(label, worker.record, worker.recording, result)
        self._run = session.runs[-1]
        session.log(_run_line(self._run.number, label, result))
        session.limits = self.experiment.limits
        session.set_results(label, self.experiment.results(label))

    def keep(self, run_id: int) -> None:
        """The history has the run."""
        super().keep(run_id)
        if self.experiment.done_runs > 1:
            self._session.resumable.emit()

    def conclude(self) -> Verdict | None:
        """Show what came of them, or that they were stopped."""
        if not self.experiment.stopped:
            return self._conclude()
        failed = self._worker.record.failed
        notice = _stopped(self.experiment.place)
        self._session.log(tr("Stopped."))
        self._end(replace(notice, caveat=failed.remedy if failed else ""))
        return None

    def _explained(self, notice: Notice, failed: Failed) -> Notice:
        busy, place = failed.kind == "busy", self.experiment.place
        return replace(
            notice,
            caveat=tr("Comparison ended in {place}.", place=place)
            if place
            else tr("{arm} wasn't measured.", arm=self._label),
            tone="warn" if busy else "bad",
            choices=(Choice(tr("Run anyway"), self._again),) if busy else (),
        )

    def _end(self, notice: Notice) -> None:
        self._session.end(self._unfinished(notice))

    def _on_state(self) -> None:
        if self._worker.record.state == "loading":
            self._begun = True
        else:
            self._session.load_changed.emit()


def _run_line(number: int, label: ArmLabel, result: RunResult) -> str:
    """One run as a line of the log."""
    text = tr(
        "Run {number}, {arm} {strategy}: {time}, {rate}, {start}",
        number=number,
        arm=label,
        strategy=result.strategy,
        time=time_text(result),
        rate=rate_text(result.bytes_per_s),
        start=cache_text(result).lower(),
    )
    return with_why_not(text, result)


def _stopped(place: str) -> Notice:
    """The slot after Stop, in a single run or at a comparison's `place`."""
    if not place:
        return Notice(tr("Load stopped."), tr("Its result isn't counted."))
    return Notice(
        tr("Comparison stopped in {place}.", place=place),
        tr("No verdict. Earlier runs are listed under Runs."),
    )


@dataclass(frozen=True, slots=True)
class RunQueueView:
    """Where a queued run stands (`pair 6 of at most 11`, nothing where it is the only one);
    `cost` is what the whole queue will take.
    """

    place: str = ""
    time_left: str = ""
    cost: str = ""
    squares: tuple[Square, ...] = ()


def run_progress(record: RunRecord | None, label: ArmLabel, queue: RunQueueView) -> ProgressView:
    """The slot while a queued run is under way; `record` is None while it is being kept."""
    lead = tr("Compare, {place}: {arm}", place=queue.place, arm=label) if queue.place else label
    saving = tr("Saving run: {way}", way=label)
    view = ProgressView(tr("{run} has loaded", run=lead), 1.0, detail=saving)
    if record is not None:
        view = run_view(record, lead)
    return replace(
        view,
        time_left=queue.time_left,
        fact=view.fact or queue.cost,
        arm=label,
        squares=queue.squares,
    )


class RunQueue:
    """Follows the runs of an experiment: which one is under way, what became of those before, and
    how long the rest will take by what runs of each arm took so far, preparation included.

    `expected_ns` is what one run should take before any run of its arm is over, `cost` says what
    all of them take.
    """

    def __init__(
        self, experiment: ArmExperiment, expected_ns: float | None = None, cost: str = ""
    ) -> None:
        self._experiment = experiment
        self._expected_ns, self._cost = expected_ns, cost
        self._discarded: set[int] = set()
        self._here, self._place = 0, experiment.place
        self._took_ns: dict[ArmLabel, list[int]] = {"A": [], "B": []}
        self._now: ArmLabel | None = None
        self._began_ns = 0

    def begin(self, label: ArmLabel) -> None:
        """A run of this arm starts; until the next one does, it is the one under way."""
        self._here, self._place = self._experiment.done_runs, self._experiment.place
        self._now, self._began_ns = label, time.monotonic_ns()

    def end(self, *, counts: bool = True) -> None:
        """The run that was begun last is over; one that does not count may be repeated."""
        if self._now is not None:
            self._took_ns[self._now].append(time.monotonic_ns() - self._began_ns)
            self._now = None
        if not counts and self._experiment.done_runs > self._here:
            self._discarded.add(self._here)

    def view(self, session: Session, label: ArmLabel, record: RunRecord | None) -> ProgressView:
        """Where the experiment stands now; `record` is None while a run is being kept."""
        if session.activity is Activity.STOPPING:
            stopping = tr("Stopping {arm}", arm=label)
            return ProgressView(stopping, arm=label, squares=self.squares)
        queue = RunQueueView(
            self._place,
            self._left_text(),
            self._cost,
            self.squares if len(self._experiment.order) > 1 else (),
        )
        return run_progress(record, label, queue)

    @property
    def squares(self) -> tuple[Square, ...]:
        """All runs in order, and what became of each."""
        return tuple(
            Square(label, self._square_state(place))
            for place, label in enumerate(self._experiment.order)
        )

    def _square_state(self, place: int) -> SquareState:
        if place > self._here:
            return "to-do"
        if place == self._here:
            return "now"
        return "discarded" if place in self._discarded else "done"

    def _left_text(self) -> str:
        """The time for the rest of the run under way and for all to come; empty if not known."""
        to_come = self._experiment.order[self._here + 1 :]
        mean_ns = {label: self._mean_ns(label) for label in LABELS}
        known = [mean_ns[label] for label in to_come]
        if self._now is not None and (mean := mean_ns[self._now]) is not None:
            known.append(max(0.0, mean - (time.monotonic_ns() - self._began_ns)))
        elif self._now is not None:
            known.append(None)
        left_ns = 0.0 if None in known else sum(filter(None, known))
        if not left_ns:
            return ""
        if self._experiment.may_end_early:
            return tr("Up to {time} left", time=rough_text(left_ns))
        return tr("About {time} left in total", time=rough_text(left_ns))

    def _mean_ns(self, label: ArmLabel) -> float | None:
        took = self._took_ns[label]
        return sum(took) / len(took) if took else self._expected_ns
