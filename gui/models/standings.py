"""The ranking of a race as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from modelmon.core.units import duration_text, size_text
from modelmon.gui.find_best.race_rows import ABSENT, RaceRow, against_text, against_tip
from modelmon.gui.look.language import mark
from modelmon.gui.look.theme import manager
from modelmon.gui.models.headings import heading_data, side_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QColor

    from modelmon.core.experiment.race.result import Standing

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    text: Callable[[RaceRow], str]
    tool_tip: str = ""
    right: bool = False


def _figure(value: Callable[[Standing], str]) -> Callable[[RaceRow], str]:
    return lambda row: value(row.standing) if row.standing is not None else ABSENT


def _expected(standing: Standing) -> str:
    return duration_text(standing.expected_ns) if standing.expected_ns is not None else ABSENT


def _held(standing: Standing) -> str:
    return size_text(standing.held_bytes) if standing.held_bytes is not None else ABSENT


def _runs(standing: Standing) -> str:
    left_out = f" + {standing.discarded}" if standing.discarded else ""
    return f"{standing.runs}{left_out}"


_AGAINST_FIRST = mark("Relative time")
COLUMNS = (
    _Column("#", lambda row: str(row.place) if row.place else ABSENT, right=True),
    _Column(
        mark("Strategy"), lambda row: row.label, mark("With the settings changed from its defaults")
    ),
    _Column(
        mark("Expected"),
        _figure(_expected),
        mark("Time for the whole model, by all runs together"),
        right=True,
    ),
    _Column(
        _AGAINST_FIRST,
        lambda _: "",
        mark("The line marks the first in the ranking; left of it is faster"),
    ),
    _Column(
        mark("Range"),
        _figure(against_text),
        mark(
            "Time relative to the first, from rounds in which both ran, with its range; ~ "
            "marks a rough range from few runs"
        ),
    ),
    _Column(
        mark("Private memory"),
        _figure(_held),
        mark("Peak memory the system can't reclaim"),
        right=True,
    ),
    _Column(mark("Runs"), _figure(_runs), mark("Counted runs + runs not counted"), right=True),
    _Column(mark("Status"), lambda row: row.state),
)
BAR = next(at for at, column in enumerate(COLUMNS) if column.title == _AGAINST_FIRST)


class StandingsModel(QAbstractTableModel):
    """One row for each way to load."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[RaceRow, ...] = ()

    def set_rows(self, rows: tuple[RaceRow, ...]) -> None:
        """Show these; who stays keeps its selection wherever it moves to."""
        if sorted(row.label for row in rows) != sorted(row.label for row in self.rows):
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
            return
        if [row.label for row in rows] == [row.label for row in self.rows]:
            before, self.rows = self.rows, rows
            for at, (old, new) in enumerate(zip(before, rows, strict=True)):
                if old != new:
                    self.dataChanged.emit(self.index(at, 0), self.index(at, len(COLUMNS) - 1))
            return
        self.layoutAboutToBeChanged.emit()
        places = {row.label: at for at, row in enumerate(rows)}
        before, self.rows = self.rows, rows
        old_indexes = self.persistentIndexList()
        new_indexes = [
            self.index(places[before[index.row()].label], index.column()) for index in old_indexes
        ]
        self.changePersistentIndexList(old_indexes, new_indexes)
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 (Qt's)
        """Number of ways."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008, N802 (Qt's)
        """Number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(  # noqa: N802 (Qt's name)
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """Titles, and what they mean as tool tips."""
        if orientation == Qt.Orientation.Vertical:
            return None
        return heading_data(COLUMNS[section], orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, sides, colours and the RaceRow itself."""
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], COLUMNS[index.column()]
        bar = index.column() == BAR
        answers: dict[int, Callable[[], object]] = {
            Qt.ItemDataRole.DisplayRole: lambda: column.text(row),
            Qt.ItemDataRole.ToolTipRole: lambda: (
                against_tip(row) if abs(index.column() - BAR) <= 1 else column.text(row)
            ),
            Qt.ItemDataRole.AccessibleTextRole: lambda: (
                COLUMNS[BAR + 1].text(row) if bar else column.text(row)
            ),
            Qt.ItemDataRole.TextAlignmentRole: lambda: side_of(column),
            Qt.ItemDataRole.ForegroundRole: lambda: colour_of(row),
            Qt.ItemDataRole.FontRole: lambda: _font(row),
            ROW_ROLE: lambda: row,
        }
        answer = answers.get(role)
        return answer() if answer else None


def colour_of(row: RaceRow) -> QColor:
    """The best is good, the running one has the colour of what is under way."""
    theme = manager().theme
    if row.running:
        return theme.focus
    if row.leads:
        return theme.good
    out = row.standing is None or row.standing.state != "racing"
    return theme.text_2 if out else theme.text


def _font(row: RaceRow) -> QFont | None:
    if not row.leads:
        return None
    font = QFont()
    font.setWeight(QFont.Weight.DemiBold)
    return font
