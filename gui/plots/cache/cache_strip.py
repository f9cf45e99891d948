"""The drawing of the page cache along the files: lines one below the other, one offset axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from modelmon.gui.look.theme import manager
from modelmon.gui.plots.cache.cache_lines import CacheLines
from modelmon.gui.plots.cache.cache_ruler import (
    BAND_PX,
    LINE_PX,
    boundaries,
    draw_blocks,
    draw_shards,
    draw_uprights,
)
from modelmon.gui.plots.pens import pen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

    from modelmon.gui.look.theme import Theme
    from modelmon.gui.plots.access.block_places import BlockPlaces, Piece
    from modelmon.gui.plots.cache.cache_rows import CacheRow

_CAPTION_PX = 104
_SUMMARY_PX = 192
_GAP_PX = 4
_GROUP_GAP_PX = 8
_LEAST_ROW_PX = 14
_MOST_ROW_PX = 40
_TALL = 2
"""A line that shows several looks may be so many times as high as others."""


class CacheStrip(QWidget):
    """`hovered` carries the line's number, the offset over all files and the height in the line
    from 0 to 1; `clicked` the offset; `stepped` follows the arrow keys.
    """

    hovered = Signal(int, float, float)
    left = Signal()
    clicked = Signal(float)
    stepped = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[CacheRow, ...] = ()
        self.selected: tuple[Piece, ...] = ()
        self._places: BlockPlaces | None = None
        self._shards: tuple[tuple[str, int], ...] = ()
        self._lines = CacheLines()
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_rows(
        self,
        rows: Sequence[CacheRow],
        shards: Sequence[tuple[str, int]],
        places: BlockPlaces | None,
    ) -> None:
        """Draw these lines over `shards`, names and bytes; blocks are marked where known."""
        self.rows = tuple(rows)
        self._shards = tuple(shards)
        self._places = places
        self._lines.forget_all_but(self.rows)
        self.update()

    def select(self, pieces: tuple[Piece, ...]) -> None:
        """Mark a part in all lines."""
        self.selected = pieces
        self.update()

    @property
    def track(self) -> QRectF:
        """Where the lines are drawn, between their captions and their sums."""
        caption, summary = self._side_px()
        top = 2 * LINE_PX + BAND_PX + _GAP_PX
        return QRectF(caption, top, max(self.width() - caption - summary, 1), self.height() - top)

    def boxes(self) -> list[QRectF]:
        """The box of each line; they share the height, those with several looks take more."""
        track = self.track
        weights = [_TALL if len(row.looks) > 1 else 1 for row in self.rows]
        gaps = [self._gap_before(number) for number in range(len(self.rows))]
        unit = (track.height() - sum(gaps) - 2) / max(sum(weights), 1)
        unit = min(max(unit, _LEAST_ROW_PX), _MOST_ROW_PX * manager().scale)
        boxes, top = [], track.top()
        for weight, gap in zip(weights, gaps, strict=True):
            top += gap
            boxes.append(QRectF(track.left(), top, track.width(), float(round(weight * unit))))
            top = boxes[-1].bottom()
        return boxes

    def x_of(self, offset_bytes: float) -> float:
        """Where an offset over all files lies."""
        track = self.track
        return track.left() + offset_bytes / max(self._total_bytes, 1) * track.width()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw ruler, lines and marks."""
        del event
        theme = manager().theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        spans = self._shard_spans()
        boxes = self.boxes()
        self._draw_selected(painter, boxes, theme)
        draw_shards(painter, [name for name, _ in self._shards], spans, theme)
        pieces = self._places.pieces if self._places is not None else ()
        draw_blocks(painter, pieces, self.x_of, LINE_PX, theme)
        meets = boundaries(pieces, self.x_of, self.track.width())
        ratio = self.devicePixelRatioF()
        for row, box in zip(self.rows, boxes, strict=True):
            self._lines.draw(painter, row, box, spans, ratio)
            self._draw_texts(painter, row, box, theme)
            if row.looks:
                draw_uprights(painter, meets, box.top(), box.bottom(), pen(theme.panel, 1))
        self._draw_edges(painter, boxes, [left for left, _ in spans[1:]], theme)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Room for all lines."""
        return QSize(640, round(self.track.top()) + 7 * (_LEAST_ROW_PX + _GAP_PX))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Tell what is under the pointer."""
        at = event.position()
        offset = self._offset_at(at)
        number, height = self._row_at(at)
        if offset is None:
            self.left.emit()
        else:
            self.hovered.emit(number, offset, height)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 (Qt's name)
        """Choose what is under the pointer."""
        offset = self._offset_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and offset is not None:
            self.clicked.emit(offset)

    def leaveEvent(self, event: object) -> None:  # noqa: N802 (Qt's name)
        """The pointer has gone."""
        del event
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Left and right go on from the selected block."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(step)

    @property
    def _total_bytes(self) -> int:
        return sum(nbytes for _, nbytes in self._shards)

    def _side_px(self) -> tuple[float, float]:
        scale = manager().scale
        return _CAPTION_PX * scale, _SUMMARY_PX * scale

    def _gap_before(self, number: int) -> int:
        if not number:
            return 0
        return _GAP_PX if self.rows[number].arm == self.rows[number - 1].arm else _GROUP_GAP_PX

    def _shard_spans(self) -> list[tuple[float, float]]:
        spans, start = [], 0
        for _, nbytes in self._shards:
            spans.append((self.x_of(start), self.x_of(start + nbytes)))
            start += nbytes
        return spans

    def _offset_at(self, at: QPointF) -> float | None:
        track = self.track
        if not self._total_bytes or not track.left() <= at.x() < track.right():
            return None
        return (at.x() - track.left()) / track.width() * self._total_bytes

    def _row_at(self, at: QPointF) -> tuple[int, float]:
        """The line at a point and the height in it; −1 beside all lines."""
        for number, box in enumerate(self.boxes()):
            if box.top() <= at.y() < box.bottom():
                return number, (at.y() - box.top()) / box.height()
        return -1, 1.0

    def _draw_texts(self, painter: QPainter, row: CacheRow, box: QRectF, theme: Theme) -> None:
        caption_px, summary_px = self._side_px()
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(theme.arm(row.arm) if row.arm else theme.text_2)
        painter.drawText(QRectF(0, box.top(), caption_px - 8, box.height()), middle, row.name)
        painter.setPen(theme.text)
        sums = QRectF(box.right() + 8, box.top(), summary_px - 8, box.height())
        painter.drawText(sums, middle, row.summary)

    def _draw_selected(self, painter: QPainter, boxes: list[QRectF], theme: Theme) -> None:
        bottom = boxes[-1].bottom() if boxes else 0.0
        for left, right in self._selected_spans():
            painter.fillRect(
                QRectF(left, LINE_PX, right - left, bottom - LINE_PX), theme.focus_soft
            )

    def _draw_edges(
        self, painter: QPainter, boxes: list[QRectF], shards: list[float], theme: Theme
    ) -> None:
        """Lines over everything: where shards meet, and around what is selected."""
        bottom = boxes[-1].bottom() if boxes else 0.0
        draw_uprights(painter, shards, 0.0, bottom, pen(theme.text_2, 1.5))
        painter.setPen(pen(theme.focus, 1.5))
        for left, right in self._selected_spans():
            painter.drawRect(QRectF(left, LINE_PX, right - left, bottom - LINE_PX + 1))

    def _selected_spans(self) -> list[tuple[float, float]]:
        spans = [(self.x_of(each.start_bytes), self.x_of(each.end_bytes)) for each in self.selected]
        return [(left, max(right, left + 2)) for left, right in spans]
