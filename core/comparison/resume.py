"""Go on with an experiment that was stopped, from what the history has of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from modelmon.core.comparison.checks import check_prepare
from modelmon.core.comparison.commands import NO_COMMANDS, Commands, check_commands
from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.session import SomeSession, Underway
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.history.file import HistoryError
from modelmon.core.history.origin import origin_of, other_content
from modelmon.core.history.recorder import Recorder
from modelmon.core.history.rows import RunFilter, stored_value
from modelmon.core.messages import NOTHING, Message
from modelmon.core.units import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.history.history import History
    from modelmon.core.history.origin import Origin
    from modelmon.core.history.rows import ExperimentRow, Kind
    from modelmon.core.worker.result import RunResult

LAST = "last"


def resume_comparison(
    history: History,
    reference: str,
    inspection: Inspection,
    commands: Commands = NO_COMMANDS,
    prepare: str = "",
) -> Underway[CompareSession]:
    """Take up the comparison `x12`, or the `last` one that was not finished, as `resume` does."""
    session_of = partial(comparison_of, inspection=inspection)
    return resume(history, reference, inspection, commands, prepare, "compare", session_of)


def comparison_of(experiment: ExperimentRow, inspection: Inspection) -> CompareSession:
    """A comparison as it was begun, before its runs are taken in."""
    try:
        first, second = experiment.arms
    except ValueError as error:
        raise HistoryError(
            Message("Couldn't read a stored value: {reason}", reason=error),
            Message("Use the version of modelmon that wrote it."),
        ) from error
    return CompareSession(
        first,
        second,
        replace(stored_value(experiment.conditions_json, Conditions), allow_busy=False),
        known_limits(inspection),
    )


def resume(  # noqa: PLR0913, PLR0917  what makes it this experiment, and how it goes on
    history: History,
    reference: str,
    inspection: Inspection,
    commands: Commands,
    prepare: str,
    kind: Kind,
    session_of: Callable[[ExperimentRow], SomeSession],
    *,
    done_too: bool = False,
) -> Underway[SomeSession]:
    """Take up an experiment that was not finished, or with `done_too` one that was; its session
    takes in the runs so far.

    `inspection` is of the model at its path, which is not opened here: whoever asks the history
    must not wait for the model's storage. `commands` are those that the person gave again or
    agreed to, `prepare` the one that the caller runs before each run that is left. That others' use
    of the file did not matter is not remembered.

    Raises HistoryError where it is finished or is still running, is of another machine, storage
    or model than is here now, or has lost runs.
    """
    experiment = unfinished(history, reference, kind, done_too=done_too)
    origin = origin_of(inspection)
    if where := elsewhere(experiment, origin):
        raise HistoryError(
            Message(
                "Experiment x{id} was started {where}; its runs can't be compared with new ones.",
                id=experiment.id,
                where=where,
            ),
            Message("Start a new one."),
        )
    session = session_of(experiment)
    check_commands(commands, experiment.arms)
    check_prepare(prepare, session.conditions.prepared_with)
    used = session.resume(all_results(history, experiment.id))
    recorder = Recorder(history, kind, origin, experiment.arms, session.conditions)
    recorder.go_on(experiment.id, used)
    return Underway(session, inspection, recorder, commands)


def all_results(history: History, experiment_id: int) -> list[RunResult]:
    """The results of an experiment in order; raises HistoryError where some were deleted."""
    rows = history.runs(RunFilter(experiment_id=experiment_id))
    places = sorted(row.position for row in rows if row.position is not None)
    if places != list(range(len(places))):
        raise HistoryError(
            Message(
                "Runs of experiment x{experiment_id} were deleted.", experiment_id=experiment_id
            ),
            Message("Start a new one."),
        )
    return history.results_of(experiment_id)


def unfinished(
    history: History, reference: str, kind: Kind, *, done_too: bool = False
) -> ExperimentRow:
    """The experiment of this kind called `x12`, or the `last` one that was not finished;
    `x12` may be finished with `done_too`.

    Raises HistoryError where there is none.
    """
    if reference == LAST:
        waiting = (row for row in history.experiments() if row.kind == kind and row.state != "done")
        found = next(waiting, None)
        if found is None:
            raise HistoryError(
                Message("No Find best run is waiting to be resumed.")
                if kind == "best"
                else Message("No comparison is waiting to be resumed."),
                Message("See modelmon history."),
            )
        return found
    number = whole_number(reference.removeprefix("x"))
    if number is None:
        raise HistoryError(
            Message("{reference} isn't an experiment.", reference=repr(reference)),
            Message("Write for example x12, or last."),
        )
    row = history.experiment(number)
    if row.kind != kind or (row.state == "done" and not done_too):
        raise HistoryError(
            Message("Experiment x{id} isn't a Find best run that can be resumed.", id=row.id)
            if kind == "best"
            else Message("Experiment x{id} isn't a comparison that can be resumed.", id=row.id),
            Message("See modelmon history."),
        )
    return row


def elsewhere(
    experiment: ExperimentRow, here: Origin, *, same_layout_will_do: bool = False
) -> Message:
    """Where it was begun, if machine, disk or model are others now; else nothing."""
    others = other_content(experiment.model_content, here.model.content)
    then_and_now = {
        Message("on another machine"): (experiment.machine_id, here.machine.id),
        Message("on another disk"): (experiment.storage_id, here.storage.id),
        Message("with another model in this place"): (
            (experiment.model_digest, others and not same_layout_will_do),
            (here.model.digest, False),
        ),
    }
    changed = (where for where, (then, now) in then_and_now.items() if then != now)
    return next(changed, NOTHING)
