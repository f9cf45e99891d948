"""Pens and brushes: how each kind of curve looks, in a plot and as an icon."""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QObject, QPointF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QGuiApplication,
    QIcon,
    QPainter,
    QPen,
    QPixmap,
    QPolygonF,
)

from modelmon.core.worker.program_phases import WEIGHTS
from modelmon.core.worker.wait_parts import READING
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QScreen
    from PySide6.QtWidgets import QWidget

    from modelmon.core.worker.wait_parts import WaitPart
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

MAIN_PX = 2.2
THIN_PX = 1.0
OVERLAY_PX = 1.3
SIZE = QSize(28, 12)
_TILE_PX = 6
_OVERLAY_DASHES_PX: tuple[tuple[float, ...], ...] = ((), (8, 4), (8, 3, 2, 3))


_pens: dict[object, QPen] = {}
_picture_ratio: float | None = None
_screen_ratio: float | None = None


def use_screen(ratio: float) -> bool:
    """Make pens for a screen with `ratio` pixels to the px from now on; whether that is new."""
    # A process has one window, which is on one screen.
    global _screen_ratio
    before, _screen_ratio = _of_screen(), ratio
    return ratio != before


def _of_screen() -> float:
    return _screen_ratio or float(QGuiApplication.primaryScreen().devicePixelRatio())


@contextmanager
def widths_for(ratio: float) -> Iterator[None]:
    """Make pens for a picture with `ratio` pixels to the px meanwhile, not for the screen."""
    global _picture_ratio  # noqa: PLW0603 (one picture is drawn at a time, by the GUI thread)
    _picture_ratio = ratio
    try:
        yield
    finally:
        _picture_ratio = None


def faded(colour: QColor, share: float) -> QColor:
    """`colour` at `share` of full opacity."""
    made = QColor(colour)
    made.setAlphaF(share)
    return made


_PHASES = {
    "phase_1": ("repack", "compile", WEIGHTS, "nodes"),
    "phase_2": ("kv-cache", "graphs", "profiling", "p2p"),
    "phase_3": ("warm-up", "kernels", "answer"),
    "neutral_1": (READING,),
}
_PHASE_COLOURS = {kind: role for role, kinds in _PHASES.items() for kind in kinds}
"""Of phases that are often long; two that follow each other differ."""


def phase_colour(part: WaitPart) -> QColor | None:
    """A part of a program's wait in all plots; None of one that has no colour."""
    role = _PHASE_COLOURS.get(part.name)
    return getattr(manager().theme, role) if role is not None else None


def pen(
    colour: QColor,
    width_px: float,
    dash_px: tuple[float, ...] = (),
    cap: Qt.PenCapStyle = Qt.PenCapStyle.FlatCap,
) -> QPen:
    """A pen of constant width on screen; `dash_px` alternates line and gap.

    Frames ask for the same ones again and again: they are made once, and not to be changed.
    """
    # Qt takes a cosmetic pen's width in the device's pixels, of which one px may have several.
    ratio = _picture_ratio or _of_screen()
    key = (colour.getRgbF(), width_px * ratio, dash_px, cap)
    if key not in _pens:
        made = _pens[key] = QPen(colour, width_px * ratio)
        made.setCosmetic(True)
        made.setCapStyle(cap)
        made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        if dash_px:
            made.setDashPattern([part / width_px for part in dash_px])
    return _pens[key]


_SERIES: dict[str, tuple[float, float, tuple[float, ...]]] = {
    "thick": (1.0, MAIN_PX, ()),
    "thin": (0.7, THIN_PX, ()),
    "dotted": (0.85, 1.4, (1.5, 2.5)),
    "dashed": (0.85, 1.6, (12.0, 3.0)),
}
"""Opacity, width and dashes of curves, by how their legend draws them: what a plot is about is
thick.
"""


def series_pen(sample: str, colour: QColor) -> QPen:
    """Of a curve that its legend draws as this `sample`."""
    opacity, width_px, dash_px = _SERIES[sample]
    return pen(faded(colour, opacity), width_px, dash_px)


def overlay_pen(theme: Theme, style: int) -> QPen:
    """A further run, by its number: each colour comes solid, dashed, and in dots and dashes."""
    colours = theme.overlays
    dashes = _OVERLAY_DASHES_PX[style // len(colours) % len(_OVERLAY_DASHES_PX)]
    return pen(colours[style % len(colours)], OVERLAY_PX, dashes)


def hatch(colour: QColor, label: ArmLabel, ground: float, line_px: float = 1.2) -> QBrush:
    """Diagonal lines in `colour` on a ground of `ground` opacity; A and B lean opposite ways."""
    return _hatched(colour.rgba(), label, ground, line_px)


@lru_cache(maxsize=64)
def _hatched(rgba: int, label: ArmLabel, ground: float, line_px: float) -> QBrush:
    colour = QColor.fromRgba(rgba)
    tile = QPixmap(_TILE_PX * 2, _TILE_PX * 2)
    tile.setDevicePixelRatio(2)
    tile.fill(faded(colour, ground))
    painter = QPainter(tile)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(colour, line_px))
    # Three parallel lines, so that the corners of neighbouring tiles meet.
    for shift in (-_TILE_PX, 0, _TILE_PX):
        left, right = QPointF(shift - 1, _TILE_PX + 1), QPointF(shift + _TILE_PX + 1, -1)
        if label == "B":
            left, right = QPointF(shift - 1, -1), QPointF(shift + _TILE_PX + 1, _TILE_PX + 1)
        painter.drawLine(left, right)
    painter.end()
    return QBrush(tile)


def line_icon(label: ArmLabel, theme: Theme) -> QIcon:
    """A short piece of the arm's line as plots draw it: B has a diamond on it."""
    return _icon(QPen(theme.arm(label), MAIN_PX), has_diamond=label == "B")


def overlay_icon(style: int, theme: Theme) -> QIcon:
    """A short piece of the line of a further run."""
    look = QPen(overlay_pen(theme, style))
    look.setCosmetic(False)
    look.setWidthF(MAIN_PX)
    return _icon(look)


def _icon(line: QPen, *, has_diamond: bool = False) -> QIcon:
    """Crisp on both usual scales."""
    made, middle = QIcon(), QPointF(SIZE.width() / 2, SIZE.height() / 2)
    line.setCapStyle(Qt.PenCapStyle.FlatCap)
    for scale in (1.0, 2.0):
        pixmap = QPixmap(SIZE * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(line)
        painter.drawLine(QLineF(1, middle.y(), SIZE.width() - 1, middle.y()))
        if has_diamond:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(line.color())
            painter.drawPolygon(diamond(middle, 5.0))
        painter.end()
        made.addPixmap(pixmap)
    return made


def diamond(at: QPointF, reach: float) -> QPolygonF:
    """B's mark around a point."""
    corners = ((0.0, -reach), (reach, 0.0), (0.0, reach), (-reach, 0.0), (0.0, -reach))
    return QPolygonF([at + QPointF(x, y) for x, y in corners])


class ScreenWidths(QObject):
    """Follows a window that is shown."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        handle = window.windowHandle()
        self.follow(handle.screen())
        handle.screenChanged.connect(self.follow)

    def follow(self, screen: QScreen) -> None:
        """The window is on this screen."""
        if use_screen(float(screen.devicePixelRatio())):
            # All pens are made anew, as for other colours.
            manager().changed.emit()
