"""The picture: a panel for each file and state, a bar for each arm, the limit as a line."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, get_args

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QGuiApplication, QImage, QPainter, QPen
from records import STATES, Delivery

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
_INK, _FAINT = QColor("#1f2430"), QColor("#8a93a6")
_COLOURS = {
    "modelmon": QColor("#2f6fdf"),
    "earlier": QColor("#8fb3ef"),
    "library": QColor("#b4bccb"),
}
_LIMIT = QColor("#d1495b")
_LIMITS: dict[Maker, str] = {
    "map-limit": "red line: bare maps, and reads of the rest",
    "read-limit": "red line: bare reads into fresh private memory",
}


def draw_results(summaries: Sequence[Summary], path: Path) -> None:
    """Save the picture as PNG; bars of loads that need not own their memory are lighter.

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
    return sorted(loads, key=lambda s: (get_args(Delivery).index(s.delivery), -s.bytes_per_s))


def _draw_panel(painter: QPainter, at: QPointF, panel: Sequence[Summary]) -> None:
    """One file from one state."""
    bars = _bars(panel)
    if not bars:
        return
    best = max((s for s in panel if s.maker in _LIMITS), key=lambda s: s.bytes_per_s, default=None)
    limit = best.bytes_per_s if best else 0.0
    full = 1.05 * max(limit, *(summary.bytes_per_s for summary in bars))
    painter.setPen(_INK)
    painter.setFont(_font(15, bold=True))
    title = f"{bars[0].file} ({size_text(bars[0].model_bytes)}), {bars[0].state}"
    painter.drawText(QPointF(at.x(), at.y() + 18), title)
    painter.setFont(_font(11))
    painter.setPen(_FAINT)
    painter.drawText(QPointF(at.x(), at.y() + 36), _caption(best))
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


def _caption(limit: Summary | None) -> str:
    if limit is None:
        return "GB/s"
    return f"GB/s; {_LIMITS[limit.maker]}: {three_figures(limit.bytes_per_s / 1e9)}"


def _draw_bar(painter: QPainter, area: QRectF, summary: Summary, full: float) -> None:
    colour = _COLOURS[summary.maker]
    share = summary.bytes_per_s / full
    bar = QRectF(area.left(), area.top(), area.width() * share, area.height())
    painter.fillRect(bar, colour.lighter(112) if summary.delivery == "usable" else colour)
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
    value = QRectF(max(bar.right(), ends[1]) + 6, area.top() - 2, _VALUE_WIDTH, area.height() + 4)
    painter.drawText(value, Qt.AlignmentFlag.AlignVCenter, three_figures(summary.bytes_per_s / 1e9))


def _font(pixels: int, *, bold: bool = False) -> QFont:
    font = QFont("DejaVu Sans")
    font.setPixelSize(pixels)
    font.setBold(bold)
    return font
