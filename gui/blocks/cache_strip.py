"""The drawing of the page cache along the files: lines one below the other, one offset axis."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy

from modelmon.gui.blocks.cache_pixels import strip_image
from modelmon.gui.blocks.cache_ruler import (
    BAND_PX,
    LINE_PX,
    boundaries,
    draw_blocks,
    draw_shards,
    draw_vertical_lines,
)
from modelmon.gui.blocks.offset_strip import OffsetStrip
from modelmon.gui.blocks.offset_view import OffsetView, span_texts
from modelmon.gui.language import tr
from modelmon.gui.plots.pens import pen
from modelmon.gui.widgets.theme import font, manager

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from PySide6.QtGui import QImage, QPaintEvent

    from modelmon.gui.blocks.block_places import BlockPlaces, Piece
    from modelmon.gui.blocks.cache_rows import CacheRow
    from modelmon.gui.widgets.theme import Theme

_CAPTION_PX = 104
_SUMMARY_PX = 192
_GAP_PX = 4
_GROUP_GAP_PX = 8
_LEAST_ROW_PX = 13
_MOST_ROW_PX = 40
_TALL = 2
"""A line that shows several looks may be so many times as high as others."""
_INSET_PX = 6


class CacheStrip(OffsetStrip):
    """`hovered` carries the line's number, the offset over all files and the height in the line
    from 0 to 1.
    """

    hovered = Signal(int, float, float)

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[CacheRow, ...] = ()
        self.selected: tuple[Piece, ...] = ()
        self._places: BlockPlaces | None = None
        self._shards: tuple[tuple[str, int], ...] = ()
        self._lines = CacheLines()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_rows(
        self,
        rows: Sequence[CacheRow],
        shards: Sequence[tuple[str, int]],
        places: BlockPlaces | None,
    ) -> None:
        """Draw these lines over `shards`, names and bytes; blocks are marked where known."""
        self.rows = tuple(rows)
        if [nbytes for _, nbytes in shards] != [nbytes for _, nbytes in self._shards]:
            self.show_view(OffsetView.whole(sum(nbytes for _, nbytes in shards)))
        self._shards = tuple(shards)
        self._places = places
        self._lines.forget_all_but(self.rows)
        self.update()

    def select(self, pieces: tuple[Piece, ...]) -> None:
        """Mark a part in all lines, and show it."""
        self.selected = pieces
        if pieces and not any(self.view.sees(each.start_bytes, each.end_bytes) for each in pieces):
            self.show_view(self.view.showing(pieces[0].start_bytes, pieces[0].end_bytes))
        self.update()

    @property
    def track(self) -> QRectF:
        """Where the lines are drawn, between their captions and their sums."""
        caption, summary = self._side_px()
        top = 2 * LINE_PX + BAND_PX + _GAP_PX
        return QRectF(caption, top, max(self.width() - caption - summary, 1), self.height() - top)

    def boxes(self) -> list[QRectF]:
        """The box of each line; they share the height.

        Those with several looks take more, and gaps are wide, where there is room for that.
        """
        track = self.track
        weights = [_TALL if len(row.looks) > 1 else 1 for row in self.rows]
        gaps = [self._gap_before(number) for number in range(len(self.rows))]
        if sum(weights) * _LEAST_ROW_PX + sum(gaps) > track.height():
            weights, gaps = [1] * len(weights), [gap // 2 for gap in gaps]
        unit = (track.height() - sum(gaps) - 2) / max(sum(weights), 1)
        unit = min(max(unit, _LEAST_ROW_PX), _MOST_ROW_PX * manager().scale)
        boxes, top = [], track.top()
        for weight, gap in zip(weights, gaps, strict=True):
            top += gap
            boxes.append(QRectF(track.left(), top, track.width(), float(int(weight * unit))))
            top = boxes[-1].bottom()
        return boxes

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw ruler, lines and marks."""
        del event
        theme = manager().theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        spans = self._shard_spans()
        boxes = self.boxes()
        track = self.track
        painter.setClipRect(QRectF(track.left(), 0, track.width() + 1, self.height()))
        self._draw_selected(painter, boxes, theme)
        draw_shards(painter, [name for name, _ in self._shards], spans, track, theme)
        pieces = self._places.pieces if self._places is not None else ()
        places = [(self.x_of(each.start_bytes), self.x_of(each.end_bytes)) for each in pieces]
        draw_blocks(painter, pieces, places, track, theme)
        meets = boundaries(places, track)
        ratio = self.devicePixelRatioF()
        for row, box in zip(self.rows, boxes, strict=True):
            self._lines.draw(painter, row, box, self.view, ratio)
            if row.looks:
                draw_vertical_lines(painter, meets, box.top(), box.bottom(), pen(theme.panel, 1))
        self._draw_edges(painter, boxes, [left for left, _ in spans[1:]], theme)
        painter.setClipping(False)
        painter.setFont(font(11))
        for row, box in zip(self.rows, boxes, strict=True):
            self._draw_texts(painter, row, box, theme)
        self._draw_headings(painter, theme)

    def sizeHint(self) -> QSize:
        """Room for all lines."""
        return QSize(640, round(self.track.top()) + 7 * (_LEAST_ROW_PX + _GAP_PX))

    def point_at(self, at: QPointF) -> None:
        """Tell what is under the pointer."""
        offset = self.offset_at(at.x())
        number, height = self._row_at(at)
        if offset is None:
            self.left.emit()
        else:
            self.hovered.emit(number, offset, height)

    def _side_px(self) -> tuple[float, float]:
        scale = manager().scale
        return _CAPTION_PX * scale, _SUMMARY_PX * scale

    def _gap_before(self, number: int) -> int:
        if not number:
            return 0
        return _GAP_PX if self.rows[number].arm == self.rows[number - 1].arm else _GROUP_GAP_PX

    def _shard_spans(self) -> list[tuple[float, float]]:
        edges = [self.x_of(at) for at in accumulate((size for _, size in self._shards), initial=0)]
        return list(pairwise(edges))

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

    def _draw_headings(self, painter: QPainter, theme: Theme) -> None:
        """What the ruler names, and which part is shown where that is not everything."""
        caption_px, summary_px = self._side_px()
        middle = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(theme.text_2)
        words = [tr("Shard") if len(self._shards) > 1 else tr("File")]
        words += [tr("Block")] if self._places is not None else []
        for number, word in enumerate(words):
            box = QRectF(0, number * LINE_PX, caption_px - 8, LINE_PX)
            painter.drawText(box, middle, word)
        if not self.view.is_whole:
            low, high = span_texts(self.view.low_bytes, self.view.high_bytes)
            box = QRectF(self.track.right() + 8, 0, summary_px - 8, LINE_PX)
            painter.drawText(box, middle, tr("{low} to {high}", low=low, high=high))

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
        draw_vertical_lines(painter, shards, 0.0, bottom, pen(theme.text_2, 1.5))
        painter.setPen(pen(theme.focus, 1.5))
        for left, right in self._selected_spans():
            painter.drawRect(QRectF(left, LINE_PX, right - left, bottom - LINE_PX + 1))

    def _selected_spans(self) -> list[tuple[float, float]]:
        spans = [(self.x_of(each.start_bytes), self.x_of(each.end_bytes)) for each in self.selected]
        return [(left, max(right, left + 2)) for left, right in spans]


class CacheLines:
    """Draws lines and keeps their pixels until size, theme, part or line are others."""

    def __init__(self) -> None:
        self._images: dict[tuple[CacheRow, int, int, str, OffsetView], QImage] = {}

    def forget_all_but(self, rows: Collection[CacheRow]) -> None:
        """Keep no pixels of lines that are not shown any more."""
        self._images = {key: image for key, image in self._images.items() if key[0] in rows}

    def draw(
        self,
        painter: QPainter,
        row: CacheRow,
        box: QRectF,
        view: OffsetView,
        ratio: float,
    ) -> None:
        """Fill `box` with what `view` shows; `ratio` is the screen's pixels per px."""
        theme = manager().theme
        painter.setFont(font(11))
        hatch = QBrush(theme.neutral_3, Qt.BrushStyle.BDiagPattern)
        if not row.looks:
            painter.fillRect(box, hatch)
            _write(painter, row.reason, box)
            return
        painter.fillRect(box, theme.hover)
        painter.drawImage(box.topLeft(), self._image(row, box, view, ratio))
        start = 0
        for file in row.looks[-1].files:
            end = start + file.size_bytes
            if not file.is_known:
                left, right = (box.left() + view.share_at(at) * box.width() for at in (start, end))
                part = QRectF(left, box.top(), right - left, box.height()) & box
                painter.fillRect(part, theme.panel)
                painter.fillRect(part, hatch)
            start = end

    def _image(self, row: CacheRow, box: QRectF, view: OffsetView, ratio: float) -> QImage:
        theme = manager().theme
        width, height = max(1, round(box.width() * ratio)), max(1, round(box.height() * ratio))
        key = (row, width, height, theme.name, view)
        if key not in self._images:
            colour = theme.arm(row.arm) if row.arm else theme.neutral_1
            lines = height if len(row.looks) > 1 else 1
            part = (view.low_bytes, view.high_bytes)
            image = strip_image(row, width, lines, colour, part)
            image = image.scaled(width, height)
            image.setDevicePixelRatio(ratio)
            self._images = {kept: of for kept, of in self._images.items() if kept[0] is not row}
            self._images[key] = image
        return self._images[key]


def _write(painter: QPainter, reason: str, box: QRectF) -> None:
    theme = manager().theme
    metrics = QFontMetricsF(painter.font())
    text = metrics.elidedText(reason, Qt.TextElideMode.ElideRight, box.width() - 4 * _INSET_PX)
    width = metrics.horizontalAdvance(text) + 2 * _INSET_PX
    ground = QRectF(box.left() + _INSET_PX, box.top(), width, box.height())
    painter.fillRect(ground, theme.panel)
    painter.setPen(theme.text_2)
    painter.drawText(ground, Qt.AlignmentFlag.AlignCenter, text)
