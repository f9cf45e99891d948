"""What more time for a race would bring."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from modelmon.core.best.result import MoreTime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.best.field import Field, RaceArm
    from modelmon.core.best.result import Objective

_MINUTE_NS = 60 * 10**9
_OFFERED_NS = (2 * _MINUTE_NS, 10 * _MINUTE_NS, 60 * _MINUTE_NS)
_LEAST_ROUNDS = 2


def more_time(
    field: Field, among: Sequence[RaceArm], objective: Objective, round_ns: float
) -> tuple[MoreTime, ...]:
    """What more rounds of those would bring that may still be the best, the one that would be
    recommended first: for two lengths of time, of which the shorter holds two rounds of
    `round_ns`. Nothing of memory, which runs do not make surer.
    """
    if objective == "memory" or not among or not round_ns:
        return ()
    labels = [arm.label for arm in among]
    offered = next(
        (each for each in pairwise(_OFFERED_NS) if each[0] >= _LEAST_ROUNDS * round_ns), ()
    )
    return tuple(
        MoreTime(extra_ns, *field.posterior.prospect(labels[0], labels, extra_ns // round_ns))
        for extra_ns in offered
    )
