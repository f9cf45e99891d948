"""The waterfall: when each block was requested, when its bytes arrived, when it was ready."""

from __future__ import annotations

from math import floor
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from modelmon.core.units import rate_text, size_text
from modelmon.gui.blocks.block_rows import (
    ROW_PX,
    SCROLLED_ROWS,
    BlockRows,
    NamesView,
    Overview,
    RowNames,
    in_sight,
)
from modelmon.gui.blocks.block_table import BlockPlot, BlockTable, Order
from modelmon.gui.blocks.figures_column import SEEN_FIGURES, WAIT, FiguresText, Part, seen_texts
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.chart import RIGHT_PX
from modelmon.gui.plots.explanations import WATERFALL
from modelmon.gui.plots.header import LegendEntry
from modelmon.gui.plots.io_wait import waiting_text
from modelmon.gui.plots.readout import Inspector, Row, UnderPointer
from modelmon.gui.plots.time_range import RangeSelector, TimeChart
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.plots.timeplot import NOTHING
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from PySide6.QtGui import QResizeEvent

    from modelmon.core.worker.curves import RangeFigures
    from modelmon.core.worker.events import BlockTiming
    from modelmon.core.worker.record import RunRecord
    from modelmon.gui.plots.readout import Told
    from modelmon.gui.plots.time_range import TimeRange
    from modelmon.gui.session.notices import ArmLabel

_ORDERS: dict[Order, str] = {
    "execution": mark("Execution order"),
    "A ready": mark("A ready first"),
    "B ready": mark("B ready first"),
    "difference": mark("Largest difference"),
}
RANGE_FIGURES = (
    *(mark("Loaded"), mark("Throughput"), WAIT, mark("Requests")),
    mark("Blocks ready"),
)
_NARROW_PX = 1200
_NOTCH = 120


class Waterfall(BlockPlot):
    """A row for each block, on the time axis of the plots above.

    `crosshair_moved` and `view_changed` are those of a `TimePlot`, and so are the slots.
    """

    crosshair_moved = Signal(object)
    view_changed = Signal(float, float)

    explained = WATERFALL

    def __init__(self) -> None:
        empty = tr("Run A or B to see when each block is ready.")
        super().__init__(tr("Waterfall"), empty, _ORDERS)
        self._placed: object = None
        self._told: object = None
        self._is_beside = False
        self.canvas = TimeChart(left_px=RIGHT_PX, scrolls_rows=True)
        self.zoom_to = self.canvas.zoom_to
        self.rows = BlockRows(self.canvas)
        self.names = RowNames()
        self.names_view = NamesView(self.names)
        self.readout = UnderPointer(self.canvas, self._told_at, clear_px=ROW_PX)
        self.bar = self.names_view.verticalScrollBar()
        self.overview = Overview(self.bar)
        self.column = RangeColumn()
        self.inspector = Inspector(self.canvas, lambda _: [], lambda _: ([], []))
        self._add_legend()
        self._lay_out()
        self._connect()
        self.renew()

    def follow_range(self, time_range: TimeRange) -> None:
        """Select and show ranges of time together with the plots."""
        self.time_range = time_range
        self.selector = RangeSelector(self.canvas, time_range, has_handles=False)
        time_range.changed.connect(self._show_range)
        self._show_range()

    def show_crosshair(self, seconds: float | None) -> None:
        """Put the crosshair at `seconds`; None takes it away."""
        self.inspector.show(None if self.is_empty else seconds)

    def select_block(self, name: str) -> None:
        """Mark a block and bring it into sight; an empty name stands for none."""
        self.selected = name
        row = self._show_selection()
        if row is not None:
            page = self.bar.pageStep()
            if not 0 <= row - self.bar.value() < page:
                self.bar.setValue(row - page // 2)

    def renew(self) -> None:
        """Of one load alone there is one order of being ready."""
        self.header.set_entry_shown(self.order_box, shown=not manager().alone)
        super().renew()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window has no room for figures of nothing."""
        super().resizeEvent(event)
        self._show_range()

    def set_beside(self, *, beside: bool) -> None:
        """Be narrow beside the plots, with what is told of the selection below; or as wide as
        they are.
        """
        self._is_beside = beside
        sides = Qt.Orientation
        self._splitter.setOrientation(sides.Vertical if beside else sides.Horizontal)
        self._show_range()

    def _add_legend(self) -> None:
        self.add_entry("waiting", LegendEntry(tr("waiting"), "thin"))
        self.add_entry("arriving", LegendEntry(tr("arriving"), "fill"))
        self.add_entry("ready", LegendEntry(tr("ready"), "tick"))
        for entry in self.entries.values():
            entry.toggled.connect(self._show_blocks)
        self.header.add_entry(self.order_box, optional=True)

    def _lay_out(self) -> None:
        under_titles = in_column(
            (self.canvas, 1), margins=(0, self.names_view.titles_px, 0, 0), spacing=0
        )
        rows = QWidget()
        row = in_row((self.names_view, 0, Qt.AlignmentFlag.AlignTop), on=rows, spacing=0)
        row.addLayout(under_titles, 1)
        row.addWidget(self.overview)
        self._splitter = QSplitter()
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(rows)
        self._splitter.addWidget(self.column)
        self._splitter.setStretchFactor(0, 1)
        in_row(self._splitter, on=self.content, margins=(8, 4, 8, 0))

    def _connect(self) -> None:
        canvas, bar = self.canvas, self.bar
        canvas.laid_out.connect(self._place_rows)
        canvas.zoomed.connect(self.view_changed)
        self.inspector.moved.connect(self.crosshair_moved)
        canvas.clicked.connect(lambda _, y: self.choose(floor(-y)))
        canvas.key_pressed.connect(self.on_key)
        canvas.scrolled.connect(self._on_scrolled)
        self.names_view.clicked.connect(lambda index: self.choose(index.row()))
        self.names_view.horizontalHeader().sectionClicked.connect(self._sort_by)
        bar.valueChanged.connect(self._place_rows)

    def _sort_by(self, column: int) -> None:
        order = self.names.orders()[column]
        self.order_box.setCurrentIndex(tuple(_ORDERS).index(order))
        self.names_view.show_order(self.order, self.names.orders())

    def _draw(self, stale: Collection[str]) -> None:
        del stale
        self.table = BlockTable(self.records, self.order, self.visible_arms)
        self.show_empty(empty=not self.table.names)
        ends = [record.t_ns / 1e9 for record in self.records.values() if record is not None]
        self.canvas.fit(max(ends, default=0.0))
        self._show_blocks()
        self._place_rows()
        self._show_selection()
        self._show_range()
        # Other figures lie there by now.
        self.readout.again()

    def _arms(self) -> list[ArmLabel]:
        return [label for label in ARMS if label in self.visible_arms]

    def _show_blocks(self) -> None:
        arms = self._arms()
        shown = {key for key, entry in self.entries.items() if entry.isChecked()}
        # Most reports are of blocks out of sight: for those nothing is drawn but the overview.
        table, canvas = self.table, self.canvas
        told = (in_sight(table, arms, canvas), len(table.names), arms, shown, manager().theme)
        news, self._told = told != self._told, told
        self.names.show_blocks(table, arms, news=news)
        self.rows.show_blocks(table, arms, shown, news=news)
        if news:
            self.names_view.show_order(self.order, self.names.orders())
            self.column.show_arms(arms)
        self.overview.show_blocks(table, arms, canvas.whole_x_range[1])

    def _show_selection(self) -> int | None:
        row = self.row_of_selected()
        self.rows.select(row)
        self.names_view.mark(row)
        name = self.selected if row is not None else ""
        timings = {label: self.table.seen(label, name) for label in ARMS}
        self.column.show_block(name, self.about(name), timings)
        return row

    def _show_range(self) -> None:
        """The figures of the range; where there is little room, only while one is selected."""
        self.column.show_range(self.time_range, self.records)
        is_scarce = self.window().width() < _NARROW_PX and not self._is_beside
        self.column.setVisible(not is_scarce or self.time_range.seconds is not None)

    def _place_rows(self) -> None:
        """Let the height of the canvas show as many rows as it holds, from where it is scrolled."""
        height_px = int(self.canvas.size_px[1])
        if height_px <= 0:
            return
        rows_px = max(height_px // ROW_PX, 1) * ROW_PX
        self.names_view.setFixedHeight(self.names_view.titles_px + 2 + rows_px)
        # Rows are seen whole, or not at all.
        first = self.bar.value()
        placed = (first, height_px)
        if placed == self._placed:
            return
        self._placed = placed
        last = first + height_px / ROW_PX
        lines = [(-float(row), "") for row in range(first, floor(last) + 1)]
        self.canvas.set_y_axis(-last, -float(first), lines, headroom_share=0.0)

    def _on_scrolled(self, turned: int) -> None:
        self.readout.leave()
        self.bar.setValue(self.bar.value() - round(turned * SCROLLED_ROWS / _NOTCH))

    def _told_at(self, _x: float, y: float) -> Told | None:
        """The figures of the block under the pointer."""
        row = floor(-y)
        if not 0 <= row < len(self.table.names):
            return None
        name = self.table.names[row]
        rows = [
            Row(manager().arm_text(label), seen_texts(self.table.seen(label, name)))
            for label in self._arms()
            if self.records[label]
        ]
        columns = [tr(figure).lower() for figure in SEEN_FIGURES]
        return f"{name}: {self.about(name)}", columns, rows

    def on_key(self, key: int) -> None:
        """Blocks are below each other: left and right move the crosshair, as in other plots. The
        window, which Escape comes to next, takes back one thing at a time.
        """
        if key not in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().on_key(key)
        if key == Qt.Key.Key_Escape:
            self.readout.leave()


def range_texts(found: RangeFigures | None) -> tuple[str, ...]:
    """The RANGE_FIGURES as text."""
    if found is None:
        return (NOTHING,) * len(RANGE_FIGURES)
    return (
        size_text(found.loaded_bytes),
        rate_text(found.bytes_per_s),
        waiting_text(found),
        *(NOTHING if n is None else f"{n:,}" for n in (found.requests, found.blocks_ready)),
    )


class RangeColumn(FiguresText):
    """Figures of the selected range, then of the selected block; how to select them."""

    def __init__(self) -> None:
        super().__init__()
        self._both = [Part("", ""), Part("", "")]
        self._arms: Collection[ArmLabel] = ARMS
        self.setAccessibleName(tr("Figures of the selected range and block"))
        self.show_block("", "", {})

    def show_range(
        self, time_range: TimeRange, records: Mapping[ArmLabel, RunRecord | None]
    ) -> None:
        """Show the figures of these runs in the selected range."""
        if time_range.seconds is None:
            how = tr("Drag in a plot to see the figures of a time range.")
            self._show(0, Part("", how))
            return
        texts = {
            arm: range_texts(time_range.figures(record) if record is not None else None)
            for arm, record in records.items()
        }
        self._show(0, Part(time_range.short_text, tr("selected"), RANGE_FIGURES, texts))

    def show_block(
        self, name: str, about: str, timings: Mapping[ArmLabel, BlockTiming | None]
    ) -> None:
        """Show the figures of a block; an empty name stands for none."""
        if not name:
            self._show(1, Part("", tr("Select a row for the times of its block.")))
            return
        texts = {arm: seen_texts(timings.get(arm)) for arm in ARMS}
        self._show(1, Part(name, about, SEEN_FIGURES, texts))

    def show_arms(self, arms: Collection[ArmLabel]) -> None:
        """Show the columns of these arms only."""
        self._arms = arms
        self._show(0, self._both[0])

    def _show(self, at: int, part: Part) -> None:
        self._both[at] = part
        self.show_parts(*(of_arms(each, self._arms) for each in self._both))


def of_arms(part: Part, arms: Collection[ArmLabel]) -> Part:
    """The same with the figures of these arms only."""
    return part._replace(texts={arm: texts for arm, texts in part.texts.items() if arm in arms})
