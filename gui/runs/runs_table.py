"""The table of runs: sorted by its headings, starred by a click, named in place; and its menu."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView

from modelmon.gui.language import tr
from modelmon.gui.runs.run_actions import RUN_ACTIONS
from modelmon.gui.runs.run_columns import COLUMNS, NAME, OVERLAY, PART, STAR, WHEN
from modelmon.gui.runs.runs import RunsModel
from modelmon.gui.widgets.tables import dress, keep_narrow
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from PySide6.QtWidgets import QWidget

    from modelmon.gui.runs.run_lines import RunLine


_NARROW_PX = 300


class RunsTable(QTableView):
    """Any number of runs can be selected; `show_wanted` asks for one in the plots.

    A selection outlives new rows, filters and sorting.
    """

    show_wanted = Signal(object)
    selection_changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.runs = RunsModel(self)
        self.empty_text = ""
        self._selected_keys: set[tuple[str, int]] = set()
        self._wanted_keys: set[tuple[str, int]] = set()
        self.setModel(self.runs)
        dress(self, tr("Runs"))
        for marks in (STAR, OVERLAY):
            keep_narrow(self, marks)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.SelectedClicked)
        self.setSortingEnabled(True)
        self.sortByColumn(WHEN, Qt.SortOrder.DescendingOrder)
        self.clicked.connect(self._on_click)
        self.activated.connect(self._on_activated)
        self.runs.modelAboutToBeReset.connect(self._remember)
        self.runs.modelReset.connect(self._restore)
        self.runs.modelReset.connect(self._show_parts)
        self.setColumnHidden(PART, True)
        self.selectionModel().selectionChanged.connect(self._on_selected)

    @property
    def selected(self) -> list[RunLine]:
        """The selected runs, in the order of the table."""
        return [self.runs.line_at(row) for row in self.selected_rows]

    @property
    def selected_rows(self) -> list[int]:
        """Their places in the table."""
        # Ranges, not indices: with thousands of rows those would take seconds.
        ranges = self.selectionModel().selection().toList()
        return sorted({row for each in ranges for row in range(each.top(), each.bottom() + 1)})

    @property
    def told_columns(self) -> list[int]:
        """The columns that are shown and say something in words."""
        silent = (STAR, OVERLAY)
        return [
            at for at in range(len(COLUMNS)) if at not in silent and not self.isColumnHidden(at)
        ]

    def select_keys(self, keys: set[tuple[str, int]]) -> None:
        """Select these runs alone: now, or as soon as they come unless others are selected then."""
        self.clearSelection()
        self._selected_keys, self._wanted_keys = set(), keys
        self._restore()

    def select_runs(self, run_ids: Iterable[int]) -> None:
        """Select these runs of the history alone, now or as soon as they come."""
        self.select_keys({("history", run_id) for run_id in run_ids})

    def rename_current(self) -> None:
        """Let the name of the current run be written."""
        current = self.currentIndex()
        if current.isValid():
            index = self.runs.index(current.row(), NAME)
            self.setCurrentIndex(index)
            self.edit(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Beside strips in a small window is room for what loaded and how long it took."""
        super().resizeEvent(event)
        is_narrow = self.viewport().width() < _NARROW_PX * manager().scale
        for column in (STAR, OVERLAY, WHEN):
            self.setColumnHidden(column, is_narrow)

    def paintEvent(self, event: QPaintEvent) -> None:
        """An empty table says why it is, or what will be in it."""
        super().paintEvent(event)
        if self.runs.rowCount():
            return
        painter = QPainter(self.viewport())
        painter.setPen(manager().theme.text_2)
        place = QRect(self.viewport().rect()).adjusted(24, 0, -24, 0)
        wrapped = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(place, wrapped, self.empty_text)
        painter.end()

    def _on_click(self, index: QModelIndex) -> None:
        line = self.runs.line_at(index.row())
        if index.column() == STAR and line.row is not None:
            self.runs.star_wanted.emit(line.row.id, not line.starred)

    def _on_activated(self, index: QModelIndex) -> None:
        if index.column() not in (STAR, OVERLAY):
            self.show_wanted.emit(self.runs.line_at(index.row()))

    def _on_selected(self) -> None:
        self._wanted_keys = set()
        self.selection_changed.emit()

    def _remember(self) -> None:
        self._selected_keys = {line.key for line in self.selected}

    def _show_parts(self) -> None:
        """The times of parts have a column of their own where there are any."""
        lines = map(self.runs.line_at, range(self.runs.rowCount()))
        self.setColumnHidden(PART, not any(COLUMNS[PART].key(line) for line in lines))

    def _rows_of(self, keys: set[tuple[str, int]]) -> list[int]:
        if not keys:
            return []
        return [row for row in range(self.runs.rowCount()) if self.runs.line_at(row).key in keys]

    def _restore(self) -> None:
        awaited, last = self._wanted_keys, len(COLUMNS) - 1
        rows = self._rows_of(awaited)
        if rows:
            awaited = set()
        else:
            rows = self._rows_of(self._selected_keys)
        chosen = QItemSelection()
        for first, end in _stretches(rows):
            chosen.select(self.runs.index(first, 0), self.runs.index(end, last))
        flags = self.selectionModel().SelectionFlag
        self.selectionModel().select(chosen, flags.Select)
        if rows:
            # Until then the scroll bar reaches as far as the rows that were there before.
            self.updateGeometries()
            self.selectionModel().setCurrentIndex(self.runs.index(rows[0], 0), flags.NoUpdate)
        self._wanted_keys = awaited
        self.selection_changed.emit()


def _stretches(rows: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring rows as first and last of each stretch."""
    for _, group in groupby(enumerate(rows), key=lambda pair: pair[1] - pair[0]):
        stretch = [row for _, row in group]
        yield stretch[0], stretch[-1]


class RunMenu(QMenu):
    """The table of run_actions.py as actions; `wanted` names the one that was chosen.

    Their keys work in the table, or in the whole tab.
    """

    wanted = Signal(str)

    def __init__(self, tab: QWidget, table: QWidget) -> None:
        super().__init__(tab)
        self.setToolTipsVisible(True)
        self.actions_by_id: dict[str, QAction] = {}
        contexts = Qt.ShortcutContext
        for spec in RUN_ACTIONS:
            action = QAction(tr(spec.text), table)
            action.setObjectName(spec.id)
            place = tab if spec.in_whole_tab else table
            if spec.shortcut:
                action.setShortcut(QKeySequence(spec.shortcut))
                action.setShortcutContext(
                    contexts.WidgetWithChildrenShortcut
                    if spec.in_whole_tab
                    else contexts.WidgetShortcut
                )
            action.triggered.connect(lambda _=False, name=spec.id: self.wanted.emit(name))
            if spec.starts_group:
                self.addSeparator()
            self.addAction(action)
            place.addAction(action)
            self.actions_by_id[spec.id] = action

    def refuse(self, against: Mapping[str, str]) -> None:
        """Enable what is not named; tool tips say why the others cannot be used."""
        for spec in RUN_ACTIONS:
            action = self.actions_by_id[spec.id]
            action.setEnabled(spec.id not in against)
            action.setToolTip(against.get(spec.id, tr(spec.text)))
