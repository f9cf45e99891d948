"""Rows of blocks: names and ready times, what is drawn beside them, and all of them in small."""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QLineF, QModelIndex, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetrics, QPainter, QPixmap
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QScrollBar,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionSlider,
    QTableView,
)

from modelmon.core.units import duration_text
from modelmon.gui.language import tr
from modelmon.gui.plots.items import Area, Strokes, draw_safely
from modelmon.gui.plots.pens import faded, hatch, pen
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import NOTHING
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtGui import QColor, QKeyEvent, QPaintEvent
    from PySide6.QtWidgets import QStyleOptionViewItem

    from modelmon.core.worker.events import BlockTiming
    from modelmon.gui.blocks.block_table import BlockTable, Order
    from modelmon.gui.plots.chart import Chart
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.tables import Index

ROW_PX = 18
_BAR_PX = 6.0
_TICK_PX = 2.2
_LEAST_PX = 1.5
_EDGE_SHARE = 0.12
"""Of a row, in which it has neither bars nor letters: it may be cut off."""
# Of the bar's upper edge from that of its row: of A and B where both are shown, and of one alone.
_UPPER_PX, _LOWER_PX, _MIDDLE_PX = 2.0, 10.0, 6.0
PARTS = ("waiting", "arriving", "ready")
NAMES_PX = 212
TITLES_PX = 18
_READY_PX, _LEFT_PX, _RIGHT_PX = 64, 8, 4
_OVERVIEW_PX = 64
_INSET_PX = 3.0
_LINE_SHARE, _MOST_LINE_PX = 0.36, 3.0
SCROLLED_ROWS = 3
"""By a notch of the wheel or a click on an arrow."""


class Marks(NamedTuple):
    """What is drawn of some blocks, in seconds and rows (which count downwards from zero)."""

    waiting: list[QLineF]
    arriving: list[QRectF]
    ready: list[QLineF]


class BlockRows:
    """Draws the rows in sight only, however many there are. Row n is between −n and −n − 1."""

    def __init__(self, canvas: Chart) -> None:
        self._canvas = canvas
        self._table: BlockTable | None = None
        self._arms: Sequence[ArmLabel] = ()
        self._parts: Collection[str] = PARTS
        self._selected: int | None = None
        self._ground = canvas.add(Area(z=1))
        self._items = {
            label: (canvas.add(Strokes(2)), canvas.add(Area(2)), canvas.add(Strokes(3)))
            for label in ARMS
        }
        canvas.laid_out.connect(self.draw)

    def show_blocks(
        self, table: BlockTable, arms: Sequence[ArmLabel], parts: Collection[str], *, news: bool
    ) -> None:
        """Draw these `parts` of these arms' blocks, in the order of the table; at once where those
        in sight have `news`.
        """
        self._table, self._arms, self._parts = table, arms, parts
        if news:
            self.draw()

    def select(self, row: int | None) -> None:
        """Set off a row."""
        if row != self._selected:
            self._selected = row
            self.draw()

    def marks(self, label: ArmLabel) -> Marks:
        """What is to be seen of an arm's blocks now."""
        view = self._canvas.view
        least_s = _LEAST_PX * view.width() / max(self._canvas.size_px[0], 1.0)
        found = Marks([], [], [])
        table = self._table
        if table is None or label not in self._arms:
            return found
        top_px = _MIDDLE_PX if len(self._arms) == 1 else _UPPER_PX if label == "A" else _LOWER_PX
        rows = whole_rows(view.top(), view.bottom(), len(table.names))
        for row in rows:
            timing = table.seen(label, table.names[row])
            if timing is not None:
                _mark(found, timing, -row - (top_px + _BAR_PX) / ROW_PX, least_s)
        return found

    def draw(self) -> None:
        """Draw lines, bars and ticks of what is in sight now."""
        theme, view, parts = manager().theme, self._canvas.view, self._parts
        row = self._selected
        self._ground.filling = QBrush(theme.focus_soft)
        here = [] if row is None else [QRectF(view.left(), -row - 1, view.width(), 1)]
        self._ground.set_rects(here)
        for label, (waiting, arriving, ready) in self._items.items():
            marks, colour = self.marks(label), theme.arm(label)
            striped = hatch(colour, "A", ground=0.5, line_px=1.8)
            arriving.filling = QBrush(colour) if label == "A" else striped
            waiting.setPen(pen(colour, 1.2))
            ready.setPen(pen(colour, _TICK_PX))
            waiting.draw_lines(marks.waiting if "waiting" in parts else ())
            arriving.set_rects(marks.arriving if "arriving" in parts else ())
            ready.draw_lines(marks.ready if "ready" in parts else ())


def whole_rows(low: float, high: float, count: int) -> range:
    """Those of `count` rows that lie wholly between two heights of the plot."""
    return range(max(ceil(-high - _EDGE_SHARE), 0), min(floor(-low + _EDGE_SHARE), count))


def in_sight(table: BlockTable, arms: Sequence[ArmLabel], canvas: Chart) -> list[object]:
    """What the rows in sight tell. Most reports are of other blocks: nothing is drawn for them."""
    low, high = canvas.y_range
    names = [table.names[row] for row in whole_rows(low, high, len(table.names))]
    return [low, high, names, *([table.seen(arm, name) for name in names] for arm in arms)]


def _mark(found: Marks, timing: BlockTiming, bottom: float, least_s: float) -> None:
    height = _BAR_PX / ROW_PX
    middle = bottom + height / 2
    ready_s = None if timing.ready_ns is None else timing.ready_ns / 1e9
    if timing.requested_ns is not None:
        end_s = timing.arrivals_ns[-1][1] / 1e9 if ready_s is None else ready_s
        found.waiting.append(QLineF(timing.requested_ns / 1e9, middle, end_s, middle))
    for start_ns, end_ns in timing.arrivals_ns:
        width_s = max((end_ns - start_ns) / 1e9, least_s)
        found.arriving.append(QRectF(start_ns / 1e9, bottom, width_s, height))
    if ready_s is not None:
        over = height / _BAR_PX
        found.ready.append(QLineF(ready_s, bottom - over, ready_s, bottom + height + over))


class RowNames(QAbstractTableModel):
    """The columns left of the rows: a block's name, and when it was ready in each arm."""

    def __init__(self) -> None:
        super().__init__()
        self._table: BlockTable | None = None
        self._names: Sequence[str] = ()
        self._arms: Sequence[ArmLabel] = ()

    def show_blocks(self, table: BlockTable, arms: Sequence[ArmLabel], *, news: bool) -> None:
        """Show these blocks of these arms; at once where those in sight have `news`."""
        others = (len(table.names), arms) != (len(self._names), self._arms)
        if others:
            self.beginResetModel()
        self._table, self._names, self._arms = table, table.names, arms
        if others:
            self.endResetModel()
        elif news and self._names:
            last = self.index(self.rowCount() - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def rowCount(self, parent: Index = QModelIndex()) -> int:
        """Number of blocks."""
        return 0 if parent.isValid() else len(self._names)

    def columnCount(self, parent: Index = QModelIndex()) -> int:
        """The name, and one for each arm."""
        return 0 if parent.isValid() else 1 + len(self._arms)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """What the columns are, and that a click sorts."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return tr("Sort by this column")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if not section:
            return tr("block")
        return tr("ready") if manager().alone else tr("{arm} ready", arm=self._arms[section - 1])

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts, in the colours of the arms."""
        table = self._table
        if table is None or not index.isValid():
            return None
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.cell(index)[0]
        if role == Qt.ItemDataRole.ToolTipRole:
            return None if column else self._names[index.row()]
        return _side(column) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def cell(self, index: Index) -> tuple[str, QColor]:
        """Text and color: through `data` a painted cell would take twice as long."""
        column, name, theme = index.column(), self._names[index.row()], manager().theme
        if not column or self._table is None:
            return name, theme.text
        arm = self._arms[column - 1]
        ready_ns = self._table.ready_ns(arm, name)
        return NOTHING if ready_ns is None else duration_text(ready_ns), theme.arm(arm)

    def orders(self) -> list[Order]:
        """By what a click on each title sorts."""
        by_arm: dict[ArmLabel, Order] = {"A": "A ready", "B": "B ready"}
        return ["execution", *(by_arm[arm] for arm in self._arms)]


_SIDES = tuple(
    side | Qt.AlignmentFlag.AlignVCenter
    for side in (Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight)
)


def _side(column: int) -> Qt.AlignmentFlag:
    return _SIDES[column > 0]


@lru_cache(maxsize=1024)
def _shortened(name: str, weight: int, width_px: int) -> str:
    elide = Qt.TextElideMode.ElideMiddle
    return QFontMetrics(font(11, weight)).elidedText(name, elide, width_px)


class _Cells(QStyledItemDelegate):
    """Draws texts alone: with style sheets a row takes five times as long."""

    def __init__(self, names: RowNames, view: QTableView) -> None:
        super().__init__(view)
        self._names = names

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The ground of a selected row, and the text beside the edge."""
        place, (text, colour) = option.rect, self._names.cell(index)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(place, manager().theme.focus_soft)
        weight = 600 if selected else 400
        painter.setFont(font(11, weight))
        painter.setPen(colour)
        place = place.adjusted(_LEFT_PX, 0, -_RIGHT_PX, 0)
        if not index.column():
            text = _shortened(text, weight, place.width())
        painter.drawText(place, _side(index.column()), text)


class NamesView(QTableView):
    """Shows the `names` beside the rows; its bar scrolls both. Keys click the row they lead to."""

    def __init__(self, names: RowNames) -> None:
        super().__init__()
        self.setModel(names)
        self.setAccessibleName(tr("block"))
        self._scale = manager().scale
        self.titles_px = round(TITLES_PX * self._scale)
        self.setFixedWidth(round(NAMES_PX * self._scale))
        self.setFrameStyle(0)
        self.setShowGrid(False)
        self.setFont(font(11))
        self.setItemDelegate(_Cells(names, self))
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        for policy in (self.setVerticalScrollBarPolicy, self.setHorizontalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        rows, titles = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setMinimumSectionSize(ROW_PX)
        rows.setDefaultSectionSize(ROW_PX)
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        titles.setFixedHeight(self.titles_px)
        titles.setFont(font(11))
        titles.setSectionsClickable(True)
        titles.setHighlightSections(False)
        titles.setStyleSheet("QHeaderView::section { padding: 0 4px 0 12px; border: none; }")
        names.modelReset.connect(self._fit)

    def mark(self, row: int | None) -> None:
        """Set off a row."""
        if row is None:
            self.clearSelection()
        elif row not in {index.row() for index in self.selectedIndexes()}:
            bar = self.verticalScrollBar().value()
            self.selectRow(row)
            self.verticalScrollBar().setValue(bar)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the row that arrow keys lead to."""
        before = self.currentIndex()
        super().keyPressEvent(event)
        if self.currentIndex() != before:
            self.clicked.emit(self.currentIndex())

    def show_order(self, order: Order, orders: Sequence[Order]) -> None:
        """Mark the column by which the rows are sorted, where it is one of these."""
        titles = self.horizontalHeader()
        titles.setSortIndicatorShown(order in orders)
        if order in orders:
            titles.setSortIndicator(orders.index(order), Qt.SortOrder.AscendingOrder)

    def _fit(self) -> None:
        ready = self.model().columnCount() - 1
        ready_px = round(_READY_PX * self._scale)
        self.setColumnWidth(0, self.width() - ready * ready_px)
        for column in range(1, ready + 1):
            self.setColumnWidth(column, ready_px)


class Overview(QScrollBar):
    """A scroll bar of the rows with all blocks in small behind its slider. It is the same as `bar`,
    which belongs to the names.
    """

    def __init__(self, bar: QScrollBar) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._bar = bar
        self._table: BlockTable | None = None
        self._arms: Sequence[ArmLabel] = ()
        self._end_s = 1.0
        self._drawn = QPixmap()
        self._drawn_for: object = None
        self.setFixedWidth(_OVERVIEW_PX)
        bar.rangeChanged.connect(self._follow)
        bar.valueChanged.connect(self.setValue)
        self.valueChanged.connect(bar.setValue)

    def show_blocks(self, table: BlockTable, arms: Sequence[ArmLabel], end_s: float) -> None:
        """Show all blocks of these arms over a time that ends at `end_s`."""
        self._table, self._arms, self._end_s = table, arms, end_s
        self.update()

    def part(self, part: QStyle.SubControl) -> QRect:
        """Where the slider or the groove lies."""
        option, kind = QStyleOptionSlider(), QStyle.ComplexControl.CC_ScrollBar
        self.initStyleOption(option)
        return self.style().subControlRect(kind, option, part, self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw blocks and what stands for the rows in sight."""
        del event
        draw_safely(self._draw, QPainter(self))

    def _follow(self, low: int, high: int) -> None:
        self.setRange(low, high)
        self.setPageStep(self._bar.pageStep())
        for each in (self, self._bar):
            each.setSingleStep(SCROLLED_ROWS)

    def _draw(self, painter: QPainter) -> None:
        theme = manager().theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.border)
        painter.setBrush(theme.raised)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        if self._table is not None:
            # Scrolling moves the frame alone.
            wanted = (self._table, self._arms, self._end_s, self.height(), theme)
            if wanted != self._drawn_for:
                ratio = self.devicePixelRatioF()
                self._drawn_for, self._drawn = wanted, QPixmap(self.size() * ratio)
                self._drawn.setDevicePixelRatio(ratio)
                self._drawn.fill(Qt.GlobalColor.transparent)
                self._draw_blocks(QPainter(self._drawn), self._table)
            painter.drawPixmap(0, 0, self._drawn)
        if self.maximum() > 0:
            painter.setPen(theme.focus)
            painter.setBrush(faded(theme.focus, 0.12))
            slider = QRectF(self.part(QStyle.SubControl.SC_ScrollBarSlider))
            painter.drawRoundedRect(slider.adjusted(0.5, 0, -0.5, 0), 3, 3)

    def _draw_blocks(self, painter: QPainter, table: BlockTable) -> None:
        """The blocks; of more than there are pixels, evenly chosen ones, a pixel for each arm."""
        groove, count = self.part(QStyle.SubControl.SC_ScrollBarGroove), len(self._arms)
        row_px = groove.height() / max(len(table.names), 1)
        every = 1 if row_px >= 1 else ceil(count / max(row_px, 1e-6))
        across = (self.width() - 2 * _INSET_PX) / self._end_s / 1e9
        for at, label in enumerate(self._arms):
            lines = []
            for row in range(0, len(table.names), every):
                timing = table.seen(label, table.names[row])
                y = groove.top() + (row + every * (at + 1) / (count + 1)) * row_px
                for start_ns, end_ns in timing.arrivals_ns if timing is not None else ():
                    x = _INSET_PX + start_ns * across
                    lines.append(QLineF(x, y, max(_INSET_PX + end_ns * across, x + 1), y))
            width_px = min(max(row_px * _LINE_SHARE, 1.0), _MOST_LINE_PX)
            painter.setPen(pen(manager().theme.arm(label), width_px, cap=Qt.PenCapStyle.FlatCap))
            painter.drawLines(lines)
        painter.end()
