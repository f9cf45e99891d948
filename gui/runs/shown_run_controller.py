"""Shows a run that is over in the plots; what A and B are set to stays, unless it is asked for."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.errors import ModelmonError
from modelmon.gui.language import said, sentences, tr
from modelmon.gui.session.arm_settings import ArmProgram
from modelmon.gui.session.error_reports import complain
from modelmon.gui.session.notices import Choice, Notice
from modelmon.gui.session.run_words import time_text
from modelmon.gui.session.watched_run import WatchedRun, program_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.history.history import History
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.runs.run_lines import RunLine
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session


class ShownRunController(QObject):
    """Brings runs of the table into the plots; of several asked for, the last one.

    `shown` carries the arm that a run was put into.
    """

    shown = Signal(str)

    def __init__(
        self, session: Session, history: HistoryAccess, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._history = history
        self._ticket: object | None = None
        session.model_changed.connect(self._forget)

    def show(
        self,
        line: RunLine,
        label: ArmLabel | None = None,
        then: Callable[[], None] | None = None,
    ) -> None:
        """Show a run in an arm: the given one, or its own; `then` is called when it is."""
        if self._session.busy:
            return
        ticket = self._ticket = object()
        place: ArmLabel = label or ("B" if line.arm.endswith("B") else "A")
        row, run = line.row, line.run
        if run is not None:
            self._put(line, place, run.record, run.result, then)
            return
        assert row is not None

        def read(history: History) -> tuple[RunRecord, RunResult]:
            # The window starts without plots.
            from modelmon.gui.plots.timeline import read_ahead  # noqa: PLC0415

            return read_ahead(history.record(row.id)), history.result(row.id)

        def put(answer: tuple[RunRecord, RunResult]) -> None:
            if ticket is self._ticket and not self._session.busy:
                self._put(line, place, *answer, then)

        def fail(error: ModelmonError) -> None:
            if ticket is self._ticket and not self._session.busy:
                complain(self._session, error, warns=True)

        self._history.ask(read, put, fail)

    def _forget(self) -> None:
        """What was asked for was meant for the model before."""
        self._ticket = None

    def use(self, line: RunLine, label: ArmLabel) -> None:
        """Let an arm load as this run did. A command is not agreed to by that."""
        run = line.row or (line.run.result if line.run is not None else None)
        if run is None or self._session.busy:
            return
        if run.command:
            self._session.set_program(label, ArmProgram.of_run(run, agreed=False))
            return
        try:
            self._session.set_config(label, run.config)
        except ModelmonError as error:
            complain(self._session, error, warns=True)

    def _put(
        self,
        line: RunLine,
        label: ArmLabel,
        record: RunRecord,
        result: RunResult | None,
        then: Callable[[], None] | None,
    ) -> None:
        session = self._session
        caveat = foreign_text(session, record) or ("" if line.counts else said(line.standing))
        if line.elsewhere:
            caveat = tr("{place}. Its times can't be compared with runs here.", place=line.where)
        if session.inspection is not None and not program_of(record):
            # What it shows in place of A was no run of A.
            session.show_program(None)
            session.look_at(label, record)
        else:
            show_run(session, label, record, result, caveat)
        # A program's card says what it is, and the slot what came of it.
        session.say(None if program_of(record) else self._notice(line, label, result, caveat))
        self.shown.emit(label)
        if then is not None:
            then()

    def _notice(
        self, line: RunLine, label: ArmLabel, result: RunResult | None, caveat: str
    ) -> Notice:
        figures = {"model": line.model or tr("a model"), "strategy": line.strategy}
        headline = (
            tr("{arm} shows a recorded run of {model}: {strategy}.", arm=label, **figures)
            if self._session.inspection is None
            else tr("Plots of {arm}: a recorded run of {model}, {strategy}.", arm=label, **figures)
        )
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(line.started_unix_s))
        what = tr(
            "{name}, {day}, {state} start.",
            name=line.name or tr("Run {id}", id=line.arm),
            day=day,
            state=line.start.lower(),
        )
        took = tr("It took {time}.", time=time_text(result)) if result is not None else ""
        use = Choice(tr("Use as {arm}", arm=label), lambda: self.use(line, label))
        looked_at = self._session.looked_at
        both, one = tr("Show A and B again"), tr("Show {arm} again", arm=label)
        return Notice(
            headline,
            sentences(what, took),
            caveat,
            tone="warn" if line.elsewhere else "plain",
            choices=(use,) if label in looked_at else (),
            back="" if label not in looked_at else both if len(looked_at) > 1 else one,
        )


def show_run(
    session: Session,
    label: ArmLabel,
    record: RunRecord,
    result: RunResult | None,
    caveat: str = "",
) -> None:
    """Show a run's curves in an arm; a watched program in place of both, with what has to be kept
    in mind of it. Without a model, where nothing is set up, the card shows the run as well.
    """
    blank = session.inspection is None
    if (program := program_of(record)) is not None:
        session.show_program(WatchedRun(program, record, result, caveat=caveat))
    else:
        session.show_program(None)
        if blank:
            if record.hello is not None:
                session.set_config(label, record.hello.job.config)
            session.set_results(label, (result,) if result is not None else (), record.failed)
        session.show_record(label, record)
    if blank:
        # What is named in the title and the toolbar is then the recording's model.
        session.model_changed.emit()


def foreign_text(session: Session, record: RunRecord) -> str:
    """That a run loaded something else than the model that is open; "" where it did not."""
    inspection, planned = session.inspection, record.planned
    if inspection is None or planned is None:
        return ""
    model = inspection.model
    if (planned.model_name, planned.model_bytes) == (model.name, model.nbytes):
        return ""
    return tr("It used another model, or the file has changed since.")
