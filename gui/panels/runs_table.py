"""The table of runs: sorted by its headings, starred by a click, named in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

from modelmon.gui.models.run_columns import NAME, STAR, WHEN
from modelmon.gui.models.run_lines import RunLine
from modelmon.gui.models.runs import LINE_ROLE, RunsModel
from modelmon.gui.panels.tables import dress
from modelmon.gui.theme import manager

if TYPE_CHECKING:
    from collections.abc import Iterable


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
        self.setModel(self.runs)
        dress(self, "Runs")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(triggers.EditKeyPressed | triggers.SelectedClicked)
        self.setSortingEnabled(True)
        self.sortByColumn(WHEN, Qt.SortOrder.DescendingOrder)
        self.clicked.connect(self._on_click)
        self.activated.connect(self._on_activated)
        self.runs.modelAboutToBeReset.connect(self._remember)
        self.runs.modelReset.connect(self._restore)
        self.selectionModel().selectionChanged.connect(self.selection_changed)

    @property
    def selected(self) -> list[RunLine]:
        """The selected runs, in the order of the table."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        return [line for row in rows if (line := self._line_at(self.runs.index(row, 0)))]

    def rename_current(self) -> None:
        """Let the name of the current run be written."""
        current = self.currentIndex()
        if current.isValid():
            index = self.runs.index(current.row(), NAME)
            self.setCurrentIndex(index)
            self.edit(index)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
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

    def _line_at(self, index: QModelIndex) -> RunLine | None:
        line = index.data(LINE_ROLE)
        return line if isinstance(line, RunLine) else None

    def _on_click(self, index: QModelIndex) -> None:
        line = self._line_at(index)
        if index.column() == STAR and line is not None and line.row is not None:
            self.runs.star_wanted.emit(line.row.id, not line.starred)

    def _on_activated(self, index: QModelIndex) -> None:
        line = self._line_at(index)
        if line is not None and index.column() != STAR:
            self.show_wanted.emit(line)

    def _remember(self) -> None:
        self._selected_keys = {line.key for line in self.selected}

    def _restore(self) -> None:
        self._select(self._selected_keys)
        self.selection_changed.emit()

    def _select(self, keys: Iterable[tuple[str, int]]) -> None:
        wanted = set(keys)
        if not wanted:
            return
        model, flags = self.selectionModel(), self.selectionModel().SelectionFlag
        for row in range(self.runs.rowCount()):
            index = self.runs.index(row, 0)
            line = self._line_at(index)
            if line is not None and line.key in wanted:
                model.select(index, flags.Select | flags.Rows)
                model.setCurrentIndex(index, flags.NoUpdate)
