"""Compare A/B from the button to the verdict: estimate, offer, runs, comparison."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from msgspec import structs

from modelmon.core.comparison.commands import command_arms
from modelmon.core.comparison.compare import CompareSession, Conditions
from modelmon.core.comparison.estimate import Estimate
from modelmon.core.comparison.runner import SingleRun
from modelmon.core.doctor.inspection import known_limits
from modelmon.core.errors import ModelmonError
from modelmon.core.history.rows import Entrant
from modelmon.core.units import size_text
from modelmon.core.worker.events import Job
from modelmon.core.worker.result import middle_run
from modelmon.gui.background.commands import Command, estimate_arguments
from modelmon.gui.compare import narration
from modelmon.gui.compare.arm_runs import ArmRuns
from modelmon.gui.language import mark, tr
from modelmon.gui.session.arm_settings import ArmProgram
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.notices import Choice, Notice, ProgressView, give_up
from modelmon.gui.session.session import LABELS, Activity
from modelmon.gui.session.watched_run import LIMIT_S

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtCore import QObject

    from modelmon.core.comparison.commands import Commands
    from modelmon.core.comparison.result import Verdict
    from modelmon.core.comparison.runner import ExperimentRun
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.history_access import RunRecorder
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.run_controller import RunController
    from modelmon.gui.session.session import Held, Run, Session

LONG_NS = 120e9
"""Above this a comparison asks before it starts, and offers to load a part of the model."""

_STOPPED = (
    mark("Comparison stopped after {done} of {total} pairs."),
    mark(
        "The {done} of {total} pairs so far are saved as {reference}. Resume continues from there."
    ),
)
_STOPPED_EARLY = (
    mark("Comparison stopped after {done} of up to {total} pairs."),
    mark(
        "The {done} of up to {total} pairs so far are saved as {reference}. Resume "
        "continues from there."
    ),
)


@dataclass(frozen=True, slots=True)
class _Plan:
    inspection: Inspection
    estimate: Estimate
    arms: Mapping[ArmLabel, Entrant]
    commands: Commands
    portion_bytes: int | None = None

    @property
    def cost(self) -> str:
        """What it takes."""
        return narration.cost_text(self.estimate, at_least=bool(self.commands))


class CompareController(Controller):
    """Runs comparisons for a session."""

    def __init__(
        self,
        session: Session,
        runs: RunController,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(session, make_command, parent)
        self._runs = runs

    def start(self) -> None:
        """Estimate what the comparison costs, then start it or ask."""
        session = self._session
        if session.inspection is None or session.busy:
            return
        # A verdict that is shown asks for another comparison, whatever the cards are by now.
        if obstacle := session.arms.obstacle_to_comparing():
            session.say(Notice(obstacle, tone="warn"))
            return
        path, arms = session.inspection.reference, self._arms(session.inspection)
        arguments = estimate_arguments(path, arms.values(), session.repeats, session.cache)
        view = ProgressView(
            tr("Estimating how long Compare takes"),
            detail=tr("Reading a small part of the file to see how fast its storage is."),
            server=session.inspection.server,
        )
        session.begin(
            Activity.ESTIMATING, lambda: replace(view, answered=self._asking.worked_ticks)
        )
        self._asking.ask(arguments, Estimate, self._on_estimate, partial(give_up, session))

    def run(self, label: ArmLabel, *, allow_busy: bool = False) -> None:
        """Load the model once as this arm says."""
        session, inspection = self._session, self._session.inspection
        if inspection is None or session.busy:
            return
        job = Job(
            path=inspection.model.path,
            config=session.config(label),
            strategy=session.strategy_name(label),
            cache=session.cache,
            sample_hz=session.sample_hz,
            allow_busy=allow_busy,
        )
        single = SingleRun(label, job, known_limits(inspection))
        recorder = self._runs.recorder(single, inspection)
        self._runs.start(
            ArmRuns(
                session,
                single,
                recorder,
                conclude=lambda: _conclude_single(session, recorder),
                again=lambda: self.run(label, allow_busy=True),
            )
        )

    def stop(self) -> None:
        """Give up the estimate; runs are stopped by RunController."""
        if self._asking.stop() is not None:
            self._session.end(Notice(tr("Estimate stopped."), tr("Nothing was loaded.")))

    def _on_estimate(self, estimate: Estimate) -> None:
        inspection = self._session.inspection
        if inspection is None:
            return
        programs = self._session.arms.programs
        commands: Commands = {at: program.given.words for at, program in programs.items()}
        if commands:
            # A program loads as much of the model as it wants.
            estimate = structs.replace(estimate, portion_bytes=0)
        plan = _Plan(inspection, estimate, self._arms(inspection), commands)
        self._session.log(tr("Compare: {cost}.", cost=plan.cost))
        if estimate.duration_ns <= LONG_NS and inspection.can_stay:
            self._start_runs(plan)
            return
        part = replace(plan, portion_bytes=estimate.portion_bytes or None)
        size = size_text(estimate.portion_bytes)
        only_part = Choice(
            tr("Compare a part ({size})", size=size), lambda: self._start_runs(part), primary=True
        )
        whole = Choice(tr("Compare the whole model"), lambda: self._start_runs(plan))
        self._session.end(narration.offer(estimate, plan.cost, whole, only_part))

    def _start_runs(self, plan: _Plan) -> None:
        session, model, arms = self._session, plan.inspection.model, plan.arms
        conditions = Conditions(
            path=model.path,
            cache=session.cache,
            max_pairs=session.repeats,
            seed=int(time.time()),
            portion_bytes=plan.portion_bytes,
            sample_hz=session.sample_hz,
            timed=session.timed if plan.commands else "ready",
        )
        limits, others = known_limits(plan.inspection), session.loads_here
        self._begin(CompareSession(arms["A"], arms["B"], conditions, limits, others), plan)

    def _arms(self, inspection: Inspection) -> dict[ArmLabel, Entrant]:
        """A and B as the cards stand."""
        session, files = self._session, inspection.model.files
        programs = session.arms.programs
        found = command_arms({at: each.given for at, each in programs.items()}, files)
        return {
            at: found.get(at) or Entrant(at, session.strategy_name(at), session.config(at))
            for at in LABELS
        }

    def resume(self, reference: str) -> None:
        """Go on with the comparison `x12`; why it cannot be is said in the slot."""
        self._runs.take_up(reference, CompareSession, self.go_on)

    def go_on(
        self, underway: ExperimentRun[CompareSession], go_on_busy: Callable[[], None]
    ) -> None:
        """Make the runs that a stopped comparison still needs; nothing else is under way.

        `go_on_busy` takes it up again where others use the file and that does not matter.
        """
        session, (comparing, inspection, _, commands) = self._session, underway
        session.set_cache(comparing.conditions.cache)
        session.set_repeats(comparing.conditions.max_pairs)
        session.set_timed(comparing.conditions.timed)
        for label in LABELS:
            arm = comparing.arms[label]
            if arm.program is None:
                session.set_config(label, arm.config)
            else:
                limit_s = max(1, (arm.limit_ns or LIMIT_S * 10**9) // 10**9)
                program = ArmProgram(arm.program.command, arm.program.ready, limit_s)
                session.set_program(label, program)
        recorder = self._runs.recorder(comparing, inspection, underway.recorder)
        self._run_experiment(comparing, recorder, go_on_busy, commands)

    def _begin(self, comparing: CompareSession, plan: _Plan) -> None:
        cost = plan.estimate
        if plan.portion_bytes:
            share = plan.portion_bytes / plan.inspection.model.nbytes
            cost = structs.replace(
                cost,
                duration_ns=int(cost.duration_ns * share),
                read_bytes=int(cost.read_bytes * share),
            )

        def go_on_busy() -> None:
            comparing.go_on_busy()
            self._begin(comparing, plan)

        # What a program takes is known once it has run.
        expected_ns = None if plan.commands else cost.duration_ns / max(1, cost.runs)
        recorder = self._runs.recorder(comparing, plan.inspection)
        told = replace(plan, estimate=cost).cost
        self._run_experiment(comparing, recorder, go_on_busy, plan.commands, expected_ns, told)

    def _run_experiment(  # noqa: PLR0913, PLR0917  what is shown of them, and how they go on
        self,
        comparing: CompareSession,
        recorder: RunRecorder,
        again: Callable[[], None],
        commands: Commands,
        expected_ns: float | None = None,
        cost: str = "",
    ) -> None:
        session = self._session
        before = session.hold()
        session.conclude(None)
        for label in LABELS:
            session.set_results(label, comparing.results(label))
            shown, arm = session.record(label), comparing.arms[label]
            hello = shown.hello if shown is not None else None
            # What the plots show of other settings isn't the arm's.
            now = arm.config, arm.program
            if hello is not None and (hello.job.config, hello.job.program) != now:
                session.show_record(label, None)
        self._runs.start(
            ArmRuns(
                session,
                comparing,
                recorder,
                conclude=lambda: self._conclude(comparing, before),
                again=again,
                unfinished=lambda notice: self._unfinished(comparing, recorder, notice, before),
                expected_ns=expected_ns,
                cost=cost,
            ),
            commands,
        )

    def _unfinished(
        self,
        comparing: CompareSession,
        recorder: RunRecorder,
        notice: Notice,
        before: Held,
    ) -> Notice | None:
        """What is said over the verdict of before: how to go on, if there is anything to go on
        with. Who stops it sooner is back at that verdict.
        """
        reference, pairs = recorder.reference, comparing.done_runs // 2
        goes_on = reference and pairs and not notice.choices
        if before.has_verdict or not goes_on:
            before.show_again()
        if not goes_on:
            return None if before.has_verdict and notice.tone == "plain" else notice
        total = comparing.conditions.max_pairs
        stopped, kept = _STOPPED_EARLY if comparing.may_end_early else _STOPPED
        done = min(pairs, total)
        return replace(
            notice,
            headline=tr(stopped, done=done, total=total)
            if notice.tone == "plain"
            else notice.headline,
            caveat=tr(kept, done=done, total=total, reference=reference),
            choices=(Choice(tr("Resume"), partial(self.resume, reference), primary=True),),
        )

    def _conclude(self, comparing: CompareSession, before: Held) -> Verdict | None:
        inspection = self._session.inspection
        assert inspection is not None
        try:
            comparison = comparing.comparison(inspection)
        except ModelmonError as error:
            before.show_again()
            give_up(self._session, error.message, error.remedy)
            return None
        for label in LABELS:
            record = typical_record(self._session.runs, comparing.results(label))
            if record is not None:
                self._session.show_record(label, record)
        self._session.conclude(comparison)
        self._session.log(comparison.verdict.sentence)
        self._session.end()
        return comparison.verdict


def typical_record(runs: list[Run], results: tuple[RunResult, ...]) -> RunRecord | None:
    """The record of the run in the middle of those that count; of any, where none counts."""
    shown = [run for run in runs if run.result in results]
    counting = [run for run in shown if run.result is not None and run.result.counts] or shown
    middle = middle_run(run.result for run in counting if run.result is not None)
    return next((run.record for run in counting if run.result is middle), None)


def _conclude_single(session: Session, recorder: RunRecorder) -> None:
    """Say what the run that has ended took."""
    run = session.runs[-1]
    assert run.result is not None
    notice = narration.single_result(run.label, run.result)
    session.end(replace(notice, caveat=recorder.problem or notice.caveat))
