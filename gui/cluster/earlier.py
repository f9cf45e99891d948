"""Measurements on clusters of before: which there are of the model, and one of them shown again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.core.cluster.summary import cluster_id, kept
from modelmon.core.units import duration_text
from modelmon.gui.cluster.cluster_words import nodes_text
from modelmon.gui.language import tr
from modelmon.gui.session.error_reports import complain
from modelmon.gui.widgets.when import when_text

if TYPE_CHECKING:
    from modelmon.core.cluster.result import ClusterResult
    from modelmon.core.errors import ModelmonError
    from modelmon.core.history.history import History
    from modelmon.core.history.rows import ClusterRow
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.session.session import Session

_MOST = 15


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
        self.found.emit(tuple((row.id, row_text(row, here)) for row in rows[:_MOST]))

    def _show(self, result: ClusterResult) -> None:
        if not self._session.busy:
            self._session.say(None)
            self._session.clusters.conclude(result, before=True)

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
