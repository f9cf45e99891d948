"""Find best: the tab with the ranking and how to continue, and the figures in the slot."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from modelmon.core.export.items import confidence_text
from modelmon.core.units import duration_text, limit_text, rough_text
from modelmon.gui.best.best_words import show_details
from modelmon.gui.best.ranking import (
    FIGURE_HELP,
    FIGURES,
    FigureOf,
    figures_of,
    memory_name,
)
from modelmon.gui.best.ranking_table import RankingTable
from modelmon.gui.language import said, sentences, tr
from modelmon.gui.plots.saving import offer_picture
from modelmon.gui.session.session import LABELS
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.styling import ElidedLabel, label, push_button, rule, styled
from modelmon.gui.widgets.tables import sheet_of_model
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Mapping

    from modelmon.core.find_best.result import SearchResult
    from modelmon.core.load.config import LoadConfig
    from modelmon.gui.best.find_best_controller import FindBestController
    from modelmon.gui.best.ranking import Figure
    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

_MARGINS = (8, 6, 8, 6)


class BestTab(QWidget):
    """Follows the window's search."""

    def __init__(self, session: Session, best: FindBestController) -> None:
        super().__init__()
        self._session, self._best = session, best
        self.table = RankingTable(session)
        self._uses: dict[ArmLabel, QAction] = {}
        self.legend = ElidedLabel("hint")
        self.legend.setContentsMargins(*_MARGINS)
        self.copy = push_button(tr("Copy table"), "copy")
        self.details = push_button(tr("Details…"), "info")
        for button in (self.copy, self.details):
            button.setProperty("compact", True)
        self.buttons = QWidget()
        """Where the window has room for what is done with all of the ranking."""
        in_row(self.details, self.copy, on=self.buttons, margins=(0, 0, 4, 0), spacing=8)
        self.state = ElidedLabel("value", lines=2)
        self.go_on = styled(QPushButton(), "", compact=True)
        self.search = styled(QPushButton(tr("Find best…")), "", compact=True)
        self.more = QWidget()
        """What it came to, and how to continue or begin."""
        row = ((self.state, 1), self.go_on, self.search)
        in_row(*row, on=self.more, margins=_MARGINS, spacing=8)
        column = in_column(self.legend, (self.table, 1), self.more, on=self, spacing=2)
        column.addStretch(0)
        self._budget_ns = 0
        self._connect()
        self._refresh()

    def _connect(self) -> None:
        session = self._session
        self.copy.clicked.connect(self.copy_table)
        self.details.clicked.connect(self._show_details)
        self.go_on.clicked.connect(
            lambda: self._best.resume(session.races.reference, self._budget_ns)
        )
        self.search.clicked.connect(lambda: self._best.ask(self))
        offer_picture(self.table)
        for arm in LABELS:
            use = self._uses[arm] = QAction(tr("Use as {arm}", arm=arm), self.table)
            use.triggered.connect(partial(self._use, arm))
            self.table.addAction(use)
        copy = QAction(tr("Copy table"), self.table)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy_table)
        self.table.addAction(copy)
        self.table.selectionModel().selectionChanged.connect(self._allow)
        for signal in (session.races.changed, session.slot_changed):
            signal.connect(self._refresh)
        session.activity_changed.connect(self._allow)
        session.model_changed.connect(self._allow)

    def copy_table(self) -> None:
        """Put the ranking onto the clipboard, to be pasted into a sheet."""
        QGuiApplication.clipboard().setText(sheet_of_model(self.table.model()))

    def _use(self, arm: ArmLabel) -> None:
        if (row := self.table.selected) is not None:
            self._best.use(arm, row.label)

    def _show_details(self) -> None:
        if (found := self._session.races.race) is not None:
            show_details(found, self.window())

    def _refresh(self) -> None:
        races = self._session.races
        self.legend.setVisible(races.known)
        self.table.setVisible(races.known)
        self.copy.setEnabled(races.known)
        # The slot has the same button while it shows the recommendation.
        self.details.setVisible(races.race is not None and self._session.verdict is not races.race)
        limit_ns = self.table.limit_ns
        limit = tr("disk limit {time}", time=duration_text(limit_ns)) if limit_ns else ""
        marks = (
            "├●┤ " + tr("expected, likely range"),
            "○ " + tr("ruled out"),
            f"⋮ {limit}" if limit else "",
            "▼ " + tr("lowest in its column"),
            tr("Click a heading to sort"),
        )
        self.legend.set_whole("   ".join(filter(None, marks)))
        self.more.setVisible(races.live is None or not self._session.busy)
        self._show_state(races.race)
        self._allow()

    def _show_state(self, result: SearchResult | None) -> None:
        """Why it ended; it can continue where the history has it."""
        if result is None:
            about = tr("Find best tests every strategy that works here. The ranking appears here.")
            self.state.set_whole(about)
            self.go_on.hide()
            return
        left_ns = result.budget_ns - result.spent_ns
        resumes = result.ending == "stopped" and left_ns > 0
        found = result.recommendation
        if result.ending == "decided":
            text = tr("The result is clear. More time would hardly change it.")
        elif result.why_stopped:
            text = tr("It can't be resumed. Start Find best again.")
        elif resumes:
            text = tr("It was stopped {time} before its time limit.", time=rough_text(left_ns))
        else:
            text = tr("The time limit was reached before the result was clear.")
        # How sure it is, and what speaks for the second.
        why, second = said(confidence_text(found.confidence, found.confidence_reason)), ""
        if found.runner_up:
            second = tr("Runner-up: {way}. {when}", way=found.runner_up, when=found.runner_up_wins)
        self.state.set_whole(sentences(text, why, second))
        self._budget_ns = result.budget_ns if resumes else result.spent_ns + result.more_ns
        more = tr("Continue {time}", time=said(limit_text(result.more_ns)))
        self.go_on.setText(tr("Resume") if resumes else more)
        self.go_on.setVisible(bool(self._session.races.reference) and result.ending != "decided")

    def _allow(self) -> None:
        session, row = self._session, self.table.selected
        for use in self._uses.values():
            over = session.races.race is not None and not session.busy
            use.setEnabled(over and row is not None and bool(row.figures))
        obstacle = "" if session.inspection is not None else tr("Open a model first.")
        if session.busy:
            obstacle = tr("Not available while {doing}.", doing=tr(session.activity.value))
        for button in (self.go_on, self.search):
            button.setEnabled(not obstacle)
            button.setToolTip(obstacle)


_FIGURE_PX, _GAP_PX, _BESIDE_LINE_PX = 112, 16, 12
# What goes first where there is no room; the ranking below has it too.
_ROOM_PX: dict[FigureOf, int] = {"cold": 0, "warm": 760, "memory": 880}


class BestFigures(QWidget):
    """The figures of what is recommended, those that are known and have room."""

    def __init__(self) -> None:
        super().__init__()
        self.boxes: dict[FigureOf, _FigureBox] = {
            of: _FigureBox(tr(FIGURES[of]), tr(FIGURE_HELP[of])) for of in FIGURES
        }
        in_row(*self.boxes.values(), on=self, spacing=_GAP_PX)

    def show_result(
        self, result: SearchResult, used_by_a: LoadConfig | None, room_px: float
    ) -> None:
        """Show them, with those of what A uses, in a slot of this width."""
        found = result.recommendation
        mine = next((each for each in result.standings if each.config == used_by_a), None)
        best = figures_of(result.standing(found.label), result.cache)
        others = {}
        if mine is not None and mine.label != found.label:
            others = figures_of(mine, result.cache)
        self.boxes["memory"].name.setText(memory_name(result.portion_bytes))
        for of, box in self.boxes.items():
            box.show_figures(of, best, others)
            box.setVisible(of in best and room_px >= _ROOM_PX[of])


class _FigureBox(QWidget):
    """A figure of the recommended strategy, with A's below it."""

    def __init__(self, name: str, about: str) -> None:
        super().__init__()
        self.setToolTip(about)
        self.setMinimumWidth(round(_FIGURE_PX * manager().scale))
        line = rule(vertical=True)
        line.setFixedSize(1, 52)
        column = in_column(STRETCH, spacing=0)
        self.name = label(name, "hint")
        self.value = label("", "figure")
        self.of_a = QLabel()
        styled(self.of_a, "hint", arm="A")
        for each in (self.name, self.value, self.of_a):
            column.addWidget(each)
        column.addStretch(1)
        in_row(line, (column, 1), on=self, spacing=_BESIDE_LINE_PX)

    def show_figures(
        self, of: FigureOf, best: Mapping[FigureOf, Figure], a: Mapping[FigureOf, Figure]
    ) -> None:
        """Show what is known."""
        self.value.setText(best[of].text(of) if of in best else "")
        self.of_a.setText(tr("A: {value}", value=a[of].text(of)) if of in a else "")
