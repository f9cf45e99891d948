"""Text broken into lines, of which the last that has room ends in an ellipsis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QTextLayout, QTextOption

if TYPE_CHECKING:
    from PySide6.QtGui import QFont


def line_starts(text: str, font: QFont, width_px: int) -> list[int]:
    """Where in `text` each line begins; breaks are between words, or in one that is too long."""
    layout = QTextLayout(text, font)
    layout.setTextOption(_option())
    layout.beginLayout()
    starts = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width_px, 1))
        starts.append(line.textStart())
    layout.endLayout()
    return starts


def in_lines(text: str, font: QFont, width_px: int, most: int) -> str:
    """`text` in at most so many lines, shortened where it needs more."""
    metrics = QFontMetrics(font)
    if most == 1:
        return metrics.elidedText(text, Qt.TextElideMode.ElideRight, width_px)
    starts = line_starts(text, font, width_px)
    ends = [*starts[1:most], len(text)]
    lines = [text[start:end].rstrip() for start, end in zip(starts, ends, strict=False)]
    if len(starts) > most:
        lines[-1] = metrics.elidedText(lines[-1], Qt.TextElideMode.ElideRight, width_px)
    return "\n".join(lines)


def _option() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option
