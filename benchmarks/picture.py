"""The picture: a panel for each file and state, a bar for each arm, the limit as a line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter, QPen
from records import STATES

from modelmon.core.errors import ModelmonError
from modelmon.core.messages import verbatim
from modelmon.core.units import size_text, three_figures

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from records import Maker
    from summary import Summary

_PANEL_WIDTH, _ROW, _BAR, _TITLE, _MARGIN = 670, 26, 16, 54, 24
_NAME_WIDTH, _VALUE_WIDTH = 290, 70
_SCALE = 2
_MOST_FACTOR = 2.5
_INK, _FAINT = QColor("#1f2430"), QColor("#8a93a6")
_COLOURS = {"modelmon": QColor("#2f6fdf"), "library": QColor("#b4bccb")}
_LIMIT = QColor("#d1495b")
_LIMITS: dict[Maker, str] = {
    "device-limit": "red line: what the device gives",
    "memory-limit": "red line: what fresh private memory takes",
}


def draw_results(summaries: Sequence[Summary], path: Path) -> None:
    """Save the picture as PNG; bars of mapped arms are lighter, since nothing was copied there.

    Raises ModelmonError if `path` cannot be written.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QGuiApplication.instance() or QGuiApplication([])
    files = list(dict.fromkeys(summary.file for summary in summaries))
    states = [state for state in STATES if any(s.state == state for s in summaries)]
    rows = [
        [[s for s in summaries if (s.file, s.state) == (file, state)] for state in states]
        for file in files
    ]
    heights = [_TITLE + _ROW * max(map(len, map(_bars, row))) + _MARGIN for row in rows]
    width, height = len(states) * _PANEL_WIDTH + _MARGIN, sum(heights) + _MARGIN
    image = QImage(width * _SCALE, height * _SCALE, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(_SCALE, _SCALE)
    top = float(_MARGIN)
    for row, row_height in zip(rows, heights, strict=True):
        for column, panel in enumerate(row):
            _draw_panel(painter, QPointF(column * _PANEL_WIDTH + _MARGIN, top), panel)
        top += row_height
    painter.end()
    if not image.save(str(path)):
        raise ModelmonError(
            verbatim(f"{path} cannot be written."), verbatim("Choose another folder.")
        )
    del app


def _bars(panel: Sequence[Summary]) -> list[Summary]:
    loads = [summary for summary in panel if summary.maker in _COLOURS]
    return sorted(loads, key=lambda s: (s.delivery, -s.bytes_per_s))


def _draw_panel(painter: QPainter, at: QPointF, panel: Sequence[Summary]) -> None:
    """One file from one state; bars that would dwarf all others are cut off, with their value."""
    bars = _bars(panel)
    if not bars:
        return
    limits = [s.bytes_per_s for s in panel if s.maker in _LIMITS]
    limit = max(limits, default=0.0)
    full = _full_scale(bars, limit)
    painter.setPen(_INK)
    painter.setFont(_font(15, bold=True))
    title = f"{bars[0].file} ({size_text(bars[0].model_bytes)}), {bars[0].state}"
    painter.drawText(QPointF(at.x(), at.y() + 18), title)
    painter.setFont(_font(11))
    painter.setPen(_FAINT)
    painter.drawText(QPointF(at.x(), at.y() + 36), _caption(panel, limit))
    left = at.x() + _NAME_WIDTH
    room = _PANEL_WIDTH - _NAME_WIDTH - _VALUE_WIDTH - _MARGIN
    for number, summary in enumerate(bars):
        area = QRectF(left, at.y() + _TITLE + number * _ROW, room, _BAR)
        _draw_bar(painter, area, summary, full)
    if limit:
        painter.setPen(QPen(_LIMIT, 1.5))
        x = left + room * limit / full
        painter.drawLine(
            QPointF(x, at.y() + _TITLE - 4), QPointF(x, at.y() + _TITLE + len(bars) * _ROW - 6)
        )


def _full_scale(bars: Sequence[Summary], limit: float) -> float:
    """The rate at the right end: the highest, unless a map that copies nothing dwarfs the rest."""
    most = max(limit, *(summary.bytes_per_s for summary in bars))
    others = max([limit, *(s.bytes_per_s for s in bars if s.delivery != "mapped")])
    return 1.05 * (others if others and most > _MOST_FACTOR * others else most)


def _caption(panel: Sequence[Summary], limit_bytes_per_s: float) -> str:
    whose = next((_LIMITS[s.maker] for s in panel if s.maker in _LIMITS), "")
    return f"GB/s; {whose}: {three_figures(limit_bytes_per_s / 1e9)}" if whose else "GB/s"


def _draw_bar(painter: QPainter, area: QRectF, summary: Summary, full: float) -> None:
    colour = _COLOURS[summary.maker]
    share = min(1.0, summary.bytes_per_s / full)
    bar = QRectF(area.left(), area.top(), area.width() * share, area.height())
    painter.fillRect(bar, colour.lighter(112) if summary.delivery == "mapped" else colour)
    middle = area.center().y()
    painter.setPen(QPen(_INK, 1))
    ends = [
        area.left() + area.width() * min(1.0, rate / full)
        for rate in (summary.low_bytes_per_s, summary.high_bytes_per_s)
    ]
    painter.drawLine(QPointF(ends[0], middle), QPointF(ends[1], middle))
    painter.setFont(_font(12, bold=summary.maker == "modelmon"))
    name = QRectF(area.left() - _NAME_WIDTH, area.top() - 2, _NAME_WIDTH - 8, area.height() + 4)
    told = summary.delivery in summary.arm
    label = summary.arm if told else f"{summary.arm}, {summary.delivery}"
    painter.drawText(name, Qt.AlignmentFlag.AlignVCenter, label)
    cut = "» " if summary.bytes_per_s > full else ""
    value = QRectF(max(bar.right(), ends[1]) + 6, area.top() - 2, _VALUE_WIDTH, area.height() + 4)
    painter.drawText(
        value, Qt.AlignmentFlag.AlignVCenter, cut + three_figures(summary.bytes_per_s / 1e9)
    )


def _font(pixels: int, *, bold: bool = False) -> QFont:
    font = QFont("DejaVu Sans")
    font.setPixelSize(pixels)
    font.setBold(bold)
    return font
