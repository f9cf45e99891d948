"""The slot's verdict: what to do and why, how sure that is, and the way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from modelmon.core.experiment.statistics.spread import MIN_PAIRS_FOR_INTERVAL
from modelmon.core.experiment.verdict import programs_text
from modelmon.core.experiment.warned_runs import spoiling_of
from modelmon.gui.look.language import said, tr
from modelmon.gui.look.styling import label, push_button, restyle, styled
from modelmon.gui.look.theme import manager
from modelmon.gui.panels.slot_texts import SlotTexts
from modelmon.gui.panels.verdict_details import CONFIDENCES, VerdictDetails

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from modelmon.core.experiment.bottleneck.kinds import Confidence
    from modelmon.core.experiment.result import Comparison
    from modelmon.gui.window.notices import ArmLabel

_TONES = {1: "bad", 2: "warn", 3: "good"}
BARS: dict[Confidence, int] = {"high": 3, "medium": 2, "low": 1}


class VerdictPage(QWidget):
    """Shows a Comparison's verdict; its figures stand behind Details."""

    def __init__(self) -> None:
        super().__init__()
        self._comparison: Comparison | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 4, 16, 4)
        row.setSpacing(16)
        self.badge = styled(QLabel(), "badge")
        self.badge.setFixedSize(32, 32)
        self.texts = SlotTexts()
        self.sentence = self.texts.headline
        self.reason, self.caveat = self.texts.reason, self.texts.caveat
        self.sure = QWidget()
        sure = QHBoxLayout(self.sure)
        sure.setContentsMargins(0, 0, 0, 0)
        sure.setSpacing(6)
        self._bars = ConfidenceBars()
        self.confidence = label("", "heading")
        sure.addWidget(self._bars)
        sure.addWidget(self.confidence)
        self.export = push_button(tr("Export…"), "export", "primary", "ink_text")
        self.again = push_button(tr("Compare again"), "compare", "primary", "ink_text")
        self.details = push_button(tr("Details…"), "info")
        self.details.clicked.connect(self._show_details)
        buttons = QVBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        for button in (self.export, self.again, self.details):
            buttons.addWidget(button)
        buttons.addStretch(1)
        row.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.texts, 1)
        row.addWidget(self.sure, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addLayout(buttons)

    def show_comparison(
        self, comparison: Comparison, changed: bool, dated: str = ""
    ) -> ArmLabel | None:
        """Show a verdict; `changed` says that the cards show other settings by now, `dated` when
        it was found, where that was before.

        Returns the arm whose color the slot takes on.
        """
        self._comparison = comparison
        verdict = comparison.verdict
        arm: ArmLabel | None = verdict.winner if verdict.winner in ("A", "B") else None
        self.badge.setText(arm or ("=" if verdict.winner == "no-difference" else "?"))
        restyle(self.badge, arm=arm or "")
        a, b = comparison.arm_a.strategy, comparison.arm_b.strategy
        since = tr("Settings changed since. This compared {a} (A) with {b} (B).", a=a, b=b)
        against = [said(one.short) for one in spoiling_of((*comparison.runs_a, *comparison.runs_b))]
        # Other things are timed of programs than of loads.
        against = [*filter(None, [said(programs_text(comparison))]), *against]
        self.texts.set_texts(
            said(verdict.sentence),
            " ".join(filter(None, (dated, said(verdict.reason)))),
            since if changed else " ".join(against),
        )
        decided = verdict.winner != "undecided"
        # Confidence in an answer; where there is none, it would answer nothing.
        self.sure.setVisible(decided)
        self._bars.set_level(BARS[verdict.confidence])
        self.confidence.setText(tr(CONFIDENCES[verdict.confidence]))
        self.export.setVisible(decided)
        self.again.setVisible(not decided)
        few = verdict.pairs < MIN_PAIRS_FOR_INTERVAL
        self.again.setText(
            tr("Run {count} pairs", count=MIN_PAIRS_FOR_INTERVAL) if few else tr("Compare again")
        )
        return arm

    def _show_details(self) -> None:
        if self._comparison is not None:
            VerdictDetails(self._comparison, self.window()).open()


class ConfidenceBars(QWidget):
    """One, two or three rising bars; the word beside them says the same."""

    def __init__(self) -> None:
        super().__init__()
        self._level = 1
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        manager().changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 (Qt's name)
        """Room for three bars."""
        return QSize(20, 14)

    def set_level(self, level: int) -> None:
        """Show 1 to 3 bars."""
        self._level = level
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 (Qt's name)
        """Draw the bars."""
        del event
        theme = manager().theme
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        for at in range(3):
            lit = at < self._level
            painter.setBrush(getattr(theme, _TONES[self._level]) if lit else theme.neutral_3)
            height = 6 + at * 4
            painter.drawRect(QRectF(at * 7, 14 - height, 5, height))
        painter.end()
