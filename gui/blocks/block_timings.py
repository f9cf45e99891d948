"""Block times: what each block cost of the load time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QFontMetricsF
from PySide6.QtWidgets import QLabel, QSplitter

from modelmon.gui.blocks.block_places import short_names, thinned
from modelmon.gui.blocks.block_table import PARTS, BlockPlot, BlockTable, Order
from modelmon.gui.blocks.figures_column import FiguresText, Part, time_columns, time_texts
from modelmon.gui.language import mark, tr
from modelmon.gui.plots.chart import Chart
from modelmon.gui.plots.explanations import BLOCK_TIMES
from modelmon.gui.plots.header import LegendEntry
from modelmon.gui.plots.items import Bars
from modelmon.gui.plots.pens import faded, hatch, pen
from modelmon.gui.plots.readout import Row, UnderPointer
from modelmon.gui.plots.scale import Unit, YScale, highest, linear
from modelmon.gui.plots.timeline import ARMS
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.styling import styled
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from numpy.typing import NDArray

    from modelmon.gui.plots.chart import Ticks
    from modelmon.gui.plots.readout import Told
    from modelmon.gui.plots.time_range import TimeRange
    from modelmon.gui.session.notices import ArmLabel

_MS, _S = Unit("ms", 1e6), Unit("s", 1e9)
_SECONDS_FROM_NS = 20e9
_ORDERS: dict[Order, str] = {"execution": mark("Execution order"), "slowest": mark("Slowest first")}
_X_TITLES: dict[Order, str] = {
    "execution": mark("block, in execution order"),
    "slowest": mark("block, slowest first"),
}
PAIR_SHARE = 0.72
_GAP_PX = 1.5
_DENSE_SLOT_PX = 7
_LEAST_PX = 6


class ArmBars:
    """A plain, B hatched; what decoding took of a block is the darker foot of its bar, and waiting
    for that is dotted above it.

    Where blocks are too many for two bars side by side, both take the whole slot and one
    shines through the other.
    """

    def __init__(self, canvas: Chart, label: ArmLabel) -> None:
        self.label = label
        self.bars = Bars(z=1 if label == "A" else 2)
        self.is_dense = False
        self.decoding = Bars(z=3)
        self.waiting = Bars(z=3)
        for bars in (self.bars, self.decoding, self.waiting):
            canvas.add(bars)

    def show_bars(
        self, times: Sequence[NDArray[np.float64]], slot_px: float, *, share_slot: bool
    ) -> None:
        """One bar per block, beside the other arm's where that is shown too: its time, and what of
        that was decoding and waiting.
        """
        heights, decoding, waiting = times
        at = np.arange(len(heights), dtype=float)
        self.is_dense = slot_px < _DENSE_SLOT_PX
        if self.is_dense:
            left, width = at - 0.5, 1.0
        elif not share_slot:
            left, width = at - PAIR_SHARE / 2, PAIR_SHARE
        else:
            gap = _GAP_PX / slot_px
            width = (PAIR_SHARE - gap) / 2
            left = at - PAIR_SHARE / 2 if self.label == "A" else at + gap / 2
        self.bars.set_bars(left, width, heights)
        self.decoding.set_bars(left, width, decoding)
        self.waiting.set_bars(left, width, decoding + waiting, decoding)
        theme = manager().theme
        colour = theme.arm(self.label)
        self.bars.top_pen = pen(colour, 1.6) if self.is_dense else None
        if self.label == "A":
            self.bars.filling = QBrush(faded(colour, 0.35) if self.is_dense else colour)
        elif self.is_dense:
            self.bars.filling = QBrush(faded(colour, 0.25))
        else:
            self.bars.filling = hatch(colour, "A", ground=0.5, line_px=1.8)
        self.decoding.filling = QBrush(faded(theme.text, 0.4))
        self.waiting.filling = QBrush(faded(theme.text, 0.6), Qt.BrushStyle.Dense5Pattern)
        for bars in (self.bars, self.decoding, self.waiting):
            bars.update()


class BlockTimings(BlockPlot):
    """Bars of each block's part of the load time; when each was ready is in the waterfall.

    A bar is a block's share of the load time (requests in flight share the time among
    them), so the bars of one run add up to its load time.
    """

    explained = BLOCK_TIMES

    def __init__(self) -> None:
        empty = tr("Run A or B to see how long each block takes.")
        super().__init__(tr("Block times"), empty, _ORDERS)
        self.scale = linear(_MS, 1e6)
        self._written: object = None
        self.canvas = Chart(tr(_X_TITLES["execution"]))
        self.canvas.x_ticks = self._labels
        self.readout = UnderPointer(self.canvas, self._told_at)
        self.details = FiguresText()
        self.of_whole_load = styled(QLabel(tr("Whole load, not the range")), "hint")
        self.arm_bars = {label: ArmBars(self.canvas, label) for label in ARMS}
        self.column = pg.InfiniteLine(angle=90)
        self.column.setZValue(-50)
        self.canvas.add(self.column)
        self._add_legend()
        self._lay_out()
        self.canvas.clicked.connect(lambda x, _: self.choose(round(x)))
        self.canvas.key_pressed.connect(self.on_key)
        self.canvas.laid_out.connect(self._on_laid_out)
        self._name_entries()

    def follow_range(self, time_range: TimeRange) -> None:
        """Say that the bars are about more, while a range of time is selected."""
        self.time_range = time_range

        def tell() -> None:
            shown = time_range.seconds is not None
            self.header.set_entry_shown(self.of_whole_load, shown=shown)

        time_range.changed.connect(tell)
        tell()

    def select_block(self, name: str) -> None:
        """Mark a block and show its figures; an empty name stands for none."""
        self.selected = name
        self._show_selection()

    def renew(self) -> None:
        """Another name may stand in A's place."""
        self._name_entries()
        super().renew()

    def _add_legend(self) -> None:
        self.add_entry("A", LegendEntry("A", "fill", "A"))
        self.add_entry("B", LegendEntry("B", "hatch", "B"))
        self.add_entry("decoding", LegendEntry(tr("Decoding"), "fill"))
        self.add_entry("waiting", LegendEntry(tr("Waiting"), "dots"))
        for entry in self.entries.values():
            entry.toggled.connect(self._show_visible)
        self.header.add_entry(self.of_whole_load)
        self.header.set_entry_shown(self.of_whole_load, shown=False)
        self.header.add_entry(self.order_box, optional=True)

    def _name_entries(self) -> None:
        """A program that stands in A's place is alone: there's nothing to tell it from."""
        for label in ARMS:
            self.entries[label].setText(manager().arm_text(label))
            shown = not manager().alone or label == "A"
            self.header.set_entry_shown(self.entries[label], shown=shown)

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.canvas)
        splitter.addWidget(self.details)
        splitter.setStretchFactor(0, 1)
        splitter.setCollapsible(0, False)
        in_row(splitter, on=self.content)

    def _draw(self, stale: Collection[str]) -> None:
        del stale
        self.table = BlockTable(self.records, self.order, self.visible_arms)
        self.show_empty(empty=not self.table.names)
        self.canvas.axes.set_title(tr(_X_TITLES[self.order]))
        self.canvas.set_x_range(-0.5, max(len(self.table.names), 1) - 0.5)
        self._show_scale(self._wanted_scale())
        self._show_selection()
        # Other figures lie there by now.
        self.readout.again()

    def _wanted_scale(self) -> YScale:
        """Up to the highest bar of those in sight: a long one elsewhere must not flatten them."""
        first, last = self._in_sight(*self.canvas.x_range)
        busy = [self.table.times(label, "busy_ns") for label in ARMS]
        most_ns = max(highest(values) for values in busy)
        seen_ns = max(highest(values[first : last + 1]) for values in busy)
        return linear(_S if most_ns >= _SECONDS_FROM_NS else _MS, seen_ns or most_ns)

    def _show_scale(self, scale: YScale) -> None:
        self.scale = scale
        written = (scale, self.order, self.table.names)
        if written == self._written:
            self._show_bars()
            return
        self._written = written
        self.set_unit(tr("{unit} of load time", unit=scale.unit.name))
        # Laying out shows the bars.
        self.canvas.set_y_axis(scale.low, scale.high, scale.ticks())

    def _on_laid_out(self) -> None:
        self._show_selection()
        self._show_scale(self._wanted_scale())

    def _show_bars(self) -> None:
        low, high = self.canvas.x_range
        slot_px = self.canvas.size_px[0] / max(high - low, 1e-9)
        both = sum(self.table.has(label) for label in self.visible_arms) > 1
        decodes = any(self.table.decodes(label) for label in self.visible_arms)
        for key in ("decoding", "waiting"):
            self.header.set_entry_shown(self.entries[key], shown=decodes)
        for label, arm in self.arm_bars.items():
            times = [self.scale.place(self.table.times(label, part)) for part in PARTS]
            arm.show_bars(times, slot_px, share_slot=both)
        self._show_visible()

    def _show_visible(self) -> None:
        for label, arm in self.arm_bars.items():
            shown = label in self.visible_arms and self.entries[label].isChecked()
            arm.bars.setVisible(shown)
            arm.decoding.setVisible(shown and self.entries["decoding"].isChecked())
            arm.waiting.setVisible(shown and self.entries["waiting"].isChecked())

    def _show_selection(self) -> None:
        at = self.canvas.anchor = self.row_of_selected()
        self.column.setVisible(at is not None)
        if at is not None:
            low, high = self.canvas.x_range
            # Never so narrow that it could not be seen, however many blocks there are.
            width_px = max(self.canvas.size_px[0] / max(high - low, 1e-9), _LEAST_PX)
            self.column.setPen(pen(manager().theme.focus_soft, width_px))
            self.column.setPos(at)
        self.details.show_parts(self._told_of(self.selected, self.visible_arms))

    def _told_of(self, name: str, arms: Collection[ArmLabel]) -> Part:
        """A block's figures; without one, how to choose it."""
        if name not in self.table.names:
            return Part("", tr("Select a bar for details"))
        columns = time_columns(decodes=any(map(self.table.decodes, arms)))
        shown = [label for label in ARMS if label in arms]
        texts = {
            label: time_texts(self.table.timing(label, name))[: len(columns)] for label in shown
        }
        return Part(name, self.about(name), columns, texts)

    def _labels(self, low: float, high: float, width_px: float) -> Ticks:
        slot_px = width_px / max(high - low, 1e-9)
        first, last = self._in_sight(low, high)
        labels = short_names(self.table.names)[first : last + 1]
        places = [(index - low) * slot_px for index in range(first, first + len(labels))]
        measure = QFontMetricsF(font(11)).horizontalAdvance
        kept = thinned(labels, places, measure, in_order=self.order == "execution")
        return [(float(first + index), labels[index]) for index in kept]

    def _in_sight(self, low: float, high: float) -> tuple[int, int]:
        return max(0, round(low)), min(len(self.table.names) - 1, round(high))

    def _told_at(self, x: float, _y: float) -> Told | None:
        """The figures of the block under the pointer."""
        if not 0 <= round(x) < len(self.table.names):
            return None
        shown = {label for label in self.visible_arms if self.records[label]}
        told = self._told_of(self.table.names[round(x)], shown)
        columns = [tr(column).lower() for column in told.names]
        rows = [Row(manager().arm_text(arm), tuple(texts)) for arm, texts in told.texts.items()]
        return f"{told.heading}: {told.about}", columns, rows
