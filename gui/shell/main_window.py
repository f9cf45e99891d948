"""The window: puts the parts together and ends them in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEventLoop, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QScrollArea, QSplitter, QWidget

from modelmon.gui.background.commands import MODELMON, Command, Presence
from modelmon.gui.background.history_access import HistoryAccess
from modelmon.gui.best.find_best_controller import FindBestController
from modelmon.gui.cluster.cluster_controller import ClusterController, EarlierClusters
from modelmon.gui.compare.compare_controller import CompareController
from modelmon.gui.language import mark, tr
from modelmon.gui.model.probe_controller import ProbeController
from modelmon.gui.open.open_controller import DropController, OpenController
from modelmon.gui.open.sample import SampleModel
from modelmon.gui.open.start_page import StartPage
from modelmon.gui.session.actions import (
    ACTIONS,
    MENUS,
    give_icons,
    make_actions,
    reasons_against,
    update_actions,
)
from modelmon.gui.session.controller import Controller
from modelmon.gui.session.machine import Machine, ProgramFinder
from modelmon.gui.session.run_controller import RunController
from modelmon.gui.session.session import LABELS, Session
from modelmon.gui.shell.command_controller import CommandController, start_window
from modelmon.gui.shell.frames import Frames
from modelmon.gui.shell.long_work import CloseGuard, DesktopNotifier, SleepInhibitor
from modelmon.gui.shell.settings_dialog import PreferencesController
from modelmon.gui.shell.settings_sync import SettingsSync
from modelmon.gui.shell.side_panel import WIDTH_PX, SidePanel
from modelmon.gui.shell.status_line import StatusLine
from modelmon.gui.shell.toolbar import Toolbar, model_text
from modelmon.gui.watch.watch_controller import WatchController
from modelmon.gui.widgets.dialog import resize_on_screen
from modelmon.gui.widgets.layout import in_column
from modelmon.gui.widgets.styling import rule, with_key
from modelmon.gui.widgets.theme import app_icon, manager

if TYPE_CHECKING:
    from typing import Self

    from PySide6.QtGui import (
        QCloseEvent,
        QDragEnterEvent,
        QDragLeaveEvent,
        QDropEvent,
        QKeyEvent,
        QShowEvent,
    )

    from modelmon.gui.blocks.page_cache_controller import PageCacheController
    from modelmon.gui.runs.runs_tab_controller import RunsTabController
    from modelmon.gui.session.settings import Settings
    from modelmon.gui.shell.workspace import Workspace

_USUAL_SIZE_PX = (1440, 900)
_SAID_MS = 5000
_PAINTED_MS = 100
_LEAST_SIZE = QSize(640, 400)
_MADE_FOR = QSize(1080, 640)
"""Of all but menus and status; in a smaller window it scrolls."""


class MainWindow(QMainWindow):
    """One model, two strategies, and everything to compare them.

    It begins with the page where models are opened. Cards, plots and tabs are made a moment after
    that is painted, or when somebody asks for them; `furnished` tells that they are.
    """

    furnished = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.session = Session(self)
        self._workspace: Workspace | None = None
        self.preferences = PreferencesController(self)
        self.history = HistoryAccess(parent=self)
        self.run_controller = RunController(self.session, history=self.history, parent=self)
        self.compare_controller = CompareController(self.session, self.run_controller, parent=self)
        self.open_controller = OpenController(self.session, settings, parent=self)
        self.sample = SampleModel(self.session, parent=self)
        self.machine = Machine(self.session, parent=self)
        self.probe_controller = ProbeController(self.session, parent=self)
        self.programs = ProgramFinder(self.session, parent=self)
        self.find_best_controller = FindBestController(
            self.session, self.run_controller, self.programs, parent=self
        )
        self.watch_controller = WatchController(
            self.session, self.run_controller, self.programs, parent=self
        )
        self.cluster_controller = ClusterController(self.session, parent=self)
        self.earlier_clusters = EarlierClusters(self.session, self.history, self)
        self.sleep_inhibitor = SleepInhibitor(self.session)
        self.desktop_notifier = DesktopNotifier(self.session, settings, self)
        self.close_guard = CloseGuard(self.session, self)
        self.setWindowTitle("modelmon")
        self.setWindowIcon(app_icon())
        self.setMinimumSize(_LEAST_SIZE)
        resize_on_screen(self, *_USUAL_SIZE_PX)
        self.commands = CommandController(self)
        self.actions_by_id = make_actions(self.commands.does, self.commands)
        self._against: dict[str, str] | None = None
        self._recents_menu = QMenu(tr("Open recent"), self)
        self._make_menus()
        self.toolbar = Toolbar(self.session, self.actions_by_id, self._recents_menu)
        self.side = SidePanel(self.session, self.machine, self.actions_by_id["probe"])
        self.empty = StartPage()
        self._make_centre()
        self.status = StatusLine(self.session)
        self.setStatusBar(self.status)
        self._connect()
        self._frames = Frames(self)
        self.drop_controller = DropController(self, self.session, self.empty, self.open_controller)
        self._settings_sync = SettingsSync(self, self._recents_menu)
        self._settings_sync.restore()
        self.refresh_checks()
        self._update_actions()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setFocus()

    @classmethod
    def built(cls, settings: Settings) -> Self:
        """A window whose widgets are styled once, when all of them are there."""
        with manager().building(_application()):
            return cls(settings)

    @property
    def workspace(self) -> Workspace:
        """Cards, plots and tabs."""
        self._ensure_furnished()
        assert self._workspace is not None
        return self._workspace

    @property
    def is_furnished(self) -> bool:
        """Whether cards, plots and tabs have been made."""
        return self._workspace is not None

    @property
    def page_cache_controller(self) -> PageCacheController:
        """What drives the page cache's tab, and knows the selected block."""
        self._ensure_furnished()
        return self._page_cache_controller

    @property
    def runs_tab_controller(self) -> RunsTabController:
        """What drives the table of runs."""
        self._ensure_furnished()
        return self._runs_tab_controller

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

    def focus_next_panel(self, *, backwards: bool = False) -> None:
        """Move the keyboard focus to the next part of the window, or to the one before."""
        panels: list[QWidget] = [self.toolbar, self.side]
        work = self._workspace
        if work is not None:
            panels += [*work.cards.values(), work.program_card, work.slot]
        if work is None or self.empty.isVisible():
            panels.append(self.empty)
        else:
            panels += [work.plots, work.tabs]
        focused, step = QApplication.focusWidget(), -1 if backwards else 1
        inside = (at for at, panel in enumerate(panels) if focused and panel.isAncestorOf(focused))
        here = next(inside, 0 if backwards else -1)
        for far in range(1, len(panels) + 1):
            if _focus_first_in(panels[(here + step * far) % len(panels)]):
                return

    def closeEvent(self, event: QCloseEvent) -> None:
        """Remember the window, stop what is under way, leave no process behind."""
        if not self.close_guard.may_close():
            event.ignore()
            return
        self._settings_sync.save()
        self.hide()
        # It is gone before anybody is waited for who hangs.
        _application().processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        manager().show_alone("")
        for part in self.findChildren(Controller):
            part.shut_down()
        for presence in self.findChildren(Presence):
            presence.shut_down()
        # Of dialogs and lists that have asked for something.
        for command in self.findChildren(Command):
            command.shut_down()
        self.history.shut_down()
        self.sleep_inhibitor.shut_down()
        event.accept()

    def showEvent(self, event: QShowEvent) -> None:
        """Make the rest of the window, once its first page is painted."""
        super().showEvent(event)
        QTimer.singleShot(_PAINTED_MS, self, self._furnish_shown)

    # Not event filters: those are Python that runs for every event of the window.

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Say whether what is dragged can be opened."""
        self.drop_controller.on_enter(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """It was dragged away."""
        self.drop_controller.on_leave(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open it."""
        self.drop_controller.on_drop(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys come up to here when the widget with the focus has no use for them."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif (
            self._workspace is not None
            and not self._workspace.take_back()
            and self.page_cache_controller.selection.block
        ):
            self.page_cache_controller.selection.select("")

    def restart(self) -> None:
        """Close, and start the program anew with the model that is open."""
        inspection = self.session.inspection
        # A sample is gone with its window.
        is_kept = inspection is not None and inspection.model.path != str(self.sample.path)
        if self.close():
            model = (inspection.reference,) if inspection is not None and is_kept else ()
            start_window((*MODELMON, *model), beside=False)

    def _make_centre(self) -> None:
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.side)
        self._give_room(self.empty, [WIDTH_PX, self.width() - WIDTH_PX])
        centre = QWidget()
        in_column(self.toolbar, rule(), (self.splitter, 1), on=centre, spacing=0)
        centre.setMinimumSize(_MADE_FOR)
        area = QScrollArea()
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(centre)
        self.setCentralWidget(area)
        self._area = area
        _application().focusChanged.connect(self._see_focused)

    def _see_focused(self, _before: QWidget | None, focused: QWidget | None) -> None:
        """What the keyboard is at is in sight, too, where the window scrolls."""
        if focused is not None and self._area.isAncestorOf(focused):
            self._area.ensureWidgetVisible(focused)

    def _give_room(self, part: QWidget, sizes_px: list[int]) -> None:
        """Put it beside the side panel."""
        self.splitter.addWidget(part)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setCollapsible(1, False)
        self.splitter.setSizes(sizes_px)

    def _furnish_shown(self) -> None:
        if self.isVisible():
            self._ensure_furnished()

    def _ensure_furnished(self) -> None:
        if self._workspace is None:
            self._furnish()

    def _furnish(self) -> None:
        # A third of the time until the window is painted would go into them.
        from modelmon.gui.blocks.page_cache_controller import PageCacheController  # noqa: PLC0415
        from modelmon.gui.shell.plot_controller import PlotController  # noqa: PLC0415
        from modelmon.gui.shell.workspace import Workspace  # noqa: PLC0415

        give_icons(self.actions_by_id)
        sizes_px, focused = self.splitter.sizes(), QApplication.focusWidget()
        with manager().building(_application()):
            work = self._workspace = Workspace(
                self.session, self.empty, self.find_best_controller, self.commands.does
            )
            self._give_room(work, sizes_px)
            PlotController(self)
            show_blocks = (self.side.tree, work.waterfall, work.blocks)
            self._page_cache_controller = PageCacheController(
                self.session, self.machine, work.page_cache, work.access_map, show_blocks
            )
            self._runs_tab_controller = self._made_runs_tab(work)
            self._connect_workspace(work)
            self._settings_sync.restore_workspace()
        if focused is not None and self.empty.isAncestorOf(focused):
            focused.setFocus()
        if not self.session.empty:
            for signal in self.session.news:
                signal.emit()
            for label in LABELS:
                self.session.record_changed.emit(label)
        self.furnished.emit()

    def _made_runs_tab(self, work: Workspace) -> RunsTabController:
        from modelmon.gui.runs.runs_tab_controller import RunsTabController  # noqa: PLC0415
        from modelmon.gui.runs.shown_runs import Outside  # noqa: PLC0415

        compare, best = self.compare_controller, self.find_best_controller
        outside = Outside(
            session=self.session,
            history=self.history,
            settings=self.settings,
            open_model=self.open_controller.open_model,
            resume=lambda kind, reference: (best if kind == "best" else compare).resume(reference),
            save_run=self.commands.save_run,
            share=self.commands.share,
            say=lambda text: self.status.showMessage(text, _SAID_MS),
            explain_no_curves=work.explain_no_curves,
            recents_changed=self.open_controller.recents_changed.emit,
        )
        made = RunsTabController(work.runs, work.plots, outside)
        work.replay.follow(made.playback)
        work.runs.back.clicked.connect(lambda: work.browse_history(browsing=False))
        work.overlays.removed.connect(made.overlaying.remove)
        work.overlays.clear_overlay.clicked.connect(made.overlaying.clear)
        made.overlaying.changed.connect(lambda: work.show_overlays(made.overlaying.runs))
        self.open_controller.model_opened.connect(made.on_model_opened)
        self.open_controller.recording_opened.connect(made.offer_replay)
        return made

    def _make_menus(self) -> None:
        for title in MENUS:
            menu = self.menuBar().addMenu(with_key(tr(title), title[0]))
            menu.setToolTipsVisible(True)
            if title == mark("View"):
                # The list of plots is in it.
                menu.aboutToShow.connect(self._ensure_furnished)
            for spec in ACTIONS:
                if spec.menu != title:
                    continue
                if spec.starts_group:
                    menu.addSeparator()
                menu.addAction(self.actions_by_id[spec.id])
                if spec.id == "open_folder":
                    menu.addMenu(self._recents_menu)

    def _connect_workspace(self, work: Workspace) -> None:
        # Bare letters are for typing and for lists anywhere else.
        for name in ("show_a", "show_both", "show_b"):
            action = self.actions_by_id[name]
            action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            for part in (work.plots, work.waterfall, work.blocks, work.access_map, work.page_cache):
                part.addAction(action)
        self.find_best_controller.used.connect(work.leave_ranking)
        self.earlier_clusters.found.connect(work.show_earlier_clusters)
        work.cluster.earlier_wanted.connect(self.earlier_clusters.show)
        for button in (work.cluster.measure, work.cluster.again):
            button.clicked.connect(self.commands.measure_cluster)
        self.earlier_clusters.look()

    def _connect(self) -> None:
        session = self.session
        for signal in (*session.news, session.settings_changed):
            signal.connect(self._update_actions)
        session.model_changed.connect(self._show_title)
        session.clusters.changed.connect(self._show_title)
        self.open_controller.cluster_opened.connect(self._show_cluster)
        self.open_controller.several_found.connect(self.commands.choose_model)
        self.empty.drop_zone.button.clicked.connect(self.commands.open_file)
        self.empty.drop_zone.history.clicked.connect(self.commands.history)
        self.empty.sample.button.clicked.connect(self.sample.write)
        self.empty.recents.chosen.connect(self.open_controller.open)
        best = self.find_best_controller
        best.begun.connect(self._show_ranking)
        self.sample.written.connect(self.commands.open_sample)
        self.open_controller.model_opened.connect(self.commands.compare_sample)
        self.open_controller.model_opened.connect(self.watch_controller.start_waiting)
        self.watch_controller.model_wanted.connect(self.open_controller.open_model)
        self.probe_controller.measured.connect(self.machine.set_probe)

    def _show_ranking(self) -> None:
        self.workspace.show_ranking()

    def _show_cluster(self) -> None:
        self.workspace.show_cluster()

    def _update_actions(self) -> None:
        against = reasons_against(self.session)
        # News come nine times in a run, which seldom change anything here.
        if against != self._against:
            self._against = against
            update_actions(self.actions_by_id, against)
        for part in (self._recents_menu, self.empty):
            part.setEnabled(not self.session.busy)

    def _show_title(self) -> None:
        name, _, _ = model_text(self.session)
        session = self.session
        nothing = session.empty and session.comparison is None and not session.clusters.known
        self.setWindowTitle("modelmon" if nothing else f"{name} – modelmon")


def _application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app


def _focus_first_in(panel: QWidget) -> bool:
    """Focus the widget of `panel` nearest to its top that takes the keyboard."""
    # Not nextInFocusChain: shiboken then takes each widget for a child of the one before, and once
    # one is deleted, whatever Qt has made in the others, as menu bar and actions, is lost to us.
    able = [
        widget
        for widget in panel.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and widget.isEnabled()
    ]
    if not able:
        return False

    def place(widget: QWidget) -> tuple[int, int]:
        at = widget.mapTo(panel, QPoint(0, 0))
        return at.y(), at.x()

    min(able, key=place).setFocus(Qt.FocusReason.TabFocusReason)
    return True
