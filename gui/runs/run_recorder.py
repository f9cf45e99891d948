"""Hands the runs of one experiment to the history as they end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.comparison.runner import recorder_of
from modelmon.core.history.events import MOST_LINES_BYTES
from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.comparison.result import Verdict
    from modelmon.core.comparison.runner import ExperimentSession
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.errors import ModelmonError
    from modelmon.core.find_best.result import Recommendation
    from modelmon.core.history.history import History
    from modelmon.core.history.recorder import Recorder
    from modelmon.core.history.rows import State
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.worker_process import Recording
    from modelmon.gui.runs.access import HistoryAccess


class RunRecorder:
    """One experiment of the window on its way into the history.

    A history that cannot be written stops nothing: `complain` is told once, in a sentence, which
    `problem` is then. Without `access` nothing is kept.
    """

    def __init__(
        self,
        access: HistoryAccess | None,
        experiment: ExperimentSession,
        inspection: Inspection,
        complain: Callable[[str], None],
        recorder: Recorder | None = None,
    ) -> None:
        """An experiment that is gone on with has its `recorder`; any other gets one on the
        history's thread, before its first run is entered.
        """
        self._access = access
        self._experiment, self._inspection = experiment, inspection
        self._complain = complain
        self._recorder = recorder
        self.problem = ""

    @property
    def reference(self) -> str:
        """The experiment as the history calls it, `x12`; empty while it has no run of it."""
        known = self._recorder.experiment_id if self._recorder is not None else None
        return "" if known is None or self.problem else f"x{known}"

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
            if self._recorder is None:
                self._recorder = recorder_of(history, self._experiment, self._inspection)
            lines = recording.packed() if recording.nbytes <= MOST_LINES_BYTES else b""
            return self._recorder.add(label, result, lines)

        def answer(run_id: int | None) -> None:
            self._tell_problem()
            then(run_id)

        def fail(error: ModelmonError) -> None:
            self._tell(error.text)
            then(None)

        self._access.ask(work, answer, fail)

    def end(self, state: State, verdict: Verdict | Recommendation | None = None) -> None:
        """Note how the experiment ended."""

        def work(_: History) -> None:
            if self._recorder is not None:
                self._recorder.end(state, verdict)

        if self._access is not None:
            self._access.ask(
                work, lambda _: self._tell_problem(), lambda error: self._tell(error.text)
            )

    def _tell_problem(self) -> None:
        if self._recorder is not None and self._recorder.problem:
            self._tell(self._recorder.problem)

    def _tell(self, problem: str) -> None:
        if not self.problem:
            self.problem = tr("Not saved in the history: {problem}", problem=problem)
            self._complain(self.problem)
