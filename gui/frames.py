"""Frames of the window while something is under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from modelmon.gui.painting import paint_at_once
from modelmon.gui.session import Activity

if TYPE_CHECKING:
    from modelmon.gui.main_window import MainWindow

_FRAME_MS = 100
_CALM_FRAME_MS = 750
"""While Compare or Find best measures, drawing must not take the load's processor time."""


class Frames(QObject):
    """Lets the window show what has come in, by one timer."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._draw_next)
        self._texts_due = True
        window.session.activity_changed.connect(self._pace)
        # Cards tell at once that a run is over: plots must not show it half way beside them.
        window.session.runs_changed.connect(self._draw_end)

    def draw(self) -> None:
        """Show what has come in since the last frame."""
        window = self._window
        window.workspace.refresh_texts()
        window.workspace.refresh_plots()
        window.status.refresh()
        paint_at_once(window)

    def _draw_next(self) -> None:
        """Draw a frame of a series; nobody reads figures that change ten times a second."""
        self._texts_due = not self._texts_due or self._timer.interval() == _CALM_FRAME_MS
        if self._texts_due:
            self.draw()
        else:
            self._window.workspace.refresh_plots()
            paint_at_once(self._window)

    def _draw_end(self) -> None:
        if self._window.session.busy:
            self._window.workspace.refresh_plots()

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
