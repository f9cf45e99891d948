"""Brings back what a model was measured to be last, or in an experiment that is asked for, with the
curves that were kept of it; what was stopped can be gone on with.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.core.comparison.compare import CompareSession
from modelmon.core.comparison.result import Comparison
from modelmon.core.comparison.verdict import mirrored
from modelmon.core.find_best.latest import latest_of, outcome_called
from modelmon.core.find_best.result import SearchResult
from modelmon.core.history.groups import typical_records, typical_runs
from modelmon.core.messages import NOTHING
from modelmon.gui.language import mark, said, tr
from modelmon.gui.session.arm_settings import other_arm
from modelmon.gui.session.error_reports import complain
from modelmon.gui.session.notices import Choice, Notice
from modelmon.gui.session.run_words import model_share_text
from modelmon.gui.session.session import LABELS
from modelmon.gui.session.settings import UNFINISHED, outcome_text
from modelmon.gui.widgets.when import when_text

if TYPE_CHECKING:
    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.errors import ModelmonError
    from modelmon.core.find_best.latest import Latest, Stopped
    from modelmon.core.history.rows import RunRow
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.runs.overlay_controller import Key
    from modelmon.gui.shell.main_window import MainWindow


_NO_CURVES = mark("No curves were kept of these runs. Compare again to record new ones.")


class LastMeasured(QObject):
    """Asks the history after a model is opened; whatever was begun meanwhile comes first."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        window.open_controller.model_opened.connect(self._look)
        window.session.activity_changed.connect(self._on_activity)
        self._laid_over: tuple[Key, ...] = ()

    def _look(self) -> None:
        session = self._window.session
        self._say_in_plots("")
        inspection = session.inspection
        if inspection is None:
            return

        def show(latest: Latest) -> None:
            opened = session.inspection
            if opened is not None and opened.model is inspection.model and self._is_blank:
                self._show(latest, inspection)

        def fail(error: ModelmonError) -> None:
            session.log(said(error.text), "warning")

        self._window.history.ask(lambda history: latest_of(history, inspection), show, fail)

    def bring_back(self, experiment_id: int) -> None:
        """Show what an experiment with the open model came to, and set the cards as it compared."""
        session = self._window.session
        inspection = session.inspection
        if inspection is None or session.busy:
            return

        def show(found: Latest) -> None:
            opened = session.inspection
            if session.busy or opened is None or opened.model is not inspection.model:
                return
            session.say(None)
            session.show_program(None)
            session.clusters.step_back()
            session.races.step_back()
            session.set_comparison(None)
            if isinstance(found.found, Comparison):
                session.set_as_compared(found.found)
            for label in LABELS:
                session.set_results(label, ())
                session.show_record(label, None)
            self._show(found, inspection)

        def fail(error: ModelmonError) -> None:
            complain(session, error, warns=True)

        self._window.history.ask(
            lambda history: outcome_called(history, experiment_id, inspection), show, fail
        )

    @property
    def _is_blank(self) -> bool:
        """Whether nothing was done with the model yet."""
        session = self._window.session
        shown = (session.runs, session.comparison, session.races.known, session.notice)
        return not session.busy and not any((*shown, *map(session.results, LABELS)))

    def _show(self, latest: Latest, inspection: Inspection) -> None:
        """Show it without touching what the cards are set to."""
        session, found, stopped = self._window.session, latest.found, latest.stopped
        settings = self._window.settings
        comparing = stopped.session if stopped is not None else None
        session.from_before = found
        if stopped is None and settings.outcome(inspection.reference) in UNFINISHED.values():
            self._note(inspection, found)
        if isinstance(found, SearchResult):
            session.races.conclude(found, latest.reference)
            self._lay_over(found, latest.found_id)
        elif found is not None:
            exchanged = self._exchanged(found)
            if exchanged:
                session.from_before = found = mirrored(found)
            for label in LABELS:
                session.set_results(label, found.runs(label))
            session.set_comparison(found)
            self._show_curves(latest.found_id, exchanged=exchanged)
        if stopped is not None:
            if isinstance(comparing, CompareSession) and not session.comparison:
                for label in LABELS:
                    session.set_results(label, comparing.results(label))
                self._show_curves(stopped.experiment.id)
            session.say(self._offer(stopped, inspection, found))

    def _exchanged(self, found: Comparison) -> bool:
        """Whether A and B were exchanged after that, so that each card is set to the other arm."""
        session = self._window.session
        return all(
            session.strategy(other_arm(arm.label)) == arm.config != session.strategy(arm.label)
            for arm in (found.arm_a, found.arm_b)
        )

    def _show_curves(self, experiment_id: int | None, *, exchanged: bool = False) -> None:
        """Show the run in the middle of each arm, as when the comparison was over, or of the other;
        what the slot and the cards say waits for no recording.
        """
        session = self._window.session
        inspection, comparison = session.inspection, session.comparison
        if experiment_id is None:
            return

        def show(records: dict[str, RunRecord]) -> None:
            opened, shown = session.inspection, map(session.record, LABELS)
            same_model = inspection is not None and opened and opened.model is inspection.model
            if not same_model or session.comparison is not comparison or session.busy or any(shown):
                return
            for label in LABELS:
                recorded = other_arm(label) if exchanged else label
                if recorded in records:
                    session.show_record(label, records[recorded])
            if not records:
                self._say_in_plots(tr(_NO_CURVES))

        def fail(error: ModelmonError) -> None:
            session.log(said(error.text), "warning")

        self._window.history.ask(
            lambda history: typical_records(history, experiment_id), show, fail
        )

    def _lay_over(self, race: SearchResult, experiment_id: int | None) -> None:
        """Show in the plots what the ranking recommends and what A uses, or else the runner-up,
        each in the run in the middle. They are no arm's, and go when something is measured.
        """
        session, best = self._window.session, race.recommendation
        if experiment_id is None:
            return
        of_a = session.strategy("A")
        mine = next((each.label for each in race.standings if each.config == of_a), "")
        labels = dict.fromkeys((best.label, mine or best.runner_up))

        def show(rows: dict[str, RunRow]) -> None:
            names = {rows[at].id: _whole_or_part(at, rows[at]) for at in labels if at in rows}
            if session.from_before is not race or session.races.race is not race or session.busy:
                return
            if not names:
                self._say_in_plots(tr(_NO_CURVES))
            self._laid_over = self._window.runs_tab_controller.overlaying.add_kept(names)

        def fail(error: ModelmonError) -> None:
            session.log(said(error.text), "warning")

        self._window.history.ask(
            lambda history: typical_runs(history, experiment_id, race.cache), show, fail
        )

    def _on_activity(self) -> None:
        self._say_in_plots("")
        if self._laid_over and self._window.session.busy:
            self._window.runs_tab_controller.overlaying.drop(self._laid_over)
            self._laid_over = ()

    def _say_in_plots(self, text: str) -> None:
        """Say this where there is no curve; empty says again what will appear."""
        if self._window.is_furnished:
            self._window.workspace.explain_no_curves(text)

    def _offer(
        self, stopped: Stopped, inspection: Inspection, found: Comparison | SearchResult | None
    ) -> Notice:
        """That it can go on. Whoever goes on is asked whatever is asked when it begins."""
        resuming, experiment = self._window.resume_controller, stopped.experiment
        when = when_text(experiment.created_unix_s, time.time())
        if isinstance(stopped.session, CompareSession):
            go_on, shared = resuming.resume, stopped.session.conditions
            headline = tr(
                "Comparison stopped after {done} of up to {total} pairs, begun {when}.",
                done=stopped.session.done_runs // 2,
                total=shared.max_pairs,
                when=when,
            )
            a, b = (arm.strategy for arm in experiment.arms)
            what = tr("It compares {a} (A) with {b} (B).", a=a, b=b)
        else:
            go_on, count = resuming.resume_search, experiment.runs
            headline = tr(
                "Find best stopped after {count} runs, begun {when}.", count=count, when=when
            )
            what = tr("The ranking so far is in the Find best tab.")
        return Notice(
            headline,
            what,
            tr(
                "Saved as {reference}. Discard keeps its runs in the history.",
                reference=stopped.reference,
            ),
            choices=(
                Choice(tr("Resume"), lambda: go_on(stopped.reference), primary=True),
                Choice(tr("Discard"), lambda: self._discard(stopped, inspection, found)),
            ),
        )

    def _discard(
        self, stopped: Stopped, inspection: Inspection, found: Comparison | SearchResult | None
    ) -> None:
        """Offer it no more. Its runs stay."""
        window, number = self._window, stopped.experiment.id

        def discarded(_: None) -> None:
            window.runs_tab_controller.library.reload()

        def fail(error: ModelmonError) -> None:
            complain(window.session, error)

        window.session.say(None)
        self._note(inspection, found)
        window.history.ask(lambda history: history.end(number, "done"), discarded, fail)

    def _note(self, inspection: Inspection, found: Comparison | SearchResult | None) -> None:
        """Let this be what was measured last, where nothing is left to go on with."""
        own = found if found is not None and not found.measured_with else None
        outcome = outcome_text(own) if own is not None else NOTHING
        when = own.created_unix_s if own is not None else 0.0
        self._window.settings.set_outcome(inspection.reference, outcome, when)
        self._window.open_controller.recents_changed.emit()


def _whole_or_part(strategy: str, run: RunRow) -> str:
    """What a run is called in the plots: how it loaded, and how much, where that was not all."""
    return tr(", ").join(filter(None, (strategy, model_share_text(run))))
