"""Works a race off in the window: one worker process at a time, within its budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from modelmon.core.errors import ModelmonError
from modelmon.core.units import duration_text
from modelmon.core.worker.client import GRACE_S
from modelmon.gui.language import tr
from modelmon.gui.measuring.narration import cache_text
from modelmon.gui.racing.race_words import race_progress
from modelmon.gui.session import Activity
from modelmon.gui.slot import ProgressView

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.experiment.race.race import RaceSession
    from modelmon.core.experiment.result import RunResult
    from modelmon.core.worker.events import Job
    from modelmon.gui.history.keeping import Keeper
    from modelmon.gui.session import Session
    from modelmon.gui.worker_process import WorkerProcess


class RaceRuns(QObject):
    """`over` comes once, when no run is left, the budget is spent or `stop` was called.

    `refused` comes in its place with an error that ends the race and the kind of failure. The
    runs are no arm's: neither the cards nor the plots show them.
    """

    over = Signal()
    refused = Signal(ModelmonError, str)

    def __init__(
        self,
        session: Session,
        race: RaceSession,
        keeper: Keeper,
        make_worker: Callable[[Job], WorkerProcess],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._race = race
        self._keeper = keeper
        self._make_worker = make_worker
        self._worker: WorkerProcess | None = None
        self._label = self._place = ""
        self._ending = self._over = False
        self._deadline = QTimer(self, singleShot=True)
        self._deadline.timeout.connect(self._on_deadline)

    def start(self) -> None:
        """Start the first run."""
        self._next_run()

    def stop(self) -> None:
        """End the race with what has been measured; returns at once."""
        if self._worker is not None:
            self._session.stopping()
            self._give_up_run()
        elif not self._over:
            self._ending = True
            self._finish()

    def shut_down(self) -> None:
        """Stop and wait until no worker is left."""
        self._ending = self._over = True
        self._deadline.stop()
        if self._worker is not None:
            self._worker.ended.disconnect(self._on_run_over)
            self._worker.shut_down()
            self._worker = None

    def progress(self) -> ProgressView:
        """Where the race stands now."""
        if self._session.activity is Activity.STOPPING:
            return ProgressView(
                tr("Stopping Find best"), detail=tr("What has been measured stands")
            )
        record = self._worker.record if self._worker is not None else None
        return race_progress(self._race, self._label, record, self._place)

    def _next_run(self) -> None:
        following = None if self._ending else self._race.next_job()
        if following is None:
            self._finish()
            return
        self._label, job = following
        self._place = self._race.place
        worker = self._make_worker(job)
        worker.setParent(self)
        worker.warned.connect(self._on_warned)
        worker.ended.connect(self._on_run_over)
        self._worker = worker
        self._watch_budget()
        self._session.races.run(self._label)
        worker.start()

    def _watch_budget(self) -> None:
        # A way that is much slower than predicted must not break the budget.
        self._deadline.start(max(0, self._race.run_left_ns) // 1_000_000 + 1)

    def _on_deadline(self) -> None:
        if self._race.run_left_ns > 0:
            # Qt's timers may be early.
            self._watch_budget()
        else:
            self._give_up_run(GRACE_S)

    def _give_up_run(self, grace_s: float | None = None) -> None:
        self._ending = True
        if self._worker is not None:
            self._worker.cancel(grace_s)

    def _finish(self) -> None:
        self._over = True
        if self._ending:
            self._race.stop()
        self._session.races.run("")
        self.over.emit()

    def _on_warned(self, text: str) -> None:
        self._session.log(tr("{arm}: {warning}", arm=self._label, warning=text), "warning")

    def _on_run_over(self) -> None:
        worker = self._worker
        assert worker is not None
        self._worker = None
        self._deadline.stop()
        worker.deleteLater()
        failed = worker.record.failed
        if self._ending and worker.record.finished is None:
            self._finish()
            return
        try:
            result = self._race.add(worker.record)
        except ModelmonError as error:
            self._session.races.run("")
            self.refused.emit(error, failed.kind if failed is not None else "")
            return
        if result is None:
            why = failed.message if failed is not None else ""
            text = tr("Find best: {way} cannot run. {why}", way=self._label, why=why)
            self._session.log(text, "warning")
            self._next_run()
            return
        self._keep(worker, result)

    def _keep(self, worker: WorkerProcess, result: RunResult) -> None:
        """Enter a run into the history; then comes the next one, on a disk that is quiet."""
        session = self._session
        text = tr(
            "Find best, {way}: {time}, {start}",
            way=self._label,
            time=duration_text(result.wall_ns),
            start=cache_text(result).lower(),
        )
        if not result.counts:
            text = tr("{run}; not counted: {why}", run=text, why=result.why_not)
        session.log(text)
        session.races.run("")

        def go_on(run_id: int | None) -> None:
            if run_id is not None:
                session.run_kept.emit(run_id)
            if not self._over:
                self._next_run()

        self._keeper.add(self._label, result, worker.recording, go_on)
