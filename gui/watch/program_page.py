"""The slot's verdict on a watched program: what of its wait could be less, and why it isn't."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from modelmon.core.programs.registry import PROGRAMS
from modelmon.gui.language import tr
from modelmon.gui.watch.watch_words import markdown_text
from modelmon.gui.widgets.dialog import TextDialog
from modelmon.gui.widgets.slot_page import SlotPage
from modelmon.gui.widgets.styling import IconLabel, push_button

if TYPE_CHECKING:
    from modelmon.gui.session.watched_run import WatchedRun
    from modelmon.gui.watch.watch_words import ProgramVerdict

_ICONS = {"plain": "info", "good": "check", "warn": "warn", "bad": "warn"}


class ProgramPage(SlotPage):
    """Shows what came of it. `best_wanted` asks to test the settings of its preset, at a place if
    that was said, `export_wanted` what to set for it.
    """

    best_wanted = Signal(str, str)
    export_wanted = Signal()

    def __init__(self) -> None:
        self._run: WatchedRun | None = None
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

    def show_run(self, run: WatchedRun, verdict: ProgramVerdict, *, is_of_open_model: bool) -> None:
        """Show this verdict; only of the open model settings can be tested and exported."""
        self._run = run
        self.best.setVisible(is_of_open_model and bool(run.engine))
        self.export.setVisible(is_of_open_model)
        if run.engine:
            tip = tr("Test the load settings of {title}", title=PROGRAMS[run.engine].title)
            self.best.setToolTip(tip)
        self._icon.show_icon(
            _ICONS[verdict.tone], "focus" if verdict.tone == "plain" else verdict.tone
        )
        self.texts.set_texts(verdict.headline, verdict.reason, verdict.caveat, verdict.chips)
        self._fit()

    def _ask_for_best(self) -> None:
        if self._run is not None:
            self.best_wanted.emit(self._run.engine, self._run.place)

    def _show_details(self, about: str) -> None:
        if self._run is not None:
            title, text = tr("Watched program: details"), markdown_text(self._run)
            dialog = TextDialog(title, text, self.window(), is_markdown=True)
            dialog.select(about)
            dialog.open()
