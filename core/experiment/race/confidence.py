"""How much a ranking says: how surely the first one leads, and where two figures seem at odds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from modelmon.core.experiment.statistics.spread import MIN_PAIRS_FOR_INTERVAL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.race.result import Ending, Standing

Lead = Literal["too-few", "leading", "unbeaten", "best-so-far", "best"]

_RUNS_TO_LEAD = 2


def lead_of(standings: Sequence[Standing], ending: Ending) -> Lead:
    """What the first of a ranking may be called: with one run it only happens to be there, and
    with fewer than an interval takes it leads, or is unbeaten where one that is not as simple
    seems faster; only a race that was decided has a best one.
    """
    first, *others = standings
    if first.runs < _RUNS_TO_LEAD:
        return "too-few"
    if first.runs < MIN_PAIRS_FOR_INTERVAL:
        return "unbeaten" if any_ahead(others) else "leading"
    return "best" if ending == "decided" else "best-so-far"


def any_ahead(others: Sequence[Standing]) -> bool:
    """Whether one of those behind the first seems faster; it is not as simple, and not surely."""
    return any(other.ratio is not None and other.ratio < 1 for other in others)


def at_odds(standing: Standing, first: Standing) -> bool:
    """Whether the ratio to the first calls it slower and the medians call it faster, or the
    other way round: the ratio is of the same rounds, the medians are of all runs.
    """
    if standing.ratio is None or standing.median_ns is None or first.median_ns is None:
        return False
    return (standing.ratio - 1) * (standing.median_ns - first.median_ns) < 0
