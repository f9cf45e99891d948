"""Pens and brushes: how each kind of curve looks, so that A and B differ without colour."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtGui import QBrush, QColor, QGuiApplication, QPainter, QPen, QPixmap

from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QScreen
    from PySide6.QtWidgets import QWidget

    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.widgets.theme import Theme

MAIN_PX = 2.2
THIN_PX = 1.0
OVERLAY_PX = 1.3
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


def main_pen(theme: Theme, label: ArmLabel) -> QPen:
    """The figure a plot is about: thick, A solid, B dashed."""
    return pen(theme.arm(label), MAIN_PX, () if label == "A" else (7, 4))


def thin_pen(theme: Theme, label: ArmLabel) -> QPen:
    """The figure beside it: thin and paler, A solid, B dashed."""
    return pen(faded(theme.arm(label), 0.7), THIN_PX, () if label == "A" else (4, 3))


def dotted_pen(theme: Theme, label: ArmLabel) -> QPen:
    """A third figure: A in even dots, B in dots and dashes."""
    return pen(
        faded(theme.arm(label), 0.85), 1.4, (1.5, 2.5) if label == "A" else (1.5, 2.5, 5, 2.5)
    )


def dashed_pen(theme: Theme, label: ArmLabel) -> QPen:
    """A fourth figure: A in long dashes, B in dashes and dots."""
    return pen(
        faded(theme.arm(label), 0.85), 1.6, (12.0, 3.0) if label == "A" else (12.0, 3.0, 2.0, 3.0)
    )


def overlay_pen(theme: Theme, style: int) -> QPen:
    """A further run, by its number: each colour comes solid, dashed, and in dots and dashes."""
    colours = theme.overlays
    dashes = _OVERLAY_DASHES_PX[style // len(colours) % len(_OVERLAY_DASHES_PX)]
    return pen(colours[style % len(colours)], OVERLAY_PX, dashes)


def hatch(colour: QColor, label: ArmLabel, ground: float, line_px: float = 1.2) -> QBrush:
    """Diagonal lines in `colour` on a ground of `ground` opacity; A and B lean opposite ways."""
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
