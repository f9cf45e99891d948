"""Find best from the question to the recommendation: plan, runs, conclusion."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.errors import ModelmonError
from modelmon.core.experiment.commands import NO_COMMANDS, Commands
from modelmon.core.experiment.race.candidates import admission, coarse_candidates
from modelmon.core.experiment.race.plan import DEFAULT_BUDGET_NS, RaceConditions, RacePlan
from modelmon.core.experiment.race.resume import race_session
from modelmon.gui.background.command_query import CommandQuery
from modelmon.gui.background.commands import Command, race_plan_arguments
from modelmon.gui.find_best.race_runs import RaceRuns
from modelmon.gui.find_best.race_words import nothing_measured, refused
from modelmon.gui.look.language import said, tr
from modelmon.gui.window.notices import Choice

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.diagnose.diagnosis import Diagnosis
    from modelmon.core.experiment.race.race import RaceSession
    from modelmon.core.experiment.race.result import Objective
    from modelmon.core.experiment.session import Underway
    from modelmon.gui.history.run_recorder import RunRecorder
    from modelmon.gui.measuring.run_controller import RunController
    from modelmon.gui.session import Session


class FindBestController(QObject):
    """Races ways to load for a session.

    `planned` carries the RacePlan of the latest `plan`, `plan_failed` why there is none and
    what to do.
    """

    planned = Signal(RacePlan)
    plan_failed = Signal(str, str)

    def __init__(
        self,
        session: Session,
        runs: RunController,
        diagnosis: Callable[[], Diagnosis | None] = lambda: None,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        """`diagnosis` gives what the doctor saw last."""
        super().__init__(parent)
        self._objective: Objective = "cold"
        self.budget_ns = DEFAULT_BUDGET_NS
        self.include: tuple[str, ...] = ()
        self._session = session
        self._runs = runs
        self._diagnosis = diagnosis
        self._asking = CommandQuery(make_command, self)
        self._unadvised: RaceSession | None = None

    @property
    def in_memory(self) -> bool:
        """Whether the files of the open model lie in memory, so that no start of it is cold."""
        return self._session.in_memory

    @property
    def objective(self) -> Objective:
        """What was asked for last, where that is possible."""
        return "warm" if self._objective == "cold" and self.in_memory else self._objective

    def plan(self, objective: Objective, budget_ns: int, include: tuple[str, ...] = ()) -> None:
        """Ask what a race would cost; an answer that is still awaited is given up.

        `include` are further strategies or libraries, or `libraries` for all of them.
        """
        self.give_up_plan()
        self._objective, self.budget_ns, self.include = objective, budget_ns, include
        inspection = self._session.inspection
        if inspection is None:
            return
        arguments = race_plan_arguments(inspection.model.path, objective, budget_ns, include)
        self._asking.ask(arguments, RacePlan, self.planned.emit, self._on_no_plan)

    def give_up_plan(self) -> None:
        """Nobody waits for the plan any more."""
        self._asking.stop()

    def start(self, plan: RacePlan) -> None:
        """Race as planned."""
        session, inspection = self._session, self._session.inspection
        if inspection is None or session.busy:
            return
        model, part = inspection.model, plan.portion_bytes
        conditions = RaceConditions(
            path=model.path,
            objective=plan.objective,
            budget_ns=plan.budget_ns,
            first_cost_ns=plan.run_ns,
            portion_bytes=part,
            sample_hz=session.sample_hz,
            why_portion=plan.why_portion,
            seed=int(time.time()),
            in_memory=self.in_memory,
            why_streamed=plan.why_streamed,
        )
        found = coarse_candidates(model, plan.deliver, self.include, admission(model, part))
        try:
            race = race_session(inspection, found, conditions)
        except ModelmonError as error:
            self._refuse(error)
            return
        text = tr(
            "Find best: testing {count} strategies for {objective}.",
            count=len(found.chosen),
            objective=plan.objective,
        )
        session.log(text)

        def go_on_busy() -> None:
            race.go_on_busy()
            self._work_off(race, self._runs.recorder(race, inspection), go_on_busy)

        self._begin(race, self._runs.recorder(race, inspection), go_on_busy)

    def go_on(self, underway: Underway[RaceSession], go_on_busy: Callable[[], None]) -> None:
        """Make the runs that a stopped race still needs; nothing else is under way.

        `go_on_busy` takes it up again where others use the file and that does not matter.
        """
        race, inspection, recorder, commands = underway
        self._begin(race, self._runs.recorder(race, inspection, recorder), go_on_busy, commands)

    def advise(self) -> None:
        """The doctor has looked: what it saw is added to a race that ended before."""
        session, race, diagnosis = self._session, self._unadvised, self._diagnosis()
        verdict, inspection = session.races.verdict, session.inspection
        if race is None or diagnosis is None or verdict is None or inspection is None:
            return
        self._unadvised = None
        result = race.race(inspection, diagnosis)
        session.races.conclude(result, session.races.reference)

    def stop(self) -> None:
        """The runs are stopped by RunController, and a plan by whoever has asked for it."""

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._asking.shut_down()

    def _on_no_plan(self, message: str, remedy: str) -> None:
        self.plan_failed.emit(said(message), said(remedy))

    def _begin(
        self,
        race: RaceSession,
        recorder: RunRecorder,
        go_on_busy: Callable[[], None],
        commands: Commands = NO_COMMANDS,
    ) -> None:
        self._unadvised = None
        self._session.set_comparison(None)
        self._session.races.begin(race)
        self._work_off(race, recorder, go_on_busy, commands)

    def _work_off(
        self,
        race: RaceSession,
        recorder: RunRecorder,
        go_on_busy: Callable[[], None],
        commands: Commands = NO_COMMANDS,
    ) -> None:
        def refuse(error: ModelmonError, busy: bool) -> None:
            self._refuse(error, (Choice(tr("Start anyway"), go_on_busy),) if busy else ())

        def conclude() -> None:
            self._conclude(race, recorder)

        self._runs.start(RaceRuns(self._session, race, recorder, conclude, refuse), commands)

    def _conclude(self, race: RaceSession, recorder: RunRecorder) -> None:
        session, inspection = self._session, self._session.inspection
        assert inspection is not None
        diagnosis = self._diagnosis()
        self._unadvised = race if diagnosis is None else None
        try:
            result = race.race(inspection, diagnosis)
        except ModelmonError as error:
            session.log(said(error.text), "error")
            session.end(nothing_measured(error.message, error.remedy, stopped=race.stopped))
            return
        session.log(said(result.recommendation.sentence))
        session.end()
        goes_on = race.ending != "decided" and not race.why_stopped
        session.races.conclude(result, recorder.reference if goes_on else "")

    def _refuse(self, error: ModelmonError, choices: tuple[Choice, ...] = ()) -> None:
        self._session.log(said(error.text), "error")
        self._session.end(refused(error, choices))
