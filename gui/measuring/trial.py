"""What decides which run comes next: a comparison, or a single run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from modelmon.core.experiment.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.experiment.result import RunResult
    from modelmon.core.worker.events import Job
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.history.keeping import Keeper
    from modelmon.gui.measuring.pace import Pace
    from modelmon.gui.slot import ArmLabel, Notice


class Trial(Protocol):
    """Runs in an order; core's CompareSession is one, SingleRun the other."""

    @property
    def order(self) -> tuple[ArmLabel, ...]:
        """The arms in the order of their runs."""

    @property
    def done_runs(self) -> int:
        """How many runs of the order are done; one that must be repeated is not."""

    @property
    def place(self) -> str:
        """Where the next run stands, as words; empty where it is the only one."""

    @property
    def may_end_early(self) -> bool:
        """Whether runs of the order may turn out not to be needed."""

    def next_job(self) -> tuple[ArmLabel, Job] | None:
        """The next run, or None when all are done."""

    def add(self, record: RunRecord) -> RunResult:
        """Take in the run that is over."""

    def results(self, label: ArmLabel) -> tuple[RunResult, ...]:
        """What the card of an arm shows."""


class SingleRun:
    """One run of one arm."""

    def __init__(self, label: ArmLabel, job: Job) -> None:
        self.order: tuple[ArmLabel, ...] = (label,)
        self.place = ""
        self.may_end_early = False
        self._job = job
        self._results: tuple[RunResult, ...] = ()

    @property
    def done_runs(self) -> int:
        """One when the run is over."""
        return len(self._results)

    def next_job(self) -> tuple[ArmLabel, Job] | None:
        """The run, once."""
        return None if self._results else (self.order[0], self._job)

    def add(self, record: RunRecord) -> RunResult:
        """Sum the run up."""
        self._results = (summarise(record),)
        return self._results[0]

    def results(self, label: ArmLabel) -> tuple[RunResult, ...]:
        """The run's result."""
        del label
        return self._results


def _nothing() -> None:
    pass


def _unchanged(notice: Notice) -> Notice:
    return notice


@dataclass(frozen=True, slots=True)
class Assignment:
    """A trial to be worked off, and who is told what.

    Its runs go to `keeper`. `done` is called at its end; a stop or a failure ends it without,
    and `unfinished` may add to what is said of that. `again` starts it anew with files allowed
    that others use. `pace` is what its runs should take, `cost` what all of it does.
    """

    trial: Trial
    keeper: Keeper
    done: Callable[[], None]
    again: Callable[[], None] = _nothing
    unfinished: Callable[[Notice], Notice] = _unchanged
    pace: Pace | None = None
    cost: str = ""
