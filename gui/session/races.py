"""The latest race of a window: who runs now, how all stand, and what it recommends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.explain.figures import limits_seen
from modelmon.core.probe.probe import UNKNOWN_LIMITS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from modelmon.core.find_best.result import (
        Excluded,
        Objective,
        SearchResult,
        SearchRun,
        Standing,
    )
    from modelmon.core.find_best.session import SearchSession
    from modelmon.core.worker.events import Cache


class RaceState(QObject):
    """Holds state and says when it changes, as the session does whose part it is.

    `live` is the race under way or one that ended without a run that counts, `race` what is
    known of one that is over, `running` the label of the arm under way, `reference` what the
    history calls one that can go on. `limits` are those of the place that the race is in, by the
    probe or a faster run of it.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.live: SearchSession | None = None
        self.race: SearchResult | None = None
        self.running = ""
        self.reference = ""
        self.limits = UNKNOWN_LIMITS
        self._in_slot = False

    @property
    def known(self) -> bool:
        """Whether there is a race to be shown."""
        return self.live is not None or self.race is not None

    @property
    def verdict(self) -> SearchResult | None:
        """The race, as long as nothing later was measured."""
        return self.race if self._in_slot else None

    def standings(self) -> tuple[Standing, ...]:
        """How all arms stand now, the best first."""
        if self.live is not None:
            return self.live.standings()
        return self.race.standings if self.race is not None else ()

    @property
    def cache(self) -> Cache:
        """The state before the runs that are ranked."""
        if self.live is not None:
            return self.live.conditions.cache
        return self.race.cache if self.race is not None else "cold"

    @property
    def objective(self) -> Objective:
        """What is wanted."""
        if self.live is not None:
            return self.live.conditions.objective
        return self.race.objective if self.race is not None else "cold"

    @property
    def portion_bytes(self) -> int | None:
        """How much of the model is loaded to save time; None for all of it."""
        if self.live is not None:
            return self.live.conditions.portion_bytes
        return self.race.portion_bytes if self.race is not None else None

    @property
    def excluded(self) -> tuple[Excluded, ...]:
        """Who does not take part."""
        known = self.live or self.race
        return known.excluded if known is not None else ()

    def begin(self, live: SearchSession) -> None:
        """A race starts."""
        self.live, self.race, self.running = live, None, ""
        self._in_slot, self.reference, self.limits = False, "", live.limits
        self.changed.emit()

    def run(self, label: str) -> None:
        """A run of this arm starts; empty where none is under way."""
        self.running = label
        if self.live is not None:
            self._see(self.live.runs)
        self.changed.emit()

    def conclude(self, race: SearchResult, reference: str = "") -> None:
        """The race is over, or was stopped, and recommends something."""
        self.reference = reference
        self._see(race.runs)
        self.live, self.race, self.running, self._in_slot = None, race, "", True
        self.changed.emit()

    def _see(self, runs: Iterable[SearchRun]) -> None:
        """What a run has reached can be done."""
        self.limits = limits_seen(self.limits, (run.result for run in runs))

    def step_back(self) -> None:
        """Leave the slot to what is measured now; the ranking stays."""
        self._in_slot = False
        self.changed.emit()

    def clear(self) -> None:
        """Another model is open."""
        self.live = self.race = None
        self.running, self._in_slot = "", False
        self.reference, self.limits = "", UNKNOWN_LIMITS
        self.changed.emit()
