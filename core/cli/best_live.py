"""A race as it runs: the ranking, what is under way, what is left of the budget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from modelmon.core.cli.best_report import standings_table
from modelmon.core.units import duration_text, percent_text
from modelmon.core.worker import events as ev

if TYPE_CHECKING:
    from types import TracebackType

    from modelmon.core.experiment.race import RaceSession
    from modelmon.core.worker.events import AnyEvent
    from modelmon.core.worker.record import RunRecord

_REFRESHES_PER_S = 4


class LiveRace:
    """A table on standard error that changes in place; use as a context manager.

    Quiet when standard error is piped.
    """

    def __init__(self, session: RaceSession) -> None:
        self._session = session
        self._label = ""
        self._doing = ""
        shown = Console(stderr=True)
        self._on = shown.is_terminal
        self._live = Live(
            console=shown, transient=True, auto_refresh=False, refresh_per_second=_REFRESHES_PER_S
        )
        self._shown_ns = 0

    def __enter__(self) -> LiveRace:
        if self._on:
            self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._on:
            self._live.stop()

    def begin(self, label: str) -> None:
        """A run of this arm starts."""
        self._label, self._doing = label, "starts"
        self.refresh()

    def follow(self, event: AnyEvent, record: RunRecord) -> None:
        """Show what an event of the run says."""
        if isinstance(event, ev.Progress):
            share = event.done_bytes / event.total_bytes if event.total_bytes else 0.0
            self._doing = f"prepares, {percent_text(share)}"
        elif isinstance(event, (ev.Started, ev.Sample)):
            self._doing = f"loads, {percent_text(record.delivered_share)}"
        else:
            return
        self.refresh()

    def refresh(self) -> None:
        """Draw everything anew."""
        if not self._on:
            return
        session = self._session
        left = duration_text(max(0, session.time_left_ns))
        line = (
            f"{session.place.capitalize()}: {self._label} {self._doing}. {left} of the budget left"
        )
        if session.expected_left_ns:
            line += f", about {duration_text(session.expected_left_ns)} needed"
        self._live.update(
            Group(standings_table(session.standings(), self._label), Text(f"{line}.", style="dim")),
            refresh=True,
        )
