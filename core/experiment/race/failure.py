"""Why a race has nothing to recommend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.errors import LoadFailedError
from modelmon.core.messages import Message
from modelmon.core.units import duration_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.core.experiment.race.field import Field
    from modelmon.core.experiment.race.plan import RaceConditions
    from modelmon.core.experiment.race.result import RaceRun

_RUNS_OF_A_RACE = 30
"""Two rounds of the usual ten ways, and ten runs more of the fastest."""


def nothing_counts(
    field: Field, runs: Sequence[RaceRun], conditions: RaceConditions
) -> LoadFailedError:
    """The error of a race in which no run counts: the last reason, or that its time was up."""
    reasons = [arm.why for arm in field.arms if arm.why]
    reasons += [run.result.why_not for run in runs]
    if reasons:
        return LoadFailedError(Message("No run counts. {reasons}", reasons=reasons[-1]))
    each = conditions.first_cost_ns
    return LoadFailedError(
        Message(
            "The time limit of {budget} was reached before a run ended; each takes about {each}.",
            budget=duration_text(conditions.budget_ns),
            each=duration_text(each),
        ),
        Message(
            "Choose a longer time limit: testing everything takes about {each}.",
            each=duration_text(each * _RUNS_OF_A_RACE),
        ),
    )
