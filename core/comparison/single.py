"""A single run: what it tells, and its place in the history."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.comparison.run_validity import faster_than_probed, with_warning
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.figures import least_reading_ns
from modelmon.core.explain.program_report import WaitVerdict, judge
from modelmon.core.history.file import HistoryError
from modelmon.core.history.history import History
from modelmon.core.history.origin import origin_of, other_content
from modelmon.core.history.recorder import Recorder
from modelmon.core.history.rows import ArmOf, RunFilter
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.explain.figures import Bottleneck
    from modelmon.core.history.recorder import EventLines
    from modelmon.core.messages import Message
    from modelmon.core.worker.events import Job
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult


_MOST_EARLIER = 100


class RunAnalysis(NamedTuple):
    """What one run tells, and the least time in which it could have read here; of a watched program
    also the judgment of its whole wait.
    """

    result: RunResult
    record: RunRecord
    bottleneck: Bottleneck
    least_ns: int | None
    wait: WaitVerdict | None


def analyze(
    record: RunRecord, inspection: Inspection, earlier: Sequence[RunResult] = ()
) -> RunAnalysis:
    """What a run tells, beside `earlier` ones of the same. Raises the error of one that did not
    finish.
    """
    limits = known_limits(inspection)
    result = summarise(record)
    result = with_warning(result, faster_than_probed(result, limits))
    return RunAnalysis(
        result,
        record,
        bottleneck_of(result, limits, (*earlier, result)),
        least_reading_ns(result, limits),
        judge(result, limits) if result.is_program else None,
    )


def earlier_runs(inspection: Inspection) -> list[RunResult]:
    """The last runs of this model on this disk that count; none where the history can't be read,
    which whoever writes to it says.
    """
    origin, history = origin_of(inspection), History()
    here = RunFilter(
        model=origin.model.digest,
        machine_id=origin.machine.id,
        storage_id=origin.storage.id,
        counts=True,
        limit=_MOST_EARLIER,
    )
    with suppress(HistoryError):
        return [
            history.result(row.id)
            for row in history.runs(here)
            if not other_content(row.model_content, origin.model.content)
        ]
    return []


def keep(
    inspection: Inspection, job: Job, result: RunResult, lines: EventLines
) -> tuple[int | None, Message]:
    """Enter the run into the history; its number there, or None and why it has none."""
    origin = origin_of(inspection)
    arm = ArmOf("A", job.strategy, job.config)
    recorder = Recorder(History(), "single", origin, [arm], job)
    run_id = recorder.add("A", result, lines.data)
    recorder.end("done")
    return run_id, recorder.problem
