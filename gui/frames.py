"""Frames of the window while something is under way: how often, and each painted at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer

from modelmon.gui.session import Activity

if TYPE_CHECKING:
    from modelmon.gui.main_window import MainWindow

_FRAME_MS = 100
_CALM_FRAME_MS = 500
"""While Compare or Find best measures, drawing must not take the load's processor time."""


class Frames(QObject):
    """Lets the window show what has come in, by one timer.

    Each graphics scene has the window painted as soon as it knows what has changed in it. With
    several plots that were five paintings a frame, each sent to the screen by itself. So the
    request to paint is taken out of the queue and made once, when all scenes have looked.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self)
        self._timer.timeout.connect(self.draw)
        window.session.activity_changed.connect(self._pace)

    def draw(self) -> None:
        """Show what has come in since the last frame."""
        window = self._window
        window.workspace.refresh()
        window.status.refresh()
        # The window goes on to believe that it is about to be painted, and asks no more.
        QCoreApplication.removePostedEvents(window, QEvent.Type.UpdateRequest.value)
        QTimer.singleShot(0, self, self._paint)

    def _paint(self) -> None:
        QCoreApplication.sendEvent(self._window, QEvent(QEvent.Type.UpdateRequest))

    def _pace(self) -> None:
        session = self._window.session
        if not session.busy:
            self._timer.stop()
            self.draw()
            return
        calm = session.activity in (Activity.COMPARING, Activity.RACING)
        interval_ms = _CALM_FRAME_MS if calm else _FRAME_MS
        if not self._timer.isActive() or self._timer.interval() != interval_ms:
            self._timer.start(interval_ms)
