"""What a run of a race will cost, with what is beside its load: by the runs until now, or before
the first by the runs that the history has of the same model here.
"""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.compare.estimate import OVERHEAD_NS
from modelmon.core.history.file import HistoryError
from modelmon.core.history.origin import origin_of
from modelmon.core.history.rows import RunFilter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.best.result import RaceRun
    from modelmon.core.diagnose.inspection import Inspection
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunFigures

_CAUTION = 1.15
_UNSEEN_CAUTION = 1.5
# Between two starts that are further apart than so many times the longest run, nobody raced.
_PAUSE_FACTOR = 3
# One or two may be outliers; older ones than the newest tell of a machine that has changed.
_FEWEST_RUNS = 3
_MOST_RUNS = 30


def expected_cost_ns(
    runs: Sequence[RaceRun], label: str, cache: Cache, first_cost_ns: float
) -> float:
    """What a run will cost, with caution. The first one of a strategy is ended where it takes far
    longer than the fastest.
    """
    seen: dict[tuple[str, Cache], list[int]] = {}
    for run in runs:
        seen.setdefault((run.label, run.result.cache_asked), []).append(run.cost_ns)
    if own := seen.get((label, cache)):
        return max(own) * _CAUTION
    alike = [median(costs) for (_, of), costs in seen.items() if of == cache]
    return min(alike) * _UNSEEN_CAUTION if alike else first_cost_ns


def costs_of(results: Sequence[RunFigures], first_cost_ns: int) -> list[int]:
    """What each of these runs cost: from its start to that of the next one.

    The last of a sitting took at least its load, and about as long as the others.
    """
    starts = [result.started_unix_s for result in results]
    gaps = [round((later - start) * 1e9) for start, later in pairwise(starts)]
    longest = max([first_cost_ns, *(result.wall_ns for result in results)])
    usual = [gap for gap in gaps if 0 < gap <= longest * _PAUSE_FACTOR]
    typical = round(median(usual)) if usual else first_cost_ns
    return [
        gap if 0 < gap <= longest * _PAUSE_FACTOR else max(result.wall_ns, typical)
        for gap, result in zip([*gaps, 0], results, strict=False)
    ]


class PastRuns(NamedTuple):
    """So many runs: their median rate, and the median time that each took beside its load."""

    runs: int
    bytes_per_s: float
    beside_ns: float

    def cost_ns(self, load_bytes: int) -> int:
        """What a run that loads so much will take, with what is beside its load."""
        return round(load_bytes * 1e9 / self.bytes_per_s + self.beside_ns)


def past_runs(
    history: History, inspection: Inspection, cache: Cache, deliver: str
) -> PastRuns | None:
    """The newest runs that count of this model on this machine and disk, of any strategy, that
    were made from the same state of the cache and delivered alike; None where they are too few
    or cannot be read.
    """
    origin = origin_of(inspection)
    wanted = RunFilter(
        model=origin.model.digest,
        machine_id=origin.machine.id,
        storage_id=origin.storage.id,
        counts=True,
    )
    try:
        alike = [row for row in history.runs(wanted) if _tells(row, cache, deliver)][:_MOST_RUNS]
    except HistoryError:
        # A plan can be made without: by a short read.
        return None
    if len(alike) < _FEWEST_RUNS:
        return None
    return PastRuns(len(alike), median(row.bytes_per_s for row in alike), _beside_ns(alike))


def _tells(row: RunRow, cache: Cache, deliver: str) -> bool:
    alike = row.deliver == deliver and row.cache_state in (cache, f"{cache}-here")
    return alike and not row.subset and row.wall_ns > 0 and row.load_bytes > 0


def _beside_ns(rows: Sequence[RunRow]) -> float:
    """Median time of what is not the load: by when the next run of an experiment began, else by
    what a run tells of itself.
    """
    told_ns = max(OVERHEAD_NS, median(map(_told_ns, rows)))
    usual_ns = round(told_ns + median(row.wall_ns for row in rows))
    sittings: dict[int, list[RunRow]] = {}
    for row in rows:
        sittings.setdefault(row.experiment_id, []).append(row)
    beside = []
    for sitting in sittings.values():
        sitting.sort(key=lambda row: row.started_unix_s)
        costs = costs_of(sitting, usual_ns)
        beside += [cost - run.wall_ns for run, cost in zip(sitting, costs, strict=True)]
    return max(told_ns, median(beside))


def _told_ns(row: RunRow) -> int:
    setting = row.cache_ns + row.conditioning_ns + row.other_setup_ns
    return setting + row.open_ns + row.plan_ns + row.startup_ns
