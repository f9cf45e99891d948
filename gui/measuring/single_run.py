"""One run of one arm: an experiment that is over with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.history.rows import ArmOf
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from modelmon.core.history.rows import Kind
    from modelmon.core.worker.events import Job
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.window.notices import ArmLabel


class SingleRun:
    """An ExperimentSession with one job."""

    kind: Kind = "single"
    place = ""
    may_end_early = False
    run_left_ns = None

    def __init__(self, label: ArmLabel, job: Job) -> None:
        self.order: tuple[ArmLabel, ...] = (label,)
        self.history_arms = (ArmOf(label, job.strategy, job.config),)
        self.conditions = job
        self._results: tuple[RunResult, ...] = ()

    @property
    def done_runs(self) -> int:
        """One when the run is over."""
        return len(self._results)

    @property
    def stopped(self) -> bool:
        """Whether it has not come to its end."""
        return not self._results

    def next_job(self) -> tuple[ArmLabel, Job] | None:
        """The run, once."""
        return None if self._results else (self.order[0], self.conditions)

    def add(self, record: RunRecord) -> RunResult:
        """Sum the run up."""
        self._results = (summarise(record),)
        return self._results[0]

    def stop(self) -> None:
        """There is nothing that could be used of it."""

    def results(self, label: ArmLabel) -> tuple[RunResult, ...]:
        """The run's result."""
        del label
        return self._results
