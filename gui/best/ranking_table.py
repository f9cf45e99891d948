"""The ranking of Find best: a row for each strategy, its likely range drawn on one scale."""

from __future__ import annotations

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
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QHeaderView, QStyle, QStyleOptionViewItem

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
from modelmon.gui.widgets.tables import Padded, Table, TextTable
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QStandardItem

    from modelmon.gui.session.session import Session

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE, SORT_ROLE = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
PLACE, STRATEGY, READERS, RANGE, COLD, WARM, MEMORY, COMPARED = range(8)
_OF = dict(zip((COLD, WARM, MEMORY), FIGURES, strict=True))
_HEADINGS = {
    "#": mark("Place by the times that the strategies were tested for"),
    mark("Strategy"): mark("With the settings changed from its defaults"),
    mark("Readers"): mark("Threads or processes that share the work"),
    mark("Expected"): mark("Estimate from all runs, with its likely range"),
    mark("Cold start"): FIGURE_HELP["cold"],
    mark("Warm start"): FIGURE_HELP["warm"],
    mark("Private memory"): FIGURE_HELP["memory"],
    mark("Status"): mark("By the times that the strategies were tested for"),
}
_LOWEST = "▼"
_TEXT_PX = 12
_PADDING_PX, _CAP_PX, _DOT_PX, _RING_PX = 8, 5, 4.5, 3.5
_LEAST_RANGE_PX, _COMPARED_PX, _ROOM_FOR_ALL_PX = 140, 170, 940
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
        self._sorted = QSortFilterProxyModel()
        self._sorted.setSourceModel(self._rows)
        self._sorted.setSortRole(SORT_ROLE)
        super().__init__(self._sorted, tr("Find best ranking"))
        self.setWhatsThis(tr(RANKING))
        self.setItemDelegateForColumn(RANGE, _Ranges(self))
        header = self.horizontalHeader()
        header.setSectionResizeMode(RANGE, QHeaderView.ResizeMode.Fixed)
        header.setSectionResizeMode(COMPARED, QHeaderView.ResizeMode.Stretch)
        header.setTextElideMode(Qt.TextElideMode.ElideRight)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        self.setSortingEnabled(True)
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
            headings[RANGE] = span_text(*span)
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
        self.setColumnHidden(WARM, narrow and by_memory)

    def _fit_columns(self) -> None:
        """Ranges have what the others leave; reasons that are longer have a tool tip."""
        super()._fit_columns()
        scale, others = manager().scale, set(range(COMPARED)) - {RANGE}
        left_px = self.viewport().width() - sum(map(self.columnWidth, others))
        range_px = max(_LEAST_RANGE_PX * scale, left_px - _COMPARED_PX * scale)
        self.setColumnWidth(RANGE, round(range_px))

    def _items(self, at: int, row: RankingRow) -> list[QStandardItem]:
        figure = row.figures.get(self.ranking.own)
        compared = row.compared
        if row.is_used_by_a:
            compared = tr("{standing}, A now", standing=compared) if compared else tr("A now")
        likely = span_text(figure.low, figure.high) if figure is not None else ABSENT
        texts = [str(row.place or ABSENT), row.label, row.readers, likely]
        texts += [
            f"{_LOWEST} {row.text(of)}" if of in row.lowest else row.text(of) for of in FIGURES
        ]
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
            item.setToolTip(plain("\n".join(filter(None, (row.tool_tip or row.label, compared)))))
            item.setData(row, ROW_ROLE)
            # Always of one type; what has no figure comes last.
            sorted_by = row.figures.get(of) if of is not None else figure
            known = sorted_by.value if sorted_by is not None else float("inf")
            sorts = column in (RANGE, *_OF)
            item.setData(known if sorts else float(at) if column == PLACE else text, SORT_ROLE)
            if of in row.lowest:
                spoken = tr("{figure}, lowest", figure=row.text(of))
                item.setData(spoken, Qt.ItemDataRole.AccessibleTextRole)
            items.append(item)
        return items


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
