"""The slot's recommendation after a race: what to use, why, how sure, and what to do with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from modelmon.gui.find_best.race_words import expected_text, summary_text
from modelmon.gui.look.language import said, tr
from modelmon.gui.look.styling import ElidedLabel, IconLabel, label, push_button
from modelmon.gui.panels.slot_texts import SlotTexts
from modelmon.gui.panels.verdict_details import CONFIDENCES
from modelmon.gui.panels.verdict_page import BARS, ConfidenceBars

if TYPE_CHECKING:
    from modelmon.core.experiment.race.result import Race


class RacePage(QWidget):
    """Shows a Race's recommendation."""

    def __init__(self) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 16, 4)
        row.setSpacing(16)
        self.texts = SlotTexts()
        self.sentence = self.texts.headline
        self.reason, self.caveat = self.texts.reason, self.texts.caveat
        self._bars = ConfidenceBars()
        self.confidence = label("", "heading")
        self.expected = ElidedLabel("value", lines=2)
        self.confidence_reason = ElidedLabel("label", lines=2)
        self.go_on = push_button(tr("Resume"), "run")
        self.go_on.setToolTip(tr("Resume Find best in the remaining time"))
        self.use = push_button(tr("Use as B"), "swap")
        self.export = push_button(tr("Export…"), "export", "primary", "ink_text")
        first = QHBoxLayout()
        first.setSpacing(6)
        first.addWidget(self._bars)
        first.addWidget(self.confidence, 1)
        row.addWidget(IconLabel("best", "good", 24), 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.texts, 7)
        sure = _centred(self.expected, self.confidence_reason)
        sure.insertLayout(1, first)
        row.addLayout(sure, 3)
        row.addWidget(self.go_on, 0, Qt.AlignmentFlag.AlignVCenter)
        # On top of each other they leave the sentences their width.
        row.addLayout(_centred(self.export, self.use, gap_px=8))

    def show_race(self, race: Race, gain: str, *, resumable: bool) -> None:
        """Show what a race recommends and gains; `resumable` offers to go on with it."""
        self.go_on.setVisible(resumable)
        found = race.recommendation
        reasons = [gain, *(said(reason) for reason in found.reasons[:2])]
        reason = " ".join(filter(None, reasons))
        self.texts.set_texts(said(found.sentence), reason, _caveat(race))
        self.caveat.set_more(summary_text(race))
        self._bars.set_level(BARS[found.confidence])
        self.confidence.setText(tr(CONFIDENCES[found.confidence]))
        self.expected.set_whole(tr("Expected: {expected}", expected=expected_text(race)))
        self.confidence_reason.set_whole(said(found.confidence_reason))
        self.use.setToolTip(tr("Use {way} as B, to compare it with A", way=found.label))
        self.export.setToolTip(
            tr("Write {strategy} as modelmon.toml", strategy=found.exported)
            if found.exported
            else tr("Write the ranking; the recommended strategy can't be stored")
        )


def _caveat(race: Race) -> str:
    """What cut the race short or speaks against it, else when the second is the better choice."""
    found = race.recommendation
    if race.why_stopped:
        return said(race.why_stopped)
    if found.contradictions:
        return said(found.contradictions[0])
    if not found.runner_up:
        return ""
    return tr("Runner-up: {way}. {when}", way=found.runner_up, when=found.runner_up_wins)


def _centred(*lines: QWidget, gap_px: int = 2) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(gap_px)
    column.addStretch(1)
    for line in lines:
        column.addWidget(line)
    column.addStretch(1)
    return column
