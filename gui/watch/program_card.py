"""A watched program in the window: its card in place of those of A and B, and its verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QSizePolicy, QWidget

from modelmon.core.programs.registry import PROGRAMS
from modelmon.gui.language import said, tr
from modelmon.gui.watch.watch_words import (
    Fact,
    big_time,
    card_facts,
    caveat_text,
    chips,
    markdown_text,
)
from modelmon.gui.widgets.controls import CommandBox
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.layout import in_column, in_row
from modelmon.gui.widgets.slot_page import SlotPage
from modelmon.gui.widgets.styling import (
    IconLabel,
    icon_button,
    label,
    plain,
    push_button,
    styled,
)

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from modelmon.core.worker.result import RunResult
    from modelmon.gui.session.session import Session
    from modelmon.gui.session.watched_run import WatchedRun

HEIGHT_PX = 92
_MOST_FACTS = 6
_ICONS = {"plain": "info", "good": "check", "warn": "warn", "bad": "warn"}
_FACT_GAP_PX = 28
_ICON_BOX_PX = 24
_BASELINE_PX = 4
"""What the large figure has more below its baseline."""


class ProgramCard(QFrame):
    """Shows the session's program. `again_wanted` asks to watch it once more, `dialog_wanted` to
    ask before that, `save_wanted` to save its recording.
    """

    again_wanted = Signal()
    dialog_wanted = Signal()
    replay_wanted = Signal()
    save_wanted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        styled(self, "card", program=True)
        self.setAccessibleName(tr("Watched program"))
        self.setFixedHeight(HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._session = session
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
        menu.addAction(tr("Replay"), self.replay_wanted.emit)
        save = menu.addAction(tr("Save recording…"), self.save_wanted.emit)
        shown = self._session.program
        record = shown.record if shown is not None else None
        mine = (run for run in self._session.runs if run.record is record)
        save.setEnabled(any(run.recording for run in mine))
        menu.addAction(tr("Watch another program…"), self.dialog_wanted.emit)
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
        (self.again_wanted if run is not None and run.request else self.dialog_wanted).emit()

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


class ProgramPage(SlotPage):
    """Shows what came of it. `best_wanted` asks to test the settings of its preset, at a place if
    that was said, of those that shorten its wait or of all, with more options; `export_wanted` what
    to set for it.
    """

    best_wanted = Signal(str, str, object, object)
    export_wanted = Signal()

    def __init__(self) -> None:
        self._run: WatchedRun | None = None
        self._settings: frozenset[str] = frozenset()
        self._icon = IconLabel("info", "focus", 24)
        self.best = push_button(tr("Find best…"), "best", "primary", "ink_text")
        self.export = push_button(tr("Export…"), "export")
        self.details = push_button(tr("Details…"), "info")
        small = (self.export, self.details)
        super().__init__(self._icon, (), (self.best, *small), small)
        self.chip_row = self.texts.chip_row
        self.best.clicked.connect(self._ask_for_best)
        self.export.clicked.connect(self.export_wanted)
        self.details.clicked.connect(lambda: self._show_details(""))
        self.texts.fact_clicked.connect(self._show_details)

    def show_run(self, run: WatchedRun, result: RunResult, *, is_of_open_model: bool) -> None:
        """Show its verdict; only of the open model settings can be tested and exported."""
        self._run, wait = run, run.wait
        assert wait is not None
        self._settings = frozenset(name for part in wait.parts for name in part.settings)
        self.best.setVisible(is_of_open_model and bool(run.engine))
        self.export.setVisible(is_of_open_model)
        label = tr("Test these settings…") if self._settings else tr("Find best…")
        self.best.setText(f" {label}")
        if run.engine:
            tip = tr("Test the load settings of {title}", title=PROGRAMS[run.engine].title)
            named = tr("Test: {settings}", settings=", ".join(sorted(self._settings)))
            self.best.setToolTip(named if self._settings else tip)
        self._icon.show_icon(_ICONS[wait.tone], "focus" if wait.tone == "plain" else wait.tone)
        caveat, told = caveat_text(run, wait.next_step), tuple(chips(result, run.limits))
        self.texts.set_texts(said(wait.headline), said(wait.reason), caveat, told)
        self._fit()

    def _ask_for_best(self) -> None:
        if self._run is not None:
            run = self._run
            self.best_wanted.emit(run.engine, run.place, self._settings, run.more)

    def _show_details(self, about: str) -> None:
        if self._run is not None:
            title, text = tr("Watched program: details"), markdown_text(self._run)
            dialog = TextDialog(title, text, self.window(), is_markdown=True)
            dialog.select(about)
            dialog.open()
