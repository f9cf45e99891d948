"""The top of the page cache strip: which shard and which block lies below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from modelmon.gui.look.theme import font
from modelmon.gui.plots.blocks.block_labels import short_names, thinned

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPainter, QPen

    from modelmon.gui.look.theme import Theme
    from modelmon.gui.plots.access.block_places import Piece

LINE_PX = 16
BAND_PX = 6
_LEAST_NAME_PX = 48
_LEAST_PIECE_PX = 5


def draw_shards(
    painter: QPainter, names: Sequence[str], spans: Sequence[tuple[float, float]], theme: Theme
) -> None:
    """Each shard's name over its part, as far as there is room; `spans` are x from and to."""
    painter.setFont(font(11))
    painter.setPen(theme.text_2)
    metrics = QFontMetricsF(painter.font())
    for name, (left, right) in zip(names, spans, strict=True):
        if right - left < _LEAST_NAME_PX:
            continue
        text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, right - left - 6)
        box = QRectF(left, 0, right - left, LINE_PX)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def draw_blocks(
    painter: QPainter,
    pieces: Sequence[Piece],
    x_of: Callable[[float], float],
    top: float,
    theme: Theme,
) -> None:
    """Short names, and below them a band that changes its shade from piece to piece."""
    spans = [(x_of(piece.start_bytes), x_of(piece.end_bytes)) for piece in pieces]
    band_top = top + LINE_PX
    for number, (left, right) in enumerate(spans):
        shade = theme.neutral_2 if number % 2 else theme.neutral_3
        painter.fillRect(QRectF(left, band_top, max(right - left, 0.5), BAND_PX), shade)
    if not pieces:
        return
    painter.setFont(font(11))
    painter.setPen(theme.text_2)
    measure = QFontMetricsF(painter.font()).horizontalAdvance
    labels = short_names([piece.block for piece in pieces])
    middles = [(left + right) / 2 for left, right in spans]
    for index in thinned(labels, middles, measure, in_order=True):
        half = measure(labels[index]) / 2 + 1
        box = QRectF(middles[index] - half, top, 2 * half, LINE_PX)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, labels[index])


def boundaries(
    pieces: Sequence[Piece], x_of: Callable[[float], float], width_px: float
) -> list[float]:
    """Where pieces meet; none where they are so many that only lines would be seen."""
    if len(pieces) * _LEAST_PIECE_PX > width_px:
        return []
    return [x_of(piece.start_bytes) for piece in pieces]


def draw_uprights(
    painter: QPainter, at_x: Sequence[float], top: float, bottom: float, line: QPen
) -> None:
    """Upright lines of one height."""
    painter.setPen(line)
    painter.drawLines([QLineF(x, top, x, bottom) for x in at_x])
