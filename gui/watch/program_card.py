"""A watched program in the window: its card in place of those of A and B."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QWidget

from modelmon.gui.language import tr
from modelmon.gui.watch.watch_words import Fact, big_time, card_facts
from modelmon.gui.widgets.controls import CommandBox
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.styling import (
    IconLabel,
    icon_button,
    label,
    plain,
    push_button,
    styled,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.session.session import Session

HEIGHT_PX = 92
_MOST_FACTS = 6
_FACT_GAP_PX = 28
_ICON_BOX_PX = 24
_BASELINE_PX = 4
"""What the large figure has more below its baseline."""


class ProgramCard(QFrame):
    """Shows the session's program; commands about it are the window's, `does` has them by id."""

    def __init__(self, session: Session, does: Mapping[str, Callable[[], object]]) -> None:
        super().__init__()
        styled(self, "card", program=True)
        self.setAccessibleName(tr("Watched program"))
        self.setFixedHeight(HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._session, self._does = session, does
        in_column(self._first_row(), self._second_row(), on=self, margins=(12, 8, 12, 8), spacing=6)
        session.program_changed.connect(self.refresh)
        session.activity_changed.connect(self.refresh)
        session.record_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the program's state; called for each frame while it is watched."""
        run = self._session.program
        if run is None:
            return
        self.name.setText(run.name)
        self.command.set_whole(" ".join(run.program.command.split()))
        time, what = big_time(run)
        self.time.setText(time)
        self.what.setText(what)
        facts = card_facts(run)
        for at, box in enumerate(self._facts):
            box.show_fact(facts[at] if at < len(facts) else None)
        busy = self._session.busy
        possible = not busy and self._session.inspection is not None
        again = tr("Watch again") if run.request else tr("Watch again…")
        self.again.setText(f" {again}")
        self.again.setEnabled(possible)
        self.again.setToolTip(self._again_tip())
        self.close_button.setEnabled(not busy)
        self.menu_button.setEnabled(not busy)
        self._fit()

    def card_menu(self) -> QMenu:
        """What else can be done with it."""
        menu = QMenu(self)
        menu.addAction(tr("Replay"), self._does["replay"])
        save = menu.addAction(tr("Save recording…"), self._does["save_program"])
        shown = self._session.program
        record = shown.record if shown is not None else None
        mine = (run for run in self._session.runs if run.record is record)
        save.setEnabled(any(run.recording for run in mine))
        menu.addAction(tr("Watch another program…"), self._does["watch_another"])
        menu.addSeparator()
        menu.addAction(tr("Show A and B"), self._leave)
        return menu

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Facts go from the last where there is no room: a cut one would be a wrong one."""
        super().resizeEvent(event)
        self._fit()

    def _again_tip(self) -> str:
        session, run = self._session, self._session.program
        if session.busy:
            return tr("Wait until the current task is done.")
        if session.inspection is None:
            return tr("Open a model first.")
        if run is not None and run.request is None:
            return tr("This command wasn't typed in this window: it's shown before it's run.")
        if run is not None and run.program.pid is not None:
            return tr("Join it again")
        return tr("Start it again from the same cache state")

    def _first_row(self) -> QHBoxLayout:
        badge = styled(QWidget(), "program")
        badge.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        badge.setFixedSize(_ICON_BOX_PX, _ICON_BOX_PX)
        in_row((IconLabel("watch", "ink_text"), 0, Qt.AlignmentFlag.AlignCenter), on=badge)
        self.name = label("", "title")
        self.command = CommandBox()
        self.again = push_button(tr("Watch again"), "refresh")
        self.again.setProperty("compact", True)
        self.again.clicked.connect(self._on_again)
        self.menu_button = icon_button("more", tr("More"))
        self.menu_button.clicked.connect(self._open_menu)
        self.close_button = icon_button("close", tr("Show A and B"))
        self.close_button.clicked.connect(self._leave)
        row = in_row(badge, self.name, (self.command, 1), spacing=8)
        row.addSpacing(8)
        for button in (self.again, self.menu_button, self.close_button):
            row.addWidget(button)
        return row

    def _second_row(self) -> QHBoxLayout:
        row = in_row(spacing=_FACT_GAP_PX)
        self._facts = [_FactBox() for _ in range(_MOST_FACTS)]
        for box in self._facts:
            row.addWidget(box)
        row.addStretch(1)
        self.time = label("", "result")
        self.time.setToolTip(tr("The whole wait. The timeline divides it into phases."))
        self.what = label("", "label")
        told = in_row((self.time, 0, Qt.AlignmentFlag.AlignBottom), spacing=8)
        self.what.setContentsMargins(0, 0, 0, _BASELINE_PX)
        told.addWidget(self.what, 0, Qt.AlignmentFlag.AlignBottom)
        row.addLayout(told)
        return row

    def _fit(self) -> None:
        room = self.width() - 2 * 12 - 4 - 8
        room -= self.time.sizeHint().width() + self.what.sizeHint().width()
        for box in self._facts:
            room -= box.sizeHint().width() + _FACT_GAP_PX if box.known else 0
            box.setVisible(box.known and room >= 0)

    def _leave(self) -> None:
        self._session.show_program(None)

    def _on_again(self) -> None:
        run = self._session.program
        self._does["watch_again" if run is not None and run.request else "watch_another"]()

    def _open_menu(self) -> None:
        menu = self.card_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))


class _FactBox(QWidget):
    """A figure with its name above it, in few words; all of them are its tool tip."""

    def __init__(self) -> None:
        super().__init__()
        self.known = False
        self._name = label("", "hint")
        self._value = label("", "value")
        in_column(self._name, self._value, on=self, spacing=0)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def show_fact(self, fact: Fact | None) -> None:
        """Show this one, or none."""
        self.known = fact is not None
        if fact is not None:
            self._name.setText(fact.name)
            self._value.setText(fact.short or fact.value)
            whole = fact.value if fact.short else ""
            self.setToolTip(plain("\n".join(filter(None, (whole, fact.tool_tip)))))
