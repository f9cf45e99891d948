"""The slot's verdict on a watched program: what of its wait could be less, and why it isn't."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

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
    """Shows what came of it. `save_wanted` asks to save its recording."""

    save_wanted = Signal()

    def __init__(self) -> None:
        self._run: WatchedRun | None = None
        self._icon = IconLabel("info", "focus", 24)
        self.save = push_button(tr("Save recording…"), "save")
        self.details = push_button(tr("Details…"), "info")
        buttons = (self.save, self.details)
        super().__init__(self._icon, (), buttons, small=buttons)
        self.chip_row = self.texts.chip_row
        self.save.clicked.connect(self.save_wanted)
        self.details.clicked.connect(lambda: self._show_details(""))
        self.chip_row.clicked.connect(self._show_details)

    def show_run(self, run: WatchedRun, verdict: ProgramVerdict, *, can_save: bool) -> None:
        """Show this verdict; only a run that was made or opened here has a recording to save."""
        self._run = run
        self._icon.show_icon(
            _ICONS[verdict.tone], "focus" if verdict.tone == "plain" else verdict.tone
        )
        self.texts.set_texts(verdict.headline, verdict.reason, verdict.caveat, verdict.chips)
        self.save.setVisible(can_save)

    def _show_details(self, about: str) -> None:
        if self._run is not None:
            text = details_text(self._run)
            dialog = TextDialog(tr("Watched program: details"), text, self.window())
            dialog.select(about)
            dialog.open()
