"""The slot's verdict on a watched program: what of its wait could be less, and why it isn't."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from modelmon.core.engines.registry import ENGINES
from modelmon.gui.look.language import tr
from modelmon.gui.look.styling import IconLabel, push_button
from modelmon.gui.panels.slot_texts import SlotTexts
from modelmon.gui.panels.text_dialog import TextDialog
from modelmon.gui.watching.watch_words import details_text

if TYPE_CHECKING:
    from modelmon.gui.watching.watch_words import ProgramVerdict
    from modelmon.gui.watching.watched_run import WatchedRun

_ICONS = {"plain": "info", "good": "check", "warn": "warn", "bad": "warn"}
_BUTTONS_PX = 144
_MARGINS_PX, _SLIM_MARGINS_PX = (16, 8, 16, 8), (12, 3, 8, 3)


class ProgramPage(QWidget):
    """Shows what came of it. `best_wanted` asks to test the settings of its preset, at a place if
    that was said, `save_wanted` to save its recording.
    """

    best_wanted = Signal(str, str)
    save_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._run: WatchedRun | None = None
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(*_MARGINS_PX)
        row.setSpacing(16)
        self._icon = IconLabel("info", "focus", 24)
        self.texts = SlotTexts()
        self.chip_row = self.texts.chip_row
        self.best = push_button(tr("Find best…"), "best", "primary", "ink_text")
        self.save = push_button(tr("Save recording…"), "save")
        self.details = push_button(tr("Details…"), "info")
        buttons = self._buttons = QVBoxLayout()
        buttons.setSpacing(4)
        buttons.addStretch(1)
        for button in (self.best, self.save, self.details):
            button.setMinimumWidth(_BUTTONS_PX)
            button.setProperty("compact", button is not self.best)
            buttons.addWidget(button)
        buttons.addStretch(1)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.texts, 1)
        row.addLayout(buttons)
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

    def set_slim(self, *, slim: bool) -> None:
        """Take one row: the rest is behind Details."""
        self._row.setContentsMargins(*(_SLIM_MARGINS_PX if slim else _MARGINS_PX))
        along = QBoxLayout.Direction
        self._buttons.setDirection(along.LeftToRight if slim else along.TopToBottom)
        for button in (self.best, self.save, self.details):
            button.setMinimumWidth(0 if slim else _BUTTONS_PX)
        self.texts.set_slim(slim=slim)

    def _ask_for_best(self) -> None:
        if self._run is not None:
            self.best_wanted.emit(self._run.engine, self._run.place)

    def _show_details(self, about: str) -> None:
        if self._run is not None:
            text = details_text(self._run)
            dialog = TextDialog(tr("Watched program: details"), text, self.window())
            dialog.select(about)
            dialog.open()
