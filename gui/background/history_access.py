"""The user's history, asked and written from the window, on threads of its own."""

from __future__ import annotations

import time
from collections import deque
from functools import partial
from io import BytesIO
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject

from modelmon.core.comparison.runner import recorder_of
from modelmon.core.errors import ModelmonError
from modelmon.core.history.events import MOST_LINES_BYTES, within_limit
from modelmon.core.history.file import HistoryError
from modelmon.core.history.history import History
from modelmon.core.messages import verbatim
from modelmon.gui.background.threads import MainThreadQueue, start_thread
from modelmon.gui.language import tr

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable
    from typing import Any

    from modelmon.core.comparison.result import Verdict
    from modelmon.core.comparison.runner import ExperimentSession
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.find_best.result import Recommendation
    from modelmon.core.history.recorder import Recorder
    from modelmon.core.history.rows import State
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.worker_process import Recording

Answer = TypeVar("Answer")

_LAST_WORDS_S = 5.0
"""How long the end of the window waits for what was asked to be written."""


class _Lane:
    """A thread that does one thing after the other; it begins with the first."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        # The same until the thread has let them go (threads.py).
        self._held: deque[Callable[[], None]] = deque()
        self._let_go = 0
        self._dropped = 0

    def put(self, task: Callable[[], None]) -> None:
        """Do this after all that was put before."""
        if self._thread is None:
            self._thread = start_thread(self._serve, self._name)
        while self._dropped < self._let_go:
            self._held.popleft()
            self._dropped += 1
        self._held.append(task)
        self._tasks.put(task)

    def close(self, until_s: float) -> None:
        """Wait until all is done, by the monotonic clock no longer than until then."""
        if self._thread is not None:
            self._tasks.put(None)
            self._thread.join(max(0.0, until_s - time.monotonic()))
            if not self._thread.is_alive():
                self._held.clear()

    def _serve(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()
            del task
            self._let_go += 1


class HistoryAccess(QObject):
    """Does what it is asked on threads of its own and hands the answers to the window's.

    A disk that hangs, or another program that holds the file, keeps no frame waiting. One thing is
    done after the other, but each that needs other files too by itself: where these hang, all else
    is done.
    """

    def __init__(self, history: History | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history or History()
        self._lane = _Lane("history")
        self._others: list[threading.Thread] = []
        self._closed = False
        self._answers = MainThreadQueue(self)

    def ask(
        self,
        work: Callable[[History], Answer],
        then: Callable[[Answer], None],
        failed: Callable[[ModelmonError], None],
        *,
        other_files: bool = False,
    ) -> None:
        """Do `work` with the history; `then` gets what it returns, `failed` why it could not.

        `other_files` says that it reads or writes files outside of the history, too. Both are
        called on the window's thread; neither is after `shut_down`.
        """
        if self._closed:
            return
        self._answers.expect()

        def task() -> None:
            self._answers.leave(self._do(work, then, failed))

        if other_files:
            running = [thread for thread in self._others if thread.is_alive()]
            self._others = [*running, start_thread(task, "history-files")]
        else:
            self._lane.put(task)

    def shut_down(self) -> None:
        """Wait until all that was asked is done, for some seconds at the most."""
        self._closed = True
        self._answers.ignore()
        until_s = time.monotonic() + _LAST_WORDS_S
        self._lane.close(until_s)
        for thread in self._others:
            thread.join(max(0.0, until_s - time.monotonic()))

    def _do(
        self,
        work: Callable[[History], Answer],
        then: Callable[[Answer], None],
        failed: Callable[[ModelmonError], None],
    ) -> Callable[[], None]:
        """Work, on the thread of the history; what the window is to do then."""
        try:
            answer = work(self._history)
        except ModelmonError as error:
            return partial(failed, error)
        except OSError as error:
            return partial(self._unusable, failed, error.strerror or str(error))
        except Exception as error:
            # A fault of the program: raised where others of the window are, to be reported.
            return partial(_raise, error)
        return partial(then, answer)

    def _unusable(self, failed: Callable[[ModelmonError], None], reason: str) -> None:
        problem = tr(
            "Couldn't open the history in {folder}: {reason}.",
            folder=self._history.folder,
            reason=reason,
        )
        failed(
            HistoryError(verbatim(problem), verbatim(tr("Check the permissions of that folder.")))
        )


def _raise(error: Exception) -> None:
    raise error


class RunRecorder:
    """One experiment of the window on its way into the history.

    A history that cannot be written stops nothing: `complain` is told once, in a sentence, which
    `problem` is then. Without `access` nothing is kept.
    """

    def __init__(
        self,
        access: HistoryAccess | None,
        experiment: ExperimentSession[Any],
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
            lines: bytes = recording.packed()
            if recording.nbytes > MOST_LINES_BYTES:
                lines = within_limit(BytesIO(recording.content()))
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
