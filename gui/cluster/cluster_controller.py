"""Measures on a cluster for a session: the driver runs in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.cluster.drive import Ended, decode_live
from modelmon.gui.background.command_query import CommandQuery
from modelmon.gui.background.commands import Command, cluster_arguments
from modelmon.gui.cluster import cluster_words
from modelmon.gui.language import said, tr
from modelmon.gui.session.error_reports import give_up
from modelmon.gui.session.notices import Notice, ProgressView
from modelmon.gui.session.session import Activity

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.core.cluster.drive import LiveEvent
    from modelmon.gui.cluster.wanted import WantedCluster
    from modelmon.gui.session.session import Session

_STOPPED_MS = 15_000
"""Until then a driver that is to end has let go of the nodes and told what it has."""


def driver(arguments: list[str]) -> Command:
    """The driver's process, which stops when its input ends."""
    return Command(arguments, keeps_input=True)


class ClusterController(QObject):
    """`measured` carries the ClusterResult."""

    measured = Signal(object)

    def __init__(
        self,
        session: Session,
        make_command: Callable[[list[str]], Command] = driver,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._driving = CommandQuery(make_command, self)
        self._ended: Ended | None = None

    def start(self, wanted: WantedCluster) -> None:
        """Measure what is wanted."""
        session = self._session
        if session.busy:
            return
        self._ended = None
        # Who is told that it begins asks how far it is.
        session.clusters.begin()
        session.begin(Activity.CLUSTERING, self.progress)
        session.log(tr("Cluster: {command}", command=wanted.command))
        arguments = cluster_arguments(wanted.arguments)
        self._driving.follow(arguments, decode_live, self._on_event, self._on_end, self._on_failed)

    def progress(self) -> ProgressView:
        """How far the nodes are."""
        live = self._session.clusters.live
        assert live is not None
        return cluster_words.progress(live)

    def stop(self) -> None:
        """Stop, and keep what was measured."""
        if self._driving.under_way and self._session.activity is not Activity.STOPPING:
            self._session.stopping()
            self._driving.end_input(_STOPPED_MS)

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""
        self._driving.shut_down()

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
        session.clusters.conclude(ended.result)
        if ended.reference:
            session.log(tr("Saved as {reference}.", reference=ended.reference))
        if ended.result.recommendation:
            session.log(said(ended.result.recommendation[0]))
        self.measured.emit(ended.result)

    def _on_failed(self, message: str, remedy: str) -> None:
        stopped = self._session.activity is Activity.STOPPING
        if stopped:
            why = tr("All nodes weren't ready once, so nothing is shown.")
            self._session.end(Notice(tr("Stopped measuring the cluster."), why))
        else:
            give_up(self._session, message, remedy)
        self._session.clusters.give_up()
