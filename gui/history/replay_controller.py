"""Joins the replay with the window: its bar, its plots, and what offers it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from modelmon.gui.history.playback import Playback
from modelmon.gui.look.language import tr
from modelmon.gui.window.notices import Choice

if TYPE_CHECKING:
    from modelmon.gui.main_window import MainWindow
    from modelmon.gui.window.notices import ArmLabel


class ReplayController(QObject):
    """Begins and ends replays as a person asks for them."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.playback = Playback(window.session, self)
        window.workspace.replay.follow(self.playback)
        self.playback.toggled.connect(self._hold_time)
        window.open_controller.recording_opened.connect(self._offer)

    def toggle(self) -> None:
        """Replay what the arms show, or stop doing so."""
        if self.playback.active:
            self.playback.close()
        else:
            self.playback.open()

    def _hold_time(self, active: bool) -> None:
        """The time axes keep room for the whole runs."""
        self._window.workspace.plots.hold_time(self.playback.end_s if active else None)

    def _offer(self, label: ArmLabel) -> None:
        session = self._window.session
        self._window.workspace.plots.reveal(label)
        if session.notice is not None:
            choice = Choice(tr("Replay"), self.playback.open)
            session.say(replace(session.notice, choices=(choice,)))
