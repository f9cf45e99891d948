"""Runs as a table that can be sorted, filtered, starred and named."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtCore import Signal as QtSignal

from modelmon.gui.language import tr
from modelmon.gui.plots.line_icons import overlay_icon
from modelmon.gui.runs.run_columns import COLUMNS, NAME, OVERLAY, STAR, WHEN, WHERE
from modelmon.gui.runs.run_lines import LineFilter
from modelmon.gui.widgets.styling import plain
from modelmon.gui.widgets.text_table import heading_data, side_of
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from modelmon.gui.runs.run_lines import RunLine

Index = QModelIndex | QPersistentModelIndex


class RunsModel(QAbstractTableModel):
    """One row per wanted run. `star_wanted` and `name_wanted` ask for changes of the history,
    `overlay_wanted` for a run in the plots or out of them.
    """

    star_wanted = QtSignal(int, bool)
    name_wanted = QtSignal(int, str)
    overlay_wanted = QtSignal(object, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: list[RunLine] = []
        self._shown: list[RunLine] = []
        self._filter = LineFilter()
        self._styles: dict[tuple[str, int], int] = {}
        self._column, self._descending = WHEN, True
        self.hidden_elsewhere = 0
        """Rows that are wanted and not shown, because they are of another place."""

    @property
    def lines(self) -> Sequence[RunLine]:
        """All runs, shown or not."""
        return self._lines

    def set_lines(self, lines: Iterable[RunLine]) -> None:
        """Show these runs."""
        self._lines = list(lines)
        self._choose()

    def set_filter(self, wanted: LineFilter) -> None:
        """Show these of them."""
        if wanted != self._filter:
            self._filter = wanted
            self._choose()

    def replace(self, changed: Iterable[RunLine]) -> None:
        """Show what has become of some runs, where they stand."""
        new = {line.key: line for line in changed}
        self._lines = [new.get(line.key, line) for line in self._lines]
        for at, line in enumerate(self._shown):
            if line.key in new:
                self._shown[at] = new[line.key]
                self.dataChanged.emit(self.index(at, 0), self.index(at, len(COLUMNS) - 1))

    def set_overlaid(self, styles: dict[tuple[str, int], int]) -> None:
        """Check the runs that are in the plots; `styles` are those of their lines."""
        self._styles = styles
        if self._shown:
            last = self.index(len(self._shown) - 1, OVERLAY)
            self.dataChanged.emit(self.index(0, OVERLAY), last)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; what is not known stands last either way."""
        self._column, self._descending = column, order == Qt.SortOrder.DescendingOrder
        self._choose()

    def _choose(self) -> None:
        self.beginResetModel()
        wanted = self._filter.choose(self._lines)
        here = [line for line in wanted if not line.elsewhere]
        self.hidden_elsewhere = len(wanted) - len(here) if self._filter.only_here else 0
        shown = here if self._filter.only_here else wanted
        key = COLUMNS[self._column].key
        keyed = [(key(line), line) for line in shown]
        known = [(value, line) for value, line in keyed if value is not None]
        known.sort(key=lambda pair: pair[0], reverse=self._descending)
        self._shown = [line for _, line in known]
        self._shown += [line for value, line in keyed if value is None]
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Number of runs that are shown."""
        return 0 if parent.isValid() else len(self._shown)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """Number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Names of runs in the history can be edited."""
        flags = super().flags(index)
        if not index.isValid():
            return flags
        line = self._shown[index.row()]
        if index.column() == NAME and line.row is not None:
            return flags | Qt.ItemFlag.ItemIsEditable
        if index.column() == OVERLAY and line.has_events:
            return flags | Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for another name, or for the run in the plots."""
        line = self._shown[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole:
            self.overlay_wanted.emit(line, Qt.CheckState(value) == Qt.CheckState.Checked)
            return True
        if role != Qt.ItemDataRole.EditRole or line.row is None:
            return False
        if str(value).strip() != line.name:
            self.name_wanted.emit(line.row.id, str(value).strip())
        return True

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """Titles, and what they mean as tool tips."""
        return heading_data(COLUMNS[section], orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, alignment and colours."""
        if not index.isValid():
            return None
        if index.column() == OVERLAY:
            return self._overlay_data(self._shown[index.row()], role)
        answer = _ANSWERS.get(role)
        return answer(self._shown[index.row()], index.column()) if answer else None

    def _overlay_data(self, line: RunLine, role: int) -> object:
        style = self._styles.get(line.key)
        if not line.has_events:
            gone = tr("This run's recording was deleted.")
            return gone if role == Qt.ItemDataRole.ToolTipRole else None
        if role == Qt.ItemDataRole.CheckStateRole:
            return Qt.CheckState.Unchecked if style is None else Qt.CheckState.Checked
        if role == Qt.ItemDataRole.DecorationRole and style is not None:
            return overlay_icon(style, manager().theme)
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr("Show the run next to A and B in the plots")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return tr("Not in the plots") if style is None else tr("In the plots")
        return None

    def line_at(self, row: int) -> RunLine:
        """The run that a row shows."""
        return self._shown[row]


def _spoken(line: RunLine, column: int) -> str:
    if column == STAR:
        return tr("Starred") if line.starred else tr("Not starred")
    return COLUMNS[column].text(line)


def _colour(line: RunLine, column: int) -> object:
    theme = manager().theme
    if column == WHERE and line.elsewhere:
        return theme.warn
    return theme.text if line.counts else theme.text_2


# Asked for each cell that is drawn or measured: made once.
_ANSWERS: dict[int, Callable[[RunLine, int], object]] = {
    Qt.ItemDataRole.DisplayRole: lambda line, column: COLUMNS[column].text(line),
    Qt.ItemDataRole.ToolTipRole: lambda line, column: plain(COLUMNS[column].text(line)),
    Qt.ItemDataRole.EditRole: lambda line, _: line.name,
    Qt.ItemDataRole.TextAlignmentRole: lambda _, column: side_of(COLUMNS[column]),
    Qt.ItemDataRole.ForegroundRole: _colour,
    Qt.ItemDataRole.AccessibleTextRole: _spoken,
}
