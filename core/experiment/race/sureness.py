"""How much a ranking says: how surely the first one leads, and where two figures seem at odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from modelmon.core.experiment.statistics.spread import MIN_PAIRS_FOR_INTERVAL

if TYPE_CHECKING:
    from modelmon.core.experiment.race.result import Ending, Standing

Lead = Literal["too-few", "leading", "best-so-far", "best"]

_RUNS_TO_LEAD = 2


def lead_of(first: Standing, ending: Ending) -> Lead:
    """What the first of a ranking may be called: with one run it only happens to be there, and
    with fewer than an interval takes it leads; only a race that was decided has a best one.
    """
    if first.runs < _RUNS_TO_LEAD:
        return "too-few"
    if first.runs < MIN_PAIRS_FOR_INTERVAL:
        return "leading"
    return "best" if ending == "decided" else "best-so-far"


def at_odds(standing: Standing, first: Standing) -> bool:
    """Whether the ratio to the first calls it slower and the medians call it faster, or the
    other way round: the ratio is of the same rounds, the medians are of all runs.
    """
    if standing.ratio is None or standing.median_ns is None or first.median_ns is None:
        return False
    return (standing.ratio - 1) * (standing.median_ns - first.median_ns) < 0
