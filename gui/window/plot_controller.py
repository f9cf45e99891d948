"""Connects the plots with the rest of the window: settings, menu, status, limits of the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from modelmon.gui.machine.limits import Limits
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.session import Activity

if TYPE_CHECKING:
    from modelmon.gui.main_window import MainWindow

_SAID_MS = 5000


class PlotController(QObject):
    """Shows the plots that were shown before, and remembers others."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._settings = window.settings
        self._session = window.session
        self._plots = window.workspace.plots
        self._limits = Limits(window.session, window.machine, self._plots)
        self._plots.show_plots(window.settings.plots)
        self._plots.arranged.connect(self._remember)
        for frame in window.workspace.findChildren(PlotFrame):
            frame.notice.connect(lambda text: window.status.showMessage(text, _SAID_MS))
        window.session.activity_changed.connect(self._reveal_what_runs)
        before = window.actions_by_id["side_panel"]
        for menu in before.associatedObjects():
            if isinstance(menu, QMenu):
                menu.insertMenu(before, self._plots.controls.menu)

    def _reveal_what_runs(self) -> None:
        session = self._session
        if session.activity is Activity.RUNNING and session.loading is not None:
            self._plots.reveal(session.loading)

    def _remember(self) -> None:
        self._settings.plots = self._plots.shown
