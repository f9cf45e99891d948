"""How much a ranking says: how surely the first one is the best."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.explain.figures import Confidence
    from modelmon.core.find_best.result import Ending, Standing

Lead = Literal["too-few", "kept", "best-so-far", "best"]

RUNS_TO_LEAD = 2
"""With fewer runs a strategy only happens to be ahead."""
_HIGH, _MEDIUM = 0.9, 0.7
# The posterior's log-odds against how often it was right in 1,120 simulated races of 14 kinds of
# noise: it doubts variants of the leader too much, and no claim held in more than 98.5 of 100.
_OFFSET, _SLOPE, _MOST = 0.1, 1.05, 0.985


def told_chance(chance: float) -> float:
    """A chance of the posterior as often as it holds (benchmarks/races.py); what is decided while
    a race runs takes the posterior's own.
    """
    if chance >= _MOST:
        return _MOST
    odds = math.exp(_OFFSET) * math.pow(chance / (1 - chance), _SLOPE)
    return min(_MOST, odds / (1 + odds))


def confidence_of(chance: float) -> Confidence:
    """High, medium or low, by the chance that nothing tested would have been worth choosing."""
    return "high" if chance >= _HIGH else "medium" if chance >= _MEDIUM else "low"


def lead_of(standings: Sequence[Standing], ending: Ending) -> Lead:
    """What the first of a ranking may be called: with one run it doesn't lead, and nothing leads
    while another preset was not tested; what is kept since nothing is clearly faster is not the
    best; only a race that was decided has a best one. Variants
    join because of what leads, so that they don't take that from it.
    """
    untested = any(
        not each.runs and each.state == "racing" and not each.changed for each in standings
    )
    if standings[0].runs < RUNS_TO_LEAD or untested:
        return "too-few"
    if standings[0].kept:
        return "kept"
    return "best" if ending == "decided" else "best-so-far"
