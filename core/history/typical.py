"""For each arm of an experiment the run in the middle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.history.groups import of_one_way
from modelmon.core.history.rows import RunFilter
from modelmon.core.worker.result import middle_run

if TYPE_CHECKING:
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.record import RunRecord


def typical_runs(
    history: History, experiment_id: int, cache: str | None = None
) -> dict[str, RunRow]:
    """For each arm of an experiment the run in the middle of those that count and that the history
    still has the events of; an arm without any is left out, and so are its runs with threads in
    place of processes. `cache` is what they started from.
    """
    found: dict[str, list[RunRow]] = {}
    for row in history.runs(RunFilter(experiment_id=experiment_id, counts=True, cache=cache)):
        if row.position is not None:
            found.setdefault(row.label, []).append(row)
    middles = {
        label: middle_run(row for row in of_one_way(rows) if row.events_file is not None)
        for label, rows in found.items()
    }
    return {label: row for label, row in middles.items() if row is not None}


def typical_records(history: History, experiment_id: int) -> dict[str, RunRecord]:
    """The events of those runs."""
    rows = typical_runs(history, experiment_id)
    return {label: history.record(row.id) for label, row in rows.items()}
