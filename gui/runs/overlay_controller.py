"""The runs that are drawn beside A and B: chosen in the table, kept while the window lives."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from modelmon.gui.language import tr
from modelmon.gui.plots.overlays import OverlaidRun
from modelmon.gui.plots.timeline import read_ahead
from modelmon.gui.runs.shown_run_controller import foreign_text
from modelmon.gui.session.error_reports import complain
from modelmon.gui.session.run_words import model_share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from modelmon.core.errors import ModelmonError
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.runs.run_lines import RunLine
    from modelmon.gui.session.session import Run, Session

Key = tuple[str, int]


class OverlayController(QObject):
    """Reads the records of the chosen runs; `changed` follows each that comes or goes."""

    changed = Signal()

    def __init__(
        self, session: Session, history: HistoryAccess, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._history = history
        self._entries: dict[Key, tuple[OverlaidRun, Run | None]] = {}
        self._names: dict[Key, str] = {}
        self._awaited: set[Key] = set()
        session.model_changed.connect(self._on_model)

    @property
    def runs(self) -> tuple[OverlaidRun, ...]:
        """The overlaid runs, in the order in which they were chosen."""
        return tuple(run for run, _ in self._entries.values())

    @property
    def styles(self) -> dict[Key, int]:
        """The style of each overlaid run by the key of its line.

        Numbers of runs that only the window has begin anew with each model.
        """
        return {
            key: overlaid.style
            for key, (overlaid, run) in self._entries.items()
            if run is None or run in self._session.runs
        }

    def add(self, lines: Iterable[RunLine], names: Mapping[Key, str] | None = None) -> None:
        """Draw these runs too, as soon as their records have been read; `names` may tell what
        they are called.
        """
        for line in lines:
            if line.key in self.styles or line.key in self._awaited:
                continue
            self._names[line.key] = (names or {}).get(line.key) or name_of(line)
            if line.run is not None:
                self._put(line.key, line.run, line.run.record)
            elif line.row is not None and line.row.events_file is not None:
                self._read(line.key)

    def add_kept(self, names: Mapping[int, str]) -> tuple[Key, ...]:
        """Draw these runs of the history too, which are named by their numbers there; returns those
        that were not drawn before.
        """
        known = self.styles.keys() | self._awaited
        added = {key: name for at, name in names.items() if (key := kept_key(at)) not in known}
        self._names |= added
        for key in added:
            self._read(key)
        return tuple(added)

    def drop(self, keys: Iterable[Key]) -> None:
        """Draw these runs no more."""
        for key in keys:
            self._awaited.discard(key)
            self._entries.pop(key, None)
        self.changed.emit()

    def remove(self, gone: OverlaidRun) -> None:
        """Draw this run no more."""
        self.drop([key for key, (run, _) in self._entries.items() if run is gone])

    def clear(self) -> None:
        """Draw A and B alone."""
        self._awaited.clear()
        self._entries.clear()
        self.changed.emit()

    def _read(self, key: Key) -> None:
        _, run_id = key
        self._awaited.add(key)

        def put(record: RunRecord) -> None:
            if key in self._awaited:
                self._awaited.discard(key)
                self._put(key, None, record)

        def fail(error: ModelmonError) -> None:
            self._awaited.discard(key)
            complain(self._session, error, warns=True)
            self.changed.emit()

        self._history.ask(lambda history: read_ahead(history.record(run_id)), put, fail)

    def _put(self, key: Key, run: Run | None, record: RunRecord) -> None:
        used = {run.style for run in self.runs}
        style = next(number for number in count() if number not in used)
        # The number of a run of an earlier model may come again.
        self._entries.pop(key, None)
        self._entries[key] = (OverlaidRun(self._name(key, record), record, style), run)
        self.changed.emit()

    def _on_model(self) -> None:
        """Another model is open: runs of others say nothing beside its own."""
        self._entries = {
            key: (replace(overlaid, name=self._name(key, overlaid.record)), run)
            for key, (overlaid, run) in self._entries.items()
            if not foreign_text(self._session, overlaid.record)
        }
        self.changed.emit()

    def _name(self, key: Key, record: RunRecord) -> str:
        open_one, planned = self._session.inspection, record.planned
        if planned is None or (open_one and planned.model_name == open_one.model.name):
            return self._names[key]
        return tr("{run} of {model}", run=self._names[key], model=planned.model_name)


def kept_key(run_id: int) -> Key:
    """The key of the line of a run that the history has."""
    return "history", run_id


def name_of(line: RunLine) -> str:
    """What a run is called in legends: its name, or its number and strategy."""
    number = line.run.number if line.run is not None else 0
    part = model_share_text(line.figures) if line.figures is not None else ""
    name = line.name or (
        tr("run {number}, {strategy}", number=line.row.id, strategy=line.strategy)
        if line.row is not None
        else tr("run {number} of this window, {strategy}", number=number, strategy=line.strategy)
    )
    return tr(", ").join(filter(None, (name, part)))
