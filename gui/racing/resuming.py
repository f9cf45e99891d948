"""Takes what was stopped out of the history and hands it on to be finished."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from modelmon.core.errors import ModelmonError
from modelmon.core.experiment.checks import check_prepare
from modelmon.core.experiment.race.resume import RaceUnderway, resume_race
from modelmon.core.experiment.resume import Underway, resume_comparison
from modelmon.gui.complaints import give_up
from modelmon.gui.language import tr
from modelmon.gui.session import Activity
from modelmon.gui.slot import Notice, ProgressView

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.experiment.history.history import History
    from modelmon.gui.history.access import HistoryAccess
    from modelmon.gui.measuring.comparing import Comparing
    from modelmon.gui.session import Session


Found = TypeVar("Found", Underway, RaceUnderway)


class Resuming(QObject):
    """Goes on with stopped comparisons and races of this machine.

    `race_found` carries a race that is ready to go on.
    """

    race_found = Signal(RaceUnderway)

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
        self._take_up(
            reference, lambda history: resume_comparison(history, reference), self._comparing.go_on
        )

    def resume_race(self, reference: str) -> None:
        """Go on with the race `x12`; why it cannot be is said in the slot."""
        self._take_up(reference, lambda history: _race(history, reference), self.race_found.emit)

    def _take_up(
        self, reference: str, find: Callable[[History], Found], go_on_with: Callable[[Found], None]
    ) -> None:
        if self._session.busy:
            return
        ticket = self._ticket = object()
        view = ProgressView(
            tr("Going on with {reference}", reference=reference),
            detail=tr("Model, disk and machine have to be those of the runs so far."),
        )
        self._session.begin(Activity.OPENING, lambda: view)

        def go_on(underway: Found) -> None:
            if ticket is not self._ticket:
                _put_back(self._history, underway)
                return
            self._ticket = None
            self._session.log(tr("Going on with {reference}.", reference=reference))
            self._session.end()
            go_on_with(underway)

        def fail(error: ModelmonError) -> None:
            if ticket is self._ticket:
                self._ticket = None
                give_up(self._session, error.message, error.remedy)

        self._history.ask(find, go_on, fail)

    def stop(self) -> None:
        """Give up going on; the comparison stays as it was."""
        if self._ticket is not None:
            self._ticket = None
            self._session.end(Notice(tr("Going on was stopped."), tr("Nothing was loaded.")))

    def shut_down(self) -> None:
        """An answer that comes now is not waited for any more."""
        self._ticket = None


def _race(history: History, reference: str) -> RaceUnderway:
    """The race; raises ModelmonError where it was begun with a command before each run."""
    found = resume_race(history, reference)
    try:
        check_prepare("", found.session.conditions.prepared_with)
    except ModelmonError:
        found.recorder.end("stopped")
        raise
    return found


def _put_back(access: HistoryAccess, underway: Underway | RaceUnderway) -> None:
    def put_back(_: History) -> None:
        underway.recorder.end("stopped")

    access.ask(put_back, lambda _: None, lambda _: None)
