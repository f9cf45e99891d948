"""What Export is about now: what the window shows the outcome of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.bottleneck.headroom import least_reading_ns
from modelmon.core.experiment.program_report import headline
from modelmon.core.export.outcomes import OneRun

if TYPE_CHECKING:
    from modelmon.core.export.outcomes import Result
    from modelmon.gui.session import Session
    from modelmon.gui.watching.watched_run import WatchedRun


def subject_of(session: Session) -> Result | None:
    """The watched program that is shown; else the latest verdict, or the latest run."""
    if session.program is not None:
        return _of_program(session, session.program)
    verdict = session.verdict
    if verdict is not None or session.inspection is None:
        return verdict
    latest = session.latest_result
    return OneRun(latest, session.inspection) if latest is not None else None


def _of_program(session: Session, run: WatchedRun) -> OneRun | None:
    inspection, result = session.inspection, run.result
    if inspection is None or result is None or not session.has_outcome:
        return None
    least_ns = least_reading_ns(result, run.limits)
    return OneRun(result, inspection, headline(run.name, result, least_ns))
