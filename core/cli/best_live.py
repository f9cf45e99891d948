"""A race as it runs: the ranking, what is under way, what is left of the budget."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from rich.console import Group
from rich.live import Live
from rich.text import Text

from modelmon.core.cli.best_report import standings_table
from modelmon.core.cli.output import SafeConsole
from modelmon.core.units import percent_text, rough_text
from modelmon.core.worker import events as ev

if TYPE_CHECKING:
    from modelmon.core.find_best.race import RaceSession
    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord

# Drawing takes a processor that a load may need.
_BETWEEN_DRAWINGS_NS = 250 * 10**6


class LiveRace:
    """A table on standard error that changes in place; use as a context manager.

    Quiet when standard error is piped.
    """

    def __init__(self, session: RaceSession) -> None:
        self._session = session
        self._label = ""
        self._place = self._doing = ""
        shown = SafeConsole(stderr=True)
        self._on = shown.is_terminal
        self._live = Live(console=shown, transient=True, auto_refresh=False)
        self._table = standings_table(())
        self._drawn_ns = 0

    def __enter__(self) -> LiveRace:
        if self._on:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._on:
            self._live.stop()

    def begin(self, label: str, place: str) -> None:
        """A run of this arm starts: the ranking is drawn anew."""
        if self._on:
            session = self._session
            self._table = standings_table(
                session.standings(),
                session.conditions.cache,
                label,
                portion_bytes=session.conditions.portion_bytes,
            )
            self._label, self._place, self._doing = label, place, "starting"
            self._draw()

    def follow(self, event: AnyEvent, record: RunRecord) -> None:
        """Show what an event of the run says, if the last drawing is old enough."""
        if isinstance(event, ev.Progress):
            share = event.done_bytes / event.total_bytes if event.total_bytes else 0.0
            self._doing = f"preparing, {percent_text(share)}"
        elif isinstance(event, (ev.Started, ev.Sample)):
            self._doing = f"loading, {percent_text(record.delivered_share)}"
        else:
            return
        if self._on and time.monotonic_ns() - self._drawn_ns > _BETWEEN_DRAWINGS_NS:
            self._draw()

    def _draw(self) -> None:
        session = self._session
        line = f"{self._place.capitalize()}: {self._label} {self._doing}."
        line += f" {rough_text(max(0, session.time_left_ns))} left"
        self._live.update(Group(self._table, Text(f"{line}.", style="dim")), refresh=True)
        self._drawn_ns = time.monotonic_ns()
