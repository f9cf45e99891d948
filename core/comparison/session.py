"""What a comparison, a race and a single run are to whoever makes their runs.

A session starts no process and waits for nothing, so that the terminal drives it in a loop and the
window from its event loop:

    while (step := session.next_job()) is not None:
        label, job = step
        session.add(run_job(job))        # a RunResult, or None for an arm that cannot run

`next_job` gives the same run until `add` takes its record in. Where `run_left_ns` is known the
driver ends a run that takes longer, and calls `stop`. Whatever ended it, `stopped` says then
whether it can be gone on with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar

from modelmon.core.comparison.commands import NO_COMMANDS, Commands
from modelmon.core.history.origin import origin_of
from modelmon.core.history.recorder import Recorder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import ArmOf, Kind
    from modelmon.core.worker.jobs import Job
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult


class SharedConditions(Protocol):
    """What all runs of an experiment share."""

    @property
    def prepared_with(self) -> str:
        """The command that whoever makes the runs runs before each of them."""


class ExperimentSession(Protocol):
    """Runs in an order that may depend on what they measure."""

    @property
    def kind(self) -> Kind:
        """What the history calls such an experiment."""

    @property
    def history_arms(self) -> Sequence[ArmOf]:
        """The arms that it begins with, as the history holds them."""

    @property
    def conditions(self) -> SharedConditions:
        """What all runs share; msgspec can encode it."""

    @property
    def place(self) -> str:
        """Where the next run stands, as words; empty where it is the only one."""

    @property
    def run_left_ns(self) -> int | None:
        """What the run under way may still take; None where it may take as long as it does."""

    @property
    def stopped(self) -> bool:
        """Whether runs are still to come, or were when it was ended."""

    def next_job(self) -> tuple[str, Job] | None:
        """Label and job of the next run, or None when there is none."""

    def add(self, record: RunRecord) -> RunResult | None:
        """Take in the record of that run; None for an arm that cannot be run.

        Raises the error of a run that ends the experiment.
        """

    def stop(self) -> None:
        """End it; what has been measured stands."""


class ResumableSession(ExperimentSession, Protocol):
    """A comparison or a race: one that was stopped can be gone on with."""

    @property
    def conclusive(self) -> bool:
        """Whether what has been measured until now says something by itself."""

    def go_on_busy(self) -> None:
        """Agree to measure although another process uses the file."""

    def resume(self, results: Sequence[RunResult]) -> int:
        """Take in what an earlier session like this has measured; returns how many are used.

        Raises ConfigError if these are results of other runs than this session asks for.
        """


SomeSession = TypeVar("SomeSession", bound=ResumableSession)


class Underway(NamedTuple, Generic[SomeSession]):
    """An experiment that can be worked off, begun or gone on with, and where its runs are kept.

    `commands` are those of its arms that the person gave now, or agreed to.
    """

    session: SomeSession
    inspection: Inspection
    recorder: Recorder
    commands: Commands = NO_COMMANDS


def recorder_of(
    history: History | None, session: ExperimentSession, inspection: Inspection
) -> Recorder:
    """The recorder of an experiment that begins; nothing is kept without `history`."""
    origin = origin_of(inspection)
    return Recorder(history, session.kind, origin, session.history_arms, session.conditions)


def begin(
    history: History | None,
    session: SomeSession,
    inspection: Inspection,
    commands: Commands = NO_COMMANDS,
) -> Underway[SomeSession]:
    """An experiment that begins, with the commands of its arms that are some."""
    return Underway(session, inspection, recorder_of(history, session, inspection), commands)
