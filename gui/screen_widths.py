"""Lines keep their width where the window moves to a screen with more or fewer pixels to the px."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.gui.look.theme import manager
from modelmon.gui.plots.pens import use_screen

if TYPE_CHECKING:
    from PySide6.QtGui import QScreen
    from PySide6.QtWidgets import QWidget


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
