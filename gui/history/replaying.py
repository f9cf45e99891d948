"""Shows a run that is over in an arm: its settings, its figures and its curves."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.gui.complaints import complain
from modelmon.gui.language import said, tr
from modelmon.gui.slot import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.errors import ModelmonError
    from modelmon.core.experiment.history.history import History
    from modelmon.core.experiment.result import RunResult
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.history.access import HistoryAccess
    from modelmon.gui.models.run_lines import RunLine
    from modelmon.gui.session import Session
    from modelmon.gui.slot import ArmLabel


class Replaying(QObject):
    """Brings runs of the table into the plots; of several asked for, the last one."""

    def __init__(
        self, session: Session, history: HistoryAccess, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._history = history
        self._ticket: object | None = None

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
            return history.record(row.id), history.result(row.id)

        def put(answer: tuple[RunRecord, RunResult]) -> None:
            if ticket is self._ticket and not self._session.busy:
                self._put(line, place, *answer, then)

        def fail(error: ModelmonError) -> None:
            if ticket is self._ticket and not self._session.busy:
                complain(self._session, error, warns=True)

        self._history.ask(read, put, fail)

    def _put(
        self,
        line: RunLine,
        label: ArmLabel,
        record: RunRecord,
        result: RunResult | None,
        then: Callable[[], None] | None,
    ) -> None:
        session = self._session
        if record.hello is not None:
            session.set_config(label, record.hello.job.config)
        session.set_results(label, (result,) if result is not None else ())
        session.show_record(label, record)
        if session.preflight is None:
            # What is named in the title and the toolbar is then the recording's model.
            session.model_changed.emit()
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(line.started_unix_s))
        caveat = said(line.standing) if not line.counts else ""
        open_one, planned = session.preflight, record.planned
        if open_one is not None and planned is not None:
            model = open_one.model
            if (planned.model_name, planned.model_bytes) != (model.name, model.nbytes):
                caveat = tr("Its model is not the open one, or was another file then.")
        if line.elsewhere:
            caveat = tr(
                "{place}. Its times cannot be set against runs of this place.", place=line.where
            )
        session.say(
            Notice(
                tr(
                    "{arm} shows a recorded run of {model}: {strategy}.",
                    arm=label,
                    model=line.model or tr("a model"),
                    strategy=line.strategy,
                ),
                tr(
                    "{name}, {day}, {state} start.",
                    name=line.name or line.arm,
                    day=day,
                    state=line.start.lower(),
                ),
                caveat,
                tone="warn" if line.elsewhere else "plain",
            )
        )
        if then is not None:
            then()
