"""A race and what it needs beside it, begun or gone on with from the history."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from modelmon.core.experiment.history.origin import origin_of
from modelmon.core.experiment.history.recorder import Recorder
from modelmon.core.experiment.history.rows import ArmOf, stored_value
from modelmon.core.experiment.preflight.preflight import look_at
from modelmon.core.experiment.probe.limits import known_limits
from modelmon.core.experiment.race.candidates import Candidate, Candidates, admission
from modelmon.core.experiment.race.plan import RaceConditions
from modelmon.core.experiment.race.race import RaceSession
from modelmon.core.experiment.resume import all_results, refuse_elsewhere, unfinished

if TYPE_CHECKING:
    from modelmon.core.experiment.history.history import History
    from modelmon.core.experiment.preflight.preflight import Preflight
    from modelmon.core.experiment.race.result import Excluded


class RaceUnderway(NamedTuple):
    """A race that can be worked off; `session` has taken in what was measured before."""

    session: RaceSession
    preflight: Preflight
    recorder: Recorder
    excluded: tuple[Excluded, ...] = ()


def begin_race(
    history: History | None,
    preflight: Preflight,
    candidates: Candidates,
    conditions: RaceConditions,
) -> RaceUnderway:
    """A new race, entered into `history` if there is one. Raises ConfigError if none can run."""
    session = _session(preflight, candidates.chosen, conditions)
    origin = origin_of(preflight.model, preflight.storage)
    arms = [ArmOf(arm.label, arm.strategy, arm.config) for arm in candidates.chosen]
    recorder = Recorder(history, "best", origin, arms, conditions)
    return RaceUnderway(session, preflight, recorder, candidates.excluded)


def resume_race(history: History, reference: str, budget_ns: int | None = None) -> RaceUnderway:
    """Take up the race `x12`, or the `last` one that was not finished.

    `budget_ns` is for the whole race, with what is spent already; None leaves it. Raises
    HistoryError where it is finished, is still running, is of another machine, storage or model
    than is here now, or has lost runs; ModelFileError where the model is gone.
    """
    experiment = unfinished(history, reference, "best")
    preflight = look_at(experiment.path)
    origin = origin_of(preflight.model, preflight.storage)
    refuse_elsewhere(experiment, origin)
    conditions = stored_value(experiment.conditions_json, RaceConditions)
    if budget_ns is not None:
        conditions = msgspec.structs.replace(conditions, budget_ns=budget_ns)
    arms = tuple(Candidate(arm.label, arm.strategy, arm.config) for arm in experiment.arms)
    session = _session(preflight, arms, conditions)
    results = all_results(history, experiment.id)
    session.resume(results)
    recorder = Recorder(history, "best", origin, experiment.arms, conditions)
    recorder.go_on(experiment.id, len(results))
    return RaceUnderway(session, preflight, recorder)


def _session(
    preflight: Preflight, candidates: tuple[Candidate, ...], conditions: RaceConditions
) -> RaceSession:
    return RaceSession(
        candidates,
        conditions,
        admission(preflight.model, conditions.portion_bytes),
        known_limits(preflight.storage),
    )
