"""Hands the runs of one experiment to the history as they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.history.events import MOST_LINES_BYTES
from modelmon.core.experiment.history.origin import origin_of
from modelmon.core.experiment.history.recorder import Recorder
from modelmon.core.experiment.history.rows import ArmOf
from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.errors import ModelmonError
    from modelmon.core.experiment.history.history import History
    from modelmon.core.experiment.history.rows import State
    from modelmon.core.experiment.preflight.preflight import Preflight
    from modelmon.core.experiment.result import RunResult, Verdict
    from modelmon.core.worker.events import Job
    from modelmon.gui.history.access import HistoryAccess
    from modelmon.gui.history.recording import Recording
    from modelmon.gui.slot import ArmLabel


class Keeper:
    """One experiment of the window on its way into the history.

    A history that cannot be written stops nothing: `complain` is told once, in a sentence.
    Without `access` nothing is kept.
    """

    def __init__(
        self,
        access: HistoryAccess | None,
        make: Callable[[History], Recorder],
        complain: Callable[[str], None],
        recorder: Recorder | None = None,
    ) -> None:
        """`make` is called on the history's thread, before the first run is entered; not for
        an experiment that is gone on with, which has its `recorder`.
        """
        self._access = access
        self._make = make
        self._complain = complain
        self._recorder = recorder
        self._told = False

    @property
    def reference(self) -> str:
        """The experiment as the history calls it, `x12`; empty while it has no run of it."""
        known = self._recorder.experiment_id if self._recorder is not None else None
        return "" if known is None or self._told else f"x{known}"

    def add(
        self,
        label: str,
        result: RunResult,
        recording: Recording,
        then: Callable[[int | None], None],
    ) -> None:
        """Enter a finished run; `then` gets its number, or None where it is not kept."""
        if self._access is None:
            then(None)
            return

        def work(history: History) -> int | None:
            recorder = self._recorder = self._recorder or self._make(history)
            lines = recording.content() if recording.nbytes <= MOST_LINES_BYTES else b""
            return recorder.add(label, result, lines)

        def answer(run_id: int | None) -> None:
            self._tell_problem()
            then(run_id)

        def fail(error: ModelmonError) -> None:
            self._tell(str(error))
            then(None)

        self._access.ask(work, answer, fail)

    def end(self, state: State, verdict: Verdict | None = None) -> None:
        """Note how the experiment ended."""

        def work(_: History) -> None:
            if self._recorder is not None:
                self._recorder.end(state, verdict)

        if self._access is not None:
            self._access.ask(
                work, lambda _: self._tell_problem(), lambda error: self._tell(str(error))
            )

    def _tell_problem(self) -> None:
        if self._recorder is not None and self._recorder.problem:
            self._tell(self._recorder.problem)

    def _tell(self, problem: str) -> None:
        if not self._told:
            self._told = True
            self._complain(tr("Not kept in the history: {problem}", problem=problem))


def single_recorder(history: History, preflight: Preflight, label: ArmLabel, job: Job) -> Recorder:
    """The recorder of one run of one arm."""
    origin = origin_of(preflight.model, preflight.storage)
    return Recorder(history, "single", origin, [ArmOf(label, job.strategy, job.config)], job)
