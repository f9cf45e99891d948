"""Puts a run that is over into an arm, wherever it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.gui.look.language import tr

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.session import Session
    from modelmon.gui.window.notices import ArmLabel


def show_run(
    session: Session, label: ArmLabel, record: RunRecord, result: RunResult | None
) -> None:
    """Show a run's settings, figures and curves in an arm."""
    if record.hello is not None:
        session.set_config(label, record.hello.job.config)
    session.set_results(label, (result,) if result is not None else (), record.failed)
    session.show_record(label, record)
    if session.inspection is None:
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
