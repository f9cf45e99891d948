"""Takes a comparison that was stopped out of the history and hands it on to be finished."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.core.experiment.resume import Underway, resume_comparison
from modelmon.gui.session import Activity
from modelmon.gui.slot import Notice, ProgressView

if TYPE_CHECKING:
    from modelmon.core.errors import ModelmonError
    from modelmon.core.experiment.history import History
    from modelmon.gui.comparing import Comparing
    from modelmon.gui.history_access import HistoryAccess
    from modelmon.gui.session import Session


class Resuming(QObject):
    """Goes on with stopped comparisons of this machine."""

    def __init__(
        self,
        session: Session,
        history: HistoryAccess,
        comparing: Comparing,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._history = history
        self._comparing = comparing
        # Which question is waited for; an answer to one that was given up comes too late.
        self._ticket: object | None = None

    def resume(self, reference: str) -> None:
        """Go on with the comparison `x12`; why it cannot be is said in the slot."""
        if self._session.busy:
            return
        ticket = self._ticket = object()
        view = ProgressView(
            f"Going on with {reference}",
            detail="Model, disk and machine have to be those of the runs so far.",
        )
        self._session.begin(Activity.OPENING, lambda: view)

        def go_on(underway: Underway) -> None:
            if ticket is not self._ticket:
                _put_back(self._history, underway)
                return
            self._ticket = None
            trial = underway.session
            self._session.log(f"Going on with {reference} after {trial.done_runs} runs.")
            self._session.end()
            self._comparing.go_on(underway)

        def fail(error: ModelmonError) -> None:
            if ticket is self._ticket:
                self._ticket = None
                self._session.log(str(error), "error")
                self._session.end(Notice(error.message, error.remedy, tone="bad"))

        self._history.ask(lambda history: resume_comparison(history, reference), go_on, fail)

    def stop(self) -> None:
        """Give up going on; the comparison stays as it was."""
        if self._ticket is not None:
            self._ticket = None
            self._session.end(Notice("Going on was stopped.", "Nothing was loaded."))

    def shut_down(self) -> None:
        """An answer that comes now is not waited for any more."""
        self._ticket = None


def _put_back(access: HistoryAccess, underway: Underway) -> None:
    def put_back(_: History) -> None:
        underway.recorder.end("stopped")

    access.ask(put_back, lambda _: None, lambda _: None)
