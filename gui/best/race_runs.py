"""The runs of a race, as the ranking, the slot and the log show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from modelmon.core.messages import NOTHING
from modelmon.gui.best.race_words import race_progress
from modelmon.gui.language import tr
from modelmon.gui.session.notices import ProgressView
from modelmon.gui.session.run_words import cache_text, time_text, with_why_not
from modelmon.gui.session.session import Activity

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.errors import ModelmonError
    from modelmon.core.find_best.result import Recommendation
    from modelmon.core.find_best.session import SearchSession
    from modelmon.core.worker.record import RunRecord
    from modelmon.core.worker.result import RunResult
    from modelmon.gui.background.history_access import RunRecorder
    from modelmon.gui.background.worker_process import WorkerProcess
    from modelmon.gui.session.session import Session


class RaceRuns:
    """Shows the runs of a race, which are no arm's: neither the cards nor the plots show them.

    `conclude` is called when it is over, decided or stopped; `refuse` in its place with the error
    that ended it, and whether that was others' use of the file.
    """

    activity = Activity.RACING

    def __init__(
        self,
        session: Session,
        race: SearchSession,
        recorder: RunRecorder,
        conclude: Callable[[], Recommendation | None],
        refuse: Callable[[ModelmonError, bool], None],
    ) -> None:
        self.experiment, self.recorder = race, recorder
        self._session = session
        self._conclude, self._refuse = conclude, refuse
        self._label = self._place = ""
        self._worker: WorkerProcess

    def view(self, record: RunRecord | None) -> ProgressView:
        """Where the race stands now."""
        if self._session.activity is Activity.STOPPING:
            return ProgressView(tr("Stopping Find best"), detail=tr("Results so far are kept"))
        return race_progress(self.experiment, self._label, record, self._place)

    def begin(self, label: str, worker: WorkerProcess) -> None:
        """A run is about to start."""
        self._label, self._place, self._worker = label, self.experiment.place, worker
        self._session.races.run(label)

    def show_begun(self) -> None:
        """A load is shown by its figures alone."""

    def end(self, result: RunResult | None) -> None:
        """Log a run that is over, or why an arm cannot run."""
        if result is None:
            race, failed = self.experiment, self._worker.record.failed
            why = race.failed.get((self._label, race.conditions.cache), NOTHING)
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
        """The race is over with an error."""
        self._session.races.run("")
        failed = self._worker.record.failed
        self._refuse(error, failed is not None and failed.kind == "busy")
