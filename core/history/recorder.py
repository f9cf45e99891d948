"""Enters the runs of an experiment into the history as they end."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from modelmon.core.history.file import HistoryError
from modelmon.core.messages import NOTHING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from modelmon.core.history.history import History
    from modelmon.core.history.origin import Origin
    from modelmon.core.history.rows import ArmOf, Kind, State
    from modelmon.core.worker.result import RunResult


class Recorder:
    """One experiment on its way into the history.

    A history that cannot be written stops no measurement: the first failure is told by
    `problem`, and nothing is written after it. `experiment_id` is None until the first run,
    `kept_runs` how many the history has.
    """

    def __init__(
        self,
        history: History | None,
        kind: Kind,
        origin: Origin,
        arms: Collection[ArmOf],
        conditions: object,
    ) -> None:
        """`history` None keeps nothing; `conditions` is anything that msgspec can encode."""
        self._history = history
        self._kind = kind
        self._origin = origin
        self._arms = tuple(arms)
        self._conditions = conditions
        self.experiment_id: int | None = None
        self.kept_runs = 0
        self.problem = NOTHING

    def go_on(self, experiment_id: int, used_runs: int) -> None:
        """Add to an experiment that was stopped, of which the first `used_runs` are used.

        Raises HistoryError where another process is still at it.
        """
        if self._history is not None:
            self._history.take_over(experiment_id, used_runs)
            self.experiment_id, self.kept_runs = experiment_id, used_runs

    def add(self, label: str, result: RunResult, lines: bytes = b"") -> int | None:
        """Enter a finished run with the lines of its events; returns its number if it is kept."""
        run_id = None
        with self._harmless() as history:
            if history is not None:
                if self.experiment_id is None:
                    self.experiment_id = history.begin(
                        self._kind, self._origin, self._arms, self._conditions
                    )
                run_id = history.add_run(self.experiment_id, self._origin, label, result, lines)
                self.kept_runs += 1
        return run_id

    def end(self, state: State, verdict: object = None) -> None:
        """Note how the experiment ended."""
        with self._harmless() as history:
            if history is not None and self.experiment_id is not None:
                history.end(self.experiment_id, state, verdict)

    @contextlib.contextmanager
    def _harmless(self) -> Iterator[History | None]:
        try:
            yield self._history
        except HistoryError as error:
            self._history = None
            self.problem = error.text
