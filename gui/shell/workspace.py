"""The right side of the window: cards, verdict slot, plots and tabs, or the empty state."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from modelmon.gui.best.best_tab import BestTab
from modelmon.gui.blocks.access_map import AccessMap
from modelmon.gui.blocks.block_timings import BlockTimings
from modelmon.gui.blocks.page_cache import PageCache
from modelmon.gui.blocks.waterfall import Waterfall
from modelmon.gui.cluster.cluster_tab import ClusterTab
from modelmon.gui.compare.strategy_card import StrategyCard
from modelmon.gui.language import tr
from modelmon.gui.model.model_facts import block_text
from modelmon.gui.plots.maximized_plot import MaximizedPlot
from modelmon.gui.plots.plot_grid import PlotArea
from modelmon.gui.plots.plot_row import PlotRow
from modelmon.gui.runs.overlay_strip import OverlayStrip
from modelmon.gui.runs.replay_bar import ReplayBar
from modelmon.gui.runs.runs_panel import RunsPanel
from modelmon.gui.session.activity import ARMS_LOADING
from modelmon.gui.session.error_reports import complain
from modelmon.gui.session.session import LABELS
from modelmon.gui.shell.division import Division
from modelmon.gui.shell.log_view import LogView
from modelmon.gui.shell.tab_row import TabRow
from modelmon.gui.shell.verdict_slot import VerdictSlot
from modelmon.gui.watch.phases_view import PhasesView
from modelmon.gui.watch.program_card import ProgramCard
from modelmon.gui.watch.timeline_strip import TimelineStrip
from modelmon.gui.watch.watch_panel import WatchPanel
from modelmon.gui.watch.watch_words import no_blocks_text, short_name
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import styled
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from modelmon.gui.best.find_best_controller import FindBestController
    from modelmon.gui.open.empty_state import EmptyState
    from modelmon.gui.plots.overlays import OverlaidRun
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

_GAP_PX = 8
_EMPTY_PX = 24
# Of the height and width that all has: in less, cards and verdict take fewer rows; plots share one
# place; and they are one tab among the others.
_ROOM_FOR_ROWS_PX, _ROOM_FOR_PLOTS_PX, _ROOM_FOR_BOTH_PX = 670, 800, 500
# Plots of a program are stacked, with the tabs beside them, in such a width.
_ROOM_FOR_STACK_PX = 940


class Workspace(QWidget):
    """Arranges the parts; a plot that asks for it gets all the room."""

    def __init__(self, session: Session, empty: EmptyState, best: FindBestController) -> None:
        super().__init__()
        self._session = session
        self.program_card = ProgramCard(session)
        self.cards: dict[ArmLabel, StrategyCard] = {
            label: StrategyCard(session, label) for label in LABELS
        }
        self.slot = VerdictSlot(session)
        self.plots = PlotRow(session)
        self.plot_area = PlotArea(self.plots)
        self.replay = ReplayBar()
        self.overlays = OverlayStrip()
        self.timeline = TimelineStrip(session, lambda: self.plots.x_range, lambda: self.plots.axis)
        self.watch_panel = WatchPanel(self.plots, self.plot_area, self.timeline)
        self._overlaid = self._browsing = self._is_low = False
        self._why_no_curves = ""
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
        self.body = QSplitter(Qt.Orientation.Vertical)
        self.body.setHandleWidth(_GAP_PX)
        self.body.setChildrenCollapsible(False)
        self.body.addWidget(self.watch_panel)
        self._tabs = self._tabs_panel()
        self.body.addWidget(self._tabs)
        self.body.setStretchFactor(1, 1)
        self.division = Division(
            self.body, lambda: self.plots.row_count, lambda: self.plots.in_tabs, self._bars_px
        )
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
        if page := self.tabs.page(name):
            self.tabs.setCurrentWidget(page)

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
        return False

    def refresh_layout(self) -> None:
        """Show the empty state or the plots, whichever the session asks for."""
        session = self._session
        nothing = session.empty and session.comparison is None and not session.clusters.known
        browsing = nothing and self._browsing
        bare = (nothing or session.empty) and not self._overlaid
        racing, full = self._racing_shown, self._room.is_taken
        told = not nothing or session.notice is not None or session.progress is not None
        self.runs.back.setVisible(browsing)
        program = session.program is not None and not racing
        self.tabs.set_offered(self.phases, offered=session.program is not None)
        self._cards.setVisible(not (nothing or racing or full or program))
        self.program_card.setVisible(program and not full)
        self.timeline.setVisible(program and not bare and (self._room.is_in_row or not full))
        if self._is_low:
            self.tabs.set_offered(self.watch_panel, offered=not bare)
        else:
            self.watch_panel.setVisible(not (racing or bare) and (self._room.is_in_row or not full))
        self._tabs.setVisible(self._is_low or not self._room.is_in_row)
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
        self.tabs.setCurrentWidget(self.cluster)

    def leave_ranking(self) -> None:
        """Show cards and plots again."""
        if self.tabs.currentWidget() in (self.best, self.cluster):
            self.tabs.setCurrentWidget(self.waterfall)

    def _bars_px(self) -> int:
        strips = (self.replay, self.overlays, self.timeline)
        bars = (bar for bar in strips if not bar.isHidden())
        return sum(bar.height() + _GAP_PX for bar in bars)

    def _fit(self) -> None:
        scale = manager().scale
        width, height = self.width() / scale, self.height() / scale
        slim = height < _ROOM_FOR_ROWS_PX
        self.slot.set_slim(slim=slim)
        self.plots.set_in_tabs(in_tabs=slim or width < _ROOM_FOR_PLOTS_PX)
        low = height < _ROOM_FOR_BOTH_PX
        if low != self._is_low:
            self._is_low = low
            if low:
                self.tabs.insertTab(0, self.watch_panel, tr("Plots"))
            else:
                self.body.insertWidget(0, self.watch_panel)
            self.refresh_layout()
            if not low:
                self.division.share_anew()
        self._stack_plots()

    def _stack_plots(self) -> None:
        scale = manager().scale
        roomy = self.width() / scale >= _ROOM_FOR_STACK_PX
        tall = self.height() / scale >= _ROOM_FOR_ROWS_PX
        stacked = self._session.program is not None and roomy and tall
        self.plots.set_stacked(stacked=stacked)
        self.division.set_beside(beside=stacked)
        self.waterfall.set_beside(beside=stacked)
        holds = self.watch_panel.arrange(low=self._is_low)
        if not holds and self._column.indexOf(self.timeline) < 0:
            self._column.insertWidget(self._column.indexOf(self.overlays) + 1, self.timeline)

    @property
    def _racing_shown(self) -> bool:
        # A ranking is long, and its runs are in neither card nor plot; so are those of a cluster.
        shown, session = self.tabs.currentWidget(), self._session
        return (shown is self.best and session.races.known) or (
            shown is self.cluster and session.clusters.known
        )

    def _cards_row(self) -> QWidget:
        cards = QWidget()
        row = in_row(on=cards, spacing=_GAP_PX)
        for label in LABELS:
            row.addWidget(self.cards[label], 1)
        return cards

    def _tabs_panel(self) -> QFrame:
        self.tabs = TabRow()
        self.watch_panel.setObjectName("plots")
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
        for plot in self._in_tabs:
            self.tabs.put_beside(plot, plot.header)
        self.tabs.put_beside(self.best, self.best.buttons)
        self.tabs.set_late((self.log, self.page_cache, self.cluster, self.best))
        panel = styled(QFrame(), "panel")
        in_column(self.tabs, on=panel, margins=(8, 4, 8, 4))
        return panel

    def _connect(self) -> None:
        session = self._session
        session.record_changed.connect(self._on_record)
        session.program_changed.connect(self._on_program)
        session.activity_changed.connect(self._on_activity)
        session.load_changed.connect(self._explain_empty)
        self.program_card.left.connect(lambda: session.show_program(None))
        for part in (self.blocks, self.access_map):
            part.follow_range(self.plots.time_range)
        for plot in self.plots.with_access:
            plot.canvas.laid_out.connect(self.timeline.refresh)
        session.slot_changed.connect(self.refresh_layout)
        session.model_changed.connect(self.refresh_layout)
        session.model_changed.connect(self._describe_blocks)
        session.runs_changed.connect(self.refresh_layout)
        session.races.changed.connect(self.refresh_layout)
        session.clusters.changed.connect(self.refresh_layout)
        self.plots.arms_shown.connect(self._on_arms)
        self._room.changed.connect(self._stack_plots)
        self._room.changed.connect(self.refresh_layout)
        self.plots.arranged.connect(self.division.follow_rows)
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
        for part in (self.plots.access, self.waterfall, self.blocks, self.access_map):
            part.set_empty_text(why_no_blocks)

    def _on_arms(self, arms: set[ArmLabel]) -> None:
        for plot in self._in_tabs:
            plot.set_visible_arms(arms)
            plot.refresh()

    def _on_tab(self) -> None:
        self.refresh_layout()
        self._refresh_tab()

    def _refresh_tab(self) -> None:
        self.phases.refresh()
        for plot in self._in_tabs:
            if plot.isVisible():
                plot.refresh()
