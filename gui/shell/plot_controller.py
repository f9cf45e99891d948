"""Connects the plots with the rest of the window: settings, menu, status, limits of the machine."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from modelmon.core.units import size_text
from modelmon.gui.language import tr
from modelmon.gui.plots.frame import PlotFrame
from modelmon.gui.plots.saving import kinds_of, save
from modelmon.gui.session.machine import limit_text
from modelmon.gui.session.session import Activity
from modelmon.gui.widgets.file_dialog import FileDialog

if TYPE_CHECKING:
    from modelmon.gui.plots.plot_row import PlotRow
    from modelmon.gui.session.machine import Machine
    from modelmon.gui.session.session import Session
    from modelmon.gui.shell.main_window import MainWindow

_SAID_MS = 5000


def _file_name(plot: PlotFrame) -> str:
    return plot.accessibleName().lower().replace("/", "-")


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
            frame.save_wanted.connect(partial(self._ask_where_to_save, frame))
            frame.notice.connect(lambda text: window.status.showMessage(text, _SAID_MS))
        window.session.load_changed.connect(self._reveal_what_runs)
        before = window.actions_by_id["side_panel"]
        for menu in before.associatedObjects():
            if isinstance(menu, QMenu):
                menu.insertMenu(before, self._plots.controls.menu)

    def _ask_where_to_save(self, plot: PlotFrame) -> None:
        """The suffix says whether it becomes a picture or a table."""
        path = Path(self._settings.folder, f"{_file_name(plot)}.png")
        dialog = FileDialog(plot, tr("Save plot"), str(path), "save", kinds_of(plot))
        dialog.chosen.connect(lambda path: save(plot, Path(path)))
        dialog.open()

    def _reveal_what_runs(self) -> None:
        session = self._session
        if session.activity is Activity.RUNNING and session.loading is not None:
            self._plots.reveal(session.loading)

    def _remember(self) -> None:
        self._settings.plots = self._plots.chosen


class Limits(QObject):
    """Draws what the machine can do at most into the plots, as far as that is known."""

    def __init__(self, session: Session, machine: Machine, plots: PlotRow) -> None:
        super().__init__(plots)
        self._session, self._machine, self._plots = session, machine, plots
        machine.changed.connect(self._show)
        session.model_changed.connect(self._show)

    def _show(self) -> None:
        probe = self._machine.probe
        text = limit_text(probe) if probe is not None else ""
        fastest = probe.storage.best_reads if probe is not None and text else None
        self._plots.throughput.set_limit(fastest.bytes_per_s if fastest else None, text)
        idle = self._machine.diagnosis.idle if self._machine.diagnosis else None
        self._plots.device.set_idle(idle.devices[0].activity if idle and idle.devices else None)
        inspection = self._session.inspection
        if inspection is None:
            self._plots.rss.set_limit(None)
            return
        total, limit = inspection.memory.total_bytes, inspection.memory.cgroup_limit_bytes
        words, most = tr("RAM {size}", size=size_text(total)), total
        if limit is not None and limit < total:
            words, most = tr("cgroup limit {size}", size=size_text(limit)), limit
        self._plots.rss.set_limit(most, words)
