"""Runs beside A and B: their curves in the plots, with a legend of chips."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QSizePolicy, QToolBar

from modelmon.gui.language import tr
from modelmon.gui.plots.pens import SIZE, overlay_icon
from modelmon.gui.plots.timeline import read_ahead
from modelmon.gui.plots.traces import OverlaidRun
from modelmon.gui.session.notices import complain
from modelmon.gui.session.run_words import model_share_text
from modelmon.gui.session.watched_run import foreign_text
from modelmon.gui.widgets.styling import keyless, label, plain
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from modelmon.core.errors import ModelmonError
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.background.history_access import HistoryAccess
    from modelmon.gui.runs.run_lines import Key, RunLine
    from modelmon.gui.session.session import Run, Session

_MOST_CHIP_PX = 220


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

    def add(self, lines: Iterable[RunLine]) -> None:
        """Draw these runs too, as soon as their records have been read."""
        for line in lines:
            if line.key in self.styles or line.key in self._awaited:
                continue
            self._names[line.key] = name_of(line)
            if line.run is not None:
                self._put(line.key, line.run, line.run.record)
            elif line.row is not None and line.row.events_file is not None:
                self._read(line.key)

    def add_kept(self, names: Mapping[int, str]) -> tuple[Key, ...]:
        """Draw these runs of the history too, which are named by their numbers there; returns those
        that were not drawn before.
        """
        known = self.styles.keys() | self._awaited
        keys: dict[Key, str] = {("history", at): name for at, name in names.items()}
        added = {key: name for key, name in keys.items() if key not in known}
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
        self._awaited.clear()
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


class OverlayStrip(QToolBar):
    """The legend of overlaid runs: a chip for each, which takes it away. Those that have no room
    are in the bar's own menu. `removed` carries the run that is to go.
    """

    removed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Overlaid runs"))
        self.setIconSize(SIZE)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.clear_overlay = QPushButton(tr("Clear overlay"))
        self.clear_overlay.setProperty("compact", True)
        self.addWidget(self.clear_overlay)
        self.addWidget(label(tr("Overlaid"), "label"))
        self.chips: dict[QAction, OverlaidRun] = {}
        self.actionTriggered.connect(lambda chip: self.removed.emit(self.chips[chip]))
        manager().changed.connect(self._draw_icons)

    def show_runs(self, runs: Sequence[OverlaidRun]) -> None:
        """Show these runs."""
        for chip in self.chips:
            self.removeAction(chip)
            chip.deleteLater()
        self.chips = {self._chip(run): run for run in runs}
        self.addActions(list(self.chips))
        self._draw_icons()

    def _chip(self, run: OverlaidRun) -> QAction:
        middle = Qt.TextElideMode.ElideMiddle
        text = self.fontMetrics().elidedText(f"{run.name}  ✕", middle, _MOST_CHIP_PX)
        chip = QAction(keyless(text), self)
        chip.setToolTip(plain(tr("Remove {run} from the plots", run=run.name)))
        return chip

    def _draw_icons(self) -> None:
        for chip, run in self.chips.items():
            chip.setIcon(overlay_icon(run.style, manager().theme))
