"""Lines as icons, as the plots draw them: A solid, B dashed, further runs each in its own way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPen, QPixmap

from modelmon.gui.plots.pens import overlay_pen

if TYPE_CHECKING:
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

SIZE = QSize(28, 12)
_WIDTH_PX = 2.2
_OVERLAY_PX = 2.2
_DASH = (2.4, 1.4)
"""In units of the line's width, short enough that two dashes fit."""
_SCALES = (1.0, 2.0)


def line_icon(label: ArmLabel, theme: Theme) -> QIcon:
    """A short piece of the arm's line in its colour, crisp on both usual scales."""
    pen = QPen(theme.arm(label), _WIDTH_PX)
    if label == "B":
        pen.setDashPattern(_DASH)
    return _drawn(pen)


def overlay_icon(style: int, theme: Theme) -> QIcon:
    """A short piece of the line of a further run."""
    pen = QPen(overlay_pen(theme, style))
    pen.setCosmetic(False)
    pen.setWidthF(_OVERLAY_PX)
    return _drawn(pen)


def _drawn(pen: QPen) -> QIcon:
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    icon = QIcon()
    for scale in _SCALES:
        pixmap = QPixmap(SIZE * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen)
        middle = SIZE.height() / 2
        painter.drawLine(QLineF(1, middle, SIZE.width() - 1, middle))
        painter.end()
        icon.addPixmap(pixmap)
    return icon
