"""The slot's verdict on a watched program: what of its wait could be less, and why it isn't."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from modelmon.core.engines.registry import ENGINES
from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import IconLabel, push_button
from modelmon.gui.panels.slot_page import SlotPage
from modelmon.gui.panels.text_dialog import TextDialog
from modelmon.gui.watching.watch_words import details_text

if TYPE_CHECKING:
    from modelmon.gui.watching.watch_words import ProgramVerdict
    from modelmon.gui.watching.watched_run import WatchedRun

_ICONS = {"plain": "info", "good": "check", "warn": "warn", "bad": "warn"}


class ProgramPage(SlotPage):
    """Shows what came of it. `best_wanted` asks to test the settings of its preset, at a place if
    that was said, `save_wanted` to save its recording.
    """

    best_wanted = Signal(str, str)
    save_wanted = Signal()

    def __init__(self) -> None:
        self._run: WatchedRun | None = None
        self._icon = IconLabel("info", "focus", 24)
        self.best = push_button(tr("Find best…"), "best", "primary", "ink_text")
        self.save = push_button(tr("Save recording…"), "save")
        self.details = push_button(tr("Details…"), "info")
        small = (self.save, self.details)
        super().__init__(self._icon, (), (self.best, *small), small)
        self.chip_row = self.texts.chip_row
        self.best.clicked.connect(self._ask_for_best)
        self.save.clicked.connect(self.save_wanted)
        self.details.clicked.connect(lambda: self._show_details(""))
        self.chip_row.clicked.connect(self._show_details)

    def show_run(
        self, run: WatchedRun, verdict: ProgramVerdict, *, can_save: bool, can_find_best: bool
    ) -> None:
        """Show this verdict; only a run that was made or opened here has a recording to save."""
        self._run = run
        self.best.setVisible(can_find_best and bool(run.engine))
        if run.engine:
            tip = tr("Test the load settings of {title}", title=ENGINES[run.engine].title)
            self.best.setToolTip(tip)
        self._icon.show_icon(
            _ICONS[verdict.tone], "focus" if verdict.tone == "plain" else verdict.tone
        )
        self.texts.set_texts(verdict.headline, verdict.reason, verdict.caveat, verdict.chips)
        self.save.setVisible(can_save)

    def _ask_for_best(self) -> None:
        if self._run is not None:
            self.best_wanted.emit(self._run.engine, self._run.place)

    def _show_details(self, about: str) -> None:
        if self._run is not None:
            text = details_text(self._run)
            dialog = TextDialog(tr("Watched program: details"), text, self.window())
            dialog.select(about)
            dialog.open()
