"""The drawing of the blocks in sight: a row each, A over B."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter

from modelmon.gui.plots.items import Drawn, on_screen
from modelmon.gui.plots.pens import hatch, pen
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from modelmon.core.worker.events import BlockTiming
    from modelmon.gui.blocks.block_table import BlockTable
    from modelmon.gui.plots.canvas import Canvas
    from modelmon.gui.session.notices import ArmLabel

ROW_PX = 18
_BAR_PX = 6.0
_TICK_PX = 2.2
_LEAST_PX = 1.5
_EDGE_SHARE = 0.12
"""Of a row, in which it has neither bars nor letters: it may be cut off."""
# Of the bar's upper edge from that of its row: of A and B where both are shown, and of one alone.
_UPPER_PX, _LOWER_PX, _MIDDLE_PX = 2.0, 10.0, 6.0
PARTS = ("waiting", "arriving", "ready")


class Marks(NamedTuple):
    """What is drawn of some blocks, in seconds and rows (which count downwards from zero)."""

    waiting: list[QLineF]
    arriving: list[QRectF]
    ready: list[QLineF]


class BlockRows(Drawn):
    """Draws the rows in sight only, however many there are. Row n lies between −n and −n − 1."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(z=1)
        self._canvas = canvas
        self._table: BlockTable | None = None
        self._arms: Sequence[ArmLabel] = ()
        self._parts: Collection[str] = PARTS
        self._selected: int | None = None
        self._told: object = None
        canvas.add(self)
        canvas.laid_out.connect(self._fit)

    def show_blocks(
        self, table: BlockTable, arms: Sequence[ArmLabel], parts: Collection[str]
    ) -> None:
        """Draw these `parts` of these arms' blocks, in the order of the table."""
        self._table, self._arms, self._parts = table, arms, parts
        told = (in_sight(table, arms, self._canvas), parts, manager().theme)
        if told != self._told:
            self._told = told
            self.update()

    def select(self, row: int | None) -> None:
        """Set off a row."""
        if row != self._selected:
            self._selected = row
            self.update()

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

    def draw(self, painter: QPainter) -> None:
        """Draw lines, then bars, then ticks."""
        theme, view = manager().theme, self.rect()
        if self._selected is not None:
            place = QRectF(view.left(), -self._selected - 1, view.width(), 1)
            painter.fillRect(place, theme.focus_soft)
        for label in self._arms:
            marks, colour = self.marks(label), theme.arm(label)
            if "waiting" in self._parts:
                painter.setPen(pen(colour, 1.2))
                painter.drawLines(marks.waiting)
            if "arriving" in self._parts:
                striped = hatch(colour, "A", ground=0.5, line_px=1.8)
                filling = QBrush(colour) if label == "A" else on_screen(striped, painter)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(filling)
                painter.drawRects(marks.arriving)
            if "ready" in self._parts:
                painter.setPen(pen(colour, _TICK_PX))
                painter.drawLines(marks.ready)

    def _fit(self) -> None:
        self._resize(self._canvas.view)


def whole_rows(low: float, high: float, count: int) -> range:
    """Those of `count` rows that lie wholly between two heights of the plot."""
    return range(max(ceil(-high - _EDGE_SHARE), 0), min(floor(-low + _EDGE_SHARE), count))


def in_sight(table: BlockTable, arms: Sequence[ArmLabel], canvas: Canvas) -> list[object]:
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
