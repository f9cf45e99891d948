"""Find best from the question to the recommendation: plan, runs, conclusion."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from modelmon.core.comparison.commands import NO_COMMANDS, Commands
from modelmon.core.errors import ModelmonError
from modelmon.core.find_best.plan import DEFAULT_BUDGET_NS, BestPlan, ProgramPlan
from modelmon.core.find_best.session import search_session
from modelmon.gui.background.command_query import CommandQuery
from modelmon.gui.background.commands import (
    Command,
    race_plan_arguments,
    tune_plan_arguments,
)
from modelmon.gui.best.race_runs import RaceRuns
from modelmon.gui.best.race_words import OBJECTIVES, nothing_measured, refused
from modelmon.gui.language import said, tr
from modelmon.gui.session.notices import Choice
from modelmon.gui.session.watched_run import LIMIT_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.comparison.runner import ExperimentRun
    from modelmon.core.doctor.diagnosis import Diagnosis
    from modelmon.core.find_best.result import Objective, Recommendation
    from modelmon.core.find_best.session import SearchSession
    from modelmon.gui.background.history_access import RunRecorder
    from modelmon.gui.session.run_controller import RunController
    from modelmon.gui.session.session import Held, Session


class FindBestController(QObject):
    """Races ways to load for a session: modelmon's own, or the settings of a program.

    `planned` is the BestPlan or ProgramPlan of the last `plan` or `plan_tuning`, `plan_failed`
    why there is none and what to do.
    """

    planned = Signal(object)
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
        self.engine = ""
        """Whose settings were asked for last; empty for modelmon's loader."""
        self.limit_s = LIMIT_S
        self.more: tuple[str, ...] = ()
        self.place = ""
        """Where that program is, if that was said."""
        self._session = session
        self._runs = runs
        self._diagnosis = diagnosis
        self._asking = CommandQuery(make_command, self)
        self._unadvised: SearchSession | None = None

    @property
    def in_memory(self) -> bool:
        """Whether the files of the open model lie in memory, so that no start of it is cold."""
        return self._session.in_memory

    @property
    def objective(self) -> Objective:
        """What was asked for last, where that is possible."""
        return self.usual_objective if self._objective == "cold" else self._objective

    @property
    def usual_objective(self) -> Objective:
        """The fastest first start that there is."""
        return "warm" if self.in_memory else "cold"

    def prefer(self, objective: Objective) -> None:
        """Propose this the next time that somebody is asked."""
        self._objective = objective

    def plan(self, objective: Objective, budget_ns: int, include: tuple[str, ...] = ()) -> None:
        """Ask what a race would cost; an answer that is still awaited is given up.

        `include` are further strategies or libraries, or `libraries` for all of them.
        """
        self.give_up_plan()
        self._objective, self.budget_ns = objective, budget_ns
        self.include, self.engine = include, ""
        inspection = self._session.inspection
        if inspection is None:
            return
        arguments = race_plan_arguments(inspection.reference, objective, budget_ns, include)
        self._asking.ask(arguments, BestPlan, self.planned.emit, self._on_no_plan)

    def plan_tuning(  # noqa: PLR0913, PLR0917  what the command takes
        self,
        engine: str,
        objective: Objective,
        budget_ns: int,
        limit_s: int,
        more: tuple[str, ...] = (),
        place: str = "",
    ) -> None:
        """The same for the settings of a program, of the one at a `place` if that is named, which
        gets `more` options, and is ended after `limit_s` in each run. It is asked what it can,
        which loads no model.
        """
        self.give_up_plan()
        self._objective, self.budget_ns = objective, budget_ns
        self.engine, self.limit_s, self.more, self.place = engine, limit_s, more, place
        inspection = self._session.inspection
        if inspection is None:
            return
        path = inspection.reference
        arguments = tune_plan_arguments(path, engine, objective, budget_ns, limit_s, more, place)
        self._asking.ask(arguments, ProgramPlan, self.planned.emit, self._on_no_plan)

    def give_up_plan(self) -> None:
        """Nobody waits for the plan any more."""
        self._asking.stop()

    def start(self, plan: BestPlan | ProgramPlan) -> None:
        """Race as planned. Whoever starts a plan of commands has seen them."""
        inspection = self._session.inspection
        if inspection is None or self._session.busy:
            return
        conditions = msgspec.structs.replace(plan.conditions, sample_hz=self._session.sample_hz)
        commands = plan.commands if isinstance(plan, ProgramPlan) else NO_COMMANDS
        try:
            race = search_session(inspection, plan.arms, conditions, plan.excluded)
        except ModelmonError as error:
            self._refuse(error)
            return
        goal = next(tr(name) for value, name, _ in OBJECTIVES if value == conditions.objective)
        count = len(plan.arms)
        started = tr("Find best started: {goal}, {count} strategies", goal=goal, count=count)
        self._session.log(started)

        def go_on_busy() -> None:
            race.go_on_busy()
            self._begin(race, self._runs.recorder(race, inspection), go_on_busy, commands)

        self._begin(race, self._runs.recorder(race, inspection), go_on_busy, commands)

    def go_on(self, underway: ExperimentRun[SearchSession], go_on_busy: Callable[[], None]) -> None:
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
        race: SearchSession,
        recorder: RunRecorder,
        go_on_busy: Callable[[], None],
        commands: Commands = NO_COMMANDS,
    ) -> None:
        self._unadvised = None
        before = self._session.hold()
        self._session.set_comparison(None)
        self._session.races.begin(race)

        def refuse(error: ModelmonError, busy: bool) -> None:
            before.show_again()
            self._refuse(error, (Choice(tr("Start anyway"), go_on_busy),) if busy else ())

        def conclude() -> Recommendation | None:
            return self._conclude(race, recorder, before)

        self._runs.start(RaceRuns(self._session, race, recorder, conclude, refuse), commands)

    def _conclude(
        self, race: SearchSession, recorder: RunRecorder, before: Held
    ) -> Recommendation | None:
        session, inspection = self._session, self._session.inspection
        assert inspection is not None
        diagnosis = self._diagnosis()
        self._unadvised = race if diagnosis is None else None
        try:
            result = race.race(inspection, diagnosis)
        except ModelmonError as error:
            session.log(said(error.text), "error")
            before.show_again()
            session.end(nothing_measured(error.message, error.remedy, stopped=race.stopped))
            return None
        session.log(said(result.recommendation.sentence))
        session.end()
        goes_on = race.ending != "decided" and not race.why_stopped
        session.races.conclude(result, recorder.reference if goes_on else "")
        return result.recommendation

    def _refuse(self, error: ModelmonError, choices: tuple[Choice, ...] = ()) -> None:
        self._session.log(said(error.text), "error")
        self._session.end(refused(error, choices))
