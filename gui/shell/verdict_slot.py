"""The one slot under the cards: a hint, the progress of what runs, or the verdict."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QStackedLayout, QWidget

from modelmon.core.cluster.result import ClusterResult
from modelmon.core.comparison.result import Comparison
from modelmon.core.comparison.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.find_best.result import SearchResult
from modelmon.core.model.fingerprint import is_of
from modelmon.gui.best.best_tab import BestFigures
from modelmon.gui.best.best_words import recommendation_notice
from modelmon.gui.cluster.cluster_words import notice as cluster_notice
from modelmon.gui.compare import narration
from modelmon.gui.compare.verdict_details import verdict_notice
from modelmon.gui.language import said, sentences, tr
from modelmon.gui.plots.run_strip import WIDTH_PX, RunStrip, rows_of_comparison, title_of
from modelmon.gui.session.notices import Chip, Choice, Listening, Notice
from modelmon.gui.session.run_words import when_text
from modelmon.gui.session.session import LABELS
from modelmon.gui.session.watched_run import WatchedRun
from modelmon.gui.shell.progress_page import ProgressPage
from modelmon.gui.watch import watch_words
from modelmon.gui.widgets.layout import STRETCH, in_column, in_row
from modelmon.gui.widgets.slot_page import SlotTexts
from modelmon.gui.widgets.styling import IconLabel, restyle, styled
from modelmon.gui.widgets.theme import manager, set_icon

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtGui import QResizeEvent

    from modelmon.gui.best.find_best_controller import FindBestController
    from modelmon.gui.session.session import Outcome, Session

HEIGHT_PX = 96
BUTTONS_PX, _MOST_BUTTONS, _BADGE_PX = 144, 4, 32
_ROOM_FOR_STRIP_PX = 880
"""In less it is in the details alone, for the sentences need theirs."""
_ICONS = {"plain": "info", "good": "check", "warn": "warn", "bad": "warn"}


class VerdictSlot(QFrame):
    """Fixed in height, so that nothing jumps when its content changes."""

    def __init__(
        self, session: Session, best: FindBestController, does: Mapping[str, Callable[[], object]]
    ) -> None:
        """`does` has the window's commands by id."""
        super().__init__()
        styled(self, "verdict")
        self.setAccessibleName(tr("What to do"))
        self._session, self._best, self._does = session, best, does
        self.amend_hint: Callable[[Notice], Notice] | None = None
        self._compare = Choice(tr("Compare A/B"), self._do_compare, primary=True, icon="compare")
        self._export = Choice(tr("Export…"), does["export"], primary=True, icon="export")
        self._pages = QStackedLayout(self)
        self.page = NoticePage()
        self.progress_page = ProgressPage()
        self.progress_page.stop.clicked.connect(does["stop"])
        for page in (self.page, self.progress_page):
            self._pages.addWidget(page)
        session.slot_changed.connect(self.refresh)
        session.settings_changed.connect(self.refresh)
        session.own_presets.changed.connect(self.refresh)
        self.setFixedHeight(round(HEIGHT_PX * manager().scale))
        self.refresh()

    def refresh(self) -> None:
        """Show the session's state; called for each frame while something is under way."""
        shown = self._session.shown
        if isinstance(shown, Listening):
            self.progress_page.show_view(shown())
            self._pages.setCurrentWidget(self.progress_page)
            restyle(self, arm="")
            return
        notice = self._notice(shown)
        why = "\n".join(filter(None, self._session.unsaved.values()))
        self.page.texts.set_lasting((Chip(tr("Not saved"), "warn", "warn", why),) if why else ())
        self.page.show_notice(notice)
        if isinstance(shown, Comparison):
            self.page.strip.show_rows(rows_of_comparison(shown), title_of(shown))
        self._fit()
        self._pages.setCurrentWidget(self.page)
        restyle(self, arm=notice.badge if notice.badge in LABELS else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show beside the texts what there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shown, width_px = self._session.shown, self.width() / manager().scale
        strip, figures = self.page.strip, self.page.figures
        strip.setVisible(isinstance(shown, Comparison) and width_px >= _ROOM_FOR_STRIP_PX)
        figures.setVisible(isinstance(shown, SearchResult))
        if isinstance(shown, Comparison):
            # The sentences have the rest: about half of what the two share.
            shared = self.width() - BUTTONS_PX * manager().scale
            strip.setFixedWidth(round(min(WIDTH_PX * manager().scale, shared * 0.45)))
        elif isinstance(shown, SearchResult):
            figures.show_result(shown, self._session.strategy("A"), width_px)

    def _notice(self, shown: Notice | WatchedRun | Outcome | None) -> Notice:
        """What the page says of it."""
        session = self._session
        if isinstance(shown, WatchedRun):
            return self._of_program(shown)
        if isinstance(shown, SearchResult):
            return recommendation_notice(
                shown,
                session.strategy("A"),
                session.strategy_name("A"),
                export=self._export,
                use_as_b=partial(self._best.use, "B"),
                dated=self._dated(shown),
            )
        if isinstance(shown, Comparison):
            changed = any(session.changed_since(label) for label in LABELS)
            return verdict_notice(
                shown,
                changed=changed,
                export=self._export,
                again=self._compare_again,
                dated=self._dated(shown),
            )
        if isinstance(shown, ClusterResult):
            return cluster_notice(shown, self._dated(shown), (self._export,))
        return self._with_way_back(shown) if shown is not None else self._hint()

    def _dated(self, found: Outcome) -> str:
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

    def _of_program(self, program: WatchedRun) -> Notice:
        failed, wait = program.record.failed, program.wait
        if wait is not None:
            return watch_words.verdict_notice(
                program,
                wait,
                export=self._export,
                test=partial(self._best.ask_for_program, self),
                is_of_open_model=self._session.has_outcome,
            )
        return watch_words.failure(failed, program.name, ()) if failed else self._hint()

    def _with_way_back(self, notice: Notice) -> Notice:
        """A notice over a verdict leads back to it, others to what they were said over."""
        session = self._session
        watched = session.program is not None and session.program.result is not None
        found = watched or session.verdict is not None
        text = tr("Back to verdict") if found else notice.back
        if not text:
            return notice
        return replace(notice, choices=(*notice.choices, Choice(text, partial(session.say, None))))

    def _compare_again(self) -> None:
        """With as many pairs as a verdict takes."""
        self._session.set_repeats(max(self._session.repeats, MIN_PAIRS_FOR_INTERVAL))
        self._do_compare()

    def _do_compare(self) -> None:
        self._does["compare"]()

    def _hint(self) -> Notice:
        session = self._session
        if session.inspection is None:
            return Notice(tr("Open a model to measure it"), tr("Only its headers are read"))
        names = {arm: session.strategy_name(arm) for arm in LABELS}
        obstacle = session.arms.obstacle_to_comparing()
        hint = narration.hint(session.inspection, names, obstacle, session.cache, session.repeats)
        if not obstacle and session.inspection.can_stay:
            hint = replace(hint, choices=(self._compare,))
        return self.amend_hint(hint) if self.amend_hint is not None else hint


class NoticePage(QWidget):
    """A badge, the texts, runs or figures beside them, and a column of buttons."""

    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("info", "focus", 24)
        self.badge = styled(QLabel(), "badge")
        self.badge.setFixedSize(_BADGE_PX, _BADGE_PX)
        self.texts = SlotTexts()
        self.texts.fact_clicked.connect(self._show_details)
        self.strip = RunStrip()
        self.figures = BestFigures()
        self.buttons = [QPushButton() for _ in range(_MOST_BUTTONS)]
        for at, button in enumerate(self.buttons):
            button.setMinimumWidth(BUTTONS_PX)
            button.clicked.connect(lambda _=False, at=at: self._choices[at].chosen())
        column = in_column(STRETCH, *self.buttons, STRETCH, spacing=4)
        row = in_row(on=self, margins=(16, 2, 16, 2), spacing=16)
        for part in (self._icon, self.badge):
            row.addWidget(part, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.texts, 1)
        for beside in (self.strip, self.figures):
            row.addWidget(beside, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(column)
        self._shown = Notice("")
        self._choices: tuple[Choice, ...] = ()

    def show_notice(self, notice: Notice) -> None:
        """Show it, with its choices as buttons."""
        before = self._shown, self._choices
        details = Choice(tr("Details…"), partial(self._show_details, ""), icon="info")
        self._shown = notice
        self._choices = (*notice.choices, *((details,) if notice.details is not None else ()))
        if (self._shown, self._choices) == before:
            return
        self._icon.setHidden(bool(notice.badge))
        colour = "focus" if notice.tone == "plain" else notice.tone
        self._icon.show_icon(notice.icon or _ICONS[notice.tone], colour)
        self.badge.setVisible(bool(notice.badge))
        self.badge.setText(notice.badge)
        restyle(self.badge, arm=notice.badge if notice.badge in LABELS else "")
        restyle(self.texts.headline, tone="plain" if notice.details else notice.tone)
        headline, reason, caveat = map(said, (notice.headline, notice.reason, notice.caveat))
        self.texts.set_texts(headline, reason, caveat, notice.chips)
        first = next((each for each in self._choices if each.primary), None)
        for button, choice in zip_longest(self.buttons, self._choices):
            button.setHidden(choice is None)
            if choice is not None:
                button.setText(f" {choice.text}" if choice.icon else choice.text)
                button.setAccessibleName(choice.text.rstrip("…"))
                button.setToolTip(choice.tool_tip)
                set_icon(button, choice.icon, "ink_text" if choice is first else "text")
                role = "primary" if choice is first else ""
                restyle(button, role=role, compact=first is not None and choice is not first)

    @property
    def offered(self) -> dict[str, QPushButton]:
        """The buttons by their texts."""
        return {choice.text: at for choice, at in zip(self._choices, self.buttons, strict=False)}

    def _show_details(self, about: str) -> None:
        if self._shown.details is not None:
            self._shown.details(self.window(), about)
