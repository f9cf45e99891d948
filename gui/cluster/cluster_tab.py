"""The Cluster tab: each way's figures, the scaling curve, the nodes over time, and each node."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QSizePolicy,
    QSplitter,
    QStackedLayout,
    QWidget,
)

from modelmon.core.cluster.on_ray import missing
from modelmon.core.explain.glossary import NODE
from modelmon.core.export.items import NO_TABLE
from modelmon.core.export.result_items import nodes_table
from modelmon.gui.cluster import cluster_words
from modelmon.gui.cluster.cluster_plots import NodeMap, ScalingPlot
from modelmon.gui.cluster.cluster_words import ARM_COLUMNS, ARM_FIGURES
from modelmon.gui.language import said, tr
from modelmon.gui.session.details import details_text
from modelmon.gui.session.session import LABELS
from modelmon.gui.widgets.controls import Segments
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, keyless, label, push_button
from modelmon.gui.widgets.tables import Table, TextTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from modelmon.gui.plots.frame import PlotFrame
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

_DETAILS_PX = (900, 600)
_PLOTS_PARTS, _NODES_PARTS = 600, 360
_SCALING_PARTS, _MAP_PARTS = 460, 540
_LEAST_PLOTS_PX = 140


class ClusterTab(QWidget):
    """Follows the window's cluster; `earlier_wanted` asks for the measurement of before that has
    this number.
    """

    earlier_wanted = Signal(int)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._clusters = session.clusters
        self._label: ArmLabel = "A"
        self._followed: ArmLabel | None = None
        self._names: list[str] = []
        self.measure = push_button(tr("Measure a cluster…"), "cluster")
        self.again = push_button(tr("Measure again…"), "cluster")
        self.details = push_button(tr("Details…"), "info")
        self.details.clicked.connect(self.show_details)
        self._earlier_menu = QMenu(self)
        earlier = tr("Earlier")
        self.earlier = tuple(push_button(f"{earlier}   ", "clock") for _ in range(2))
        for each in self.earlier:
            each.setMenu(self._earlier_menu)
        self.show_earlier(())
        self.empty = self._empty_page()
        self._arm_rows = TextTable(ARM_COLUMNS, ARM_FIGURES, self, NODE)
        self.arms = Table(self._arm_rows, tr("Ways to load"), close=True)
        self.arms.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.arms.setSizeAdjustPolicy(QAbstractItemView.SizeAdjustPolicy.AdjustToContents)
        self.arms.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.scaling, self.map = ScalingPlot(), NodeMap()
        self.which = Segments(tr("Way"), [(each, each) for each in LABELS], compact=True)
        self.which.set_value("A")
        self.shown = ElidedLabel("hint")
        self._node_rows = TextTable((), (), self, NODE)
        self.nodes = Table(self._node_rows, tr("Nodes"), close=True)
        self.nodes.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self._lay_out()
        self.which.chosen.connect(self._choose)
        self.map.node_clicked.connect(self.select)
        self.nodes.selectionModel().selectionChanged.connect(self._on_selected)
        for plot in (self.scaling, self.map):
            plot.maximise_toggled.connect(partial(self._give_room, plot))
        self._clusters.changed.connect(self.refresh)
        self._clusters.ticked.connect(self._tick)
        session.activity_changed.connect(self._allow)
        self.refresh()

    @property
    def plots(self) -> tuple[PlotFrame, ...]:
        """Its plots."""
        return (self.scaling, self.map)

    def refresh(self) -> None:
        """Show what is known."""
        clusters = self._clusters
        if clusters.live is None or clusters.live.standing is None:
            self._followed = None
        self._pages.setCurrentWidget(self._body if clusters.known else self.empty)
        labels = [way.label for way in clusters.ways]
        self.which.setVisible(len(labels) > 1)
        if self._label not in labels and labels:
            self._label = labels[0]
            self.which.set_value(self._label)
        self._arm_rows.set_headings(cluster_words.arm_headings(clusters.arms))
        self._arm_rows.set_rows(cluster_words.arm_rows(clusters.arms))
        self.scaling.show_arms(clusters.arms)
        self._show_nodes()
        self._allow()

    def show_details(self) -> None:
        """Open all that the result says."""
        result = self._clusters.result
        if result is not None:
            text = details_text(result)
            title = tr("Cluster details")
            TextDialog(title, text, self.window(), _DETAILS_PX, is_markdown=True).open()

    def show_earlier(self, found: Sequence[tuple[int, str]]) -> None:
        """Offer these measurements of before, each a number and its words."""
        self._earlier_menu.clear()
        for number, text in found:
            action = self._earlier_menu.addAction(keyless(text))
            action.triggered.connect(partial(self.earlier_wanted.emit, number))
        for button in self.earlier:
            button.setEnabled(bool(found))
            button.setToolTip("" if found else tr("It wasn't measured on a cluster before"))

    def select(self, name: str) -> None:
        """Select a node in the table, and mark it in the map."""
        if name in self._names:
            row = self._names.index(name)
            flags = QItemSelectionModel.SelectionFlag
            index = self.nodes.model().index(row, 0)
            self.nodes.selectionModel().select(index, flags.ClearAndSelect | flags.Rows)
            self.nodes.scrollTo(index)

    def _empty_page(self) -> QWidget:
        page = QWidget()
        column = in_column(STRETCH, on=page, margins=None, spacing=12)
        question = tr("How fast does the model load on many nodes at once?")
        self.reason = label("", "label", wrap=True)
        for text in (label(question, "title", wrap=True), self.reason):
            text.setAlignment(Qt.AlignmentFlag.AlignCenter)
            column.addWidget(text)
        buttons = in_row(STRETCH, self.measure, self.earlier[0], STRETCH, spacing=8)
        column.addLayout(buttons)
        column.addStretch(1)
        return page

    def _lay_out(self) -> None:
        self._plots = QSplitter(Qt.Orientation.Horizontal)
        self._plots.setChildrenCollapsible(False)
        self._plots.addWidget(self.scaling)
        self._plots.addWidget(self.map)
        self._plots.setSizes([_SCALING_PARTS, _MAP_PARTS])
        self._plots.setMinimumHeight(_LEAST_PLOTS_PX)
        bar = in_row(self.which, (self.shown, 1), margins=(8, 0, 8, 0), spacing=8)
        for button in (self.earlier[1], self.again, self.details):
            button.setProperty("compact", True)
            bar.addWidget(button)
        self._below = QWidget()
        in_column(bar, (self.nodes, 1), on=self._below, spacing=2)
        self._rows = QSplitter(Qt.Orientation.Vertical)
        self._rows.setChildrenCollapsible(False)
        self._rows.addWidget(self._plots)
        self._rows.addWidget(self._below)
        self._rows.setSizes([_PLOTS_PARTS, _NODES_PARTS])
        self._body = QWidget()
        in_column(self.arms, (self._rows, 1), on=self._body, margins=(0, 4, 0, 0), spacing=6)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self.empty)
        self._pages.addWidget(self._body)

    def _give_room(self, plot: PlotFrame, on: bool) -> None:
        other = self.map if plot is self.scaling else self.scaling
        other.setVisible(not on)
        self.arms.setVisible(not on)
        self._below.setVisible(not on)

    def _choose(self, value: str) -> None:
        self._label = "A" if value == "A" else "B"
        self._show_nodes()

    def _tick(self) -> None:
        """The nodes of the start under way have more."""
        live = self._clusters.live
        if live is None or live.standing is None or not self.isVisible():
            return
        label = live.standing.label
        if label not in (self._followed, self._label):
            self._label = label
            self.which.set_value(self._label)
            self._show_nodes()
        elif label == self._label and live.standing.t_ns is not None:
            self.map.show_times(self._clusters.times(self._label), self._label)
        # Who looks at the other way meanwhile goes on doing so until the next start in another.
        self._followed = label

    def _show_nodes(self) -> None:
        run = self._clusters.run(self._label)
        arm = next((each for each in self._clusters.arms if each.way.label == self._label), None)
        stragglers = arm.stragglers if arm is not None else ()
        shown = nodes_table(run, stragglers) if run is not None else NO_TABLE
        self._names = [str(row[0]) for row in shown.rows]
        self._node_rows.show_table(shown)
        self.map.show_times(self._clusters.times(self._label), self._label)
        if run is None or arm is None:
            self.shown.set_whole("")
            return
        slow = len(arm.stragglers)
        told = (
            (tr("1 straggler") if slow == 1 else tr("{count} stragglers", count=slow))
            if slow
            else tr("no node lags behind the others")
        )
        which = (
            tr("{way}: latest run", way=arm.way.name)
            if self._clusters.live is not None
            else tr("{way}: median run", way=arm.way.name)
        )
        self.shown.set_whole(f"{which}: {told}; {cluster_words.counted_text(arm)}")

    def _on_selected(self) -> None:
        rows = self.nodes.selectionModel().selectedRows()
        self.map.mark(self._names[rows[0].row()] if rows else "")

    def _allow(self) -> None:
        why = said(missing())
        hint = tr("Loads it with one node, then 2, 4 and so on, through an existing Ray cluster")
        install = tr("{why} Install it: pip install 'ray[client]'.", why=why) if why else ""
        self.reason.setText(install or hint)
        for button in (self.measure, self.again):
            button.setEnabled(not why and not self._session.busy)
            button.setToolTip(install)
        over = self._clusters.live is None and self._clusters.result is not None
        self.details.setEnabled(over)
