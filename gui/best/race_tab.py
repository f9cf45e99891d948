"""The Find best tab: the ranking, what it goes by, and below it how to continue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QBoxLayout,
    QMenu,
    QPushButton,
    QWidget,
)

from modelmon.gui.best.more_time import MoreTimePanel
from modelmon.gui.best.race_details import RaceDetails
from modelmon.gui.best.race_rows import RANKED_BY, markdown_text, table_text
from modelmon.gui.best.race_table import RaceTable
from modelmon.gui.best.race_words import OBJECTIVES
from modelmon.gui.language import tr
from modelmon.gui.plots.saving import offer_picture
from modelmon.gui.session.run_words import IN_MEMORY
from modelmon.gui.session.session import LABELS
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.segments import Segments
from modelmon.gui.widgets.styling import label, push_button, styled
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QResizeEvent

    from modelmon.core.find_best.result import Objective
    from modelmon.gui.best.race_rows import RaceRow, RankBy
    from modelmon.gui.session.session import Session

_LEAST_TABLE_PX = 150
# What it takes from the others, of which one is shown in its place: it has their plots' room, too.
_LEAST_PX = (300, 160)
_LEGEND_ROOM_PX = 800


class RaceTab(QWidget):
    """Follows the window's race. `budget_wanted` carries how long all of it may take, in ns,
    `use_wanted` an arm and the strategy that it shall load by, `objective_wanted` what another race
    shall find.
    """

    budget_wanted = Signal(object)
    objective_wanted = Signal(str)
    use_wanted = Signal(str, str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.table = RaceTable(session)
        self.table.setMinimumHeight(_LEAST_TABLE_PX)
        self.by = Segments(
            tr("Rank by"), [(key, tr(name)) for key, name in RANKED_BY.items()], compact=True
        )
        self.legend = _Legend()
        self.copy = push_button(tr("Copy table"), "copy")
        self.copy.setProperty("compact", True)
        self.details = push_button(tr("Details…"), "info")
        self.details.setProperty("compact", True)
        self.buttons = QWidget()
        """Where the window has room for what is done with all of the ranking."""
        in_row(self.details, self.copy, on=self.buttons, margins=(0, 0, 4, 0), spacing=8)
        self._bar = self._ranked_by()
        self.goals = _Goals(session)
        self.more = MoreTimePanel()
        in_column(self._bar, self.goals, (self.table, 1), self.more, on=self, spacing=2)
        self._race: object = None
        self.by.chosen.connect(self._rank)
        self.copy.clicked.connect(self.copy_table)
        self.details.clicked.connect(self.show_details)
        offer_picture(self.table)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._open_menu)
        self.more.budget_wanted.connect(self.budget_wanted)
        for part in (self.more.other_wanted, self.goals.wanted):
            part.connect(self.objective_wanted)
        keys = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), self.table)
        keys.setContext(Qt.ShortcutContext.WidgetShortcut)
        keys.activated.connect(self.copy_table)
        session.races.changed.connect(self._refresh)
        session.activity_changed.connect(self._allow_more)
        self._refresh()

    def _ranked_by(self) -> QWidget:
        """What the ranking goes by, and what its marks mean."""
        made = QWidget()
        row = in_row(label(tr("Rank by"), "label"), on=made, margins=(8, 6, 8, 0), spacing=12)
        row.addWidget(self.by)
        row.addStretch(1)
        row.addWidget(self.legend)
        return made

    def copy_table(self) -> None:
        """Put the ranking onto the clipboard."""
        QGuiApplication.clipboard().setText(table_text(self.table.ranking))

    def copy_markdown(self) -> None:
        """The same as a table of Markdown."""
        QGuiApplication.clipboard().setText(markdown_text(self.table.ranking))

    def make_menu(self, row: RaceRow | None) -> QMenu:
        """What can be done with a strategy of the ranking, and with all of it."""
        menu = QMenu(self.table)
        strategy = row.label if row is not None and row.figures else ""
        for arm in LABELS:
            use = menu.addAction(tr("Use as {arm}", arm=arm))
            use.triggered.connect(lambda _=False, arm=arm: self.use_wanted.emit(arm, strategy))
            over = self._session.races.race is not None and not self._session.busy
            use.setEnabled(bool(strategy) and over)
        menu.addSeparator()
        menu.addAction(tr("Copy table"), self.copy_table).setEnabled(bool(self.table.rows))
        markdown = menu.addAction(tr("Copy as Markdown"), self.copy_markdown)
        markdown.setEnabled(bool(self.table.rows))
        menu.addActions(self.table.actions())
        return menu

    def show_details(self) -> None:
        """Open what the recommendation says in full."""
        race = self._session.races.race
        if race is not None:
            RaceDetails(race, self.window()).open()

    def minimumSizeHint(self) -> QSize:
        """As much as the tabs beside it need: once it has a ranking, it has all the width."""
        return QSize(*_LEAST_PX)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The legend goes first where there is no room."""
        super().resizeEvent(event)
        self.legend.setVisible(self.width() >= _LEGEND_ROOM_PX * manager().scale)

    def _open_menu(self, place: QPoint) -> None:
        menu = self.make_menu(self.table.row_at(place))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.table.viewport().mapToGlobal(place))

    def _rank(self, by: RankBy) -> None:
        self.table.by = by
        self.table.refresh()

    def _refresh(self) -> None:
        races = self._session.races
        known = races.live or races.race
        if known is not self._race and races.known and self._race is None:
            self._rank(races.objective)
        self._race = known
        self._bar.setVisible(races.known)
        self.goals.setHidden(races.known)
        self.copy.setEnabled(races.known)
        # The slot has the same button while it shows the race.
        self.details.setVisible(races.race is not None and races.verdict is None)
        measured = self.table.ranking.measured
        if measured and self.table.by not in measured:
            self._rank(self.table.ranking.own)
        self.by.set_value(self.table.by)
        reasons = {
            "cold": tr("Nothing was measured from a cold start"),
            "warm": tr("Nothing was measured from a warm start"),
            "memory": tr("Memory wasn't seen"),
        }
        for key, reason in reasons.items():
            self.by.button(key).setEnabled(key in measured)
            self.by.button(key).setToolTip("" if key in measured else reason)
        self.more.show_race(races.race if races.live is None else None, races.reference)
        self._allow_more()

    def _allow_more(self) -> None:
        session = self._session
        self.more.allow(not session.busy)
        self.more.other.setVisible(session.inspection is not None and not session.in_memory)


class _Goals(QWidget):
    """What can be found where nothing was yet; `wanted` carries an objective."""

    wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        row = self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        row.setContentsMargins(8, 6, 8, 0)
        row.setSpacing(8)
        self._heading = label(tr("Find"), "label")
        row.addWidget(self._heading)
        self.buttons: dict[Objective, QPushButton] = {}
        for key, name, _ in OBJECTIVES:
            button = styled(QPushButton(f"{tr(name)}…"), "", compact=True)
            button.clicked.connect(lambda _=False, key=key: self.wanted.emit(key))
            self.buttons[key] = button
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        row.addStretch(1)
        session.activity_changed.connect(self._allow)
        session.model_changed.connect(self._allow)
        self._allow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Below each other where there is no room beside each other."""
        super().resizeEvent(event)
        parts = (self._heading, *self.buttons.values())
        needed_px = sum(part.sizeHint().width() + self._row.spacing() for part in parts)
        fits = needed_px <= self.contentsRect().width()
        direction = QBoxLayout.Direction
        self._row.setDirection(direction.LeftToRight if fits else direction.TopToBottom)

    def _allow(self) -> None:
        session = self._session
        obstacle = "" if session.inspection is not None else tr("Open a model first.")
        if session.busy:
            obstacle = tr("Not available while {doing}.", doing=tr(session.activity.value))
        for key, _, meaning in OBJECTIVES:
            why_not = tr(IN_MEMORY) if key == "cold" and session.in_memory else obstacle
            self.buttons[key].setEnabled(not why_not)
            self.buttons[key].setToolTip(why_not or tr(meaning))


class _Legend(QWidget):
    """What the marks of the ranking mean."""

    def __init__(self) -> None:
        super().__init__()
        row = in_row(on=self, spacing=4)
        entries = (
            ("├●┤", "", tr("expected, likely range")),
            ("○", "", tr("ruled out")),
            ("⋮", "", tr("disk limit")),
            ("▼", "good", tr("lowest in its column")),
        )
        for mark, tone, text in entries:
            drawn = label(mark, "hint")
            drawn.setProperty("tone", tone)
            row.addWidget(drawn)
            row.addWidget(label(text, "hint"))
            row.addSpacing(8)
