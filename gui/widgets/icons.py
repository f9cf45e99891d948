"""The window's icons: drawings in one colour, tinted to the theme in use."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QColor
    from PySide6.QtWidgets import QAbstractButton

_SIZE_PX = 16
_RATIOS = (1, 2, 3)
_APP_SIZES_PX = (16, 24, 32, 48, 64, 128, 256)

_cache: dict[tuple[str, str, str], QIcon] = {}


def icon(name: str, color: QColor | None = None) -> QIcon:
    """The icon called `name` in the theme's text colour, or in `color`.

    Icons do not change their colours by themselves: ask again when the theme changes, or
    use `set_icon`.
    Raises FileNotFoundError where there is no such icon.
    """
    theme = manager().theme
    normal = (color or theme.text).name()
    key = (name, normal, theme.neutral_2.name())
    if key not in _cache:
        made = QIcon()
        for ratio in _RATIOS:
            made.addPixmap(_tinted(name, normal, ratio), QIcon.Mode.Normal)
            made.addPixmap(_tinted(name, theme.neutral_2.name(), ratio), QIcon.Mode.Disabled)
        _cache[key] = made
    return _cache[key]


def set_icon(target: QAbstractButton | QAction, name: str, role: str = "text") -> None:
    """Give `target` the icon `name` in the theme's colour `role`, and again at each switch."""
    for old in target.findChildren(_Retint, options=Qt.FindChildOption.FindDirectChildrenOnly):
        old.deleteLater()
    _Retint(target, name, role)


class _Retint(QObject):
    """Lives as long as the button or action whose icon it renews."""

    def __init__(self, target: QAbstractButton | QAction, name: str, role: str) -> None:
        super().__init__(target)
        self._target = target
        self._name = name
        self._role = role
        manager().changed.connect(self._renew)
        self._renew()

    def _renew(self) -> None:
        colour: QColor = getattr(manager().theme, self._role)
        self._target.setIcon(icon(self._name, colour))


def app_icon() -> QIcon:
    """The program's icon, in its own colours."""
    made = QIcon()
    for size_px in _APP_SIZES_PX:
        made.addPixmap(_drawn(_source("app"), size_px))
    return made


def _tinted(name: str, colour: str, ratio: int) -> QPixmap:
    drawn = _drawn(_source(name).replace("currentColor", colour), _SIZE_PX * ratio)
    drawn.setDevicePixelRatio(ratio)
    return drawn


def _drawn(svg: str, size_px: int) -> QPixmap:
    pixmap = QPixmap(size_px, size_px)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, size_px, size_px))
    painter.end()
    return pixmap


@cache
def _source(name: str) -> str:
    return (resources.files("modelmon.resources") / "icons" / f"{name}.svg").read_text("utf-8")
