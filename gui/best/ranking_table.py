"""The ranking of Find best: figures, each with its range on one axis, and groups that unfold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import (
    QLineF,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import (
    QFontMetrics,
    QPainter,
    QPalette,
    QPen,
    QPolygonF,
    QStandardItem,
    QStandardItemModel,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
)

from modelmon.gui.best.ranking import (
    ABSENT,
    RANK_HELP,
    RankBy,
    Ranking,
    RankingRow,
    compared_heading,
    memory_name,
    range_text,
    ranking_of,
)
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.explanations import RANKING
from modelmon.gui.plots.scale import data_unit, tick_texts, ticks, wait_unit
from modelmon.gui.widgets.styling import plain
from modelmon.gui.widgets.tables import draw_line
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.session.session import Session

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole
STRATEGY, PLACE, READERS, PLOT, COLD, WARM, MEMORY, COMPARED = range(8)
"""The strategy is the first, and the place is shown before it, with the signs that unfold."""
FIGURES: dict[int, RankBy] = {COLD: "cold", WARM: "warm", MEMORY: "memory"}

_ROW_PX, _WHY_PX, _HEADER_PX = 34, 26, 46
_PLACE_PX, _INDENT_PX = 44, 18
_PADDING_PX, _EDGE_PX = 8, 4
_TEXT_INSET_PX = 3
"""How far styles keep a text from the edges of its cell."""
_BESIDE_PX = 2 * _PADDING_PX + 2 * _TEXT_INSET_PX
"""What a cell has beside its text, on both sides together."""
_TEXT_PX, _SMALL_PX = 12, 11
_LOWEST = "▼"
_ROUNDING_PX = 2
_CAP_PX, _DOT_PX, _HOLLOW_PX = 5, 4.5, 3.5
_WIDEST_STRATEGY_PX, _WIDEST_COMPARED_PX = 230, 150
_LEAST_PLOT_PX, _MOST_PLOT_PX = 190, 560
_ROOM_FOR_ALL_PX = 940
_TICK_GAP_PX = 4
_MOST_STEPS, _FEWEST_TICKS = 5, 4
_MARGIN_SHARE = 0.05
# Of the highest figure: ranges that are next to nothing are no reason to tell billionths apart.
_LEAST_MARGIN_SHARE = 0.005
# What is ruled out is on the axis only where those with a place stay apart on it.
_FAR_RATIO, _FAR_SPREADS = 1.5, 3.0


class _Column(NamedTuple):
    title: str
    tool_tip: str = ""


_COLUMNS = {
    STRATEGY: _Column(mark("Strategy"), mark("With the settings changed from its defaults")),
    PLACE: _Column("#", mark("Place by the column that ranks")),
    READERS: _Column(mark("Readers"), mark("Threads or processes that share the work")),
    PLOT: _Column(mark("Expected"), mark("Estimate from all runs, with its likely range")),
    COLD: _Column(mark("Cold start"), RANK_HELP["cold"]),
    WARM: _Column(mark("Warm start"), RANK_HELP["warm"]),
    MEMORY: _Column(mark("Private memory"), RANK_HELP["memory"]),
    COMPARED: _Column(mark("Status"), mark("By the times that the strategies were tested for")),
}


class RankingTable(QTreeView):
    """Follows the window's search; `by` is the column that ranks."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.ranking = Ranking()
        self.axis: FigureAxis | None = None
        """On which the ranges are drawn."""
        self.by: RankBy = "cold"
        self._items = QStandardItemModel(0, len(_COLUMNS), self)
        self.setModel(self._items)
        self.setHeader(_Header(self))
        self.header().swapSections(0, PLACE)
        self.setItemDelegate(_Cells(self))
        self.setAccessibleName(tr("Find best ranking"))
        self.setWhatsThis(tr(RANKING))
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(True)
        self.setIndentation(_INDENT_PX)
        self.setTreePosition(PLACE)
        self.setExpandsOnDoubleClick(False)
        self.clicked.connect(self._toggle)
        self.activated.connect(self._toggle)
        self.expanded.connect(self._fit_columns)
        self.collapsed.connect(self._fit_columns)
        session.races.changed.connect(self.refresh)
        session.settings_changed.connect(self.refresh)
        manager().changed.connect(self.viewport().update)

    def row_at(self, place: QPoint) -> RankingRow | None:
        """What stands at a point of the table."""
        return self.indexAt(place).data(ROW_ROLE) if self.indexAt(place).isValid() else None

    def index_of(self, label: str) -> QModelIndex:
        """Where a strategy or group stands; an invalid index where it does not."""
        flags = Qt.MatchFlag.MatchExactly | Qt.MatchFlag.MatchRecursive
        return next((item.index() for item in self._items.findItems(label, flags)), QModelIndex())

    @property
    def limit_ns(self) -> float | None:
        """The least that the disk takes for a cold start; None where that is not known."""
        rate = self._session.races.limits.device_bytes_per_s
        inspection = self._session.inspection
        if not rate or inspection is None or self.ranking.by != "cold":
            return None
        return inspection.model.nbytes / rate * 1e9

    def refresh(self) -> None:
        """Show how all stand now; who is selected and what is unfolded stays so."""
        ranking = ranking_of(self._session.races, self.by, self._session.strategy("A"))
        if ranking == self.ranking:
            return
        selected = str(self.currentIndex().siblingAtColumn(STRATEGY).data() or "")
        unfolded = [
            row.label for row in self.ranking.rows if self.isExpanded(self.index_of(row.label))
        ]
        top_px = self.verticalScrollBar().value()
        self.ranking, self.axis = ranking, axis_of(ranking, self.limit_ns)
        self._items.removeRows(0, self._items.rowCount())
        for row in ranking.rows:
            self._add(row, self._items.invisibleRootItem())
        for label in unfolded:
            self.setExpanded(self.index_of(label), True)
        self.setCurrentIndex(self.index_of(selected))
        self.verticalScrollBar().setValue(top_px)
        self._show_headings()
        self._fit_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The ranges take the room that the other columns leave."""
        super().resizeEvent(event)
        self._fit_columns()

    def drawRow(  # noqa: N802 (Qt's name)
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Draw the ground of a row, and a line below it."""
        row: RankingRow = index.data(ROW_ROLE)
        theme, ground = manager().theme, option.rect
        selected = self.selectionModel().isSelected(index)
        colour = theme.good_soft if row.leads else theme.raised if row.members else theme.panel
        painter.fillRect(ground, theme.focus_soft if selected else colour)
        super().drawRow(painter, option, index)
        self._draw_why(painter, ground, row)
        if row.leads:
            painter.fillRect(QRect(ground.topLeft(), QSize(_EDGE_PX, ground.height())), theme.good)
        painter.setPen(theme.border)
        painter.drawLine(ground.bottomLeft(), ground.bottomRight())

    def _draw_why(self, painter: QPainter, ground: QRect, row: RankingRow) -> None:
        """The reason of the one to use below its figures, all others' beside their names."""
        header, theme = self.header(), manager().theme
        left_px = header.sectionViewportPosition(STRATEGY) + _PADDING_PX
        place = QRect(ground)
        if row.leads:
            place.setTop(ground.bottom() - round(_WHY_PX * manager().scale))
            place.setBottom(ground.bottom() - _PADDING_PX)
        else:
            left_px += _text_px(row.label, 600) + 2 * _PADDING_PX
            if any(self.by in member.figures for member in row.members):
                place.setRight(header.sectionViewportPosition(PLOT))
        place.setLeft(left_px)
        colour = theme.text if row.leads else theme.text_2
        draw_line(painter, place, row.why, colour, px=_TEXT_PX)

    def _add(self, row: RankingRow, parent: QStandardItem) -> None:
        """A line with its figures; what has none has all of the line for its reason."""
        texts = {
            column: f"{_LOWEST} {row.text(of)}" if of in row.lowest else row.text(of)
            for column, of in FIGURES.items()
        }
        compared = row.compared
        if row.is_used_by_a:
            compared = tr("{standing}, A now", standing=compared) if compared else tr("A now")
        texts |= {STRATEGY: row.label, READERS: row.readers, COMPARED: compared}
        texts[PLACE] = str(row.place or "")
        items = []
        for column in _COLUMNS:
            item = QStandardItem(texts.get(column, ""))
            item.setData(row, ROW_ROLE)
            item.setToolTip(plain("\n".join(filter(None, (row.tool_tip, row.why)))))
            item.setData(self._spoken(row, column), Qt.ItemDataRole.AccessibleTextRole)
            item.setData(row.why, Qt.ItemDataRole.AccessibleDescriptionRole)
            item.setTextAlignment(_side(column) | Qt.AlignmentFlag.AlignVCenter)
            items.append(item)
        parent.appendRow(items)
        for member in row.members:
            self._add(member, items[0])

    def _spoken(self, row: RankingRow, column: int) -> str:
        """What is drawn, in words."""
        if column == PLOT:
            return range_text(row, self.ranking.by)
        of = FIGURES.get(column)
        if of is not None and of in row.lowest:
            return tr("{figure}, lowest", figure=row.text(of))
        return ""

    def _toggle(self, index: QModelIndex) -> None:
        first = index.siblingAtColumn(STRATEGY)
        self.setExpanded(first, not self.isExpanded(first))

    def _show_headings(self) -> None:
        titles = {column: tr(title) for column, (title, _) in _COLUMNS.items()}
        titles[MEMORY] = memory_name(self.ranking.portion_bytes)
        titles[COMPARED] = compared_heading(self.ranking)
        for column, title in titles.items():
            heading = QStandardItem(title)
            heading.setToolTip(f"{title}\n{tr(_COLUMNS[column].tool_tip)}".strip())
            self._items.setHorizontalHeaderItem(column, heading)

    def _fit_columns(self) -> None:
        """Columns as wide as their texts, the ranges as wide as there is room."""
        scale, width = manager().scale, self.viewport().width()
        narrow = width < _ROOM_FOR_ALL_PX * scale
        # Readers are modelmon's own: of programs nobody knows them.
        known = any(row.readers not in ("", ABSENT) for row in self.ranking.every_row)
        self.setColumnHidden(READERS, narrow or not known)
        self.setColumnHidden(MEMORY, narrow and self.by != "memory")
        self.setColumnHidden(WARM, narrow and self.by == "memory")
        self.setColumnWidth(PLACE, round(_PLACE_PX * scale))
        for column in _COLUMNS.keys() - {PLOT, PLACE}:
            self.resizeColumnToContents(column)
        others = sum(self.columnWidth(at) for at in _COLUMNS.keys() - {PLOT, COMPARED})
        # The last column takes the rest, so that figures stay near the ranges.
        others += self.sizeHintForColumn(COMPARED)
        least, most = (round(px * scale) for px in (_LEAST_PLOT_PX, _MOST_PLOT_PX))
        self.setColumnWidth(PLOT, min(max(least, width - others), most))
        self.header().setFixedHeight(round(_HEADER_PX * scale))
        self.scheduleDelayedItemsLayout()


class _Cells(QStyledItemDelegate):
    """Texts in the colours of their rows, ranges, and the marks beside figures."""

    def __init__(self, table: RankingTable) -> None:
        super().__init__(table)
        self._table = table

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:  # noqa: N802 (Qt's name)
        """The colour and weight of a cell."""
        super().initStyleOption(option, index)
        row, column, theme = index.data(ROW_ROLE), index.column(), manager().theme
        quiet = column in {PLACE, READERS} or not row.place
        colour = theme.text_2 if quiet else theme.text
        bold = (row.leads and column != READERS) or FIGURES.get(column) in row.lowest
        if column == STRATEGY:
            bold = row.leads or row.place > 0 or bool(row.members)
            colour = theme.a if row.is_used_by_a else theme.text if bold else theme.text_2
        if row.leads:
            colour = theme.good if column in {PLACE, COMPARED} else theme.text
        if FIGURES.get(column) in row.lowest:
            colour = theme.good
        if row.running and column in {PLACE, STRATEGY, COMPARED}:
            colour = theme.focus
        option.font = font(_TEXT_PX, 600 if bold else 400)
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.HighlightedText):
            option.palette.setColor(role, colour)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Strategies must be told apart, so a long name has further lines."""
        row, column, scale = index.data(ROW_ROLE), index.column(), manager().scale
        text = str(index.data() or "")
        width_px, height_px = _text_px(text, 600), round(_ROW_PX * scale)
        if column == STRATEGY:
            width_px = min(width_px, round(_WIDEST_STRATEGY_PX * scale))
            room = QRect(0, 0, width_px + _ROUNDING_PX, 1000)
            metrics = QFontMetrics(font(_TEXT_PX, 600))
            lines = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text)
            height_px = max(height_px, lines.height() + 2 * _PADDING_PX)
            if row.leads and row.why:
                height_px += round(_WHY_PX * scale)
        elif column == COMPARED:
            width_px = min(width_px, round(_WIDEST_COMPARED_PX * scale))
        return QSize(width_px + _BESIDE_PX + _ROUNDING_PX, height_px)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw a range, or a text with the marks that belong to it."""
        row, column, table = index.data(ROW_ROLE), index.column(), self._table
        cell = QStyleOptionViewItem(option)
        if row.leads and row.why:
            cell.rect.setBottom(cell.rect.bottom() - round(_WHY_PX * manager().scale))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if column == PLOT:
            if table.axis is not None:
                _draw_ranges(painter, table, table.axis, QRectF(cell.rect), row)
        else:
            inset_px = _PADDING_PX - _TEXT_INSET_PX
            cell.rect.adjust(inset_px, 0, -inset_px, 0)
            super().paint(painter, cell, index)
        painter.restore()


def _text_px(text: str, weight: int) -> int:
    return QFontMetrics(font(_TEXT_PX, weight)).horizontalAdvance(text)


def _side(column: int) -> Qt.AlignmentFlag:
    """Figures stand at the right."""
    right = column in (PLACE, *FIGURES)
    return Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft


class _Header(QHeaderView):
    """Names of the columns, and over the ranges their axis."""

    def __init__(self, table: RankingTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsMovable(False)
        self.setMinimumSectionSize(0)
        self.setStretchLastSection(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)

    def sectionSizeFromContents(self, logicalIndex: int) -> QSize:  # noqa: N802, N803 (Qt's names)
        """As wide as a name in bold; the last one names a strategy, and cells say enough."""
        name = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal))
        width_px = 0 if logicalIndex == COMPARED else _text_px(name, 600)
        return QSize(width_px + _BESIDE_PX, round(_HEADER_PX * manager().scale))

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N802, N803 (Qt's names)
        """Draw a column's name at the foot, and over the ranges their axis."""
        axis, theme, table = self._table.axis, manager().theme, self._table
        painter.fillRect(rect, theme.panel)
        painter.setPen(theme.border)
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        line = rect.adjusted(_PADDING_PX, rect.height() // 2, -_PADDING_PX, -4)
        if logicalIndex == PLOT and axis is not None:
            self._draw_axis(painter, rect, axis)
            return
        ranks = FIGURES.get(logicalIndex) == table.by
        colour, weight = (theme.text, 600) if ranks else (theme.text_2, 400)
        name = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal))
        if logicalIndex == COMPARED and _text_px(name, weight) > line.width():
            name = tr("Compared")
        side = _side(logicalIndex)
        draw_line(painter, line, name, colour, px=_TEXT_PX, weight=weight, side=side)

    def _draw_axis(self, painter: QPainter, rect: QRect, axis: FigureAxis) -> None:
        theme = manager().theme
        room = rect.adjusted(_PADDING_PX, 4, -_PADDING_PX, -rect.height() // 2)
        right = Qt.AlignmentFlag.AlignRight
        draw_line(painter, room, axis.title, theme.text, px=_TEXT_PX, weight=600, side=right)
        room.translate(0, room.height())
        free = rect.right()
        for value, text in reversed(axis.ticks):
            width = QFontMetrics(font(_SMALL_PX)).horizontalAdvance(text) + 1
            left = min(round(axis.x(QRectF(room), value)) - width // 2, rect.right() - width)
            if left + width <= free:
                at = QRect(left, room.top(), width, room.height())
                draw_line(painter, at, text, theme.text_2, px=_SMALL_PX)
                free = left - _TICK_GAP_PX


@dataclass(frozen=True, slots=True)
class FigureAxis:
    """From `low` to `high`, in ns or bytes, with `ticks` and their texts in the title's unit."""

    title: str
    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]

    def x(self, area: QRectF, value: float) -> float:
        """Where a value stands; one beyond the axis at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return area.left() + share * area.width()


def axis_of(ranking: Ranking, limit_ns: float | None = None) -> FigureAxis | None:
    """An axis that holds the range of all with a place, and what else is near; None without any."""
    by = ranking.by
    placed = [row.figures[by] for row in ranking.rows if by in row.figures]
    out = [row.figures[by] for group in ranking.rows for row in group.members if by in row.figures]
    if not placed:
        return None
    low, high = min(figure.low for figure in placed), max(figure.high for figure in placed)
    far = max(low * _FAR_RATIO, low + (high - low) * _FAR_SPREADS)
    high = max([high, *(figure.high for figure in out if figure.high <= far)])
    if by == "memory":
        low = 0.0
    elif limit_ns is not None and limit_ns >= low - (high - low):
        low = min(low, limit_ns)
    margin = max((high - low) * _MARGIN_SHARE, (high or 1.0) * _LEAST_MARGIN_SHARE)
    low, high = max(0.0, low - margin), high + margin
    unit = data_unit(high) if by == "memory" else wait_unit(high)
    most = _MOST_STEPS
    values = ticks(low / unit.size, high / unit.size, most)
    while len(values) < _FEWEST_TICKS and most < 2 * _MOST_STEPS:
        most += 1
        values = ticks(low / unit.size, high / unit.size, most)
    titles = {
        "cold": tr("Expected cold start, {unit}", unit=unit.name),
        "warm": tr("Expected warm start, {unit}", unit=unit.name),
        "memory": f"{memory_name(ranking.portion_bytes)}, {unit.name}",
    }
    # In the last bits a tick at an end may lie beyond it.
    places = (min(max(value * unit.size, low), high) for value in values)
    return FigureAxis(titles[by], low, high, tuple(zip(places, tick_texts(values), strict=True)))


def _draw_ranges(
    painter: QPainter, table: RankingTable, axis: FigureAxis, area: QRectF, row: RankingRow
) -> None:
    """The range of a strategy over those of the best and the axis' lines; of a group, where its
    members are.
    """
    theme, by, first = manager().theme, table.ranking.by, table.ranking.rows[0]
    if not any(by in each.figures for each in (row, *row.members)):
        return
    room = area.adjusted(_PADDING_PX, 0, -_PADDING_PX, 0)
    if first.leads and by in first.figures and row.place:
        best, band, soft = first.figures[by], QRectF(area), theme.good.toRgb()
        band.setLeft(axis.x(room, best.low))
        band.setRight(axis.x(room, best.high))
        soft.setAlphaF(0.14)
        painter.fillRect(band, soft)
    painter.setPen(QPen(theme.border if row.leads or row.members else theme.grid, 1))
    for value, _ in axis.ticks:
        _draw_upright(painter, axis.x(room, value), area)
    limit_ns = table.limit_ns
    if limit_ns is not None and limit_ns >= axis.low and row.place:
        painter.setPen(QPen(theme.text_2, 1.2, Qt.PenStyle.DotLine))
        _draw_upright(painter, axis.x(room, limit_ns), area)
    middle = area.center().y()
    for member in row.members:
        if by in member.figures:
            _draw_hollow(painter, axis, room, middle, member.figures[by].value)
    if by in row.figures:
        _draw_range(painter, axis, room, middle, row, by)


def _draw_range(  # noqa: PLR0913, PLR0917  what is drawn, and where
    painter: QPainter, axis: FigureAxis, room: QRectF, middle: float, row: RankingRow, by: RankBy
) -> None:
    theme, figure = manager().theme, row.figures[by]
    colour = theme.good if row.leads else theme.a if row.is_used_by_a else theme.neutral_1
    colour = theme.focus if row.running else colour if row.place else theme.neutral_2
    left, right = axis.x(room, figure.low), axis.x(room, figure.high)
    if by != "memory":
        style = Qt.PenStyle.DashLine if row.running else Qt.PenStyle.SolidLine
        painter.setPen(QPen(colour, 1.5, style))
        painter.drawLine(QLineF(left, middle, right, middle))
        painter.setPen(QPen(colour, 1.5))
        for x, inside in ((left, figure.low >= axis.low), (right, figure.high <= axis.high)):
            if inside:
                painter.drawLine(QLineF(x, middle - _CAP_PX, x, middle + _CAP_PX))
    if not row.place:
        _draw_hollow(painter, axis, room, middle, figure.value)
        return
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    size_px = _DOT_PX + (1 if row.leads else 0)
    painter.drawEllipse(QPointF(axis.x(room, figure.value), middle), size_px, size_px)


def _draw_upright(painter: QPainter, x: float, area: QRectF) -> None:
    painter.drawLine(QLineF(round(x) + 0.5, area.top(), round(x) + 0.5, area.bottom() + 1))


def _draw_hollow(
    painter: QPainter, axis: FigureAxis, room: QRectF, middle: float, value: float
) -> None:
    """A ring, or an arrow at the end of the axis where the value is beyond it."""
    theme = manager().theme
    x = axis.x(room, value)
    painter.setPen(QPen(theme.neutral_2, 1.5))
    painter.setBrush(theme.panel)
    if value > axis.high:
        tip = QPointF(x + 4, middle)
        painter.drawPolyline(QPolygonF([tip + QPointF(-4, -4), tip, tip + QPointF(-4, 4)]))
    else:
        painter.drawEllipse(QPointF(x, middle), _HOLLOW_PX, _HOLLOW_PX)
