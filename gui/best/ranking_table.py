"""The ranking of Find best: a row for each strategy, its likely range drawn on one scale."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QLineF,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QMenu, QStyle, QStyleOptionViewItem

from modelmon.gui.best.ranking import (
    ABSENT,
    FIGURE_HELP,
    FIGURES,
    Ranking,
    RankingRow,
    compared_heading,
    memory_name,
    ranking_of,
    span_text,
)
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.explanations import RANKING
from modelmon.gui.widgets.styling import plain
from modelmon.gui.widgets.tables import Padded, Table, TextTable, heading_px, padded_px
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QStandardItem

    from modelmon.gui.session.session import Session

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE, SORT_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
MARKED_ROLE = Qt.ItemDataRole.UserRole + 2
"""The text as it is drawn, with marks that a copy goes without."""
PLACE, STRATEGY, READERS, RANGE, COLD, WARM, MEMORY, COMPARED = range(8)
_OF = dict(zip((COLD, WARM, MEMORY), FIGURES, strict=True))
_HEADINGS = {
    "#": mark("Rank by the start that was tested"),
    mark("Strategy"): mark("With the settings changed from its defaults"),
    mark("Readers"): mark("Threads or processes that share the work"),
    mark("Expected"): mark("Estimate from all runs, with its likely range"),
    mark("Cold start"): FIGURE_HELP["cold"],
    mark("Warm start"): FIGURE_HELP["warm"],
    mark("Private memory"): FIGURE_HELP["memory"],
    mark("Status"): mark("Difference in the start that was tested"),
}
_LOWEST = "▼"
_TEXT_PX = 12
_PADDING_PX, _CAP_PX, _DOT_PX, _RING_PX = 8, 5, 4.5, 3.5
_LEAST_RANGE_PX, _COMPARED_HEADING_PX, _ROOM_FOR_ALL_PX = 140, 200, 940
_MARGIN_SHARE = 0.05
# Of the longest time: ranges that are next to nothing are no reason to tell billionths apart.
_LEAST_MARGIN_SHARE = 0.005


class RankingTable(Table):
    """Follows the window's search; a heading that is clicked sorts, a third click ranks again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.ranking = Ranking()
        about = {name: tr(meaning) for name, meaning in _HEADINGS.items()}
        self._rows = TextTable(
            [*_HEADINGS], [[*_HEADINGS][at] for at in (PLACE, *_OF)], None, about
        )
        self._sorted = _Sorted()
        self._sorted.setSourceModel(self._rows)
        self._sorted.setSortRole(SORT_ROLE)
        super().__init__(self._sorted, tr("Find best ranking"))
        self.setWhatsThis(tr(RANKING))
        self.setItemDelegate(_Marked(self))
        self.setItemDelegateForColumn(RANGE, _Ranges(self))
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
        self.sorts = QMenu(tr("Sort by"), self)
        """For the keyboard, which doesn't reach headings."""
        self.sorts.aboutToShow.connect(self._list_sorts)
        self.addAction(self.sorts.menuAction())
        session.races.changed.connect(self.refresh)
        session.settings_changed.connect(self.refresh)
        manager().changed.connect(self.viewport().update)
        self.refresh()

    @property
    def selected(self) -> RankingRow | None:
        """The row that is selected."""
        rows = self.selectionModel().selectedRows()
        return rows[0].data(ROW_ROLE) if rows else None

    @property
    def limit_ns(self) -> float | None:
        """The least that the disk takes for a cold start; None where that is not known."""
        rate = self._session.races.limits.device_bytes_per_s
        inspection = self._session.inspection
        if not rate or inspection is None or self.ranking.own != "cold":
            return None
        return inspection.model.nbytes / rate * 1e9

    @property
    def span_ns(self) -> tuple[float, float] | None:
        """From and to of the scale that holds the ranges of all with a place; None without any."""
        own = self.ranking.own
        placed = [row.figures[own] for row in self.ranking.rows if row.place]
        if not placed:
            return None
        low, high = min(each.low for each in placed), max(each.high for each in placed)
        limit_ns = self.limit_ns
        if limit_ns is not None and limit_ns >= low - (high - low):
            low = min(low, limit_ns)
        margin = max((high - low) * _MARGIN_SHARE, high * _LEAST_MARGIN_SHARE)
        return max(0.0, low - margin), high + margin

    def refresh(self) -> None:
        """Show how all stand now; who is selected stays so."""
        ranking = ranking_of(self._session.races, self._session.strategy("A"))
        if ranking == self.ranking:
            return
        selected, top_px = self.selected, self.verticalScrollBar().value()
        self.ranking = ranking
        self._rows.removeRows(0, self._rows.rowCount())
        for at, row in enumerate(ranking.rows):
            self._rows.appendRow(self._items(at, row))
        if selected is not None:
            at = next(
                (at for at, row in enumerate(ranking.rows) if row.label == selected.label), -1
            )
            self.selectRow(self._sorted.mapFromSource(self._rows.index(at, 0)).row())
        self.verticalScrollBar().setValue(top_px)
        headings = [tr(each) for each in _HEADINGS]
        if (span := self.span_ns) is not None:
            headings[RANGE] = tr("Expected, {span}", span=span_text(*span))
        headings[MEMORY] = memory_name(ranking.portion_bytes)
        headings[COMPARED] = compared_heading(ranking)
        self._rows.set_headings(headings)
        self._hide_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Columns go where there is no room."""
        self._hide_columns()
        super().resizeEvent(event)

    def _hide_columns(self) -> None:
        narrow = self.viewport().width() < _ROOM_FOR_ALL_PX * manager().scale
        by_memory = self._session.races.objective == "memory"
        # Readers are modelmon's own: of programs nobody knows them.
        known = any(row.readers not in ("", ABSENT) for row in self.ranking.rows)
        self.setColumnHidden(READERS, narrow or not known)
        self.setColumnHidden(MEMORY, narrow and not by_memory)
        # A search measures the other start of a few, or of none.
        timed = any("warm" in row.figures for row in self.ranking.rows)
        self.setColumnHidden(WARM, (narrow and by_memory) or not timed)

    def _list_sorts(self) -> None:
        self.sorts.clear()
        ascending = Qt.SortOrder.AscendingOrder
        for column, name in enumerate(_HEADINGS):
            if not self.isColumnHidden(column):
                text = tr("Rank") if column == PLACE else tr(name)
                self.sorts.addAction(text, partial(self.sortByColumn, column, ascending))

    def _fit_columns(self) -> None:
        """Ranges have what the others leave; why one has no figures is longer, for a tool tip."""
        header, least_px = self.horizontalHeader(), round(_LEAST_RANGE_PX * manager().scale)
        for column in set(range(COMPARED)) - {RANGE}:
            if not self.isColumnHidden(column):
                texts_px = self.sizeHintForColumn(column)
                self.setColumnWidth(column, max(texts_px, heading_px(self, header, column)))
        left_px = self.viewport().width() - sum(
            self.columnWidth(column) for column in range(COMPARED) if column != RANGE
        )
        # The longest names are cut: the row that leads has them too.
        most_px = round(_COMPARED_HEADING_PX * manager().scale)
        last_px = min(heading_px(self, header, COMPARED), most_px)
        metrics = QFontMetrics(font(_TEXT_PX, 600))
        for at, row in enumerate(self.ranking.rows):
            if row.figures and (last := self._rows.item(at, COMPARED)) is not None:
                text_px = metrics.horizontalAdvance(last.data(MARKED_ROLE))
                last_px = max(last_px, padded_px(self, text_px))
        last_px = min(last_px, max(least_px, left_px - least_px))
        self.setColumnWidth(COMPARED, last_px)
        self.setColumnWidth(RANGE, max(least_px, left_px - last_px))

    def _items(self, at: int, row: RankingRow) -> list[QStandardItem]:
        figure = row.figures.get(self.ranking.own)
        compared = row.compared
        told = tr("{standing}, A now", standing=compared) if row.is_used_by_a else compared
        likely = span_text(figure.low, figure.high) if figure is not None else ABSENT
        texts = [str(row.place or ABSENT), row.label, row.readers, likely]
        texts += [row.text(of) for of in FIGURES]
        quiet = "text" if row.place else "text_2"
        colour = "good" if row.leads else "focus" if row.running else quiet
        items = []
        for column, text in enumerate((*texts, compared)):
            of = _OF.get(column)
            role = "good" if of in row.lowest else quiet if column in (READERS, *_OF) else colour
            if column == STRATEGY and row.is_used_by_a:
                role = "a"
            item = self._rows.item_of(text, column, role)
            item.setFont(font(_TEXT_PX, 600 if row.leads or of in row.lowest else 400))
            item.setToolTip(plain("\n".join(filter(None, (row.tool_tip or row.label, told)))))
            item.setData(row, ROW_ROLE)
            sorted_by = row.figures.get(of) if of is not None else figure
            known = sorted_by.value if sorted_by is not None else None
            numbers: dict[int, float | None] = dict.fromkeys((RANGE, *_OF), known)
            numbers |= {PLACE: at, READERS: row.reader_count or None}
            item.setData(numbers.get(column, text), SORT_ROLE)
            if column == COMPARED:
                item.setData(told, MARKED_ROLE)
                item.setData(told, Qt.ItemDataRole.AccessibleTextRole)
            if of in row.lowest:
                item.setData(f"{_LOWEST} {text}", MARKED_ROLE)
                spoken = tr("{figure}, lowest", figure=text)
                item.setData(spoken, Qt.ItemDataRole.AccessibleTextRole)
            items.append(item)
        return items


class _Sorted(QSortFilterProxyModel):
    """By numbers or texts; those without come last in either order."""

    def lessThan(self, left: Index, right: Index) -> bool:  # noqa: N802 (Qt's)
        """Whether one stands above another as they ascend."""
        last = float("inf") if self.sortOrder() == Qt.SortOrder.AscendingOrder else float("-inf")
        first, second = (each.data(SORT_ROLE) for each in (left, right))
        return bool((last if first is None else first) < (last if second is None else second))


class _Marked(Padded):
    """Draws a text with its mark."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: N802 (Qt's)
        """Take the marked text, also to be measured."""
        super().initStyleOption(option, index)
        option.text = index.data(MARKED_ROLE) or option.text


class _Ranges(Padded):
    """The range of a strategy over that of the best; ruled out it is a ring, and what is beyond the
    scale is at its end.
    """

    def __init__(self, table: RankingTable) -> None:
        super().__init__(table)
        self._table = table

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw it."""
        row, table, theme = index.data(ROW_ROLE), self._table, manager().theme
        own, span, first = table.ranking.own, table.span_ns, table.ranking.rows[0]
        area = QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, theme.focus_soft)
        if own not in row.figures or span is None:
            return
        low, high = span
        room = area.adjusted(_PADDING_PX, 0, -_PADDING_PX, 0)

        def x(value: float) -> float:
            return room.left() + (min(max(value, low), high) - low) / (high - low) * room.width()

        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if first.leads and own in first.figures:
            best, soft = first.figures[own], theme.good.toRgb()
            soft.setAlphaF(0.14)
            left = x(best.low)
            painter.fillRect(QRectF(left, area.top(), x(best.high) - left, area.height()), soft)
        if (limit_ns := table.limit_ns) is not None and limit_ns >= low:
            painter.setPen(QPen(theme.text_2, 1.2, Qt.PenStyle.DotLine))
            painter.drawLine(QLineF(x(limit_ns), area.top(), x(limit_ns), area.bottom()))
        figure, middle = row.figures[own], area.center().y()
        colour = theme.good if row.leads else theme.a if row.is_used_by_a else theme.neutral_1
        colour = theme.focus if row.running else theme.neutral_2 if row.is_out else colour
        painter.setPen(QPen(colour, 1.5))
        painter.drawLine(QLineF(x(figure.low), middle, x(figure.high), middle))
        for end in (figure.low, figure.high):
            if low <= end <= high:
                painter.drawLine(QLineF(x(end), middle - _CAP_PX, x(end), middle + _CAP_PX))
        painter.setBrush(theme.panel if row.is_out else colour)
        size_px = _RING_PX if row.is_out else _DOT_PX + row.leads
        painter.drawEllipse(QPointF(x(figure.value), middle), size_px, size_px)
        painter.restore()
