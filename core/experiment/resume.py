"""Go on with a comparison that was stopped, from what the history has of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from modelmon.core.experiment.checks import check_prepare
from modelmon.core.experiment.compare import Arm, CompareSession, Conditions
from modelmon.core.experiment.history.file import HistoryError
from modelmon.core.experiment.history.origin import origin_of
from modelmon.core.experiment.history.recorder import Recorder
from modelmon.core.experiment.history.rows import RunFilter, stored_value
from modelmon.core.experiment.preflight.preflight import look_at
from modelmon.core.experiment.probe.limits import known_limits

if TYPE_CHECKING:
    from modelmon.core.experiment.history.history import History
    from modelmon.core.experiment.history.origin import Origin
    from modelmon.core.experiment.history.rows import ExperimentRow, Kind
    from modelmon.core.experiment.preflight.preflight import Preflight
    from modelmon.core.experiment.result import RunResult

LAST = "last"
_NAMES: dict[Kind, str] = {"single": "run", "compare": "comparison", "best": "race"}


class Underway(NamedTuple):
    """A comparison that can be worked off; `session` has taken in the runs that are used."""

    session: CompareSession
    preflight: Preflight
    recorder: Recorder


def resume_comparison(history: History, reference: str, prepare: str = "") -> Underway:
    """Take up the comparison `x12`, or the `last` one that was not finished.

    `prepare` is the command that the caller runs before each run that is left.

    Raises HistoryError where it is finished, is still running, is of another machine, storage
    or model than is here now, or has lost runs; ModelFileError where the model is gone.
    """
    experiment = unfinished(history, reference, "compare")
    preflight = look_at(experiment.path)
    origin = origin_of(preflight.model, preflight.storage)
    refuse_elsewhere(experiment, origin)
    conditions = stored_value(experiment.conditions_json, Conditions)
    check_prepare(prepare, conditions.prepared_with)
    first, second = experiment.arms
    session = CompareSession(
        Arm("A", first.strategy, first.config),
        Arm("B", second.strategy, second.config),
        conditions,
        known_limits(preflight.storage),
    )
    used = session.resume(all_results(history, experiment.id))
    recorder = Recorder(history, "compare", origin, experiment.arms, conditions)
    recorder.go_on(experiment.id, used)
    return Underway(session, preflight, recorder)


def all_results(history: History, experiment_id: int) -> list[RunResult]:
    """The results of an experiment in order; raises HistoryError where some were deleted."""
    rows = history.runs(RunFilter(experiment_id=experiment_id))
    places = sorted(row.position for row in rows if row.position is not None)
    if places != list(range(len(places))):
        raise HistoryError(f"Runs of experiment x{experiment_id} were deleted.", "Begin anew.")
    return history.results_of(experiment_id)


def unfinished(history: History, reference: str, kind: Kind) -> ExperimentRow:
    """The experiment of this kind called `x12`, or the `last` one that was not finished.

    Raises HistoryError where there is none.
    """
    what = _NAMES[kind]
    if reference == LAST:
        waiting = (row for row in history.experiments() if row.kind == kind and row.state != "done")
        found = next(waiting, None)
        if found is None:
            raise HistoryError(f"No {what} waits to be finished.", "See modelmon history.")
        return found
    number = reference.removeprefix("x")
    if not number.isdecimal():
        raise HistoryError(f"{reference!r} is no experiment.", "Write for example x12, or last.")
    row = history.experiment(int(number))
    if row.kind != kind or row.state == "done":
        raise HistoryError(
            f"Experiment x{row.id} is no {what} that waits to be finished.",
            "See modelmon history.",
        )
    return row


def refuse_elsewhere(experiment: ExperimentRow, here: Origin) -> None:
    """Raise HistoryError where machine, disk or model are others than when it was begun."""
    then_and_now = {
        "on another machine": (experiment.machine_id, here.machine.id),
        "on another disk": (experiment.storage_id, here.storage.id),
        "with another model in this place": (experiment.model_digest, here.model.digest),
    }
    for where, (then, now) in then_and_now.items():
        if then != now:
            raise HistoryError(
                f"Experiment x{experiment.id} was begun {where}; its runs cannot be compared"
                " with new ones.",
                "Begin anew.",
            )
