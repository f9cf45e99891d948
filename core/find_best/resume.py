"""A race and what it needs beside it, begun or gone on with from the history."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec

from modelmon.core.comparison.commands import NO_COMMANDS, Commands
from modelmon.core.comparison.resume import resume
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.find_best.candidates import Candidates, admission
from modelmon.core.find_best.plan import RaceConditions
from modelmon.core.find_best.race import RaceSession
from modelmon.core.history.rows import stored_value

if TYPE_CHECKING:
    from modelmon.core.comparison.session import Underway
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import ExperimentRow


def race_session(
    inspection: Inspection, candidates: Candidates, conditions: RaceConditions
) -> RaceSession:
    """A race of what was inspected. Raises ConfigError if there is no candidate."""
    memory = inspection.memory_elsewhere
    return RaceSession(
        candidates,
        conditions,
        admission(inspection.model, conditions.portion_bytes, memory, of_variants=True),
        known_limits(inspection),
    )


def resume_race(  # noqa: PLR0913, PLR0917  what is run before and in its runs, and for how long
    history: History,
    reference: str,
    inspection: Inspection,
    commands: Commands = NO_COMMANDS,
    prepare: str = "",
    budget_ns: int | None = None,
) -> Underway[RaceSession]:
    """Take up the race `x12`, or the `last` one that was not finished, as `resume` does.

    `budget_ns` is for the whole race, with what is spent already; None leaves it. With a longer
    one a race that its budget ended goes on, too.
    """
    longer = budget_ns is not None
    session_of = partial(race_of, inspection=inspection, budget_ns=budget_ns)
    return resume(
        history, reference, inspection, commands, prepare, "best", session_of, done_too=longer
    )


def race_of(
    experiment: ExperimentRow, inspection: Inspection, budget_ns: int | None = None
) -> RaceSession:
    """A race as it was begun, before its runs are taken in; `budget_ns` None leaves its own."""
    then = stored_value(experiment.conditions_json, RaceConditions)
    conditions = msgspec.structs.replace(
        then, allow_busy=False, budget_ns=then.budget_ns if budget_ns is None else budget_ns
    )
    return race_session(inspection, Candidates(experiment.arms), conditions)
