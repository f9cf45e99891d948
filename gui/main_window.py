"""The window: puts the parts together and ends them in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QSplitter, QVBoxLayout, QWidget

from modelmon.gui.actions import ACTIONS, MENUS, make_actions, update_actions
from modelmon.gui.cache_desk import CacheDesk
from modelmon.gui.closing import Closing
from modelmon.gui.focus import focus_first_in
from modelmon.gui.frames import Frames
from modelmon.gui.handlers import Handlers
from modelmon.gui.history.access import HistoryAccess
from modelmon.gui.history.run_desk import RunDesk
from modelmon.gui.language import tr
from modelmon.gui.look.icons import app_icon
from modelmon.gui.look.styling import rule
from modelmon.gui.look.theme import manager
from modelmon.gui.machine.machine import Machine
from modelmon.gui.machine.probing import Probing
from modelmon.gui.measuring.comparing import Comparing
from modelmon.gui.measuring.run_control import RunControl
from modelmon.gui.measuring.stay_awake import StayAwake
from modelmon.gui.notifying import Notifying
from modelmon.gui.opening.dropping import Dropping
from modelmon.gui.opening.opening import Opening
from modelmon.gui.opening.sample import SampleModel
from modelmon.gui.panels.side_panel import WIDTH_PX, SidePanel
from modelmon.gui.panels.status_line import StatusLine
from modelmon.gui.panels.toolbar import Toolbar, model_text
from modelmon.gui.panels.workspace import Workspace
from modelmon.gui.plot_desk import PlotDesk
from modelmon.gui.racing.race_desk import RaceDesk
from modelmon.gui.racing.racing import Racing
from modelmon.gui.racing.resuming import Resuming
from modelmon.gui.session import Session
from modelmon.gui.settings.preference_desk import PreferenceDesk
from modelmon.gui.settings.remembering import Remembering

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QCloseEvent,
        QDragEnterEvent,
        QDragLeaveEvent,
        QDropEvent,
        QKeyEvent,
    )

    from modelmon.gui.settings.settings import Settings

_USUAL_SIZE = QSize(1440, 900)


class Part(Protocol):
    """Something that may have processes under way."""

    def stop(self) -> None:
        """Stop; return at once."""

    def shut_down(self) -> None:
        """Stop and wait until no process is left."""


class MainWindow(QMainWindow):
    """One model, two strategies, and everything to compare them."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.session = Session(self)
        self.preferences = PreferenceDesk(self)
        self.history = HistoryAccess(parent=self)
        self.run_control = RunControl(self.session, history=self.history, parent=self)
        self.comparing = Comparing(self.session, self.run_control, parent=self)
        self.resuming = Resuming(self.session, self.history, self.comparing, parent=self)
        self.opening = Opening(self.session, settings, parent=self)
        self.sample = SampleModel(self.session, parent=self)
        self.machine = Machine(self.session, parent=self)
        self.probing = Probing(self.session, parent=self)
        self.racing = Racing(
            self.session, self.history, lambda: self.machine.diagnosis, parent=self
        )
        self.parts_at_work: tuple[Part, ...] = (
            self.comparing,
            self.run_control,
            self.resuming,
            self.opening,
            self.sample,
            self.machine,
            self.probing,
            self.racing,
        )
        self.stay_awake = StayAwake(self.session)
        self.notifying = Notifying(self.session, settings, self)
        self.closing = Closing(self.session, self)
        self.setWindowTitle("modelmon")
        self.setWindowIcon(app_icon())
        self.setMinimumSize(1024, 680)
        self.resize(_USUAL_SIZE.boundedTo(self.screen().availableSize()))
        self.handlers = Handlers(self)
        self.actions_by_id = make_actions(self.handlers)
        self._recents_menu = QMenu(tr("Open recent"), self)
        self._make_menus()
        self.toolbar = Toolbar(self.session, self.actions_by_id, self._recents_menu)
        self.side = SidePanel(self.session, self.machine, self.actions_by_id["probe"])
        self.workspace = Workspace(self.session)
        self._plot_desk = PlotDesk(self)
        self.cache_desk = CacheDesk(self)
        self.run_desk = RunDesk(self)
        self.race_desk = RaceDesk(self)
        self._make_centre()
        self.status = StatusLine(self.session)
        self.setStatusBar(self.status)
        self._connect()
        self._frames = Frames(self)
        self.dropping = Dropping(self)
        self._remembering = Remembering(self, self._recents_menu)
        self._remembering.restore()
        self.refresh_checks()
        self._update_actions()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()

    def show_side_panel(self, shown: bool) -> None:
        """Show or hide the side panel, and remember it."""
        self.side.setVisible(shown)
        self.settings.side_panel = shown
        self.refresh_checks()

    def refresh_checks(self) -> None:
        """Check the menu's entries that are in force."""
        self.actions_by_id["side_panel"].setChecked(self.settings.side_panel)
        for mode in ("system", "light", "dark"):
            self.actions_by_id[f"theme_{mode}"].setChecked(manager().mode == mode)

    def focus_next_panel(self) -> None:
        """Move the keyboard focus to the next part of the window."""
        work = self.workspace
        panels: list[QWidget] = [
            *(self.toolbar, self.side, *work.cards.values(), work.slot),
            *((work.empty,) if work.empty.isVisible() else (work.plots, work.tabs)),
        ]
        focused = QApplication.focusWidget()
        here = next(
            (at for at, panel in enumerate(panels) if focused and panel.isAncestorOf(focused)), -1
        )
        for step in range(1, len(panels) + 1):
            if focus_first_in(panels[(here + step) % len(panels)]):
                return

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802 (Qt's name)
        """Remember the window, stop what is under way, leave no process behind."""
        if not self.closing.may_close():
            event.ignore()
            return
        self._remembering.save()
        self.hide()
        for part in self.parts_at_work:
            part.shut_down()
        self.history.shut_down()
        self.stay_awake.shut_down()
        event.accept()

    # Not event filters: those are Python that runs for every event of the window.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 (Qt's name)
        """Say whether what is dragged can be opened."""
        self.dropping.on_enter(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:  # noqa: N802 (Qt's name)
        """It was dragged away."""
        self.dropping.on_leave(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 (Qt's name)
        """Open it."""
        self.dropping.on_drop(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 (Qt's name)
        """Keys come up to here when the widget with the focus has no use for them."""
        if event.key() == Qt.Key.Key_Escape and self.cache_desk.selection.block:
            self.cache_desk.selection.select("")
        else:
            super().keyPressEvent(event)

    def _make_centre(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.side)
        self.splitter.addWidget(self.workspace)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setCollapsible(1, False)
        self.splitter.setSizes([WIDTH_PX, self.width() - WIDTH_PX])
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(rule())
        column.addWidget(self.splitter, 1)
        self.setCentralWidget(centre)

    def _make_menus(self) -> None:
        for title in MENUS:
            menu = self.menuBar().addMenu(tr(title))
            menu.setToolTipsVisible(True)
            for spec in ACTIONS:
                if spec.menu != title:
                    continue
                if spec.starts_group:
                    menu.addSeparator()
                menu.addAction(self.actions_by_id[spec.id])
                if spec.id == "open_folder":
                    menu.addMenu(self._recents_menu)

    def _connect(self) -> None:
        session, work = self.session, self.workspace
        for signal in (
            session.activity_changed,
            session.settings_changed,
            session.model_changed,
            session.runs_changed,
            session.slot_changed,
            session.races.changed,
        ):
            signal.connect(self._update_actions)
        session.model_changed.connect(self._show_title)
        work.empty.open_wanted.connect(self.handlers.open_file)
        work.empty.sample_wanted.connect(self.handlers.try_sample)
        work.empty.path_chosen.connect(self.opening.open)
        work.slot.compare_wanted.connect(self.handlers.compare)
        work.slot.stop_wanted.connect(self.handlers.stop)
        work.slot.export_wanted.connect(self.handlers.export)
        self.comparing.resume_wanted.connect(self.resuming.resume)
        self.sample.written.connect(self.handlers.open_sample)
        self.opening.model_opened.connect(self.handlers.compare_sample)
        self.probing.measured.connect(self.machine.set_probe)

    def _update_actions(self) -> None:
        update_actions(self.actions_by_id, self.session)
        for part in (self._recents_menu, self.workspace.empty):
            part.setEnabled(not self.session.busy)

    def _show_title(self) -> None:
        name, _, _ = model_text(self.session)
        nothing = self.session.empty and self.session.comparison is None
        self.setWindowTitle("modelmon" if nothing else f"{name} – modelmon")
