"""The right side of the window: cards, verdict slot, plots and tabs, or the empty state."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtWidgets import (
    QFrame,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from modelmon.gui.best.best_tab import BestTab
from modelmon.gui.blocks.access_map import AccessMap
from modelmon.gui.blocks.access_plot import AccessPlot
from modelmon.gui.blocks.block_timings import BlockTimings
from modelmon.gui.blocks.page_cache import PageCache
from modelmon.gui.blocks.waterfall import Waterfall
from modelmon.gui.cluster.cluster_tab import ClusterTab
from modelmon.gui.compare.strategy_card import StrategyCard
from modelmon.gui.language import tr
from modelmon.gui.model.model_facts import block_text
from modelmon.gui.plots.header import HEADER_PX
from modelmon.gui.plots.plot_room import MaximizedPlot
from modelmon.gui.plots.plot_row import PlotRow
from modelmon.gui.runs.overlays import OverlayStrip
from modelmon.gui.runs.replay import ReplayBar
from modelmon.gui.runs.runs_panel import RunsPanel
from modelmon.gui.session.notices import ARMS_LOADING, complain
from modelmon.gui.session.session import LABELS
from modelmon.gui.shell.status_line import LogView
from modelmon.gui.shell.verdict_slot import VerdictSlot
from modelmon.gui.watch.program_card import ProgramCard
from modelmon.gui.watch.timeline import PhasesView, TimelineStrip, WatchPanel
from modelmon.gui.watch.watch_words import no_blocks_text, short_name
from modelmon.gui.widgets.dialog import scrolled_form
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import styled
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from modelmon.gui.best.find_best_controller import FindBestController
    from modelmon.gui.open.start_page import StartPage
    from modelmon.gui.plots.traces import OverlaidRun
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

_GAP_PX = 8
_EMPTY_PX = 24
_ROOM_FOR_STACK_PX = 940, 670
"""Plots of a program are stacked, with the tabs beside them, in such a width and height."""
_LEAST_BESIDE_PX = 196
"""What tabs leave to the legend and the buttons of the one that is open."""
_ROW_PX, _LEAST_PLOTS_PX, _LEAST_BELOW_BARS_PX = 256, 156, 112
_LEAST_TABS_PX = 300, 140
_MOST_PLOTS_SHARE = {1: 0.34, 2: 0.6}
"""Of the height that plots and tabs have together, by rows of plots."""
_SHARE_BESIDE = 0.54
"""Of the width, where the tabs are beside the plots."""


class Workspace(QWidget):
    """Arranges the parts; a plot that asks for it gets all the room."""

    def __init__(
        self,
        session: Session,
        empty: StartPage,
        best: FindBestController,
        does: Mapping[str, Callable[[], object]],
    ) -> None:
        """`does` has the window's commands by id."""
        super().__init__()
        self._session = session
        self.program_card = ProgramCard(session, does)
        self.cards: dict[ArmLabel, StrategyCard] = {
            label: StrategyCard(session, label, does[f"program_{label.lower()}"])
            for label in LABELS
        }
        self.slot = VerdictSlot(session, best, does)
        self.plots = PlotRow(session, AccessPlot(session))
        self.plot_area = scrolled_form(self.plots)
        self.replay = ReplayBar()
        self.overlays = OverlayStrip()
        self.overlays.setFixedHeight(self.replay.height())
        self.timeline = TimelineStrip(session, lambda: self.plots.x_range, lambda: self.plots.axis)
        self.watch_panel = WatchPanel(self.plots, self.plot_area, self.timeline)
        self._overlaid = self._browsing = self._cluster_used = False
        self._why_no_curves = ""
        self._rows = 1
        self.waterfall = Waterfall()
        self.plots.link(self.waterfall)
        self.blocks = BlockTimings()
        self.access_map = AccessMap()
        self.page_cache = PageCache()
        self._in_tabs = (self.waterfall, self.blocks, self.access_map, self.page_cache)
        self._room = MaximizedPlot(self.plots, self._in_tabs, self)
        self.runs = RunsPanel(session)
        self.best = BestTab(session, best)
        self.cluster = ClusterTab(session)
        self.phases = PhasesView(session)
        self.log = LogView(session)
        self.empty = empty
        self._cards = self._cards_row()
        self._make_body()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self.body)
        self._slot_row = in_row(self.slot)
        self._column = in_column(
            self._cards, self.program_card, self._slot_row, on=self, margins=None, spacing=_GAP_PX
        )
        self._column.addWidget(self.replay)
        self._column.addWidget(self.overlays)
        self._column.addWidget(self.timeline)
        self._column.addWidget(self._stack, 1)
        self._connect()
        self.refresh_layout()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the plots the room that there is."""
        super().resizeEvent(event)
        self._fit()

    @property
    def tab(self) -> str:
        """The name of the tab that is open."""
        return self.tabs.currentWidget().objectName()

    def show_tab(self, name: str) -> None:
        """Open the tab of that name, if there is one."""
        for at in range(self.tabs.count()):
            page = self.tabs.widget(at)
            if page is not None and page.objectName() == name and self.tabs.isTabVisible(at):
                self.tabs.setCurrentIndex(at)

    @property
    def division(self) -> QByteArray:
        """How the user has divided plots and tabs; empty where that was left to the window."""
        return self._divisions.get(Qt.Orientation.Vertical, QByteArray())

    def divide(self, division: QByteArray) -> None:
        """Divide plots and tabs as the user has done before."""
        if self.body.restoreState(division):
            self._divisions[Qt.Orientation.Vertical] = division

    def refresh_texts(self, *, of_both: bool = False) -> None:
        """Tell how far what is under way has come, and of the arm that waits what came of it."""
        self.slot.refresh()
        for label, card in self.cards.items():
            if of_both or label == self._session.loading:
                card.refresh()
        self.program_card.refresh()

    def refresh_plots(self) -> None:
        """Draw what has come in since the last frame."""
        self.plots.refresh()
        self.timeline.refresh()
        self._refresh_tab()

    def renew(self) -> None:
        """Draw all plots anew, after the units have changed."""
        self.plots.renew()
        for plot in self._in_tabs:
            plot.renew()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape takes back what plots were given, where a plot has no use for it."""
        if event.key() != Qt.Key.Key_Escape or not self.take_back():
            super().keyPressEvent(event)

    def take_back(self) -> bool:
        """Clear the selected range of time, or share the room that a plot has; whether there was
        either.
        """
        if self.plots.time_range.seconds is not None:
            self.plots.time_range.clear()
            return True
        if self._room.is_taken:
            self._room.share()
            return True
        if self.runs.is_maximised:
            self.runs.maximise.setChecked(False)
            return True
        return False

    def refresh_layout(self) -> None:
        """Show the empty state or the plots, whichever the session asks for."""
        session = self._session
        nothing = session.empty and session.comparison is None and not session.clusters.known
        browsing = nothing and self._browsing
        bare = (nothing or session.empty) and not self._overlaid
        racing, full = self._racing_shown, self._room.is_taken or self.runs.is_maximised
        told = not nothing or session.notice is not None or session.progress is not None
        self.runs.back.setVisible(browsing)
        program = session.program is not None and not racing
        self._cluster_used = self._cluster_used or session.clusters.known
        for page, offered in (
            (self.phases, session.program is not None),
            (self.cluster, self._cluster_used),
        ):
            self.tabs.setTabVisible(self.tabs.indexOf(page), offered)
        self._show_beside()
        self._cards.setVisible(not (nothing or racing or full or program))
        self.program_card.setVisible(program and not full)
        self.timeline.setVisible(program and not bare and (self._room.is_in_row or not full))
        self.watch_panel.setVisible(not (racing or bare) and (self._room.is_in_row or not full))
        self._tabs.setVisible(not self._room.is_in_row)
        self.overlays.setVisible(self._overlaid and not racing)
        self.slot.setVisible(told and not full)
        self._stack.setCurrentWidget(self.empty if nothing and not browsing else self.body)
        gap = 0 if nothing and not browsing else _GAP_PX
        self._column.setContentsMargins(gap, gap, gap, gap)
        inset = _EMPTY_PX if not gap and not self.slot.isHidden() else 0
        self._slot_row.setContentsMargins(inset, inset, inset, 0)

    def show_overlays(self, runs: Sequence[OverlaidRun]) -> None:
        """Draw these runs beside A and B."""
        self._overlaid = bool(runs)
        self.overlays.show_runs(runs)
        self.plots.show_overlays(runs)
        self.refresh_layout()

    def explain_no_curves(self, why: str) -> None:
        """Say this where there is no curve of A and B; empty says again what will appear."""
        self._why_no_curves = why
        self._explain_empty()

    def browse_history(self, *, browsing: bool) -> None:
        """Show the table of runs, also where nothing is open; or what was there before."""
        self._browsing = browsing
        self._room.share_with_all()
        self.tabs.setCurrentWidget(self.runs if browsing else self.waterfall)
        self.refresh_layout()

    def show_ranking(self) -> None:
        """Show the ranking of Find best."""
        self._room.share_with_all()
        self.tabs.setCurrentWidget(self.best)

    def show_cluster(self) -> None:
        """Show the nodes of a cluster."""
        self._room.share_with_all()
        self._offer_clusters()
        self.tabs.setCurrentWidget(self.cluster)

    def show_earlier_clusters(self, found: Sequence[tuple[int, str]]) -> None:
        """Offer measurements on clusters of before, where there are any."""
        self.cluster.show_earlier(found)
        if found:
            self._offer_clusters()

    def _offer_clusters(self) -> None:
        """Have the tab of clusters, which few have a use for."""
        self._cluster_used = True
        self.refresh_layout()

    def leave_ranking(self) -> None:
        """Show cards and plots again."""
        if self.tabs.currentWidget() in (self.best, self.cluster):
            self.tabs.setCurrentWidget(self.waterfall)

    def _fit(self) -> None:
        self._stack_plots()
        self._show_beside()

    def _stack_plots(self) -> None:
        """One below the other on one time axis, with the tabs beside them, for a program."""
        scale, (width_px, height_px) = manager().scale, _ROOM_FOR_STACK_PX
        roomy = self.width() >= width_px * scale and self.height() >= height_px * scale
        stacked = self._session.program is not None and roomy
        self.plots.set_stacked(stacked=stacked)
        self._put_tabs(beside=stacked)
        self.waterfall.set_beside(beside=stacked)
        if not self.watch_panel.arrange() and self._column.indexOf(self.timeline) < 0:
            self._column.insertWidget(self._column.indexOf(self.overlays) + 1, self.timeline)

    def _put_tabs(self, *, beside: bool) -> None:
        towards = Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        if towards != self.body.orientation():
            self.body.setOrientation(towards)
            if towards in self._divisions:
                self.body.restoreState(self._divisions[towards])
            self._share()

    def _share(self) -> None:
        """Give the plots their usual room and the tabs the rest, where the user has not."""
        if self.body.orientation() in self._divisions:
            return
        if self.body.orientation() == Qt.Orientation.Horizontal:
            whole = self.body.width()
            plots_px = round(_SHARE_BESIDE * whole)
        else:
            # Bars that come and go above take from the plots: what is clicked in tabs stays there.
            bars = (self.replay, self.overlays)
            bars_px = sum(bar.height() + _GAP_PX for bar in bars if not bar.isHidden())
            whole, rows = self.body.height(), self.plots.row_count
            usual_px = max(round(_MOST_PLOTS_SHARE[rows] * (whole + bars_px)), _LEAST_PLOTS_PX)
            plots_px = min(usual_px, rows * (_ROW_PX + _GAP_PX)) - bars_px
        self.body.setSizes([plots_px, max(1, whole - _GAP_PX - plots_px)])

    def _on_arranged(self) -> None:
        """Another number of rows needs another height, whatever was chosen for the one before."""
        rows = self.plots.row_count
        if rows != self._rows and self.body.orientation() == Qt.Orientation.Vertical:
            self._divisions.pop(Qt.Orientation.Vertical, None)
        self._rows = rows
        self._share()

    def _on_divided(self) -> None:
        self._divisions[self.body.orientation()] = self.body.saveState()

    def _show_beside(self) -> None:
        """Show what belongs to the open tab, in the room that the tabs leave to it."""
        shown = self.tabs.currentWidget()
        for page, part in self._beside.items():
            part.setVisible(page is shown)
        width_px = self.tabs.width()
        least_px = min(round(_LEAST_BESIDE_PX * manager().scale), width_px // 2)
        left_px = width_px - self.tabs.tabBar().sizeHint().width()
        self._corner.take(max(least_px, left_px) if shown in self._beside else 0)

    @property
    def _racing_shown(self) -> bool:
        # A ranking is long, and its runs are in neither card nor plot; so are those of a cluster.
        shown, session = self.tabs.currentWidget(), self._session
        return (shown is self.best and session.races.known) or (
            shown is self.cluster and session.clusters.known
        )

    def _make_body(self) -> None:
        self.body = _Body(self._share)
        self.body.setHandleWidth(_GAP_PX)
        self.body.setChildrenCollapsible(False)
        self.body.addWidget(self.watch_panel)
        self._tabs = self._tabs_panel()
        self.body.addWidget(self._tabs)
        self.body.splitterMoved.connect(self._on_divided)
        self._divisions: dict[Qt.Orientation, QByteArray] = {}
        """How the user has divided plots and tabs, one above or beside the other."""
        self._rows = self.plots.row_count
        self.watch_panel.setMinimumHeight(_LEAST_BELOW_BARS_PX)

    def _cards_row(self) -> QWidget:
        cards = QWidget()
        row = in_row(on=cards, spacing=_GAP_PX)
        for label in LABELS:
            row.addWidget(self.cards[label], 1)
        return cards

    def _tabs_panel(self) -> QFrame:
        self.tabs = QTabWidget()
        self.tabs.tabBar().setAccessibleName(tr("Views of the runs"))
        self.tabs.setDocumentMode(True)
        self.tabs.setMinimumSize(*_LEAST_TABS_PX)
        self.tabs.tabBar().setDrawBase(False)
        for page, name, title in (
            (self.phases, "phases", tr("Phases")),
            (self.waterfall, "waterfall", tr("Waterfall")),
            (self.blocks, "blocks", tr("Block times")),
            (self.access_map, "access-map", tr("Access map")),
            (self.page_cache, "page-cache", tr("Page cache")),
            (self.runs, "runs", tr("Runs")),
            (self.best, "find-best", tr("Find best")),
            (self.cluster, "cluster", tr("Cluster")),
            (self.log, "log", tr("Log")),
        ):
            page.setObjectName(name)
            self.tabs.addTab(page, title)
        self._beside: dict[QWidget, QWidget] = {plot: plot.header for plot in self._in_tabs}
        self._beside[self.best] = self.best.buttons
        self._corner = _Corner()
        row = in_row(STRETCH, on=self._corner)
        for part in self._beside.values():
            wide = part.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Ignored
            row.addWidget(part, 1000 if wide else 0)
            part.hide()
        self.tabs.setCornerWidget(self._corner)
        panel = styled(QFrame(), "panel")
        in_column(self.tabs, on=panel, margins=(8, 4, 8, 4))
        return panel

    def _connect(self) -> None:
        session = self._session
        session.record_changed.connect(self._on_record)
        session.program_changed.connect(self._on_program)
        session.activity_changed.connect(self._on_activity)
        session.load_changed.connect(self._explain_empty)
        for part in (self.blocks, self.access_map):
            part.follow_range(self.plots.time_range)
        for plot in self.plots.with_access:
            plot.canvas.laid_out.connect(self.timeline.refresh)
        session.slot_changed.connect(self.refresh_layout)
        session.model_changed.connect(self.refresh_layout)
        session.model_changed.connect(self._describe_blocks)
        session.runs_changed.connect(self.refresh_layout)
        self.plots.arms_shown.connect(self._on_arms)
        self._room.changed.connect(self._fit)
        self._room.changed.connect(self.refresh_layout)
        self.runs.maximise.toggled.connect(self.refresh_layout)
        self.plots.arranged.connect(self._on_arranged)
        self.plots.moment_shown.connect(self.phases.show_moment)
        self.tabs.currentChanged.connect(self._on_tab)
        for frame in (*self.plots.with_access, *self._in_tabs, *self.cluster.plots):
            frame.notice.connect(session.log)
            frame.failed.connect(partial(complain, session))

    def _describe_blocks(self) -> None:
        inspection = self._session.inspection
        if inspection is not None:
            for plot in (self.waterfall, self.blocks):
                plot.describe_blocks_with(partial(block_text, inspection.model))

    def _on_record(self, label: ArmLabel) -> None:
        for plot in self._in_tabs:
            plot.set_record(label, self._session.record(label))
            plot.refresh()

    def _on_program(self) -> None:
        program = self._session.program
        manager().show_alone(short_name(program.name) if program is not None else "")
        self.plots.show_alone(alone=program is not None)
        self._explain_empty()
        if program is not None:
            self.leave_ranking()
            if self.tabs.currentWidget() is self.waterfall:
                self.tabs.setCurrentWidget(self.phases)
        self._stack_plots()
        self.refresh_layout()
        self.refresh_plots()

    def _on_activity(self) -> None:
        """Loads of A and B are seen where their cards and plots are."""
        if self._session.activity in ARMS_LOADING:
            self.leave_ranking()
        self._explain_empty()

    def _explain_empty(self) -> None:
        """Why there is nothing to draw; of a program's blocks, as far as that is known by now."""
        program = self._session.program
        why = self._why_no_curves if program is None else ""
        for plot in self.plots.plots:
            plot.set_empty_text(why)
        why_no_blocks = why if program is None else no_blocks_text(program)
        in_files = [plot for plot in self.plots.with_access if plot not in self.plots.plots]
        for part in (*in_files, self.waterfall, self.blocks, self.access_map):
            part.set_empty_text(why_no_blocks)

    def _on_arms(self, arms: set[ArmLabel]) -> None:
        for plot in self._in_tabs:
            plot.set_visible_arms(arms)
            plot.refresh()

    def _on_tab(self) -> None:
        self._show_beside()
        self.refresh_layout()
        self._refresh_tab()

    def _refresh_tab(self) -> None:
        self.phases.refresh()
        for plot in self._in_tabs:
            if plot.isVisible():
                plot.refresh()


class _Body(QSplitter):
    """Plots above the tabs; `share` divides their room when that has changed."""

    def __init__(self, share: Callable[[], None]) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._share_room = share

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()


class _Corner(QWidget):
    """What belongs to the open tab, at the end of the tabs, as wide as they leave."""

    def __init__(self) -> None:
        super().__init__()
        self._width_px = 0

    def take(self, width_px: int) -> None:
        if width_px != self._width_px:
            self._width_px = width_px
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(self._width_px, HEADER_PX)
