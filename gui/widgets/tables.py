"""How tables and lists of the window look, tables of finished texts, and tables as Markdown."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QAction, QGuiApplication, QPalette, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTreeView,
)

from modelmon.core.export.csv_tables import spreadsheet_cell
from modelmon.core.terminal_safe import one_line
from modelmon.gui.language import said, tr
from modelmon.gui.widgets.styling import plain
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QPainter, QResizeEvent

    from modelmon.core.export import items

Index = QModelIndex | QPersistentModelIndex

ROW_PX = 28
COLOUR_ROLE = Qt.ItemDataRole.UserRole + 10
"""In which colour of the theme a cell is written, by its name."""
_LEFT_PX, _RIGHT_PX = 8, 18
_MEASURED_ROWS = 16
_WIDEST_COLUMN_PX = 260
_LEAST_WRAPPED_PX, _WRAPPED_SHARE = 112, 0.25
"""What a text in several lines may have, and of the width of its table, if that is more."""


def dress(table: QTableView, accessible_name: str, *, close: bool = False) -> None:
    """Give a table the look and the keys of all others; one that is not sorted may have its
    columns `close` together.
    """
    table.setAccessibleName(accessible_name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setShowGrid(False)
    right_px = _LEFT_PX if close else _RIGHT_PX
    table.setItemDelegate(Padded(table, right_px))
    table.setTabKeyNavigation(False)
    table.setWordWrap(False)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(round(ROW_PX * manager().scale))
    dress_header(table, table.horizontalHeader(), right_px)


def dress_header(
    table: QTableView | QTreeView, header: QHeaderView, right_px: int = _RIGHT_PX
) -> None:
    """Give the headings of a table or a tree the look of all others."""
    # The arrow of the sorted column has its place right of the text.
    margin_px = text_margin_px(table)
    sides = f"4px {right_px + margin_px}px 4px {_LEFT_PX + margin_px}px"
    header.setStyleSheet(f"QHeaderView::section {{ padding: {sides}; }}")
    header.setHighlightSections(False)
    header.setStretchLastSection(True)
    # Measuring all rows for the width of a column would take longer than a frame.
    header.setResizeContentsPrecision(_MEASURED_ROWS)
    header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)


def keep_narrow(table: QTreeView, header: QHeaderView, column: int) -> None:
    """Give a column of marks no more room than its heading takes."""
    header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
    header.resizeSection(column, heading_px(table, header, column))


def heading_px(table: QTableView | QTreeView, header: QHeaderView, column: int) -> int:
    """How wide a heading is; Qt adds the width of an arrow, which has its place in the padding."""
    title = table.model().headerData(column, Qt.Orientation.Horizontal)
    header.ensurePolished()
    return padded_px(table, header.fontMetrics().horizontalAdvance(title))


def padded_px(table: QTableView | QTreeView, text_px: int) -> int:
    """How wide a column of texts of this width is."""
    return text_px + _LEFT_PX + _RIGHT_PX + 2 * text_margin_px(table)


def text_margin_px(table: QTableView | QTreeView) -> int:
    """How far Qt keeps a cell's text from its edges, and not that of a heading."""
    return table.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin) + 1


class Padded(QStyledItemDelegate):
    """Keeps figures and words of neighbouring columns apart."""

    def __init__(self, parent: QObject | None = None, right_px: int = _RIGHT_PX) -> None:
        super().__init__(parent)
        self._right_px = right_px

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: N802 (Qt's)
        """The colour of the text, which changes with the theme."""
        super().initStyleOption(option, index)
        if role := index.data(COLOUR_ROLE):
            colour = getattr(manager().theme, role)
            for part in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
                option.palette.setColor(part, colour)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Text and padding."""
        hint = super().sizeHint(self._inset(option), index)
        width_px = hint.width() + _LEFT_PX + self._right_px
        if option.features & QStyleOptionViewItem.ViewItemFeature.WrapText:
            shared_px = round(option.widget.width() * _WRAPPED_SHARE)
            width_px = min(width_px, max(round(_LEAST_WRAPPED_PX * manager().scale), shared_px))
            return QSize(width_px, hint.height() + _LEFT_PX)
        if index.column() < index.model().columnCount() - 1:
            # The last one is scrolled to.
            width_px = min(width_px, _WIDEST_COLUMN_PX)
        return QSize(width_px, hint.height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the ground of the whole cell, and the text within the padding."""
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, manager().theme.focus_soft)
        super().paint(painter, self._inset(option), index)

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> bool:
        """A check box takes its clicks where it is drawn."""
        return super().editorEvent(event, model, self._inset(option), index)

    def _inset(self, option: QStyleOptionViewItem) -> QStyleOptionViewItem:
        inset = QStyleOptionViewItem(option)
        inset.rect = option.rect.adjusted(_LEFT_PX, 0, -self._right_px, 0)
        return inset


class Table(QTableView):
    """Rows of a model in the look of all tables; its menu copies the columns that are seen. Columns
    are as wide as their texts, whatever rows come and go.
    """

    def __init__(
        self, rows: QAbstractItemModel, name: str, *, close: bool = False, wraps: bool = False
    ) -> None:
        """Of one that is not sorted the columns may be `close` together; a few rows may be as high
        as texts that are `wraps`, many take too long to measure.
        """
        super().__init__()
        self.setModel(rows)
        dress(self, name, close=close)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(wraps)
        copy = QAction(tr("Copy as Markdown"), self)
        copy.triggered.connect(self.copy_markdown)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        # Qt measures columns for the rows that are there when a table is first seen.
        self._measuring = QTimer(self, singleShot=True, interval=0)
        self._measuring.timeout.connect(self._fit_columns)
        for news in (rows.rowsInserted, rows.rowsRemoved, rows.dataChanged):
            news.connect(self._measuring.start)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The last column takes the room that is left, but never less than its texts."""
        super().resizeEvent(event)
        self._fit_columns()

    def _fit_columns(self) -> None:
        header = self.horizontalHeader()
        modes = map(header.sectionResizeMode, range(header.count()))
        stretched = QHeaderView.ResizeMode.Stretch in modes
        header.setStretchLastSection(False)
        header.resizeSections()
        header.setStretchLastSection(not stretched and header.length() < self.viewport().width())
        if self.wordWrap():
            self.resizeRowsToContents()

    def copy_markdown(self) -> None:
        """Put all rows of the columns that are seen onto the clipboard."""
        columns = [at for at in range(self.model().columnCount()) if not self.isColumnHidden(at)]
        QGuiApplication.clipboard().setText(markdown_of_model(self.model(), columns))


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
    return _side(right=column.right)


def _side(*, right: bool) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class TextRow:
    """The cells of a row, and what kind of news it is."""

    cells: tuple[str, ...]
    tone: Literal["plain", "good", "warn", "bad"] = "plain"


class TextTable(QStandardItemModel):
    """Texts under headings; those of figures stand at the right, and `about` has what they are."""

    def __init__(
        self,
        headings: Sequence[str],
        figures: Sequence[str] = (),
        parent: QObject | None = None,
        about: Mapping[str, str] | None = None,
    ) -> None:
        """`headings` as they are marked for translation."""
        super().__init__(0, len(headings), parent)
        self._explained = about or {}
        self._right = {headings.index(each) for each in figures}
        self._about = [said(self._explained.get(each, "")) for each in headings]
        self.set_headings([tr(each) for each in headings])

    def set_headings(self, headings: Sequence[str]) -> None:
        """Call the columns otherwise; figures stay figures."""
        for column, heading in enumerate(headings):
            item = self.item_of(heading, column)
            item.setToolTip(self._about[column] or plain(heading))
            self.setHorizontalHeaderItem(column, item)

    def set_rows(self, rows: Sequence[TextRow]) -> None:
        """Show these rows."""
        self.removeRows(0, self.rowCount())
        for row in rows:
            colour = "text" if row.tone == "plain" else row.tone
            self.appendRow([self.item_of(t, at, colour) for at, t in enumerate(row.cells)])

    def show_table(self, shown: items.Table) -> None:
        """Show what core says, with its own columns."""
        self.removeRows(0, self.rowCount())
        self.setColumnCount(len(shown.headings))
        self._right = {at for at, right in enumerate(shown.right) if right}
        self._about = [said(self._explained.get(each, "")) for each in shown.headings]
        self.set_headings([said(each) for each in shown.headings])
        for row, tone in zip(shown.rows, shown.tones, strict=True):
            self.appendRow(
                [self.item_of(said(text), at, tone or "text") for at, text in enumerate(row)]
            )

    def item_of(self, text: str, column: int, colour: str = "text") -> QStandardItem:
        """A cell or heading of a column; `colour` is a role of the theme."""
        item = QStandardItem(text)
        item.setEditable(False)
        item.setToolTip(plain(text))
        item.setData(colour, COLOUR_ROLE)
        item.setTextAlignment(_side(right=column in self._right))
        return item


def markdown_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], figures: Collection[int] = ()
) -> str:
    """A table of finished texts; those columns that are `figures` stand at the right."""
    rules = ("--:" if at in figures else ":--" for at in range(len(headings)))
    lines = [map(escaped, headings), rules, *(map(escaped, row) for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def markdown_of_model(
    model: QAbstractItemModel, columns: Sequence[int], rows: Iterable[int] | None = None
) -> str:
    """These columns of a table as it is shown, of some rows or of all."""
    across, side = Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
    chosen = range(model.rowCount()) if rows is None else rows
    sides = [Qt.AlignmentFlag(model.headerData(column, across, side) or 0) for column in columns]
    figures = {at for at, each in enumerate(sides) if each & Qt.AlignmentFlag.AlignRight}
    headings = [str(model.headerData(column, across) or "") for column in columns]
    cells = ([str(model.index(row, column).data() or "") for column in columns] for row in chosen)
    return markdown_table(headings, cells, figures)


def sheet_of_model(model: QAbstractItemModel) -> str:
    """All of a table to be pasted into a sheet: a heading, a line for each row, tabs between."""
    columns = range(model.columnCount())
    headings = [model.headerData(column, Qt.Orientation.Horizontal) for column in columns]
    rows = ([model.index(row, at).data() for at in columns] for row in range(model.rowCount()))
    lines = (
        "\t".join(str(spreadsheet_cell(str(cell or ""))) for cell in row)
        for row in (headings, *rows)
    )
    return "".join(f"{line}\n" for line in lines)


def markdown_of_csv(text: str) -> str:
    """A table that was written as CSV; what is a number in its first row stands at the right."""
    headings, *rows = csv.reader(io.StringIO(text, newline=""))
    first = rows[0] if rows else []
    figures = {at for at, cell in enumerate(first) if cell.replace(".", "", 1).isdecimal()}
    return markdown_table(headings, rows, figures)


def escaped(text: str) -> str:
    """A text of strangers in one line, in which a name is no link, picture or HTML."""
    return re.sub(r"([\\|<\[`])", r"\\\1", one_line(text).strip())
