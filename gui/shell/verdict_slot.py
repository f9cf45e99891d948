"""The one slot under the cards: a hint, the progress of what runs, or the verdict."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QPushButton,
    QStackedLayout,
    QWidget,
)

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.comparison.result import Comparison
from modelmon.core.comparison.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.find_best.result import SearchResult
from modelmon.core.model.fingerprint import is_of
from modelmon.gui.best.best_tab import BestPage
from modelmon.gui.cluster.cluster_words import notice as cluster_notice
from modelmon.gui.compare import narration
from modelmon.gui.compare.verdict_page import VerdictPage
from modelmon.gui.language import said, sentences, tr
from modelmon.gui.session.notices import Chip, Choice, Listening, Notice
from modelmon.gui.session.run_words import when_text
from modelmon.gui.session.session import LABELS
from modelmon.gui.session.watched_run import WatchedRun
from modelmon.gui.shell.progress_page import ProgressPage
from modelmon.gui.watch import watch_words
from modelmon.gui.watch.program_card import ProgramPage
from modelmon.gui.widgets.layout import in_row
from modelmon.gui.widgets.slot_page import SlotTexts
from modelmon.gui.widgets.styling import IconLabel, restyle, styled
from modelmon.gui.widgets.theme import manager

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QAction

    from modelmon.gui.session.notices import ArmLabel
    from modelmon.gui.session.session import Session

HEIGHT_PX = 96
_ICONS = {"plain": "info", "good": "check", "warn": "warn", "bad": "warn"}


class VerdictSlot(QFrame):
    """Fixed in height, so that nothing jumps when its content changes."""

    compare_wanted = Signal()

    def __init__(self, session: Session, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        styled(self, "verdict")
        self.setAccessibleName(tr("What to do"))
        self._session = session
        self.amend_hint: Callable[[Notice], Notice] | None = None
        self._compare = Choice(tr("Compare A/B"), self.compare_wanted.emit, primary=True)
        self._export = Choice(tr("Export…"), actions["export"].trigger, primary=True)
        self._pages = QStackedLayout(self)
        self.notice_page = _NoticePage()
        self.progress_page = ProgressPage()
        self.verdict_page = VerdictPage()
        self.progress_page.stop.clicked.connect(actions["stop"].trigger)
        self.best_page = BestPage()
        for export in (self.verdict_page.export, self.best_page.export):
            export.clicked.connect(actions["export"].trigger)
        self.verdict_page.again.clicked.connect(self._compare_again)
        self.program_page = ProgramPage()
        self.program_page.export_wanted.connect(actions["export"].trigger)
        pages = (self.notice_page, self.progress_page, self.verdict_page)
        for page in (*pages, self.best_page, self.program_page):
            self._pages.addWidget(page)
        session.slot_changed.connect(self.refresh)
        session.settings_changed.connect(self.refresh)
        self.setFixedHeight(round(HEIGHT_PX * manager().scale))
        self.refresh()

    def refresh(self) -> None:
        """Show the session's state; called for each frame while something is under way."""
        session = self._session
        self._show_unsaved()
        arm: ArmLabel | None = None
        shown = session.shown
        if isinstance(shown, Listening):
            self.progress_page.show_view(shown())
            page: QWidget = self.progress_page
        elif isinstance(shown, WatchedRun):
            page = self._program_page(shown)
        elif isinstance(shown, SearchResult):
            used, name = session.strategy("A"), session.strategy_name("A")
            self.best_page.show_result(shown, used, name, self._dated(shown))
            page = self.best_page
        elif isinstance(shown, Comparison):
            changed = any(session.changed_since(label) for label in LABELS)
            arm = self.verdict_page.show_comparison(shown, changed, self._dated(shown))
            page = self.verdict_page
        else:
            page = self.notice_page
            if isinstance(shown, ClusterResult):
                self.notice_page.show_notice(
                    cluster_notice(shown, self._dated(shown), (self._export,))
                )
            else:
                self.notice_page.show_notice(self._with_way_back(shown) or self._hint())
        self._pages.setCurrentWidget(page)
        restyle(self, arm=arm or "")

    def _show_unsaved(self) -> None:
        """Say beside whatever is told that something isn't kept."""
        why = "\n".join(filter(None, self._session.unsaved.values()))
        lasting = (Chip(tr("Not saved"), "warn", "warn", why),) if why else ()
        for page in (self.notice_page, self.verdict_page, self.best_page, self.program_page):
            page.texts.set_lasting(lasting)

    def _dated(self, found: Comparison | SearchResult | ClusterResult) -> str:
        """When a verdict of before was found, and of which model where that is not the open one;
        empty for one of now.
        """
        session = self._session
        if not session.is_restored:
            return ""
        when = when_text(found.created_unix_s, time.time())
        if not isinstance(found, ClusterResult) and found.measured_with:
            return sentences(tr("Measured {when}.", when=when), said(found.measured_with))
        opened, model = session.inspection, found.model
        if opened is None or model is None or is_of(opened.model, model):
            return tr("Measured {when}.", when=when)
        return tr("Measured {when}, of another model: {model}.", when=when, model=model.name)

    def _program_page(self, program: WatchedRun) -> QWidget:
        if program.result is not None:
            opened = self._session.has_outcome
            self.program_page.show_run(program, program.result, is_of_open_model=opened)
            return self.program_page
        failed = program.record.failed
        notice = watch_words.failure(failed, program.name, ()) if failed else self._hint()
        self.notice_page.show_notice(notice)
        return self.notice_page

    def _with_way_back(self, notice: Notice | None) -> Notice | None:
        """A notice over a verdict leads back to it, others to what they were said over."""
        session = self._session
        if notice is None:
            return None
        watched = session.program is not None and session.program.result is not None
        found = watched or session.verdict is not None
        text = tr("Back to verdict") if found else notice.back
        if not text:
            return notice
        return replace(notice, choices=(*notice.choices, Choice(text, partial(session.say, None))))

    def _compare_again(self) -> None:
        """With as many pairs as a verdict takes."""
        self._session.set_repeats(max(self._session.repeats, MIN_PAIRS_FOR_INTERVAL))
        self.compare_wanted.emit()

    def _hint(self) -> Notice:
        session = self._session
        if session.inspection is None:
            return Notice(tr("Open a model to measure it"), tr("Only its headers are read"))
        names = {arm: session.strategy_name(arm) for arm in LABELS}
        obstacle = session.arms.obstacle_to_comparing()
        hint = narration.hint(session.inspection, names, obstacle, session.cache, session.repeats)
        if not obstacle and session.inspection.fits:
            hint = replace(hint, choices=(self._compare,))
        return self.amend_hint(hint) if self.amend_hint is not None else hint


class _NoticePage(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("info", "focus", 24)
        self.texts = SlotTexts()
        self.headline = self.texts.headline
        self.reason, self.caveat = self.texts.reason, self.texts.caveat
        self._buttons = in_row(spacing=8)
        row = in_row(on=self, margins=(16, 4, 16, 4), spacing=16)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.texts, 1)
        row.addLayout(self._buttons)
        self._shown: Notice | None = None
        self._choices: list[QPushButton] = []

    def show_notice(self, notice: Notice) -> None:
        if notice == self._shown:
            return
        self._shown = notice
        colour = "focus" if notice.tone == "plain" else notice.tone
        self._icon.show_icon(_ICONS[notice.tone], colour)
        restyle(self.headline, tone=notice.tone)
        self.texts.set_texts(said(notice.headline), said(notice.reason), said(notice.caveat))
        for button in self._choices:
            button.hide()
            button.deleteLater()
        self._choices = []
        for choice in notice.choices:
            button = QPushButton(choice.text)
            styled(button, "primary" if choice.primary else "")
            button.clicked.connect(lambda _=False, chosen=choice.chosen: chosen())
            self._buttons.addWidget(button)
            self._choices.append(button)
