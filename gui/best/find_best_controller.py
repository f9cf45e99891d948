"""Find best from the question to the recommendation: plan, runs, conclusion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from modelmon.core.comparison.commands import NO_COMMANDS, Commands
from modelmon.core.errors import ModelmonError
from modelmon.core.find_best.plan import DEFAULT_BUDGET_NS, LIBRARIES, BestPlan, ProgramPlan
from modelmon.core.find_best.session import SearchSession, search_session
from modelmon.core.messages import NOTHING
from modelmon.gui.background.commands import Command
from modelmon.gui.best.best_words import OBJECTIVES, search_progress
from modelmon.gui.language import said, tr
from modelmon.gui.session.arm_settings import ArmProgram
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.notices import Activity, Choice, Notice, ProgressView
from modelmon.gui.session.run_controller import Runs
from modelmon.gui.session.run_words import cache_text, time_text, with_why_not
from modelmon.gui.session.watched_run import LIMIT_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from modelmon.core.comparison.runner import ExperimentRun
    from modelmon.core.find_best.result import Objective, Recommendation
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.history_access import RunRecorder
    from modelmon.gui.background.worker_process import WorkerProcess
    from modelmon.gui.session.machine import ProgramFinder
    from modelmon.gui.session.notices import ArmLabel, Tone
    from modelmon.gui.session.run_controller import RunController
    from modelmon.gui.session.session import Held, Session


@dataclass(frozen=True, slots=True)
class WantedSearch:
    """What Find best shall find, and in how much time: among modelmon's strategies and, with
    `libraries`, those of libraries, or among the settings of a `program`. That one is at `place` if
    it isn't on PATH, gets `more` options, and is ended after `limit_s` in each run.
    """

    objective: Objective = "cold"
    budget_ns: int = DEFAULT_BUDGET_NS
    libraries: bool = False
    program: str = ""
    place: str = ""
    more: tuple[str, ...] = ()
    limit_s: int = LIMIT_S
    settings: frozenset[str] = frozenset()
    """Those that are ticked at first; all where there are none."""


class FindBestController(Controller):
    """Finds the best strategy for a session, or the best settings of a program.

    `planned` is the BestPlan or ProgramPlan of what was wanted last, `plan_failed` why there is
    none and what to do. `begun` and `used` say that the ranking and the cards are to be seen.
    """

    planned = Signal(object)
    plan_failed = Signal(str, str)
    begun = Signal()
    used = Signal()

    def __init__(
        self,
        session: Session,
        runs: RunController,
        programs: ProgramFinder,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(session, make_command, parent)
        self.session, self.programs = session, programs
        self.wanted = WantedSearch()
        """What was asked for last."""
        self._runs = runs

    def possible(self, objective: Objective) -> Objective:
        """The objective, or the fastest start that there is for a model in memory."""
        return "warm" if objective == "cold" and self.session.in_memory else objective

    def ask(self, parent: QWidget) -> None:
        """Ask what shall be found and how long it may take."""
        from modelmon.gui.best.best_dialog import (  # noqa: PLC0415  start sooner without it
            FindBestDialog,
        )

        FindBestDialog(self, parent.window()).open()

    def ask_for_program(
        self,
        parent: QWidget,
        program: str,
        place: str,
        settings: frozenset[str] = frozenset(),
        more: tuple[str, ...] = (),
    ) -> None:
        """Ask the same of a program's settings, or of these; of the one at a `place` if that is
        named, started with `more` options.
        """
        self.wanted = replace(
            self.wanted, program=program, place=place, settings=settings, more=more
        )
        self.ask(parent)

    def plan(self, wanted: WantedSearch) -> None:
        """Ask what a search would cost; an answer that is still awaited is given up. A program is
        asked what it can, which loads no model.
        """
        self.give_up_plan()
        self.wanted = wanted
        inspection = self.session.inspection
        if inspection is None:
            return
        limit = f"{wanted.budget_ns / 1e9:g}s"
        asked = ["best", inspection.reference, "--objective", wanted.objective]
        asked += ["--time-limit", limit, "--dry-run", "--json"]
        kind: type[BestPlan | ProgramPlan] = BestPlan
        if wanted.program:
            kind = ProgramPlan
            asked += ["--program", wanted.program, "--limit", str(wanted.limit_s)]
            asked += ["--at", wanted.place] if wanted.place else []
            asked += ["--", *wanted.more]
        elif wanted.libraries:
            asked += ["--include", LIBRARIES]
        self._asking.ask(asked, kind, self.planned.emit, self._on_no_plan)

    def give_up_plan(self) -> None:
        """Nobody waits for the plan any more."""
        self._asking.stop()

    def start(self, plan: BestPlan | ProgramPlan) -> None:
        """Search as planned. Whoever starts a plan of commands has seen them."""
        session, inspection = self.session, self.session.inspection
        if inspection is None or session.busy:
            return
        conditions = msgspec.structs.replace(plan.conditions, sample_hz=session.sample_hz)
        commands = plan.commands if isinstance(plan, ProgramPlan) else NO_COMMANDS
        try:
            search = search_session(inspection, plan.arms, conditions, plan.excluded)
        except ModelmonError as error:
            self._refuse(error)
            return
        goal = next(tr(name) for value, name, _ in OBJECTIVES if value == conditions.objective)
        count = len(plan.arms)
        session.log(tr("Find best started: {goal}, {count} strategies", goal=goal, count=count))

        def go_on_busy() -> None:
            search.go_on_busy()
            self._begin(search, self._runs.recorder(search, inspection), go_on_busy, commands)

        self._begin(search, self._runs.recorder(search, inspection), go_on_busy, commands)

    def resume(self, reference: str, budget_ns: int | None = None) -> None:
        """Go on with the search `x12`, in so much time for all of it or in what it has left; why it
        cannot be is said in the slot.
        """
        self._runs.take_up(reference, SearchSession, self.go_on, budget_ns)

    def go_on(self, underway: ExperimentRun[SearchSession], go_on_busy: Callable[[], None]) -> None:
        """Make the runs that a stopped search still needs; nothing else is under way.

        `go_on_busy` takes it up again where others use the file and that does not matter.
        """
        search, inspection, recorder, commands = underway
        resumed = self._runs.recorder(search, inspection, recorder)
        self._begin(search, resumed, go_on_busy, commands)

    def use(self, arm: ArmLabel, label: str = "") -> None:
        """Let a card load by a strategy of the ranking, or by the recommended one."""
        session, found = self.session, self.session.races.race
        if found is None or session.busy:
            return
        label = label or found.recommendation.label
        if found.command:
            # Whoever has begun it here has read its commands.
            run = next(run.result for run in found.runs if run.label == label)
            agreed = not session.races.is_restored
            session.set_program(arm, ArmProgram.of_run(run, self.wanted.limit_s, agreed=agreed))
        else:
            session.set_config(arm, found.standing(label).config)
        self.used.emit()

    def _on_no_plan(self, message: str, remedy: str) -> None:
        self.plan_failed.emit(said(message), said(remedy))

    def _begin(
        self,
        search: SearchSession,
        recorder: RunRecorder,
        go_on_busy: Callable[[], None],
        commands: Commands = NO_COMMANDS,
    ) -> None:
        before = self.session.hold()
        self.session.conclude(None)
        self.session.races.begin(search)

        def refuse(error: ModelmonError, busy: bool) -> None:
            before.show_again()
            self._refuse(error, (Choice(tr("Start anyway"), go_on_busy),) if busy else ())

        conclude = partial(self._conclude, search, recorder, before)
        runs = SearchRuns(self.session, search, recorder, conclude, refuse)
        self._runs.start(runs, commands)
        self.begun.emit()

    def _conclude(
        self, search: SearchSession, recorder: RunRecorder, before: Held
    ) -> Recommendation | None:
        session, inspection = self.session, self.session.inspection
        assert inspection is not None
        try:
            result = search.race(inspection)
        except ModelmonError as error:
            session.log(said(error.text), "error")
            before.show_again()
            none = tr("Find best stopped before any run finished.")
            session.end(
                Notice(none, tr("No recommendation."))
                if search.stopped
                else Notice(said(error.message), said(error.remedy), tone="bad")
            )
            return None
        session.log(said(result.recommendation.sentence))
        session.end()
        goes_on = search.ending != "decided" and not search.why_stopped
        session.conclude(result, recorder.reference if goes_on else "")
        return result.recommendation

    def _refuse(self, error: ModelmonError, choices: tuple[Choice, ...] = ()) -> None:
        self.session.log(said(error.text), "error")
        tone: Tone = "warn" if choices else "bad"
        ended = tr("Find best ended.")
        self.session.end(Notice(said(error.message), said(error.remedy), ended, tone, choices))


class SearchRuns(Runs):
    """Shows the runs of a search, which are no arm's: neither the cards nor the plots show them.

    `conclude` is called when it is over, decided or stopped; `refuse` in its place with the error
    that ended it, and whether that was others' use of the file.
    """

    activity = Activity.RACING

    def __init__(
        self,
        session: Session,
        search: SearchSession,
        recorder: RunRecorder,
        conclude: Callable[[], Recommendation | None],
        refuse: Callable[[ModelmonError, bool], None],
    ) -> None:
        super().__init__(session, search, recorder)
        self._conclude, self._refuse = conclude, refuse
        self._place = ""

    def view(self, record: RunRecord | None) -> ProgressView:
        """Where the search stands now."""
        if self._session.activity is Activity.STOPPING:
            return ProgressView(tr("Stopping Find best"), detail=tr("Results so far are kept"))
        return search_progress(self.experiment, self._label, record, self._place)

    def begin(self, label: str, worker: WorkerProcess) -> None:
        """A run is about to start."""
        super().begin(label, worker)
        self._place = self.experiment.place
        self._session.races.run(label)

    def end(self, result: RunResult | None) -> None:
        """Log a run that is over, or why a strategy cannot run."""
        if result is None:
            search, failed = self.experiment, self._worker.record.failed
            why = search.failed.get((self._label, search.conditions.cache), NOTHING)
            if failed is not None and not why:
                why = failed.message
            text = tr("Find best: {way} can't run. {why}", way=self._label, why=why)
            self._session.log(text, "warning")
            return
        text = tr(
            "Find best, {way}: {time}, {start}",
            way=self._label,
            time=time_text(result),
            start=cache_text(result).lower(),
        )
        self._session.log(with_why_not(text, result))
        self._session.races.run("")

    def keep(self, run_id: int) -> None:
        """The history has the run."""
        self._session.run_kept.emit(run_id)
        self._session.resumable.emit()

    def conclude(self) -> Recommendation | None:
        """No run is left; returns what the history keeps of it."""
        self._session.races.run("")
        return self._conclude()

    def fail(self, error: ModelmonError) -> None:
        """The search is over with an error."""
        self._session.races.run("")
        failed = self._worker.record.failed
        self._refuse(error, failed is not None and failed.kind == "busy")
