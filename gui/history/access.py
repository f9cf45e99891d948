"""The user's history, asked from the window: all on one thread of its own, in order."""

from __future__ import annotations

import threading
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from modelmon.core.errors import ModelmonError
from modelmon.core.experiment.history.file import HistoryError
from modelmon.core.experiment.history.history import History
from modelmon.gui.answers import Answers
from modelmon.gui.language import tr

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = TypeVar("Answer")

_LAST_WORDS_S = 5.0
"""How long the end of the window waits for what was asked to be written."""


class HistoryAccess(QObject):
    """Does what it is asked on its own thread and hands the answers to the window's.

    A disk that hangs, or another program that holds the file, keeps no frame waiting. `ending`
    is the last moment to ask something.
    """

    ending = Signal()

    def __init__(self, history: History | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = history or History()
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._closed = False
        self._answers = Answers(self)

    def ask(
        self,
        work: Callable[[History], Answer],
        then: Callable[[Answer], None],
        failed: Callable[[ModelmonError], None],
    ) -> None:
        """Do `work` with the history; `then` gets what it returns, `failed` why it could not.

        Both are called on the window's thread; neither is after `shut_down`.
        """
        if self._closed:
            return
        if self._thread is None:
            # A daemon: a disk that hangs must not keep the program from ending.
            self._thread = threading.Thread(target=self._serve, name="history", daemon=True)
            self._thread.start()
        self._answers.expect()
        self._tasks.put(lambda: self._answers.leave(self._do(work, then, failed)))

    def shut_down(self) -> None:
        """Wait until all that was asked is done, for some seconds at the most."""
        self.ending.emit()
        self._closed = True
        self._answers.ignore()
        if self._thread is not None:
            self._tasks.put(None)
            self._thread.join(_LAST_WORDS_S)

    def _serve(self) -> None:
        while (task := self._tasks.get()) is not None:
            task()

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
            "The history in {folder} cannot be used: {reason}.",
            folder=self._history.folder,
            reason=reason,
        )
        failed(HistoryError(problem, tr("Check the rights of that folder.")))


def _raise(error: Exception) -> None:
    raise error
