"""Shows runs that are over: one of the history in the plots, and what a model was measured to be
last, with the curves that were kept; what was stopped can go on.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.comparison.compare import CompareSession
from modelmon.core.comparison.result import Comparison
from modelmon.core.comparison.verdict import mirrored
from modelmon.core.errors import ModelmonError
from modelmon.core.find_best.latest import latest_of, outcome_called
from modelmon.core.find_best.result import SearchResult
from modelmon.core.history.groups import typical_records, typical_runs
from modelmon.core.messages import NOTHING
from modelmon.gui.language import mark, said, sentences, tr
from modelmon.gui.plots.timeline import read_ahead
from modelmon.gui.session.arm_settings import ArmProgram, other_arm
from modelmon.gui.session.notices import Choice, Notice, complain
from modelmon.gui.session.run_words import model_share_text, time_text, when_text
from modelmon.gui.session.session import LABELS, outcome_text
from modelmon.gui.session.settings import UNFINISHED
from modelmon.gui.session.watched_run import foreign_text, program_of, show_run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from modelmon.core.doctor.inspection import Inspection
    from modelmon.core.find_best.latest import Latest, Stopped
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import Kind, RunRow
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.runs.overlays import OverlayController
    from modelmon.gui.runs.run_library import RunLibrary
    from modelmon.gui.runs.run_lines import Key, RunLine
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Run, Session
    from modelmon.gui.session.settings import Settings

_NO_CURVES = mark("No curves were kept of these runs. Compare again to record new ones.")


@dataclass(frozen=True, slots=True)
class Outside:
    """What runs know of the rest of the window; `resume` gets what it is and its reference."""

    session: Session
    history: HistoryAccess
    settings: Settings
    open_model: Callable[[str], None]
    resume: Callable[[Kind, str], None]
    save_run: Callable[[Run], None]
    share: Callable[[Sequence[str]], None]
    say: Callable[[str], None]
    explain_no_curves: Callable[[str], None]
    recents_changed: Callable[[], None]


class ShownRunController(QObject):
    """Brings runs of the table into the plots; of several asked for, the last one.

    `shown` carries the arm that a run was put into.
    """

    shown = Signal(str)

    def __init__(
        self, session: Session, history: HistoryAccess, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._history = history
        self._ticket: object | None = None
        session.model_changed.connect(self._forget)

    def show(
        self,
        line: RunLine,
        label: ArmLabel | None = None,
        then: Callable[[], None] | None = None,
    ) -> None:
        """Show a run in an arm: the given one, or its own; `then` is called when it is."""
        if self._session.busy:
            return
        ticket = self._ticket = object()
        row, run = line.row, line.run
        place: ArmLabel = label or ("B" if (row.label if row else line.arm) == "B" else "A")
        if run is not None:
            self._put(line, place, run.record, run.result, then)
            return
        assert row is not None

        def read(history: History) -> tuple[RunRecord, RunResult]:
            return read_ahead(history.record(row.id)), history.result(row.id)

        def put(answer: tuple[RunRecord, RunResult]) -> None:
            if ticket is self._ticket and not self._session.busy:
                self._put(line, place, *answer, then)

        def fail(error: ModelmonError) -> None:
            if ticket is self._ticket and not self._session.busy:
                complain(self._session, error, warns=True)

        self._history.ask(read, put, fail)

    def _forget(self) -> None:
        """What was asked for was meant for the model before."""
        self._ticket = None

    def use(self, line: RunLine, label: ArmLabel) -> None:
        """Let an arm load as this run did. A command is not agreed to by that."""
        run = line.row or (line.run.result if line.run is not None else None)
        if run is None or self._session.busy:
            return
        if run.command:
            self._session.set_program(label, ArmProgram.of_run(run, agreed=False))
            return
        try:
            self._session.set_config(label, run.config)
        except ModelmonError as error:
            complain(self._session, error, warns=True)

    def _put(
        self,
        line: RunLine,
        label: ArmLabel,
        record: RunRecord,
        result: RunResult | None,
        then: Callable[[], None] | None,
    ) -> None:
        session = self._session
        foreign = foreign_text(session, record)
        caveat = foreign or ("" if line.counts else said(line.standing))
        if line.elsewhere:
            caveat = tr("{place}. Its times can't be compared with runs here.", place=line.where)
        if session.inspection is not None and not program_of(record):
            # What it shows in place of A was no run of A.
            session.show_program(None)
            session.look_at(label, record)
        else:
            of_here = not foreign and not line.elsewhere
            show_run(session, label, record, result, caveat, is_of_here=of_here)
        # A program's card says what it is, and the slot what came of it.
        session.say(None if program_of(record) else self._notice(line, label, result, caveat))
        self.shown.emit(label)
        if then is not None:
            then()

    def _notice(
        self, line: RunLine, label: ArmLabel, result: RunResult | None, caveat: str
    ) -> Notice:
        figures = {"model": line.model or tr("a model"), "strategy": line.strategy}
        headline = (
            tr("{arm} shows a recorded run of {model}: {strategy}.", arm=label, **figures)
            if self._session.inspection is None
            else tr("Plots of {arm}: a recorded run of {model}, {strategy}.", arm=label, **figures)
        )
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(line.started_unix_s))
        what = tr(
            "{name}, {day}, {state} start.",
            name=line.name or tr("Run {id}", id=line.arm),
            day=day,
            state=line.start.lower(),
        )
        took = tr("It took {time}.", time=time_text(result)) if result is not None else ""
        use = Choice(tr("Use as {arm}", arm=label), lambda: self.use(line, label))
        looked_at = self._session.looked_at
        both, one = tr("Show A and B again"), tr("Show {arm} again", arm=label)
        return Notice(
            headline,
            sentences(what, took),
            caveat,
            tone="warn" if line.elsewhere else "plain",
            choices=(use,) if label in looked_at else (),
            back="" if label not in looked_at else both if len(looked_at) > 1 else one,
        )


class LastMeasured(QObject):
    """Asks the history after a model is opened; whatever was begun meanwhile comes first."""

    def __init__(
        self, library: RunLibrary, overlaying: OverlayController, outside: Outside
    ) -> None:
        super().__init__(library)
        self._session, self._history = outside.session, outside.history
        self._settings = outside.settings
        self._library, self._overlaying, self._outside = library, overlaying, outside
        self._laid_over: tuple[Key, ...] = ()
        self._session.activity_changed.connect(self._on_activity)

    def look(self) -> None:
        """Show what the open model was measured to be last."""
        session = self._session
        self._outside.explain_no_curves("")
        inspection = session.inspection
        if inspection is None:
            return

        def show(latest: Latest) -> None:
            opened = session.inspection
            if opened is not None and opened.model is inspection.model and self._is_blank:
                self._show(latest, inspection)

        self._history.ask(lambda history: latest_of(history, inspection), show, self._log)

    def bring_back(self, experiment_id: int) -> None:
        """Show what an experiment with the open model came to, and set the cards as it compared."""
        session = self._session
        inspection = session.inspection
        if inspection is None or session.busy:
            return

        def show(found: Latest) -> None:
            opened = session.inspection
            if session.busy or opened is None or opened.model is not inspection.model:
                return
            session.say(None)
            session.show_program(None)
            session.conclude(None)
            if isinstance(found.found, Comparison):
                session.set_as_compared(found.found)
            for label in LABELS:
                session.set_results(label, ())
                session.show_record(label, None)
            self._show(found, inspection)

        def fail(error: ModelmonError) -> None:
            complain(session, error, warns=True)

        self._history.ask(
            lambda history: outcome_called(history, experiment_id, inspection), show, fail
        )

    def _log(self, error: ModelmonError) -> None:
        """Nobody has asked for what is missing then."""
        self._session.log(said(error.text), "warning")

    @property
    def _is_blank(self) -> bool:
        """Whether nothing was done with the model yet."""
        session = self._session
        shown = (session.runs, session.verdict, session.races.known, session.notice)
        return not session.busy and not any((*shown, *map(session.results, LABELS)))

    def _show(self, latest: Latest, inspection: Inspection) -> None:
        """Show it without touching what the cards are set to."""
        session, found, stopped = self._session, latest.found, latest.stopped
        settings = self._settings
        comparing = stopped.session if stopped is not None else None
        if stopped is None and settings.outcome(inspection.reference) in UNFINISHED.values():
            self._note(inspection, found)
        if isinstance(found, SearchResult):
            session.conclude(found, latest.reference, restored=True)
            self._lay_over(found, latest.found_id)
        elif found is not None:
            exchanged = self._exchanged(found)
            if exchanged:
                found = mirrored(found)
            for label in LABELS:
                session.set_results(label, found.runs(label))
            session.conclude(found, restored=True)
            self._show_curves(latest.found_id, exchanged=exchanged)
        if stopped is not None:
            if isinstance(comparing, CompareSession) and not session.comparison:
                for label in LABELS:
                    session.set_results(label, comparing.results(label))
                self._show_curves(stopped.experiment.id)
            session.say(self._offer(stopped, inspection, found))

    def _exchanged(self, found: Comparison) -> bool:
        """Whether A and B were exchanged after that, so that each card is set to the other arm."""
        session = self._session
        return all(
            session.strategy(other_arm(arm.label)) == arm.config != session.strategy(arm.label)
            for arm in (found.arm_a, found.arm_b)
        )

    def _show_curves(self, experiment_id: int | None, *, exchanged: bool = False) -> None:
        """Show the run in the middle of each arm, as when the comparison was over, or of the other;
        what the slot and the cards say waits for no recording.
        """
        session = self._session
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
                self._outside.explain_no_curves(tr(_NO_CURVES))

        self._history.ask(lambda history: typical_records(history, experiment_id), show, self._log)

    def _lay_over(self, race: SearchResult, experiment_id: int | None) -> None:
        """Show in the plots what the ranking recommends and what A uses, or else the runner-up,
        each in the run in the middle. They are no arm's, and go when something is measured.
        """
        session, best = self._session, race.recommendation
        if experiment_id is None:
            return
        of_a = session.strategy("A")
        mine = next((each.label for each in race.standings if each.config == of_a), "")
        labels = dict.fromkeys((best.label, mine or best.runner_up))

        def show(rows: dict[str, RunRow]) -> None:
            names = {rows[at].id: _whole_or_part(at, rows[at]) for at in labels if at in rows}
            if session.verdict is not race or session.busy:
                return
            if not names:
                self._outside.explain_no_curves(tr(_NO_CURVES))
            self._laid_over = self._overlaying.add_kept(names)

        self._history.ask(
            lambda history: typical_runs(history, experiment_id, race.cache), show, self._log
        )

    def _on_activity(self) -> None:
        self._outside.explain_no_curves("")
        if self._laid_over and self._session.busy:
            self._overlaying.drop(self._laid_over)
            self._laid_over = ()

    def _offer(
        self, stopped: Stopped, inspection: Inspection, found: Comparison | SearchResult | None
    ) -> Notice:
        """That it can go on. Whoever goes on is asked whatever is asked when it begins."""
        experiment = stopped.experiment
        when = when_text(experiment.created_unix_s, time.time())
        if isinstance(stopped.session, CompareSession):
            shared = stopped.session.conditions
            headline = tr(
                "Comparison stopped after {done} of up to {total} pairs, begun {when}.",
                done=stopped.session.done_runs // 2,
                total=shared.max_pairs,
                when=when,
            )
            a, b = (arm.strategy for arm in experiment.arms)
            what = tr("It compares {a} (A) with {b} (B).", a=a, b=b)
        else:
            count = experiment.runs
            headline = tr(
                "Find best stopped after {count} runs, begun {when}.", count=count, when=when
            )
            what = tr("The ranking so far is in the Find best tab.")
        resume = partial(self._outside.resume, experiment.kind, stopped.reference)
        return Notice(
            headline,
            what,
            tr(
                "Saved as {reference}. Discard keeps its runs in the history.",
                reference=stopped.reference,
            ),
            choices=(
                Choice(tr("Resume"), resume, primary=True),
                Choice(tr("Discard"), lambda: self._discard(stopped, inspection, found)),
            ),
        )

    def _discard(
        self, stopped: Stopped, inspection: Inspection, found: Comparison | SearchResult | None
    ) -> None:
        """Offer it no more. Its runs stay."""
        number = stopped.experiment.id

        def discarded(_: None) -> None:
            self._library.reload()

        def fail(error: ModelmonError) -> None:
            complain(self._session, error)

        self._session.say(None)
        self._note(inspection, found)
        self._history.ask(lambda history: history.end(number, "done"), discarded, fail)

    def _note(self, inspection: Inspection, found: Comparison | SearchResult | None) -> None:
        """Let this be what was measured last, where nothing is left to go on with."""
        own = found if found is not None and not found.measured_with else None
        outcome = outcome_text(own) if own is not None else NOTHING
        when = own.created_unix_s if own is not None else 0.0
        self._settings.set_outcome(inspection.reference, outcome, when)
        self._outside.recents_changed()


def _whole_or_part(strategy: str, run: RunRow) -> str:
    """What a run is called in the plots: how it loaded, and how much, where that was not all."""
    return tr(", ").join(filter(None, (strategy, model_share_text(run))))
