"""The ranking of a race: figures, each with its range on one axis, and groups that unfold."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyledItemDelegate, QTreeView

from modelmon.core.units import duration_text
from modelmon.gui.best.figure_axis import FigureAxis, axis_of
from modelmon.gui.best.race_rows import ABSENT, RankBy, ranking_of
from modelmon.gui.best.standings import (
    COLD,
    COLUMNS,
    COMPARED,
    MEMORY,
    PLACE,
    PLOT,
    READERS,
    ROW_ROLE,
    STRATEGY,
    WARM,
    StandingsModel,
)
from modelmon.gui.language import tr
from modelmon.gui.widgets.icons import icon
from modelmon.gui.widgets.item_drawing import draw_line
from modelmon.gui.widgets.styling import in_lines
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QColor, QResizeEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from modelmon.gui.best.race_rows import RaceRow, Ranking
    from modelmon.gui.session.session import Session

Index = QModelIndex | QPersistentModelIndex

ROW_PX, PINNED_PX, HEADER_PX = 34, 64, 46
_TOP_PX = 40
"""The part of the pinned row that is a row like the others; its reason stands below."""
_AROUND_PX = 10
"""Above and below a name of several lines."""

_PADDING_PX, _EDGE_PX, _ICON_PX = 8, 4, 16
_TEXT_PX, _SMALL_PX = 12, 11
_TRIANGLE_PX = 12
_TICK_GAP_PX = 4
_PILL_GAP_PX, _ROUNDING_PX = 8, 2
_CAP_PX, _DOT_PX, _HOLLOW_PX = 5, 4.5, 3.5
_USUAL_STRATEGY_PX, _NARROWEST_STRATEGY_PX, _WIDEST_COMPARED_PX = 230, 140, 150
_LEAST_PLOT_PX, _USUAL_PLOT_PX, _MOST_PLOT_PX = 190, 408, 560
_RIGHT = Qt.AlignmentFlag.AlignRight
_LEFT = Qt.AlignmentFlag.AlignLeft


class RaceTable(QTreeView):
    """Follows the window's race; `by` is the column that ranks."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._model = StandingsModel(self)
        self._axis: FigureAxis | None = None
        self.by: RankBy = "cold"
        self.setModel(self._model)
        self.setHeader(_Header(self))
        self.setItemDelegate(_Heights(self))
        self.setAccessibleName(tr("Find best ranking"))
        self.setHeaderHidden(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.clicked.connect(self._toggle)
        self.activated.connect(self._toggle)
        self.expanded.connect(self._fit_columns)
        self.collapsed.connect(self._fit_columns)
        session.races.changed.connect(self.refresh)
        session.settings_changed.connect(self.refresh)
        manager().changed.connect(self.viewport().update)

    @property
    def ranking(self) -> Ranking:
        """What is shown."""
        return self._model.ranking

    @property
    def rows(self) -> tuple[RaceRow, ...]:
        """What is shown, in order; groups as they are."""
        return self._model.ranking.rows

    def row_at(self, place: QPoint) -> RaceRow | None:
        """What stands at a point of the table."""
        index = self.indexAt(place)
        return self._model.row_at(index) if index.isValid() else None

    @property
    def axis(self) -> FigureAxis | None:
        """On which the plot is drawn."""
        return self._axis

    @property
    def limit_ns(self) -> float | None:
        """The least that the disk takes for a cold start; None where that is not known."""
        rate = self._session.races.limits.device_bytes_per_s
        inspection = self._session.inspection
        if not rate or inspection is None or self._model.ranking.by != "cold":
            return None
        return inspection.model.nbytes / rate * 1e9

    def row_px(self, row: RaceRow) -> int:
        """How high a row is: a name that is longer than its column has several lines."""
        scale, lines = manager().scale, self._name(row).count("\n") + 1
        usual_px = round((PINNED_PX if row.leads and row.why else ROW_PX) * scale)
        if lines == 1:
            return usual_px
        name_px = lines * QFontMetrics(_name_font(row)).lineSpacing() + round(_AROUND_PX * scale)
        beside_px = round((_TOP_PX if row.leads and row.why else ROW_PX) * scale)
        return usual_px + max(0, name_px - beside_px)

    def refresh(self) -> None:
        """Show how all stand now; who is selected and what is unfolded stays so."""
        ranking = ranking_of(self._session.races, self.by, self._session.strategy("A"))
        if ranking == self._model.ranking:
            return
        held = (
            self._model.row_at(self.currentIndex()).label if self.currentIndex().isValid() else ""
        )
        unfolded = [row.label for row in self.rows if self.isExpanded(self._index(row.label))]
        top_px = self.verticalScrollBar().value()
        self._model.set_ranking(ranking)
        self._axis = axis_of(ranking, self.limit_ns)
        self.setHeaderHidden(not self.rows)
        for label in unfolded:
            self.setExpanded(self._index(label), True)
        self.setCurrentIndex(self._index(held))
        self.verticalScrollBar().setValue(top_px)
        self._fit_columns()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The plot takes the room that the other columns leave."""
        super().resizeEvent(event)
        self._fit_columns()

    def paintEvent(self, event: QPaintEvent) -> None:
        """An empty table says what will be in it."""
        super().paintEvent(event)
        if self.rows:
            return
        painter = QPainter(self.viewport())
        painter.setPen(manager().theme.text_2)
        text = tr("Find best tests every strategy that works here. The ranking appears here.")
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(self.viewport().rect(), flags, text)
        painter.end()

    def drawRow(  # noqa: N802 (Qt's name)
        self, painter: QPainter, option: QStyleOptionViewItem, index: Index
    ) -> None:
        """Draw a row as a whole: texts may run over several columns."""
        row = self._model.row_at(index)
        theme = manager().theme
        ground = QRect(0, option.rect.top(), self.viewport().width(), option.rect.height())
        selected = self.selectionModel().isSelected(index)
        colour = theme.good_soft if row.leads else theme.raised if row.members else theme.panel
        painter.fillRect(ground, theme.focus_soft if selected else colour)
        places = {
            column: self.visualRect(index.sibling(index.row(), column))
            for column in range(len(COLUMNS))
            if not self.isColumnHidden(column)
        }
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._has_plot(row):
            self._draw_plot(painter, QRectF(self._inside(places[PLOT], row)), row)
        for column, place in places.items():
            if column != PLOT:
                self._draw_cell(painter, self._inside(place, row), row, column)
        self._draw_why(painter, places, row)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        if row.leads:
            edge = ground.adjusted(0, 0, _EDGE_PX - ground.width(), 0)
            painter.fillRect(edge, theme.good)
        painter.setPen(theme.border)
        painter.drawLine(ground.bottomLeft(), ground.bottomRight())
        painter.restore()

    def _index(self, label: str) -> QModelIndex:
        return self._model.index_of(label)

    def _toggle(self, index: QModelIndex) -> None:
        first = index.siblingAtColumn(0)
        if self._model.row_at(first).members:
            self.setExpanded(first, not self.isExpanded(first))

    def _has_plot(self, row: RaceRow) -> bool:
        return self._axis is not None and (not row.why or row.leads or self._is_out(row))

    def _is_out(self, row: RaceRow) -> bool:
        """Whether it is ruled out, or the group of those that are."""
        known = row.members or (row,)
        return not row.place and any(self._model.ranking.by in each.figures for each in known)

    def _draw_plot(self, painter: QPainter, area: QRectF, row: RaceRow) -> None:
        axis, theme, by = self._axis, manager().theme, self._model.ranking.by
        assert axis is not None
        room = area.adjusted(_PADDING_PX, 0, -_PADDING_PX, 0)
        best = self.rows[0].figures.get(by) if self.rows[0].leads else None
        if best is not None and row.place:
            band = QRectF(area)
            band.setLeft(axis.x(room, best.low))
            band.setRight(axis.x(room, best.high))
            soft = theme.good.toRgb()
            soft.setAlphaF(0.14)
            painter.fillRect(band, soft)
        painter.setPen(QPen(theme.border if row.leads or row.members else theme.grid, 1))
        for value, _ in axis.ticks:
            _draw_upright(painter, axis.x(room, value), area)
        if self.limit_ns is not None and self.limit_ns >= axis.low and row.place:
            painter.setPen(QPen(theme.text_2, 1.2, Qt.PenStyle.DotLine))
            _draw_upright(painter, axis.x(room, self.limit_ns), area)
        middle = area.center().y()
        if row.members:
            for member in row.members:
                if by in member.figures:
                    _draw_hollow(painter, axis, room, middle, member.figures[by].value)
        elif by in row.figures:
            self._draw_figure(painter, room, middle, row)

    def _draw_figure(self, painter: QPainter, room: QRectF, middle: float, row: RaceRow) -> None:
        axis, by = self._axis, self._model.ranking.by
        assert axis is not None
        figure, colour = row.figures[by], self._mark_colour(row)
        if not row.place:
            colour = manager().theme.neutral_2
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

    def _draw_cell(self, painter: QPainter, place: QRect, row: RaceRow, column: int) -> None:
        theme = manager().theme
        if column == PLACE and row.members:
            name = "collapse" if self.isExpanded(self._index(row.label)) else "expand"
            at = QRect(0, 0, _ICON_PX, _ICON_PX)
            at.moveCenter(place.center())
            icon(name, theme.text_2).paint(painter, at)
            return
        index = self._index(row.label).siblingAtColumn(column)
        text, of = str(index.data() or ""), COLUMNS[column].of
        room = place.adjusted(_PADDING_PX, 0, -_PADDING_PX, 0)
        side = _RIGHT if COLUMNS[column].right else _LEFT
        is_lowest = of is not None and of in row.lowest
        if of is not None:
            room.setRight(room.right() - _TRIANGLE_PX)
        elif column == COMPARED and row.is_used_by_a:
            room.setRight(room.right() - self._pill_px() - _PILL_GAP_PX)
        colour = self._text_colour(row, column)
        if column == STRATEGY:
            painter.setFont(_name_font(row))
            painter.setPen(colour)
            painter.drawText(room, side | Qt.AlignmentFlag.AlignVCenter, self._name(row))
            return
        weight = 600 if (is_lowest or row.leads) and column != READERS else 400
        draw_line(painter, room, text, colour, px=_TEXT_PX, weight=weight, side=side)
        if is_lowest:
            _draw_triangle(painter, QPointF(room.right() + 8, place.center().y() + 0.5))
        if column == COMPARED and row.is_used_by_a:
            drawn_px = QFontMetrics(font(_TEXT_PX, weight)).horizontalAdvance(text)
            left = room.left() + min(drawn_px, room.width()) + (_PILL_GAP_PX if text else 0)
            self._draw_pill(painter, QRect(left, place.top(), self._pill_px(), place.height()))

    def _draw_why(self, painter: QPainter, places: dict[int, QRect], row: RaceRow) -> None:
        """The reason of the one to use below its figures, all others' beside their names."""
        if not row.why:
            return
        theme = manager().theme
        whole = places[STRATEGY].united(places[COMPARED]).adjusted(_PADDING_PX, 0, -_PADDING_PX, 0)
        if row.leads:
            line_px = PINNED_PX - _TOP_PX + _PADDING_PX
            whole.setTop(whole.bottom() - round(line_px * manager().scale))
            whole.setBottom(whole.bottom() - _PADDING_PX)
            draw_line(painter, whole, row.why, theme.text, px=_TEXT_PX)
            return
        if row.members:
            name_px = QFontMetrics(font(_TEXT_PX, 600)).horizontalAdvance(row.label)
            whole.setLeft(whole.left() + name_px + 2 * _PADDING_PX)
        else:
            whole.setLeft(places.get(READERS, places[PLOT]).left() + _PADDING_PX)
        if self._is_out(row):
            whole.setRight(places[PLOT].left())
        draw_line(painter, whole, row.why, theme.text_2, px=_TEXT_PX)

    def _inside(self, place: QRect, row: RaceRow) -> QRect:
        """Where the figures of a row stand."""
        if not (row.leads and row.why):
            return place
        below_px = round((PINNED_PX - _TOP_PX) * manager().scale)
        return place.adjusted(0, 0, 0, -below_px)

    def _name(self, row: RaceRow) -> str:
        """What a row is called, in lines; strategies must be told apart, so none is cut."""
        if row.members:
            return row.label
        room_px = self.columnWidth(STRATEGY) - 2 * _PADDING_PX
        return in_lines(row.label, _name_font(row), room_px, most=len(row.label))

    def _mark_colour(self, row: RaceRow) -> QColor:
        theme = manager().theme
        if row.running:
            return theme.focus
        return theme.good if row.leads else theme.a if row.is_used_by_a else theme.neutral_1

    def _text_colour(self, row: RaceRow, column: int) -> QColor:
        theme = manager().theme
        if row.running and column in {PLACE, STRATEGY, COMPARED}:
            return theme.focus
        if row.leads:
            return theme.good if column in {PLACE, COMPARED} else theme.text
        if column == STRATEGY:
            if row.is_used_by_a:
                return theme.a
            return theme.text if row.place or row.members else theme.text_2
        quiet = column in {PLACE, READERS} or not row.place
        return theme.text_2 if quiet else theme.text

    def _pill_px(self) -> int:
        return QFontMetrics(font(_SMALL_PX, 600)).horizontalAdvance(tr("A now")) + 2 * 7

    def _draw_pill(self, painter: QPainter, place: QRect) -> None:
        theme = manager().theme
        pill = QRectF(place)
        pill.setHeight(round(20 * manager().scale))
        pill.moveCenter(QPointF(place.center()) + QPointF(0.5, 0.5))
        painter.setPen(QPen(theme.a, 1))
        painter.setBrush(theme.a_soft)
        painter.drawRoundedRect(pill, 4, 4)
        centre = Qt.AlignmentFlag.AlignHCenter
        said = tr("A now")
        draw_line(painter, place, said, theme.a, px=_SMALL_PX, weight=600, side=centre)

    def _fit_columns(self) -> None:
        """Columns as wide as their texts, the plot as wide as there is room; what has none goes."""
        ranking, width = self._model.ranking, self.viewport().width()
        wanted = {column: self._wanted_px(column) for column in range(len(COLUMNS))}
        scale, whole_px = manager().scale, wanted[STRATEGY]
        strategy_px = min(whole_px, round(_USUAL_STRATEGY_PX * scale))
        narrowest = min(whole_px, round(_NARROWEST_STRATEGY_PX * scale))
        least_px, usual_px, most_px = (
            round(px * scale) for px in (_LEAST_PLOT_PX, _USUAL_PLOT_PX, _MOST_PLOT_PX)
        )
        memory = MEMORY if ranking.by != "memory" else COLD
        # Readers are modelmon's own: of programs nobody knows them.
        known = any(row.readers not in ("", ABSENT) for row in ranking.every_row)
        hidden: set[int] = set() if known or not ranking.rows else {READERS}
        for further in (None, READERS, memory, WARM if ranking.by != "warm" else COLD):
            if further is not None:
                hidden.add(further)
            others = sum(
                wanted[column] for column in wanted if column not in hidden | {PLOT, STRATEGY}
            )
            room = width - others - least_px
            wanted[STRATEGY] = max(min(strategy_px, room), narrowest)
            if room >= wanted[STRATEGY]:
                break
        spare = width - others - wanted[STRATEGY] - usual_px
        wanted[STRATEGY] += max(0, min(spare, whole_px - wanted[STRATEGY]))
        # The last column takes the rest, so that figures stay near the plot.
        wanted[PLOT] = min(max(least_px, width - others - wanted[STRATEGY]), most_px)
        for column, px in wanted.items():
            self.setColumnHidden(column, column in hidden)
            self.setColumnWidth(column, px)
        self.header().setFixedHeight(round(HEADER_PX * manager().scale))
        self.scheduleDelayedItemsLayout()

    def _shown_rows(self) -> Iterator[RaceRow]:
        """All rows but those that are folded."""
        for row in self.rows:
            yield row
            if self.isExpanded(self._index(row.label)):
                yield from row.members

    def _wanted_px(self, column: int) -> int:
        metrics = QFontMetrics(font(_TEXT_PX, 600))
        of = COLUMNS[column].of
        # The heading of the last column names a strategy: cells say enough where that is long.
        heading = str(self._model.headerData(column, Qt.Orientation.Horizontal))
        texts = ["" if column == COMPARED else heading]
        shown = list(self._shown_rows())
        texts += [str(self._index(row.label).siblingAtColumn(column).data() or "") for row in shown]
        widest = max(map(metrics.horizontalAdvance, texts))
        if column == COMPARED:
            widest = min(widest, round(_WIDEST_COMPARED_PX * manager().scale))
            if any(row.is_used_by_a for row in shown):
                widest += _PILL_GAP_PX + self._pill_px()
        spare = _TRIANGLE_PX if of is not None else _EDGE_PX if column == PLACE else 0
        return widest + 2 * _PADDING_PX + spare + _ROUNDING_PX


class _Heights(QStyledItemDelegate):
    """The one to use has a line more, for why; long names have as many as they need."""

    def __init__(self, table: RaceTable) -> None:
        super().__init__(table)
        self._table = table

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        del option
        return QSize(0, self._table.row_px(index.data(ROW_ROLE)))


class _Header(QHeaderView):
    """Names of the columns, and over the plot its axis."""

    def __init__(self, table: RaceTable) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table = table
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(False)
        self.setMinimumSectionSize(0)
        self.setStretchLastSection(True)

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N802, N803 (Qt's names)
        """Draw a column's name at the foot."""
        theme, column = manager().theme, COLUMNS[logicalIndex]
        painter.save()
        painter.fillRect(rect, theme.panel)
        line = rect.adjusted(_PADDING_PX, rect.height() - 24, -_PADDING_PX, -4)
        if logicalIndex == PLOT:
            self._draw_axis(painter, rect, line)
        else:
            ranks = column.of == self._table.by and column.of is not None
            if column.of is not None:
                line.setRight(line.right() - _TRIANGLE_PX)
            draw_line(
                painter,
                line,
                self.name_in(logicalIndex, line.width()),
                theme.text if ranks else theme.text_2,
                px=_TEXT_PX,
                weight=600 if ranks else 400,
                side=_RIGHT if column.right else _LEFT,
            )
        painter.setPen(theme.border)
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.restore()

    def name_in(self, column: int, room_px: int) -> str:
        """A column's name; with whom the last one compares is left out where that has no room."""
        name = str(self.model().headerData(column, Qt.Orientation.Horizontal))
        fits = QFontMetrics(font(_TEXT_PX)).horizontalAdvance(name) <= room_px
        return name if fits or column != COMPARED else tr("Compared")

    def _draw_axis(self, painter: QPainter, rect: QRect, line: QRect) -> None:
        axis, theme = self._table.axis, manager().theme
        if axis is None:
            return
        above = rect.adjusted(_PADDING_PX, 4, -_PADDING_PX, -24)
        limit_ns = self._table.limit_ns
        title, side = axis.title, _RIGHT
        title_px = QFontMetrics(font(_TEXT_PX, 600)).horizontalAdvance(title)
        room = QRectF(rect.adjusted(_PADDING_PX, 0, -_PADDING_PX, 0))
        if limit_ns is not None and limit_ns < axis.high:
            text = tr("disk limit {time}", time=duration_text(limit_ns))
            if limit_ns < axis.low:
                text = f"← {text}"
            width = QFontMetrics(font(_SMALL_PX)).horizontalAdvance(text) + 1
            left = round(axis.x(room, limit_ns)) - width // 2
            left = min(max(left, above.left()), above.right() - width)
            if left + width + _PADDING_PX > above.right() - title_px:
                side = _LEFT
                if left < above.left() + title_px + _PADDING_PX:
                    # The heading in bold says what it is of, the last tick in what.
                    title = ""
            place = QRect(left, above.top(), width, above.height())
            draw_line(painter, place, text, theme.text_2, px=_SMALL_PX)
        draw_line(painter, above, title, theme.text, px=_TEXT_PX, weight=600, side=side)
        metrics = QFontMetrics(font(_SMALL_PX))
        shown = [tick for _, tick in axis.ticks]
        if not title:
            shown[-1] = f"{shown[-1]} {axis.unit}"
        free = rect.right()
        for (value, tick), text in reversed(list(zip(axis.ticks, shown, strict=True))):
            width = metrics.horizontalAdvance(text) + 1
            left = round(axis.x(room, value)) - metrics.horizontalAdvance(tick) // 2
            if free == rect.right():
                left = min(left, free - width)
            if left + width <= free:
                at = QRect(left, line.top(), width, line.height())
                draw_line(painter, at, text, theme.text_2, px=_SMALL_PX)
                free = left - _TICK_GAP_PX


def _name_font(row: RaceRow) -> QFont:
    return font(_TEXT_PX, 600 if row.leads or row.place or row.members else 400)


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


def _draw_triangle(painter: QPainter, centre: QPointF) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(manager().theme.good)
    corners = [QPointF(-4, -3), QPointF(4, -3), QPointF(0, 3.5)]
    painter.drawPolygon(QPolygonF([centre + corner for corner in corners]))
