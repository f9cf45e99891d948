"""Windows that are no larger than the screen that they are on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

TITLE_BAR_PX = 40
"""What a desktop draws above a window."""


def screen_room(window: QWidget) -> QSize:
    """The largest size that a window can have on its screen, in which it is seen whole."""
    return window.screen().availableSize() - QSize(0, TITLE_BAR_PX)


def resize_on_screen(window: QWidget, width_px: int, height_px: int) -> None:
    """Give a window this size, or as much of it as its screen has room for."""
    window.resize(QSize(width_px, height_px).boundedTo(screen_room(window)))
