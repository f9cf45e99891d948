"""How far a trial is: its squares, its pace and what the slot says of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from modelmon.core.units import duration_text
from modelmon.gui import narration
from modelmon.gui.pace import Pace
from modelmon.gui.session import Activity
from modelmon.gui.slot import ProgressView, Square

if TYPE_CHECKING:
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.session import Session
    from modelmon.gui.slot import ArmLabel, SquareState
    from modelmon.gui.trial import Trial


class TrialProgress:
    """Follows one trial; `cost` says what all of it takes."""

    def __init__(self, trial: Trial, pace: Pace | None = None, cost: str = "") -> None:
        self._trial = trial
        self._pace = pace or Pace()
        self._cost = cost
        self._discarded: set[int] = set()

    def begin(self, label: ArmLabel) -> None:
        """A run of this arm starts."""
        self._pace.begin(label, time.monotonic_ns())

    def end(self) -> None:
        """The run that was begun last is over."""
        self._pace.end(time.monotonic_ns())

    def discard(self, place: int) -> None:
        """The run at this place of the order is done and does not count."""
        self._discarded.add(place)

    def view(self, session: Session, label: ArmLabel, record: RunRecord | None) -> ProgressView:
        """Where the trial stands now; `record` is None while a run is being kept."""
        if session.activity is Activity.STOPPING:
            return ProgressView(f"Stopping {label}", arm=label, squares=self.squares)
        if record is None:
            return ProgressView(f"Keeping the run of {label}", arm=label, squares=self.squares)
        order = self._trial.order
        left_ns = self._pace.left_ns(order[self._trial.done_runs + 1 :], time.monotonic_ns())
        most = "At most about" if self._trial.may_end_early else "About"
        return narration.run_progress(
            record,
            label,
            session.cache,
            narration.TrialView(
                self._trial.place,
                f"{most} {duration_text(left_ns)} left in all" if left_ns else "",
                self._cost,
                self.squares if len(order) > 1 else (),
            ),
        )

    @property
    def squares(self) -> tuple[Square, ...]:
        """All runs of the trial in order, and what became of each."""
        here = self._trial.done_runs
        return tuple(
            Square(label, self._square_state(place, here))
            for place, label in enumerate(self._trial.order)
        )

    def _square_state(self, place: int, here: int) -> SquareState:
        if place > here:
            return "to-do"
        if place == here:
            return "now"
        return "discarded" if place in self._discarded else "done"
