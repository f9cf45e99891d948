"""What a run of a race will cost, with what is beside its load, by the runs until now."""

from __future__ import annotations

from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.find_best.result import RaceRun
    from modelmon.core.worker.events import Cache
    from modelmon.core.worker.result import RunFigures

_CAUTION = 1.15
_UNSEEN_CAUTION = 1.5
# Between two starts that are further apart than so many times the longest run, nobody raced.
_PAUSE_FACTOR = 3


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
