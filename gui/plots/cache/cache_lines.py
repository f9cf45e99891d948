"""One line of the page cache strip: its pixels, and a reason where there is nothing to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF

from modelmon.gui.look.theme import font, manager
from modelmon.gui.plots.cache.cache_pixels import strip_image

if TYPE_CHECKING:
    from collections.abc import Collection

    from PySide6.QtGui import QImage, QPainter

    from modelmon.gui.plots.cache.cache_rows import CacheRow
    from modelmon.gui.plots.cache.offset_view import OffsetView

_INSET_PX = 6


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
