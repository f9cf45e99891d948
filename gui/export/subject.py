"""What Export is about now: what the window shows the outcome of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.experiment.bottleneck.headroom import least_reading_ns
from modelmon.core.experiment.first_arms import first_arms
from modelmon.core.experiment.program_report import has_headroom, headline
from modelmon.gui.export.sources import OneRun

if TYPE_CHECKING:
    from modelmon.core.cluster.result import ClusterResult
    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.experiment.race.result import Race
    from modelmon.core.experiment.result import Comparison
    from modelmon.gui.session import Session
    from modelmon.gui.watching.watched_run import WatchedRun


def subject_of(
    session: Session, diagnosis: Diagnosis | None
) -> Comparison | Race | ClusterResult | OneRun | None:
    """The watched program that is shown; else the latest verdict, or the latest run."""
    if session.program is not None:
        return _of_program(session, session.program, diagnosis)
    verdict = session.verdict
    if verdict is not None or session.inspection is None:
        return verdict
    latest = session.latest_result
    return OneRun(latest, session.inspection) if latest is not None else None


def _of_program(session: Session, run: WatchedRun, diagnosis: Diagnosis | None) -> OneRun | None:
    inspection, result = session.inspection, run.result
    if inspection is None or result is None or not session.has_outcome:
        return None
    least_ns = least_reading_ns(result, run.limits)
    return OneRun(
        result,
        inspection,
        run.engine,
        headline(run.name, result, least_ns),
        has_headroom=least_ns is None or has_headroom(result, least_ns),
        suits=first_arms(inspection, diagnosis),
    )
