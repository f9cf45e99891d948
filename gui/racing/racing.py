"""Find best from the question to the recommendation: plan, runs, conclusion."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from modelmon.core.errors import ModelmonError
from modelmon.core.experiment.history.origin import origin_of
from modelmon.core.experiment.history.recorder import Recorder
from modelmon.core.experiment.history.rows import ArmOf
from modelmon.core.experiment.probe.limits import known_limits
from modelmon.core.experiment.race.candidates import admission, coarse_candidates
from modelmon.core.experiment.race.plan import DEFAULT_BUDGET_NS, RaceConditions, RacePlan
from modelmon.core.experiment.race.race import RaceSession
from modelmon.gui.asking import Asking
from modelmon.gui.commands import Command, race_plan_arguments
from modelmon.gui.history.keeping import Keeper
from modelmon.gui.language import said, tr
from modelmon.gui.racing.race_runs import RaceRuns
from modelmon.gui.racing.race_words import nothing_measured, refused
from modelmon.gui.session import Activity
from modelmon.gui.slot import Choice
from modelmon.gui.worker_process import WorkerProcess

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.experiment.history.history import History
    from modelmon.core.experiment.preflight.diagnosis import Diagnosis
    from modelmon.core.experiment.preflight.preflight import Preflight
    from modelmon.core.experiment.race.result import Excluded, Objective
    from modelmon.core.experiment.race.resume import RaceUnderway
    from modelmon.core.worker.events import Job
    from modelmon.gui.history.access import HistoryAccess
    from modelmon.gui.session import Session

_DELIVER = "usable"


class Racing(QObject):
    """Races ways to load for a session.

    `planned` carries the RacePlan of the latest `plan`, `plan_failed` why there is none and
    what to do.
    """

    planned = Signal(RacePlan)
    plan_failed = Signal(str, str)

    def __init__(  # noqa: PLR0913, PLR0917  what a test replaces, one by one
        self,
        session: Session,
        history: HistoryAccess | None = None,
        diagnosis: Callable[[], Diagnosis | None] = lambda: None,
        make_command: Callable[[list[str]], Command] = Command,
        make_worker: Callable[[Job], WorkerProcess] = WorkerProcess,
        parent: QObject | None = None,
    ) -> None:
        """`diagnosis` gives what the doctor saw last; without `history` no run is kept."""
        super().__init__(parent)
        self.objective: Objective = "cold"
        self.budget_ns = DEFAULT_BUDGET_NS
        self.include: tuple[str, ...] = ()
        self._session = session
        self._history = history
        self._diagnosis = diagnosis
        self._asking = Asking(make_command, self)
        self._make_worker = make_worker
        self._runs: RaceRuns | None = None
        self._keeper: Keeper | None = None
        self._unadvised: RaceSession | None = None

    def plan(self, objective: Objective, budget_ns: int, include: tuple[str, ...] = ()) -> None:
        """Ask what a race would cost; an answer that is still awaited is given up.

        `include` are further strategies or libraries, or `libraries` for all of them.
        """
        self.give_up_plan()
        self.objective, self.budget_ns, self.include = objective, budget_ns, include
        preflight = self._session.preflight
        if preflight is None:
            return
        arguments = race_plan_arguments(preflight.model.path, objective, budget_ns, include)
        self._asking.ask(arguments, self._on_plan, self._on_no_plan)

    def give_up_plan(self) -> None:
        """Nobody waits for the plan any more."""
        self._asking.stop()

    def start(self, plan: RacePlan) -> None:
        """Race as planned."""
        session, preflight = self._session, self._session.preflight
        if preflight is None or session.busy:
            return
        model, part = preflight.model, plan.portion_bytes
        admit = admission(model, part)
        conditions = RaceConditions(
            path=model.path,
            objective=plan.objective,
            budget_ns=plan.budget_ns,
            first_cost_ns=plan.run_ns,
            portion_bytes=part,
            sample_hz=session.sample_hz,
            why_portion=plan.why_portion,
            seed=int(time.time()),
        )
        found = coarse_candidates(model, _DELIVER, self.include, admit)
        try:
            race = RaceSession(found.chosen, conditions, admit, known_limits(preflight.storage))
        except ModelmonError as error:
            self._refuse(error)
            return
        text = tr(
            "Find best: {count} ways to load race for {objective}.",
            count=len(found.chosen),
            objective=plan.objective,
        )
        session.log(text)
        self._begin(race, partial(_recorder, preflight=preflight, race=race), found.excluded)

    def go_on(self, underway: RaceUnderway) -> None:
        """Make the runs that a stopped race still needs; nothing else is under way."""
        session, (race, preflight, recorder, excluded) = self._session, underway
        if session.preflight is None or session.preflight.model.path != preflight.model.path:
            session.set_preflight(preflight)
        race.go_on_busy()
        self._begin(race, lambda _: recorder, excluded, recorder)

    def advise(self) -> None:
        """The doctor has looked: what it saw is added to a race that ended before."""
        session, race, diagnosis = self._session, self._unadvised, self._diagnosis()
        verdict, preflight = session.races.verdict, session.preflight
        if race is None or diagnosis is None or verdict is None or preflight is None:
            return
        self._unadvised = None
        result = race.race(preflight, diagnosis, verdict.excluded)
        session.races.conclude(result, session.races.resumable)

    def stop(self) -> None:
        """End the race with the best so far."""
        if self._runs is not None:
            self._runs.stop()

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._asking.shut_down()
        if self._runs is not None and self._keeper is not None:
            self._runs.shut_down()
            self._runs = None
            self._keeper.end("stopped")

    def _on_plan(self, output: bytes) -> None:
        try:
            plan = msgspec.json.decode(output, type=RacePlan)
        except msgspec.DecodeError as error:
            self.plan_failed.emit(tr("The plan cannot be understood: {why}.", why=str(error)), "")
            return
        self.planned.emit(plan)

    def _on_no_plan(self, message: str, remedy: str) -> None:
        self.plan_failed.emit(said(message), said(remedy))

    def _begin(
        self,
        race: RaceSession,
        make: Callable[[History], Recorder],
        excluded: tuple[Excluded, ...],
        recorder: Recorder | None = None,
    ) -> None:
        complain = partial(self._session.log, level="warning")
        self._keeper = Keeper(self._history, make, complain, recorder)
        self._unadvised = None
        self._session.set_comparison(None)
        self._session.races.begin(race, excluded)
        self._work_off(race, self._keeper)

    def _work_off(self, race: RaceSession, keeper: Keeper) -> None:
        runs = self._runs = RaceRuns(self._session, race, keeper, self._make_worker, self)
        runs.over.connect(lambda: self._conclude(race, keeper))
        runs.refused.connect(lambda error, kind: self._on_refused(race, keeper, error, kind))
        self._session.begin(Activity.RACING, runs.progress)
        runs.start()

    def _release(self) -> None:
        if self._runs is not None:
            self._runs.deleteLater()
            self._runs = None

    def _conclude(self, race: RaceSession, keeper: Keeper) -> None:
        session, preflight = self._session, self._session.preflight
        assert preflight is not None
        self._release()
        stopped = race.ending == "stopped"
        keeper.end("stopped" if stopped else "done")
        diagnosis = self._diagnosis()
        self._unadvised = race if diagnosis is None else None
        try:
            result = race.race(preflight, diagnosis, session.races.excluded)
        except ModelmonError as error:
            session.log(said(str(error)), "error")
            session.end(nothing_measured(error.message, error.remedy, stopped=stopped))
            return
        session.log(said(result.recommendation.sentence))
        session.end()
        session.races.conclude(result, keeper.reference if stopped and not race.why_stopped else "")

    def _on_refused(
        self, race: RaceSession, keeper: Keeper, error: ModelmonError, kind: str
    ) -> None:
        self._release()
        keeper.end("stopped")

        def go_on() -> None:
            race.go_on_busy()
            self._work_off(race, keeper)

        choices = (Choice(tr("Race anyway"), go_on),) if kind == "busy" else ()
        self._refuse(error, choices)

    def _refuse(self, error: ModelmonError, choices: tuple[Choice, ...] = ()) -> None:
        self._session.log(said(str(error)), "error")
        self._session.end(refused(error, choices))


def _recorder(history: History, preflight: Preflight, race: RaceSession) -> Recorder:
    origin = origin_of(preflight.model, preflight.storage)
    arms = [ArmOf(arm.label, arm.strategy, arm.config) for arm in race.field.entrants]
    return Recorder(history, "best", origin, arms, race.conditions)
