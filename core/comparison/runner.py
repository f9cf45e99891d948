"""Makes the runs of a comparison or of Find best, begun or resumed, and keeps them.

A session starts no process and waits for nothing, so that the terminal and calls from Python drive
it in a loop, which is here, and the window from its event loop:

    while (step := session.next_job()) is not None:
        label, job = step
        session.add(run_job(job))        # a RunResult, or None for a strategy that cannot run

`next_job` gives the same run until `add` takes its record in. Where `run_left_ns` is known the
driver ends a run that takes longer, and calls `stop`. Whatever ended it, `stopped` says then
whether it can be resumed. A single run is analyzed and kept here as well.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeVar

import msgspec

from modelmon.core.comparison.commands import (
    NO_COMMANDS,
    Commands,
    check_commands,
    command_for,
)
from modelmon.core.comparison.run_validity import (
    Checks,
    check_prepare,
    faster_than_probed,
    with_warning,
)
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.explain.bottleneck import bottleneck_of
from modelmon.core.explain.cures import known_name
from modelmon.core.explain.evidence import least_reading_ns, limits_seen, raised_by
from modelmon.core.explain.program_report import WaitVerdict, judge
from modelmon.core.history.events import EventLines
from modelmon.core.history.file import SEE_RUNS, HistoryError
from modelmon.core.history.history import History, is_at_work
from modelmon.core.history.origin import origin_of, other_content
from modelmon.core.history.recorder import Recorder
from modelmon.core.history.rows import Entrant, RunFilter, RunRow
from modelmon.core.load.planner import place_of_run
from modelmon.core.machine.sleep import keep_awake
from modelmon.core.messages import NOTHING, Message
from modelmon.core.probe.probe import UNKNOWN_LIMITS
from modelmon.core.units import whole_number
from modelmon.core.worker.client import Standby, run_job
from modelmon.core.worker.events import Job, RunConditions
from modelmon.core.worker.result import summarise

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from modelmon.core.comparison.decision import Label
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.explain.evidence import Bottleneck
    from modelmon.core.history.origin import Origin
    from modelmon.core.history.rows import ExperimentRow, Kind
    from modelmon.core.probe.probe import Limits
    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunFigures, RunResult


AGAIN_S = 5.0
RECONNECT_S = 600.0
"""After a lost connection runs are tried again every `AGAIN_S`, for so long."""

LAST = "last"

_WHY_AWAKE: dict[Kind, str] = {
    "compare": "modelmon is comparing two strategies",
    "best": "modelmon is testing strategies",
}


SomeConditions = TypeVar("SomeConditions", bound=RunConditions)


class ExperimentSession(Generic[SomeConditions]):
    """Runs in an order that may depend on what they measure, and their results.

    `kind` is what the history calls such an experiment, `conditions` what all runs share.
    """

    kind: Kind

    def __init__(self, conditions: SomeConditions, limits: Limits = UNKNOWN_LIMITS) -> None:
        """`limits` are what a probe found at the model's place."""
        self.conditions = conditions
        self.limits = limits
        self._checks = Checks(limits)
        self._created_unix_s = time.time()

    @classmethod
    def begun(cls, experiment: ExperimentRow, inspection: Inspection) -> Self:
        """Such an experiment as it was begun, before its runs are taken in."""
        raise NotImplementedError

    @property
    def arms(self) -> Mapping[Any, Entrant]:
        """All strategies so far, by their labels."""
        raise NotImplementedError

    @property
    def place(self) -> str:
        """Where the next run stands, as words; empty where it is the only one."""
        return ""

    @property
    def run_left_ns(self) -> int | None:
        """What the run under way may still take; None where it may take as long as it does."""
        return None

    @property
    def stopped(self) -> bool:
        """Whether runs are still to come, or were when it was ended."""
        raise NotImplementedError

    @property
    def conclusive(self) -> bool:
        """Whether what has been measured until now says something by itself."""
        return False

    def next_job(self) -> tuple[str, Job] | None:
        """Label and job of the next run, or None when there is none."""
        raise NotImplementedError

    def add(self, record: RunRecord) -> RunResult | None:
        """Take in the record of that run; None for a strategy that cannot be run.

        Raises the error of a run that ends the experiment.
        """
        raise NotImplementedError

    def stop(self) -> None:
        """End it; what has been measured stands."""

    def resume(self, results: Sequence[RunResult]) -> int:
        """Take in what an earlier session like this has measured, in its order, before the first
        run; returns how many are used.

        Raises ConfigError if these are results of other runs than this session asks for.
        """
        raise NotImplementedError

    def go_on_busy(self) -> None:
        """Agree to measure although another process uses the file."""
        self.conditions = msgspec.structs.replace(self.conditions, allow_busy=True)

    def _job(self, arm: Entrant, number: int, *, begins_round: bool, **how: Any) -> Job:
        """The job of run `number` (from 0), with what all share. Who uses the file is asked before
        the first run and each round; whoever comes later than the first is named.
        """
        any_started = self._checks.any_started
        shared = {name: getattr(self.conditions, name) for name in RunConditions.__struct_fields__}
        shared["allow_busy"] |= any_started
        return Job(
            config=arm.config,
            program=arm.program,
            portion_place=place_of_run(number) if how["cache"] == "cold" else 0.0,
            looks_for_users=begins_round or not any_started,
            **shared,
            **how,
        )


SomeSession = TypeVar("SomeSession", bound=ExperimentSession[Any])


class SingleRun(ExperimentSession[Job]):
    """One job, whose experiment is over with it."""

    kind: Kind = "single"
    may_end_early = False

    def __init__(self, label: Label, job: Job, limits: Limits = UNKNOWN_LIMITS) -> None:
        super().__init__(job, limits)
        self.order = (label,)
        self._results: tuple[RunResult, ...] = ()

    @property
    def arms(self) -> dict[Label, Entrant]:
        """The only one."""
        label, job = self.order[0], self.conditions
        return {label: Entrant(label, job.strategy, job.config)}

    @property
    def done_runs(self) -> int:
        """One when the run is over."""
        return len(self._results)

    @property
    def stopped(self) -> bool:
        """Whether it has not come to its end."""
        return not self._results

    def next_job(self) -> tuple[Label, Job] | None:
        """The run, once."""
        return None if self._results else (self.order[0], self.conditions)

    def add(self, record: RunRecord) -> RunResult:
        """Sum the run up."""
        result = summarise(record)
        self._results = (with_warning(result, faster_than_probed(result, self.limits)),)
        return self._results[0]

    def results(self, _label: Label) -> tuple[RunResult, ...]:
        """The run's result."""
        return self._results


class ExperimentRun(NamedTuple, Generic[SomeSession]):
    """An experiment whose runs can be made, begun or resumed, and where they are kept.

    `commands` are those of its strategies that the person gave now, or agreed to.
    """

    session: SomeSession
    inspection: Inspection
    recorder: Recorder
    commands: Commands = NO_COMMANDS


def recorder_of(
    history: History | None, session: ExperimentSession[Any], inspection: Inspection
) -> Recorder:
    """The recorder of an experiment that begins; nothing is kept without `history`."""
    origin = origin_of(inspection)
    return Recorder(history, session.kind, origin, session.arms.values(), session.conditions)


def begin(
    history: History | None,
    session: SomeSession,
    inspection: Inspection,
    commands: Commands = NO_COMMANDS,
) -> ExperimentRun[SomeSession]:
    """An experiment that begins, with the commands of its strategies that are some."""
    return ExperimentRun(session, inspection, recorder_of(history, session, inspection), commands)


class Answered(Protocol):
    """The result of an experiment; the history keeps its `answer` with the runs."""

    @property
    def answer(self) -> object:
        """What to do, and why."""


Result = TypeVar("Result", bound=Answered)


class RunView:
    """Shows the run under way, or not. What its methods raise ends the run, and goes upwards."""

    def __enter__(self) -> Self:
        """Runs are going to be made."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is shown any more."""

    def begin(self, label: str, place: str) -> None:
        """A run of this strategy starts."""

    def prepare(self) -> None:
        """Run the command that is wanted before each run, if there is one."""

    def follow(self, event: AnyEvent, record: RunRecord) -> None:
        """It reported something."""

    def lost(self, server: str) -> None:
        """The connection was, and is tried again."""

    def interrupted(self, kind: Kind, recorder: Recorder) -> bool:
        """The runs were stopped (Ctrl-C, or one that failed); returns whether a Ctrl-C ends them
        alone, where what has been measured says something by itself.
        """
        del kind, recorder
        return False


def run_experiment(
    experiment: ExperimentRun[SomeSession], view: RunView, judge: Callable[[], Result]
) -> Result:
    """Make the runs that are left, `judge` them, and note in the history how it ended."""
    session, recorder = experiment.session, experiment.recorder
    result: Result | None = None
    try:
        try:
            with keep_awake(_WHY_AWAKE[session.kind]), view:
                _make_runs(experiment, view)
        except BaseException as error:
            ends_alone = view.interrupted(session.kind, recorder)
            if not (ends_alone and isinstance(error, KeyboardInterrupt) and session.conclusive):
                raise
            session.stop()
        result = judge()
    finally:
        recorder.end(
            "stopped" if session.stopped else "done", result.answer if result is not None else None
        )
    return result


def _make_runs(experiment: ExperimentRun[SomeSession], view: RunView) -> None:
    """Make the runs that are left, and keep each as it ends. One that a lost connection cut off is
    made again, for `RECONNECT_S` at the most.
    """
    from modelmon.core.remote import connection  # noqa: PLC0415  the window only wants the constants

    session, server = experiment.session, experiment.inspection.server
    lost_s: float | None = None
    with Standby(server) as standby:
        while (step := session.next_job()) is not None:
            label, job = step
            view.begin(label, session.place)
            view.prepare()
            lines = EventLines()
            left_ns = session.run_left_ns
            most_s = None if left_ns is None else left_ns / 1e9
            command = command_for(label, experiment.commands)
            record = run_job(job, view.follow, lines, most_s, standby, command, server)
            if record.finished is None and (session.run_left_ns or 0) < 0:
                session.stop()
                return
            if record.failed is not None and record.failed.kind == "disconnected":
                lost_s = time.monotonic() if lost_s is None else lost_s
                if time.monotonic() - lost_s < RECONNECT_S:
                    view.lost(server)
                    time.sleep(AGAIN_S)
                    connection.reach_again(server)
                    continue
            lost_s = None
            result = session.add(record)
            if result is not None:
                experiment.recorder.add(label, result, lines.data)


def resume(  # noqa: PLR0913, PLR0917  what makes it this experiment, and how it goes on
    kind: type[SomeSession],
    history: History,
    reference: str,
    inspection: Inspection,
    commands: Commands = NO_COMMANDS,
    prepare: str = "",
    budget_ns: int | None = None,
) -> ExperimentRun[SomeSession]:
    """Take up the experiment `x12` of this kind, or the `last` one that was not finished; its
    session takes in the runs so far. With a longer `budget_ns` a search that its own ended goes on,
    too.

    `inspection` is of the model at its path, which is not opened here: whoever asks the history
    must not wait for the model's storage. `commands` are those that the person gave again or
    agreed to, `prepare` the one that the caller runs before each run that is left. That others' use
    of the file did not matter is not remembered.

    Raises HistoryError where it is finished or is still running, is of another machine, storage
    or model than is here now, or has lost runs.
    """
    more = {} if budget_ns is None else {"budget_ns": budget_ns}
    experiment = unfinished(history, reference, kind.kind, done_too=bool(more))
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
    session = kind.begun(experiment, inspection, **more)
    check_commands(commands, experiment.arms)
    check_prepare(prepare, session.conditions.prepared_with)
    used = session.resume(all_results(history, experiment.id))
    recorder = Recorder(history, kind.kind, origin, experiment.arms, session.conditions)
    recorder.go_on(experiment.id, used)
    return ExperimentRun(session, inspection, recorder, commands)


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
    """The experiment of this kind called `x12`, or the `last` one that was not finished and that
    nobody is at; `x12` may be finished with `done_too`.

    Raises HistoryError where there is none.
    """
    if reference == LAST:
        begun = (row for row in history.experiments() if row.kind == kind and row.state != "done")
        found = next((row for row in begun if not is_at_work(row)), None)
        if found is None:
            raise HistoryError(
                Message("No Find best run is waiting to be resumed.")
                if kind == "best"
                else Message("No comparison is waiting to be resumed."),
                SEE_RUNS,
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
            SEE_RUNS,
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


_MOST_EARLIER = 100


class RunAnalysis(NamedTuple):
    """What one run tells, and the least time in which it could have read here; of a watched program
    also the judgment of its whole wait.
    """

    result: RunResult
    record: RunRecord
    bottleneck: Bottleneck
    least_ns: int | None
    wait: WaitVerdict | None


def analyze(
    record: RunRecord,
    inspection: Inspection,
    earlier: Sequence[RunResult] = (),
    history: History | None = None,
) -> RunAnalysis:
    """What a run tells, beside `earlier` ones of the same, and of a program beside what is in the
    `history` of its load settings. Raises the error of one that did not finish.
    """
    limits = known_limits(inspection)
    result, tests = summarise(record), list[RunRow]()
    if history is not None and result.is_program:
        origin = origin_of(inspection)
        here = origin.model.digest, origin.machine.id, origin.storage.id
        tests = tests_of(history, result, *here)
    result = with_warning(result, faster_than_probed(result, limits))
    limits = limits_seen(limits, earlier)
    if limits.device_bytes_per_s is not None:
        limits = raised_by(limits, [result])
    return analysis_of(record, result, limits, (*earlier, result), tests)


def analysis_of(
    record: RunRecord,
    result: RunResult,
    limits: Limits = UNKNOWN_LIMITS,
    seen: Sequence[RunResult] = (),
    tests: Sequence[RunRow] = (),
) -> RunAnalysis:
    """What a run tells where its storage has these limits, beside runs that were `seen` there."""
    return RunAnalysis(
        result,
        record,
        bottleneck_of(result, limits, seen),
        least_reading_ns(result, limits),
        judge(result, limits, tests=tests) if result.is_program else None,
    )


def earlier_runs(inspection: Inspection) -> list[RunResult]:
    """The last runs of this model on this disk that count; none where the history can't be read,
    which whoever writes to it says.
    """
    origin, history = origin_of(inspection), History()
    here = RunFilter(
        model=origin.model.digest,
        machine_id=origin.machine.id,
        storage_id=origin.storage.id,
        counts=True,
        limit=_MOST_EARLIER,
    )
    with suppress(HistoryError):
        return [
            history.result(row.id)
            for row in history.runs(here)
            if not other_content(row.model_content, origin.model.content)
        ]
    return []


def tests_of(
    history: History, program: RunFigures, model: str, machine_id: str, storage_id: str
) -> list[RunRow]:
    """The last runs of a program's preset that count, of the model with this digest here."""
    preset = known_name(program.command, program.strategy)
    here = RunFilter(
        model=model,
        strategy=f"{preset} ",
        machine_id=machine_id,
        storage_id=storage_id,
        counts=True,
        limit=_MOST_EARLIER,
    )
    with suppress(HistoryError):
        return history.runs(here) if preset else []
    return []


def keep(
    inspection: Inspection, job: Job, result: RunResult, lines: EventLines
) -> tuple[int | None, Message]:
    """Enter the run into the history; its number there, or None and why it has none."""
    recorder = recorder_of(History(), SingleRun("A", job), inspection)
    run_id = recorder.add("A", result, lines.data)
    recorder.end("done")
    return run_id, recorder.problem
