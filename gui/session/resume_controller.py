"""Takes what was stopped out of the history and hands it on to be finished."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.comparison.commands import (
    NO_COMMANDS,
    Commands,
    recorded_commands,
)
from modelmon.core.comparison.compare import resume_comparison
from modelmon.core.comparison.runner import unfinished
from modelmon.core.doctor.inspection import Inspection
from modelmon.core.find_best.session import resume_search
from modelmon.core.watch.command import recorded_words
from modelmon.gui.background.commands import Command, CommandQuery, inspect_arguments
from modelmon.gui.language import tr
from modelmon.gui.session.notices import Notice, ProgressView, give_up
from modelmon.gui.session.session import Activity

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.comparison.runner import ExperimentRun, SomeSession
    from modelmon.core.errors import ModelmonError
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import Kind
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.session.session import Session


class ResumeController(QObject):
    """Goes on with stopped comparisons and searches of this machine.

    The model is opened in a process of its own: on the history's thread a mount that hangs would
    keep all later runs from being kept. `comparison_found` and `search_found` carry an
    ExperimentRun, and what takes it up again where others' use of the file does not matter.
    `agreement_wanted` carries the commands that would be run again, by the labels of their arms,
    and what takes the answer: they are shown in full before anything is done.
    """

    comparison_found = Signal(object, object)
    search_found = Signal(object, object)
    agreement_wanted = Signal(dict, object)

    def __init__(
        self,
        session: Session,
        history: HistoryAccess,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._history = history
        self._asking = CommandQuery(make_command, self)
        # Which question is waited for; an answer to one that was given up comes too late.
        self._ticket: object | None = None

    def resume(self, reference: str) -> None:
        """Go on with the comparison `x12`; why it cannot be is said in the slot."""
        self._take_up(reference, "compare", resume_comparison, self.comparison_found.emit)

    def resume_search(self, reference: str, budget_ns: int | None = None) -> None:
        """Go on with the search `x12`, in `budget_ns` for all of it or in the time that it has
        left; why it cannot be is said in the slot.
        """
        find = partial(resume_search, budget_ns=budget_ns)
        self._take_up(reference, "best", find, self.search_found.emit)

    def _take_up(  # noqa: PLR0913  what it is, and what was agreed to
        self,
        reference: str,
        kind: Kind,
        find: Callable[[History, str, Inspection, Commands], ExperimentRun[SomeSession]],
        go_on_with: Callable[[ExperimentRun[SomeSession], Callable[[], None]], None],
        *,
        busy_agreed: bool = False,
        commands: Commands = NO_COMMANDS,
    ) -> None:
        """`commands` are those that were agreed to."""
        if self._session.busy:
            return
        ticket = self._ticket = object()
        view = ProgressView(
            tr("Resuming {reference}", reference=reference),
            detail=tr("The model, disk, and machine must be the same as in the earlier runs."),
        )
        self._session.begin(
            Activity.OPENING, lambda: replace(view, answered=self._asking.worked_ticks)
        )
        agreed = dict(commands)

        def read(history: History) -> tuple[str, dict[str, str]]:
            experiment = unfinished(history, reference, kind, done_too=True)
            return experiment.path, recorded_commands(experiment.arms)

        def ask(found: tuple[str, dict[str, str]]) -> None:
            path, recorded = found

            def answer(yes: bool) -> None:
                if ticket is not self._ticket:
                    return
                if yes:
                    agreed.update({at: recorded_words(text) for at, text in recorded.items()})
                    open_model(path)
                else:
                    self.stop()

            if recorded.keys() == agreed.keys():
                open_model(path)
            elif ticket is self._ticket:
                self.agreement_wanted.emit(recorded, answer)

        def open_model(path: str) -> None:
            if ticket is self._ticket:
                self._asking.ask(inspect_arguments(path), Inspection, look_up, refuse)

        def look_up(inspection: Inspection) -> None:
            self._history.ask(
                lambda history: find(history, reference, inspection, agreed), go_on, fail
            )

        def go_on(underway: ExperimentRun[SomeSession]) -> None:
            if ticket is not self._ticket:
                _put_back(self._history, underway)
                return
            self._ticket = None
            self._session.log(tr("Resumed {reference}.", reference=reference))
            self._session.end()
            opened, inspection = self._session.inspection, underway.inspection
            if opened is None or opened.reference != inspection.reference:
                self._session.set_inspection(inspection)
            if busy_agreed:
                underway.session.go_on_busy()
            again = partial(self._take_up, reference, kind, find, go_on_with)
            go_on_with(underway, partial(again, busy_agreed=True, commands=agreed))

        def fail(error: ModelmonError) -> None:
            refuse(error.message, error.remedy)

        def refuse(message: str, remedy: str) -> None:
            if ticket is self._ticket:
                self._ticket = None
                give_up(self._session, message, remedy)

        self._history.ask(read, ask, fail)

    def stop(self) -> None:
        """Give up going on; the comparison stays as it was."""
        if self._ticket is not None:
            self._ticket = None
            self._asking.stop()
            self._session.end(Notice(tr("Resuming stopped."), tr("Nothing was loaded.")))

    def shut_down(self) -> None:
        """An answer that comes now is not waited for any more; no process is left."""
        self._ticket = None
        self._asking.shut_down()


def _put_back(access: HistoryAccess, underway: ExperimentRun[SomeSession]) -> None:
    def put_back(_: History) -> None:
        underway.recorder.end("stopped")

    access.ask(put_back, lambda _: None, lambda _: None)
