"""Compare A/B from the button to the verdict: estimate, offer, runs, comparison."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QObject, Signal

from modelmon.core.errors import ModelmonError
from modelmon.core.experiment.compare import Arm, CompareSession, Conditions
from modelmon.core.experiment.history.recorder import comparison_recorder
from modelmon.core.experiment.preflight.preflight import Estimate
from modelmon.core.experiment.probe.limits import known_limits
from modelmon.gui.asking import Asking
from modelmon.gui.commands import Command, estimate_arguments
from modelmon.gui.complaints import give_up
from modelmon.gui.language import mark, tr
from modelmon.gui.measuring import narration
from modelmon.gui.measuring.pace import Pace
from modelmon.gui.measuring.trial import Assignment
from modelmon.gui.session import LABELS, Activity
from modelmon.gui.slot import Choice, Notice, ProgressView

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.experiment.preflight.preflight import Preflight
    from modelmon.core.experiment.result import RunResult
    from modelmon.core.experiment.resume import Underway
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.history.keeping import Keeper
    from modelmon.gui.measuring.run_control import RunControl
    from modelmon.gui.session import Run, Session

LONG_NS = 120e9
"""Above this a comparison asks before it starts, and offers to load a part of the model."""

_STOPPED = (
    mark("Compare was stopped after {done} of {total} pairs."),
    mark(
        "The runs after {done} of {total} pairs are kept as {reference}: Resume goes on with them."
    ),
)
_STOPPED_EARLY = (
    mark("Compare was stopped after {done} of at most {total} pairs."),
    mark(
        "The runs after {done} of at most {total} pairs are kept as {reference}:"
        " Resume goes on with them."
    ),
)


@dataclass(frozen=True, slots=True)
class _Plan:
    preflight: Preflight
    estimate: Estimate
    portion_bytes: int | None = None


class Comparing(QObject):
    """Runs comparisons for a session; `resume_wanted` names one that was stopped, as `x12`."""

    resume_wanted = Signal(str)

    def __init__(
        self,
        session: Session,
        runs: RunControl,
        make_command: Callable[[list[str]], Command] = Command,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._runs = runs
        self._asking = Asking(make_command, self)

    def start(self) -> None:
        """Estimate what the comparison costs, then start it or ask."""
        session = self._session
        if session.preflight is None or session.busy:
            return
        arguments = estimate_arguments(
            session.preflight.model.path,
            session.config("A"),
            session.config("B"),
            session.repeats,
            session.cache,
        )
        view = ProgressView(
            tr("Estimating what Compare will cost"),
            detail=tr("A small part of the file is read to see how fast its storage is."),
        )
        session.begin(Activity.ESTIMATING, lambda: view)
        self._asking.ask(arguments, self._on_estimate, partial(give_up, session))

    def stop(self) -> None:
        """Give up the estimate; runs are stopped by RunControl."""
        if self._asking.stop() is not None:
            self._session.end(Notice(tr("The estimate was stopped."), tr("Nothing was loaded.")))

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._asking.shut_down()

    def _on_estimate(self, output: bytes) -> None:
        preflight = self._session.preflight
        if preflight is None:
            return
        try:
            estimate = msgspec.json.decode(output, type=Estimate)
        except msgspec.DecodeError as error:
            problem = tr("The estimate cannot be understood: {error}.", error=error)
            give_up(self._session, problem, "")
            return
        self._session.log(tr("Compare: {cost}.", cost=narration.cost_text(estimate)))
        plan = _Plan(preflight, estimate)
        if estimate.duration_ns <= LONG_NS and preflight.fits:
            self._start_runs(plan)
            return
        part = replace(plan, portion_bytes=estimate.portion_bytes or None)
        self._session.end(
            narration.offer(
                estimate,
                whole=Choice(tr("Compare the whole model"), lambda: self._start_runs(plan)),
                part=Choice(
                    narration.part_button(estimate), lambda: self._start_runs(part), primary=True
                ),
            )
        )

    def _start_runs(self, plan: _Plan) -> None:
        session, model = self._session, plan.preflight.model
        arms = [Arm(at, session.strategy_name(at), session.config(at)) for at in LABELS]
        conditions = Conditions(
            path=model.path,
            cache=session.cache,
            max_pairs=session.repeats,
            seed=int(time.time()),
            portion_bytes=plan.portion_bytes,
            sample_hz=session.sample_hz,
        )
        session.set_comparison(None)
        for label in LABELS:
            session.set_results(label, ())
        limits = known_limits(plan.preflight.storage)
        self._begin(CompareSession(arms[0], arms[1], conditions, limits), plan)

    def go_on(self, underway: Underway) -> None:
        """Make the runs that a stopped comparison still needs; nothing else is under way."""
        session, (trial, preflight, recorder) = self._session, underway
        if session.preflight is None or session.preflight.model.path != preflight.model.path:
            session.set_preflight(preflight)
        session.set_cache(trial.conditions.cache)
        session.set_repeats(trial.conditions.max_pairs)
        session.set_comparison(None)
        for label in LABELS:
            session.set_config(label, trial.arms[label].config)
            session.set_results(label, trial.results(label))
        trial.go_on_busy()
        keeper = self._runs.keeper(lambda _: recorder, recorder)
        self._runs.start(self._assignment(trial, keeper))

    def _begin(self, trial: CompareSession, plan: _Plan) -> None:
        part = plan.portion_bytes
        share = part / plan.preflight.model.nbytes if part else 1.0
        cost = narration.scaled(plan.estimate, share)
        keeper = self._runs.keeper(
            lambda history: comparison_recorder(history, trial, plan.preflight)
        )

        def go_on_busy() -> None:
            trial.go_on_busy()
            self._begin(trial, plan)

        pace = Pace(cost.duration_ns / max(1, cost.runs))
        assignment = replace(self._assignment(trial, keeper), again=go_on_busy, pace=pace)
        self._runs.start(replace(assignment, cost=narration.cost_text(cost)))

    def _assignment(self, trial: CompareSession, keeper: Keeper) -> Assignment:
        return Assignment(
            trial,
            keeper,
            done=lambda: self._conclude(trial, keeper),
            unfinished=lambda notice: self._offer_to_resume(trial, keeper, notice),
        )

    def _offer_to_resume(self, trial: CompareSession, keeper: Keeper, notice: Notice) -> Notice:
        reference, pairs = keeper.reference, trial.done_runs // 2
        if not reference or not pairs or notice.choices:
            return notice
        total = trial.conditions.max_pairs
        stopped, kept = _STOPPED_EARLY if trial.may_end_early else _STOPPED
        done = min(pairs, total)
        return replace(
            notice,
            headline=tr(stopped, done=done, total=total)
            if notice.tone == "plain"
            else notice.headline,
            caveat=tr(kept, done=done, total=total, reference=reference),
            choices=(
                Choice(tr("Resume"), lambda: self.resume_wanted.emit(reference), primary=True),
            ),
        )

    def _conclude(self, trial: CompareSession, keeper: Keeper) -> None:
        preflight = self._session.preflight
        assert preflight is not None
        try:
            comparison = trial.comparison(preflight)
        except ModelmonError as error:
            keeper.end("done")
            give_up(self._session, error.message, error.remedy)
            return
        keeper.end("done", comparison.verdict)
        for label in LABELS:
            record = typical_record(self._session.runs, trial.results(label))
            if record is not None:
                self._session.show_record(label, record)
        self._session.set_comparison(comparison)
        self._session.log(comparison.verdict.sentence)
        self._session.end()


def typical_record(runs: list[Run], results: tuple[RunResult, ...]) -> RunRecord | None:
    """The record of the run in the middle of those that count; of any, where none counts."""
    ranked = sorted(
        (run for run in runs if run.result in results and run.result is not None),
        key=lambda run: (not run.result.counts, run.result.wall_ns) if run.result else (True, 0),
    )
    counting = [run for run in ranked if run.result is not None and run.result.counts]
    chosen = counting or ranked
    return chosen[len(chosen) // 2].record if chosen else None
