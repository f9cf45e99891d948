"""The top of the page cache strip: which shard and which block lies below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from modelmon.gui.blocks.block_labels import short_names, thinned
from modelmon.gui.widgets.theme import font

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QPainter, QPen

    from modelmon.gui.blocks.block_places import Piece
    from modelmon.gui.widgets.theme import Theme

LINE_PX = 16
BAND_PX = 6
_LEAST_NAME_PX = 90
_NAME_GAP_PX = 8
_LEAST_PIECE_PX = 5


def draw_shards(
    painter: QPainter,
    names: Sequence[str],
    spans: Sequence[tuple[float, float]],
    track: QRectF,
    theme: Theme,
) -> None:
    """Each shard's name or number over its part, on grounds that alternate.

    `spans` are x from and to, also beside the `track`; names stand over what is seen of them.
    """
    painter.setFont(font(11))
    painter.setPen(theme.text_2)
    metrics = QFontMetricsF(painter.font())
    seen = _seen(spans, track)
    for number, left, right in seen:
        if number % 2:
            painter.fillRect(QRectF(left, 0, right - left, LINE_PX), theme.hover)
    rooms = [right - left for _, left, right in seen]
    texts = [
        shard_text(number, names[number], room, metrics)
        for (number, _, _), room in zip(seen, rooms, strict=True)
    ]
    measure = metrics.horizontalAdvance
    middles = _middles(seen, texts, measure, track)
    chosen = [at for at, text in enumerate(texts) if measure(text) <= rooms[at]]
    # Where there is room for none, every so many-th reaches over its neighbours.
    chosen = chosen or thinned(texts, middles, measure, in_order=False)
    _write(painter, [(texts[at], middles[at]) for at in chosen], 0)


def shard_text(number: int, name: str, room_px: float, metrics: QFontMetricsF) -> str:
    """The name where it has room, whole or shortened; else which of the shards it is."""
    room_px -= _NAME_GAP_PX
    if metrics.horizontalAdvance(name) <= room_px:
        return name
    if room_px >= _LEAST_NAME_PX:
        return metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room_px)
    return str(number + 1)


def draw_blocks(
    painter: QPainter,
    pieces: Sequence[Piece],
    spans: Sequence[tuple[float, float]],
    track: QRectF,
    theme: Theme,
) -> None:
    """Short names, and below them a band that changes its shade from piece to piece.

    `spans` are x from and to, also beside the `track`.
    """
    band_top = 2 * LINE_PX
    seen = _seen(spans, track)
    for number, left, right in seen:
        shade = theme.neutral_2 if number % 2 else theme.neutral_3
        painter.fillRect(QRectF(left, band_top, max(right - left, 0.5), BAND_PX), shade)
    painter.setFont(font(11))
    painter.setPen(theme.text_2)
    names = short_names([piece.block for piece in pieces])
    texts = [names[number] for number, _, _ in seen]
    measure = QFontMetricsF(painter.font()).horizontalAdvance
    middles = _middles(seen, texts, measure, track)
    chosen = thinned(texts, middles, measure, in_order=True)
    _write(painter, [(texts[at], middles[at]) for at in chosen], LINE_PX)


def boundaries(spans: Sequence[tuple[float, float]], track: QRectF) -> list[float]:
    """Where pieces meet; none where they are so many that only lines would be seen."""
    seen = _seen(spans, track)
    if len(seen) * _LEAST_PIECE_PX > track.width():
        return []
    return [left for _, left, _ in seen]


def _seen(spans: Sequence[tuple[float, float]], track: QRectF) -> list[tuple[int, float, float]]:
    """Which of the spans are seen, and what of each."""
    return [
        (number, max(left, track.left()), min(right, track.right()))
        for number, (left, right) in enumerate(spans)
        if left < track.right() and right > track.left()
    ]


def _middles(
    seen: Sequence[tuple[int, float, float]],
    texts: Sequence[str],
    measure: Callable[[str], float],
    track: QRectF,
) -> list[float]:
    """Where texts stand: over their parts, but never beyond an end of the track."""
    middles = []
    for (_, left, right), text in zip(seen, texts, strict=True):
        half = min(measure(text), track.width()) / 2
        middle = max((left + right) / 2, track.left() + half)
        middles.append(min(middle, track.right() - half))
    return middles


def _write(painter: QPainter, texts: Sequence[tuple[str, float]], top: float) -> None:
    """Write texts about their middles."""
    measure = QFontMetricsF(painter.font()).horizontalAdvance
    for text, middle in texts:
        half = measure(text) / 2 + 1
        box = QRectF(middle - half, top, 2 * half, LINE_PX)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def draw_vertical_lines(
    painter: QPainter, at_x: Sequence[float], top: float, bottom: float, line: QPen
) -> None:
    """Upright lines of one height."""
    painter.setPen(line)
    painter.drawLines([QLineF(x, top, x, bottom) for x in at_x])
