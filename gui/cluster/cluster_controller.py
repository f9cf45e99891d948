"""Measures on a cluster, in a process of its own; shows what was measured there before."""

from __future__ import annotations

import shlex
import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.cluster.drive import Ended, decode_live
from modelmon.core.cluster.summary import cluster_id, kept
from modelmon.core.units import duration_text
from modelmon.gui.background.commands import Command
from modelmon.gui.cluster import cluster_words
from modelmon.gui.cluster.cluster_words import nodes_text
from modelmon.gui.language import said, tr
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.notices import Notice, ProgressView, complain, give_up
from modelmon.gui.session.run_words import when_text
from modelmon.gui.session.session import Activity

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.cluster.drive import LiveEvent
    from modelmon.core.cluster.result import ClusterResult
    from modelmon.core.errors import ModelmonError
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import ClusterRow
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.session.session import Session

_MOST_EARLIER = 15
_STOPPED_MS = 15_000
"""Until then a driver that is to end has let go of the nodes and told what it has."""


def driver(arguments: list[str]) -> Command:
    """The driver's process, which stops when its input ends."""
    return Command(arguments, keeps_input=True)


class ClusterController(Controller):
    """Drives one measurement at a time."""

    def __init__(
        self,
        session: Session,
        make_command: Callable[[list[str]], Command] = driver,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(session, make_command, parent)
        self._ended: Ended | None = None

    def start(self, wanted: list[str]) -> None:
        """Measure as these arguments of `modelmon` say."""
        session = self._session
        if session.busy:
            return
        self._ended = None
        # Who is told that it begins asks how far it is.
        session.clusters.begin()
        session.begin(Activity.CLUSTERING, self.progress)
        session.log(tr("Cluster: {command}", command=shlex.join(["modelmon", *wanted])))
        arguments = [*wanted, "--json", "--live"]
        self._asking.follow(arguments, decode_live, self._on_event, self._on_end, self._on_failed)

    def progress(self) -> ProgressView:
        """How far the nodes are."""
        live = self._session.clusters.live
        assert live is not None
        return cluster_words.progress(live)

    def stop(self) -> None:
        """Stop, and keep what was measured."""
        if self._asking.under_way and self._session.activity is not Activity.STOPPING:
            self._session.stopping()
            self._asking.end_input(_STOPPED_MS)

    def _on_event(self, event: LiveEvent) -> None:
        if isinstance(event, Ended):
            self._ended = event
        else:
            self._session.clusters.take(event)

    def _on_end(self) -> None:
        session, ended = self._session, self._ended
        if ended is None:
            self._on_failed(tr("The cluster's driver ended without a result."), tr("Try again."))
            return
        session.end()
        session.show_program(None)
        session.conclude(ended.result)
        if ended.reference:
            session.log(tr("Saved as {reference}.", reference=ended.reference))
        if ended.result.recommendation:
            session.log(said(ended.result.recommendation[0]))

    def _on_failed(self, message: str, remedy: str) -> None:
        stopped = self._session.activity is Activity.STOPPING
        if stopped:
            why = tr("No run finished on all nodes, so nothing is shown.")
            self._session.end(Notice(tr("Stopped measuring the cluster."), why))
        else:
            give_up(self._session, message, remedy)
        self._session.clusters.give_up()


class EarlierClusters(QObject):
    """`found` carries a tuple of pairs: a number, and the words for it; the newest first."""

    found = Signal(object)

    def __init__(self, session: Session, history: HistoryAccess, parent: QObject | None) -> None:
        super().__init__(parent)
        self._session, self._history = session, history
        session.model_changed.connect(self.look)
        session.clusters.changed.connect(self._look_when_idle)

    def look(self) -> None:
        """Ask for those of the model that is open, or of all where none is."""
        inspection = self._session.inspection
        path = self._session.clusters.path or None
        if path is None and inspection is not None:
            path = inspection.model.path

        def work(history: History) -> list[ClusterRow]:
            return history.clusters(path=path)

        self._history.ask(work, self._take, lambda _: None)

    def show(self, number: int) -> None:
        """Show one of them in place of what is shown."""
        if self._session.busy:
            return

        def work(history: History) -> ClusterResult:
            return kept(history, number)

        self._history.ask(work, self._show, self._complain)

    def _look_when_idle(self) -> None:
        if self._session.clusters.live is None:
            self.look()

    def _take(self, rows: list[ClusterRow]) -> None:
        nodes = [node for node in self._session.clusters.nodes if not node.why_not]
        here = cluster_id(nodes) if nodes else ""
        self.found.emit(tuple((row.id, row_text(row, here)) for row in rows[:_MOST_EARLIER]))

    def _show(self, result: ClusterResult) -> None:
        if not self._session.busy:
            self._session.say(None)
            self._session.show_program(None)
            self._session.conclude(result, restored=True)

    def _complain(self, error: ModelmonError) -> None:
        complain(self._session, error)


def row_text(row: ClusterRow, here: str) -> str:
    """`Yesterday 14:02: 8 nodes, direct, last ready after 2.7 s`, and whether the machines are
    others than those `here`.
    """
    text = tr(
        "{when}: {model}, {nodes}, {ways}, last ready after {time}",
        when=when_text(row.created_unix_s, time.time()),
        model=row.model_name,
        nodes=nodes_text(row.nodes),
        ways=tr(", ").join(row.ways),
        time=duration_text(row.last_ns) if row.last_ns else "–",
    )
    return text if here in ("", row.cluster_id) else tr("{what} (other machines)", what=text)
