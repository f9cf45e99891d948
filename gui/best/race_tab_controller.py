"""What a person does with Find best: ask for it, follow it, use what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.gui.session.arm_settings import ArmProgram

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.comparison.runner import ExperimentRun
    from modelmon.core.find_best.plan import BestPlan, ProgramPlan
    from modelmon.core.find_best.result import Objective
    from modelmon.core.find_best.session import SearchSession
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.shell.main_window import MainWindow


class RaceTabController(QObject):
    """Joins the window's race with its dialog, tab and slot."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.machine.changed.connect(window.find_best_controller.advise)
        window.workspace.slot.use_wanted.connect(self.use_best)
        window.workspace.race.use_wanted.connect(self.use)
        window.workspace.slot.details_wanted.connect(window.workspace.race.show_details)
        window.workspace.race.budget_wanted.connect(self._continue)
        window.workspace.race.objective_wanted.connect(self._ask_to_find)
        window.resume_controller.race_found.connect(self._go_on)

    def ask(self) -> None:
        """Ask what shall be found and how long it may take."""
        from modelmon.gui.best.race_dialog import (  # noqa: PLC0415  start sooner without it
            RaceDialog,
        )

        dialog = RaceDialog(self._window.find_best_controller, self._window.programs, self._window)
        dialog.start_wanted.connect(self._start)
        dialog.open()

    def _ask_to_find(self, objective: Objective) -> None:
        """Ask with this objective chosen."""
        self._window.find_best_controller.prefer(objective)
        self.ask()

    def ask_for_program(self, engine: str, place: str) -> None:
        """Ask the same of a program's settings; of the one at a `place` if that is named."""
        programs = self._window.find_best_controller
        if (engine, place) != (programs.engine, programs.place):
            programs.engine, programs.place, programs.more = engine, place, ()
        self.ask()

    def use_best(self) -> None:
        """Let card B load as the race recommends, and show the cards."""
        race = self._window.session.races.race
        if race is not None:
            self.use("B", race.recommendation.label)

    def use(self, arm: ArmLabel, strategy: str) -> None:
        """Let a card load by a strategy of the race, and show the cards."""
        session = self._window.session
        race = session.races.race
        if race is None or session.busy:
            return
        if race.command:
            # Whoever has begun it here has read its commands.
            run = next(run.result for run in race.runs if run.label == strategy)
            limit_s = self._window.find_best_controller.limit_s
            agreed = race is not session.from_before
            session.set_program(arm, ArmProgram.of_run(run, limit_s, agreed=agreed))
        else:
            session.set_config(arm, race.standing(strategy).config)
        self._window.workspace.leave_race()

    def _continue(self, budget_ns: int) -> None:
        """Go on with the race that is shown, in so much time for all of it."""
        reference = self._window.session.races.reference
        if reference:
            self._window.resume_controller.resume_search(reference, budget_ns)

    def _go_on(
        self, underway: ExperimentRun[SearchSession], go_on_busy: Callable[[], None]
    ) -> None:
        self._window.find_best_controller.go_on(underway, go_on_busy)
        self._window.workspace.show_race()

    def _start(self, plan: BestPlan | ProgramPlan) -> None:
        self._window.find_best_controller.start(plan)
        self._window.workspace.show_race()
