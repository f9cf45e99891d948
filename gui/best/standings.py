"""The ranking of a race as a table whose groups unfold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from modelmon.gui.best.race_rows import (
    ABSENT,
    RANK_HELP,
    RankBy,
    Ranking,
    compared_heading,
    memory_name,
    range_text,
)
from modelmon.gui.language import mark, tr
from modelmon.gui.widgets.styling import plain
from modelmon.gui.widgets.text_table import heading_data, side_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from modelmon.gui.best.race_rows import RaceRow

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole
PLACE, STRATEGY, READERS, PLOT, COLD, WARM, MEMORY, COMPARED = range(8)


@dataclass(frozen=True, slots=True)
class _Column:
    title: str
    tool_tip: str = ""
    right: bool = False
    of: RankBy | None = None


COLUMNS = (
    _Column("#", right=True),
    _Column(mark("Strategy"), mark("With the settings changed from its defaults")),
    _Column(mark("Readers"), mark("Threads or processes that share the work")),
    _Column(
        mark("Expected"),
        mark("Estimate from all runs, with its likely range"),
    ),
    _Column(
        mark("Cold start"),
        RANK_HELP["cold"],
        right=True,
        of="cold",
    ),
    _Column(
        mark("Warm start"),
        RANK_HELP["warm"],
        right=True,
        of="warm",
    ),
    _Column(
        mark("Private memory"),
        RANK_HELP["memory"],
        right=True,
        of="memory",
    ),
    _Column(mark("Status"), mark("By the times that the strategies were tested for")),
)


class StandingsModel(QAbstractItemModel):
    """One row for each strategy with a place, then a row for each group of others."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.ranking = Ranking()

    def set_ranking(self, ranking: Ranking) -> None:
        """Show this one."""
        self.beginResetModel()
        self.ranking = ranking
        self.endResetModel()

    def row_at(self, index: Index) -> RaceRow:
        """The strategy or group of an index."""
        group = index.internalId()
        if group:
            return self.ranking.rows[group - 1].members[index.row()]
        return self.ranking.rows[index.row()]

    def index_of(self, label: str) -> QModelIndex:
        """Where a strategy or group stands; an invalid index where it does not."""
        for at, row in enumerate(self.ranking.rows):
            if row.label == label:
                return self.index(at, 0)
            for below, member in enumerate(row.members):
                if member.label == label:
                    return self.index(below, 0, self.index(at, 0))
        return QModelIndex()

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:
        """Members of groups know by their id in which one they are."""
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index) -> QModelIndex:  # type: ignore[override]  # Qt overloads it
        """The group of a member."""
        group = index.internalId() if index.isValid() else 0
        return self.createIndex(group - 1, 0, 0) if group else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Number of strategies and groups, or of a group's members."""
        if not parent.isValid():
            return len(self.ranking.rows)
        return 0 if parent.internalId() else len(self.ranking.rows[parent.row()].members)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """Number of columns."""
        del parent
        return len(COLUMNS)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """Titles, and what they mean as tool tips."""
        if role == Qt.ItemDataRole.DisplayRole and section == COMPARED:
            return compared_heading(self.ranking)
        if role == Qt.ItemDataRole.DisplayRole and section == MEMORY:
            return memory_name(self.ranking.portion_bytes)
        return heading_data(COLUMNS[section], orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, sides and the RaceRow itself."""
        if not index.isValid():
            return None
        row, column = self.row_at(index), index.column()
        answers: dict[int, Callable[[], object]] = {
            Qt.ItemDataRole.DisplayRole: lambda: self._text(row, column),
            Qt.ItemDataRole.ToolTipRole: lambda: plain(
                "\n".join(filter(None, (row.tool_tip, row.why)))
            ),
            Qt.ItemDataRole.AccessibleTextRole: lambda: self._spoken(row, column),
            Qt.ItemDataRole.AccessibleDescriptionRole: lambda: row.why,
            Qt.ItemDataRole.TextAlignmentRole: lambda: side_of(COLUMNS[column]),
            ROW_ROLE: lambda: row,
        }
        answer = answers.get(role)
        return answer() if answer else None

    def _text(self, row: RaceRow, column: int) -> str:
        of = COLUMNS[column].of
        if of is not None:
            return row.text(of) if row.figures or row.members else ""
        texts = {
            PLACE: str(row.place) if row.place else "" if row.members else ABSENT,
            STRATEGY: row.label,
            READERS: row.readers,
            COMPARED: row.compared,
        }
        return texts.get(column, "")

    def _spoken(self, row: RaceRow, column: int) -> str:
        """What is drawn, in words."""
        text = self._text(row, column)
        if column == PLOT:
            return range_text(row, self.ranking.by)
        if column == COMPARED and row.is_used_by_a:
            return tr("{standing}, A now", standing=text) if text else tr("A now")
        if COLUMNS[column].of in row.lowest:
            return tr("{figure}, lowest", figure=text)
        return text
