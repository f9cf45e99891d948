"""Short tables of finished texts: what was compared, what changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from modelmon.gui.language import tr
from modelmon.gui.widgets.styling import plain
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

Index = QModelIndex | QPersistentModelIndex


class Heading(Protocol):
    """The head of a column."""

    @property
    def title(self) -> str:
        """What stands over it."""

    @property
    def tool_tip(self) -> str:
        """What that means; empty where it goes without saying."""

    @property
    def right(self) -> bool:
        """Whether the column is one of figures."""


def heading_data(column: Heading, orientation: Qt.Orientation, role: int) -> object:
    """The answer of a model's `headerData`; rows have no headings."""
    if orientation != Qt.Orientation.Horizontal:
        return None
    answers: dict[int, object] = {
        Qt.ItemDataRole.DisplayRole: tr(column.title),
        Qt.ItemDataRole.ToolTipRole: tr(column.tool_tip) if column.tool_tip else None,
        Qt.ItemDataRole.TextAlignmentRole: side_of(column),
    }
    return answers.get(role)


def side_of(column: Heading) -> Qt.AlignmentFlag:
    """Figures stand at the right."""
    side = Qt.AlignmentFlag.AlignRight if column.right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class TextRow:
    """The cells of a row, and what kind of news it is."""

    cells: tuple[str, ...]
    tone: Literal["plain", "good", "warn", "bad"] = "plain"


class TextTable(QAbstractTableModel):
    """Texts under headings; those of figures stand at the right."""

    def __init__(
        self, headings: Sequence[str], figures: Sequence[str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._headings = tuple(headings)
        self._figures = frozenset(figures)
        self._rows: list[TextRow] = []

    def set_headings(self, headings: Sequence[str]) -> None:
        """Call the columns otherwise; figures stay figures."""
        right = {self._headings.index(each) for each in self._figures if each in self._headings}
        self._headings = tuple(headings)
        self._figures = frozenset(self._headings[at] for at in right)
        last = len(self._headings) - 1
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, last)

    def set_rows(self, rows: Sequence[TextRow]) -> None:
        """Show these rows."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """Number of headings."""
        return 0 if parent.isValid() else len(self._headings)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """Headings."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(section)
        return self._headings[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, sides and colours."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        theme = manager().theme
        colours = {"plain": theme.text, "good": theme.good, "warn": theme.warn, "bad": theme.bad}
        answers: dict[int, object] = {
            Qt.ItemDataRole.DisplayRole: row.cells[index.column()],
            Qt.ItemDataRole.ToolTipRole: plain(row.cells[index.column()]),
            Qt.ItemDataRole.TextAlignmentRole: self._alignment(index.column()),
            Qt.ItemDataRole.ForegroundRole: colours[row.tone],
        }
        return answers.get(role)

    def _alignment(self, column: int) -> Qt.AlignmentFlag:
        right = self._headings[column] in self._figures
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter
