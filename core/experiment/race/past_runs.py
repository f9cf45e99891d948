"""What a run of a race will cost, by the runs that the history has of the same model here."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.experiment.history.file import HistoryError
from modelmon.core.experiment.history.origin import origin_of
from modelmon.core.experiment.history.rows import RunFilter
from modelmon.core.experiment.preflight.estimate import OVERHEAD_NS
from modelmon.core.experiment.race.budget import costs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.history.history import History
    from modelmon.core.experiment.history.rows import RunRow
    from modelmon.core.experiment.preflight.preflight import Preflight
    from modelmon.core.experiment.result import RunResult
    from modelmon.core.worker.events import Cache

# One or two may be outliers; older ones than the newest tell of a machine that has changed.
_FEWEST_RUNS = 3
_MOST_RUNS = 30


class PastRuns(NamedTuple):
    """So many runs: their median rate, and the median time that each took beside its load."""

    runs: int
    bytes_per_s: float
    beside_ns: float

    def cost_ns(self, load_bytes: int) -> int:
        """What a run that loads so much will take, with what is beside its load."""
        return round(load_bytes * 1e9 / self.bytes_per_s + self.beside_ns)


def past_runs(
    history: History, preflight: Preflight, cache: Cache, deliver: str
) -> PastRuns | None:
    """The newest runs that count of this model on this machine and disk, of any strategy, that
    were made from the same state of the cache and delivered alike; None where they are too few
    or cannot be read.
    """
    origin = origin_of(preflight.model, preflight.storage)
    wanted = RunFilter(
        model=origin.model.digest,
        machine_id=origin.machine.id,
        storage_id=origin.storage.id,
        counts=True,
    )
    try:
        alike = [row for row in history.runs(wanted) if _tells(row, cache, deliver)][:_MOST_RUNS]
        results = [history.result(row.id) for row in alike]
    except HistoryError:
        # A plan can be made without: by a short read.
        return None
    if len(results) < _FEWEST_RUNS:
        return None
    rate = median(result.bytes_per_s for result in results)
    return PastRuns(len(results), rate, _beside_ns(alike, results))


def _tells(row: RunRow, cache: Cache, deliver: str) -> bool:
    alike = row.deliver == deliver and row.cache_state in (cache, f"{cache}-here")
    return alike and not row.subset and row.wall_ns > 0 and row.load_bytes > 0


def _beside_ns(rows: Sequence[RunRow], results: Sequence[RunResult]) -> float:
    """Median time of what is not the load: by when the next run of an experiment began, else by
    what a run tells of itself.
    """
    told_ns = max(OVERHEAD_NS, median(map(_told_ns, results)))
    usual_ns = round(told_ns + median(result.wall_ns for result in results))
    sittings: dict[int, list[RunResult]] = {}
    for row, result in zip(rows, results, strict=True):
        sittings.setdefault(row.experiment_id, []).append(result)
    beside = []
    for sitting in sittings.values():
        sitting.sort(key=lambda result: result.started_unix_s)
        costs = costs_of(sitting, usual_ns)
        beside += [cost - run.wall_ns for run, cost in zip(sitting, costs, strict=True)]
    return max(told_ns, median(beside))


def _told_ns(result: RunResult) -> int:
    setting = result.cache_ns + result.conditioning_ns
    return setting + result.open_ns + result.plan_ns + result.startup_ns
